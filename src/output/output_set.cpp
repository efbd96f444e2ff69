#include "output/output_set.h"

#include <exception>
#include <filesystem>

#include "base/diagnostics.h"
#include "base/text.h"

namespace trammel {
namespace {

struct FormatName {
  Format format;
  const char* name;
  const char* extension;
};

constexpr FormatName format_names[] = {
    {Format::native, "nc", ".nc"},
    {Format::request, "req", ".req"},
    {Format::results, "res", ".res"},
};

}  // namespace

std::optional<Format> parse_format(std::string_view name) {
  for (const FormatName& entry : format_names)
    if (equal_ignoring_case(entry.name, name)) return entry.format;
  return std::nullopt;
}

const char* extension_of(Format format) {
  for (const FormatName& entry : format_names)
    if (entry.format == format) return entry.extension;
  return "";
}

void OutputSet::open(const Channels& channels, const RunInfo& info, const std::string& prefix,
                     const std::vector<Format>& formats, const OutputOptions& options) {
  close();
  native_.reset();
  request_.reset();
  results_.reset();
  paths_.clear();
  records_ = 0;
  width_ = static_cast<std::size_t>(channels.size());
  clock_ = FlushClock(options.flush_seconds);
  for (const Format format : formats) {
    const std::string path = prefix + extension_of(format);
    switch (format) {
      case Format::native:
        if (native_) continue;
        native_.emplace().open(path, channels, info, {options.buffer_bytes, options.flush_seconds});
        break;
      case Format::request:
        if (request_) continue;
        request_.emplace().open(path, channels, info);
        break;
      case Format::results:
        if (results_) continue;
        results_.emplace().open(path, channels, info, options.results);
        break;
    }
    paths_.push_back(path);
  }
  open_ = true;
}

void OutputSet::record(double time, StepKind kind, std::span<const double> values) {
  if (!open_) fail(ExitCode::internal, "a result was recorded before the result files were opened");
  if (values.size() != width_)
    fail(ExitCode::internal, "a record has {} values, the channels {}", values.size(), width_);
  ++records_;
  if (native_) native_->record(time, kind, values);
  // The .req file has output steps only: the state as the dataset gives it is none.
  if (request_ && kind != StepKind::model_input) request_->record(time, values);
  if (results_) results_->record(time, kind, values);
  if (clock_.due()) flush();
}

void OutputSet::flush() {
  clock_.reset();
  if (native_) native_->flush();
  if (request_) request_->flush();
  if (results_) results_->flush();
}

void OutputSet::close(bool successful) {
  if (!open_) return;
  open_ = false;
  std::exception_ptr first;
  const auto attempt = [&](auto action) {  // one full disk does not leave the other files unfinished
    try {
      action();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  };
  attempt([&] {
    if (native_) native_->close();
  });
  attempt([&] {
    if (request_) request_->close();
  });
  attempt([&] {
    if (results_) results_->close(successful);
  });
  if (first) std::rethrow_exception(first);
}

std::vector<FileReport> OutputSet::files() const {
  std::vector<FileReport> out;
  for (const std::string& path : paths_) {
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    out.push_back({path, error ? 0 : static_cast<std::uint64_t>(size)});
  }
  return out;
}

}  // namespace trammel
