#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

#include "base/diagnostics.h"
#include "output/netcdf_library.h"
#include "output/write/classic_layout.h"
#include "output/write/native_file.h"
#include "output/write/native_modes.h"

namespace trammel {
namespace {

/// Offset of the number of records.
constexpr std::uint64_t place_of_count = 4;  // after the magic word
constexpr std::uint64_t end_of_count = 8;

std::array<char, 4> count_bytes(std::uint64_t records) {
  return {static_cast<char>(records >> 24), static_cast<char>(records >> 16), static_cast<char>(records >> 8),
          static_cast<char>(records)};
}

/// Sets the number of records in a file that nobody writes. False, with errno, on failure.
bool put_count(const std::string& path, std::uint64_t records) {
  const std::array<char, 4> count = count_bytes(records);
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool put = ::pwrite(descriptor, count.data(), count.size(), place_of_count) == ssize_t{count.size()};
  return ::close(descriptor) == 0 && put;
}

/// Conversion to single precision; values out of range become infinite, as in arithmetic.
float to_float(double value) {
  constexpr double largest = std::numeric_limits<float>::max();
  if (std::abs(value) <= largest || !std::isfinite(value)) return static_cast<float>(value);
  return value > 0 ? std::numeric_limits<float>::infinity() : -std::numeric_limits<float>::infinity();
}

/// Numbers of a record as the file has them, with the highest byte first.
class BigEndian {
 public:
  explicit BigEndian(StreamFile& file) : file_(file) {}
  template <class Number>
  void put(Number value) {
    if (end_ + sizeof value > sizeof bytes_) hand_over();
    using Bits = std::conditional_t<sizeof value == 8, std::uint64_t, std::uint32_t>;
    const Bits bits = std::bit_cast<Bits>(value);
    for (std::size_t k = 0; k < sizeof bits; ++k)
      bytes_[end_ + k] = static_cast<char>(bits >> (8 * (sizeof bits - 1 - k)));
    end_ += sizeof bits;
  }
  void hand_over() {
    file_.add({bytes_, end_});
    end_ = 0;
  }

 private:
  StreamFile& file_;
  char bytes_[4096];
  std::size_t end_ = 0;
};

}  // namespace

NativeWriter::~NativeWriter() {
  try {
    close(false);
  } catch (const Failure&) {  // a destructor cannot report
  }
}

/// Runs what writes to the file. After a failure, which leaves whole records, corrects their number: those
/// written since the last count are not in it. The count is in the first block and needs no further space.
template <class Action>
void NativeWriter::guarded(Action action) {
  try {
    action();
  } catch (const Failure&) {
    open_ = false;
    std::error_code error;
    const std::uint64_t length = std::filesystem::file_size(path_, error);
    if (!error && length >= size_.head)
      put_count(path_, std::min<std::uint64_t>((length - size_.head) / size_.record, records()));
    throw;
  }
}

void NativeWriter::open(const std::string& path, const Channels& channels, const RunInfo& info,
                        NativeOptions options, const FilePosition* position) {
  close();
  set_up(path, options);
  size_ = native_size(channels, info, single_precision_);
  width_ = static_cast<std::size_t>(channels.size());
  if (position)
    go_on(*position);
  else
    create(channels, info);
}

void NativeWriter::set_up(const std::string& path, const NativeOptions& options) {
  path_ = path;
  buffer_bytes_ = options.buffer_bytes;
  clock_ = FlushClock(options.flush_seconds);
  written_ = pending_ = 0;
  single_precision_ = options.single_precision;
  if (options.every < 1)
    fail(ExitCode::usage, "{}: every {}-th record; 1 or more is possible", path, options.every);
  every_ = options.every;
  since_kept_ = -1;
  held_ = false;
  modes_.clear();
  continuable_ = false;
  // The count is written again and again in front of the records.
  std::error_code error;  // a file without status cannot be opened either
  const std::filesystem::file_status kind = std::filesystem::status(path, error);
  if (std::filesystem::exists(kind) && !std::filesystem::is_regular_file(kind) &&
      !std::filesystem::is_directory(kind))
    fail(ExitCode::io, "cannot write {}: it is not a regular file, which .nc results need", path);
}

void NativeWriter::create(const Channels& channels, const RunInfo& info) {
  file_.open(path_);
  open_ = true;
  guarded([&] {
    write_native_head(channels, info, single_precision_, size_, file_);
    file_.flush();
  });
}

FilePosition NativeWriter::position() {
  if (!open_) fail(ExitCode::internal, "the position of a file that is not open: {}", path_);
  flush();
  continuable_ = true;
  return position_in(path_, size_.head + written_ * size_.record, end_of_count);
}

void NativeWriter::go_on(const FilePosition& position) {
  check_position(path_, position);
  const std::optional<ClassicLayout> layout = read_classic_layout(path_);
  if (!layout || layout->record_bytes != size_.record || layout->first_record != size_.head)
    fail(ExitCode::io, "cannot go on with {}: its records are not those of this model", path_);
  written_ = (position.bytes - size_.head) / size_.record;
  // the count first: no missing record is ever counted
  if (!put_count(path_, written_)) throw Failure(ExitCode::io, io_error_text("shorten", path_, errno));
  file_.open(path_, position);
  open_ = true;
  continuable_ = true;
}

void NativeWriter::record(double time, StepKind kind, std::span<const double> values) {
  if (values.size() != width_)
    fail(ExitCode::internal, "{}: a record has {} values, the channels {}", path_, values.size(), width_);
  // A simulation begins at the time at which the last one ended, or with another kind of record; initial
  // conditions are the first record of the simulation whose later ones follow.
  const bool other_kind = kind != last_kind_ && last_kind_ != StepKind::initial_conditions;
  const bool begins = since_kept_ < 0 || other_kind || time <= last_time_;
  if (begins) keep_held();
  last_time_ = time;
  last_kind_ = kind;
  if (begins || ++since_kept_ >= every_) {
    since_kept_ = 0;
    held_ = false;
    keep(time, kind, values);
  } else {
    held_ = true;
    held_values_.assign(values.begin(), values.end());
  }
  if (pending_ * width_ * sizeof(double) >= buffer_bytes_ || clock_.due()) flush();
}

void NativeWriter::keep(double time, StepKind kind, std::span<const double> values) {
  ++pending_;
  guarded([&] {
    BigEndian numbers(file_);
    numbers.put(time);
    numbers.put(static_cast<int>(kind));
    if (single_precision_)
      for (const double value : values) numbers.put(to_float(value));
    else
      for (const double value : values) numbers.put(value);
    numbers.hand_over();
    file_.end_unit();
  });
}

void NativeWriter::keep_held() {
  if (held_) keep(last_time_, last_kind_, held_values_);
  held_ = false;
}

void NativeWriter::flush() {
  if (!open_) return;
  clock_.reset();
  if (pending_ == 0) return;
  guarded([&] {
    // data before the number of records: a kill never leaves records that are counted but not there
    file_.flush();
    const std::array<char, 4> count = count_bytes(records());
    file_.overwrite(place_of_count, {count.data(), count.size()});
  });
  written_ += std::exchange(pending_, 0);
}

void NativeWriter::modes(const ModeSet& set) {
  netcdf();  // which puts them into the file at its end: it is missed now, not then
  modes_.push_back(set);
}

void NativeWriter::close(bool successful) {
  if (!open_) return;
  keep_held();
  flush();
  open_ = false;
  file_.close();
  const std::vector<ModeSet> modes = std::exchange(modes_, {});
  if (continuable_ && !successful) return;  // modes would move the records; archive() has saved them
  if (!modes.empty()) add_modes_to_native(path_, modes);
}

}  // namespace trammel
