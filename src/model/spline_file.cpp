#include "model/spline_file.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>

#include "base/text.h"
#include "base/text_records.h"

namespace trammel {

namespace {

constexpr std::size_t fewest_points = 4;  // as of X and Y in a dataset

// ---- RPC III: blocks of 512 bytes; the header is records of 32 bytes keyword and 96 bytes value, filled up
// with zero bytes; the data are groups, each with PTS_PER_GROUP numbers of channel 1, then of channel 2 ...

constexpr std::int64_t block_size = 512, record_size = 128, keyword_size = 32;
constexpr std::int64_t most_blocks = 4096;  // far more than 256 channels and 1024 parameters need

class RpcFile {
 public:
  explicit RpcFile(const std::string& path) : path_(path), in_(open_file(path)) {
    in_.seekg(0, std::ios::end);
    size_ = in_.tellg();
    read_records(1);
    read_records(whole("NUM_HEADER_BLOCKS", most_blocks));
    big_end_ = word("FORMAT", "") == "BINARY_IEEE_BIG_END";
  }

  TimeHistory read(int channel) {
    refuse_others();
    channel = chosen(channel);
    const bool floating = word("DATA_TYPE", "SHORT_INTEGER") == "FLOATING_POINT";
    const std::int64_t width = floating ? 4 : 2, group = whole("PTS_PER_GROUP", 1 << 30);
    const std::int64_t points = whole("PTS_PER_FRAME", 1 << 24) * whole("FRAMES", 1 << 30);
    const std::int64_t first = whole("NUM_HEADER_BLOCKS", most_blocks) * block_size;
    const std::int64_t stride = group * whole("CHANNELS", 256) * width;
    const std::int64_t groups = (points + group - 1) / group;
    if (stride > size_ || groups > (size_ - first) / stride)
      wrong(size_, "the file ends; {} points in groups of {} for {} channels go on", points, group,
            whole("CHANNELS", 256));
    if (points < static_cast<std::int64_t>(fewest_points))
      wrong(record("FRAMES").at, "needs at least {} points, has {}", fewest_points, points);
    const double step = real("DELTA_T");
    if (!(step > 0)) wrong(record("DELTA_T").at, "DELTA_T must be positive, is {}", shortest(step));
    const double scale = floating ? 1.0 : real(fmt::format("SCALE.CHAN_{}", channel));
    TimeHistory out;
    for (std::int64_t k = 0; k < points; ++k) {
      const std::int64_t at = first + k / group * stride + ((channel - 1) * group + k % group) * width;
      out.x.push_back(static_cast<double>(k) * step);
      out.y.push_back(scale * number(at, floating));
      if (!std::isfinite(out.y.back())) wrong(at, "point {} of channel {} is not a number", k + 1, channel);
    }
    return out;
  }

 private:
  struct Record {
    std::int64_t at = 0;  ///< its first byte
    std::string value;
  };

  template <class... Args>
  [[noreturn]] void wrong(std::int64_t byte, fmt::format_string<Args...> format, Args&&... args) const {
    fail(ExitCode::input, "{}: byte {}: {}", path_, byte, fmt::format(format, std::forward<Args>(args)...));
  }

  /// `count` bytes from byte `at` on.
  const char* bytes(std::int64_t at, std::int64_t count) {
    if (at < buffer_at_ || at + count > buffer_at_ + static_cast<std::int64_t>(buffer_.size())) {
      buffer_at_ = at;
      buffer_.resize(
          static_cast<std::size_t>(std::min<std::int64_t>(std::max<std::int64_t>(count, 4096), size_ - at)));
      in_.clear();
      in_.seekg(at);
      in_.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
      if (!in_) fail(ExitCode::io, "{} cannot be read at byte {}", path_, at);
    }
    return buffer_.data() + (at - buffer_at_);
  }

  void read_records(std::int64_t blocks) {
    if (blocks * block_size > size_)
      wrong(size_, "the file ends within its header of {} bytes", blocks * block_size);
    for (std::int64_t at = 0; at < blocks * block_size; at += record_size) {
      const std::string_view text(bytes(at, record_size), record_size);
      const std::string_view keyword = trim(text.substr(0, text.substr(0, keyword_size).find('\0')));
      const std::string_view value = text.substr(keyword_size);
      if (!keyword.empty())
        records_.try_emplace(upper(keyword),
                             Record{at, std::string(trim(value.substr(0, value.find('\0'))))});
    }
  }

  const Record& record(const std::string& keyword) const {
    const auto found = records_.find(keyword);
    if (found == records_.end()) wrong(0, "the header has no {}", keyword);
    return found->second;
  }
  std::string word(const std::string& keyword, const char* otherwise) const {
    return records_.contains(keyword) ? upper(record(keyword).value) : otherwise;
  }
  std::int64_t whole(const std::string& keyword, std::int64_t most) const {
    const auto value = parse_integer(record(keyword).value);
    if (!value || *value < 1 || *value > most)
      wrong(record(keyword).at, "{} must be an integer from 1 to {}, found '{}'", keyword, most,
            record(keyword).value);
    return *value;
  }
  double real(const std::string& keyword) const {
    const auto value = parse_number(record(keyword).value);
    if (!value) wrong(record(keyword).at, "{} must be a number, found '{}'", keyword, record(keyword).value);
    return *value;
  }

  /// Refuses what a keyword of the header says and this reader does not know.
  void refuse_others() const {
    struct Known {
      const char *keyword, *otherwise, *one, *other;
    };
    constexpr Known table[] = {
        {"FORMAT", "", "BINARY_IEEE_LITTLE_END", "BINARY_IEEE_BIG_END"},
        {"FILE_TYPE", "TIME_HISTORY", "TIME_HISTORY", "TIME_HISTORY"},
        {"DATA_TYPE", "SHORT_INTEGER", "SHORT_INTEGER", "FLOATING_POINT"},
        {"HALF_FRAMES", "0", "0", "0"},
    };
    for (const Known& row : table)
      if (const std::string found = word(row.keyword, row.otherwise); found != row.one && found != row.other)
        fail(ExitCode::unsupported, "{}: byte {}: {} {} is not supported; {}{} is", path_,
             record(row.keyword).at, row.keyword, found, row.one,
             std::string_view(row.one) == row.other ? "" : fmt::format(" or {}", row.other));
  }

  int chosen(int channel) const {
    const std::int64_t channels = whole("CHANNELS", 256);
    if (channel == 0 && channels > 1)
      wrong(record("CHANNELS").at, "CHANNEL is missing; the file has {} channels", channels);
    if (channel > channels)
      wrong(record("CHANNELS").at, "there is no channel {}; the file has {}", channel, channels);
    return std::max(channel, 1);
  }

  double number(std::int64_t at, bool floating) {
    const int width = floating ? 4 : 2;
    const char* b = bytes(at, width);
    std::uint32_t bits = 0;
    for (int k = 0; k < width; ++k)
      bits |= static_cast<std::uint32_t>(static_cast<unsigned char>(b[k]))
              << 8 * (big_end_ ? width - 1 - k : k);
    return floating ? static_cast<double>(std::bit_cast<float>(bits)) : static_cast<std::int16_t>(bits);
  }

  std::string path_;
  std::ifstream in_;
  std::int64_t size_ = 0, buffer_at_ = 0;
  bool big_end_ = false;
  std::vector<char> buffer_;
  std::map<std::string, Record> records_;
};

// ---- tables of text

/// The numbers of a line.
std::vector<double> numbers_of(const TextRecords& in, std::string line) {
  line.resize(std::min(line.find_first_of("!#"), line.size()));
  std::vector<double> numbers;
  for (std::size_t at = 0; (at = line.find_first_not_of(" \t,;", at)) != std::string::npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t,;", at), line.size());
    const std::string word = line.substr(at, end - at);
    const auto value = parse_number(word);
    if (!value || !std::isfinite(*value)) in.wrong("'{}' is no number", word);
    numbers.push_back(*value);
    at = end;
  }
  return numbers;
}

TimeHistory read_table(const std::string& path, int channel) {
  TextRecords in(path);
  TimeHistory out;
  std::size_t columns = 0;
  for (std::string line; in.next(line);) {
    const std::vector<double> row = numbers_of(in, line);
    if (row.empty()) continue;
    if (columns == 0) {
      columns = row.size();
      if (columns < 2) in.wrong("a line is x and at least one y, found 1 number");
      if (channel == 0 && columns > 2)
        in.wrong("CHANNEL is missing; the table has {} columns of y", columns - 1);
      if (static_cast<std::size_t>(channel) >= columns)
        in.wrong("there is no channel {}; columns of y: {}", channel, columns - 1);
    }
    if (row.size() != columns) in.wrong("{} numbers, the lines before have {}", row.size(), columns);
    if (!out.x.empty() && !(row[0] > out.x.back()))
      in.wrong("x must increase strictly, but {} follows {}", shortest(row[0]), shortest(out.x.back()));
    out.x.push_back(row[0]);
    out.y.push_back(row[static_cast<std::size_t>(std::max(channel, 1))]);
  }
  if (out.x.size() < fewest_points) in.wrong("needs at least {} points, has {}", fewest_points, out.x.size());
  return out;
}

}  // namespace

TimeHistory read_spline_file(std::string_view file, const std::string& dataset, int channel) {
  const std::string path = beside(dataset, file);
  if (lower(path).ends_with(".dac"))
    fail(ExitCode::unsupported, "{}: files of nSoft (DAC) are not supported; RPC III and tables of text are",
         path);
  std::string start(6, ' ');
  open_file(path).read(start.data(), static_cast<std::streamsize>(start.size()));
  return start == "FORMAT" ? RpcFile(path).read(channel) : read_table(path, channel);
}

}  // namespace trammel
