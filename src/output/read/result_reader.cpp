#include "output/read/result_reader.h"

#include <algorithm>
#include <filesystem>

#include "base/diagnostics.h"
#include "base/text.h"
#include "output/read/text_input.h"
#include "output/read/track_table.h"

namespace trammel {
namespace {

struct TextFormat {
  const char* name;
  bool (*recognises)(std::string_view head, const std::string& extension);
  ResultTable (*read)(const std::string& path);
  bool six_digits;
};

// The first format that recognises the first bytes (without blanks) reads the file.
constexpr TextFormat text_formats[] = {
    {"XRF", [](std::string_view head, const std::string&) { return head.starts_with('<'); }, read_results_xrf,
     false},
    {"requests", [](std::string_view head, const std::string&) { return head.starts_with("A.R3"); },
     read_request_file, true},
    {"batch table",
     [](std::string_view head, const std::string&) { return head.starts_with("number,name,"); },
     read_batch_table, false},
    {"CSV", [](std::string_view, const std::string& extension) { return extension == ".csv"; }, read_csv,
     false},
};

std::string first_bytes(const std::string& path) {
  const FileHandle file = open_for_reading(path);
  std::string head(64, '\0');
  head.resize(std::fread(head.data(), 1, head.size(), file.get()));
  return head;
}

}  // namespace

ResultReader::ResultReader(const std::string& path) : path_(path) {
  const std::string head = first_bytes(path);
  if (head.empty()) fail(ExitCode::input, "{}: the file is empty", path);
  if (head.starts_with("CDF")) {
    native_ = std::make_unique<NativeReader>(path);
    format_ = "native";
    times_ = native_->time();
    kinds_ = native_->kinds();
    if (has_incidents(*native_)) take_tracks();
  } else {
    std::string_view text = head;
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    const std::string extension = lower(std::filesystem::path(path).extension().string());
    const auto format =
        std::find_if(std::begin(text_formats), std::end(text_formats),
                     [&](const TextFormat& f) { return f.recognises(trim(text), extension); });
    if (format == std::end(text_formats))
      fail(
          ExitCode::input,
          "{}: no result file that can be read: native (.nc), .res in XRF form, .req in format A.R3, or .csv",
          path);
    format_ = format->name;
    six_digits_ = format->six_digits;
    table_ = format->read(path);
    times_ = std::move(table_.times);
    kinds_ = std::move(table_.kinds);
  }
  width_ = static_cast<std::size_t>(channels().size());
}

void ResultReader::take_tracks() {
  table_ = read_tracks(*native_);
  native_.reset();
  times_ = std::move(table_.times);
  kinds_ = std::move(table_.kinds);
  format_ = "tracks of contacts";
}

std::vector<double> ResultReader::column(const ChannelRef& channel) const {
  if (channel.column < 0) return times_;
  if (native_) return native_->read(channel);
  std::vector<double> out(records());
  for (std::size_t r = 0; r < out.size(); ++r)
    out[r] = table_.records[r][static_cast<std::size_t>(channel.column)];
  return out;
}

void ResultReader::record(std::size_t index, std::span<double> values) const {
  if (native_) {
    native_->read_record(index, values);
    return;
  }
  const std::span<const double> record = table_.records[index];
  std::copy(record.begin(), record.end(), values.begin());
}

}  // namespace trammel
