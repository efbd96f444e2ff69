#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>

#include "base/diagnostics.h"
#include "output/netcdf_library.h"
#include "output/write/classic_layout.h"
#include "output/write/native_file.h"
#include "output/write/native_modes.h"

namespace trammel {
namespace {

// The library buffers up to two adjacent blocks of the file and writes them in ascending order. Since records
// begin two blocks after the block of the record count, the count is always written after them: a kill never
// leaves records that are counted but empty.
constexpr std::size_t block_bytes = 4096;
static_assert(native_record_alignment >= 2 * block_bytes);

/// The header, written by the library.
class LibraryHead final : public NativeHead {
 public:
  LibraryHead(int handle, std::function<void(int status)> check)
      : handle_(handle), check_(std::move(check)) {}

  int dimension(const char* name, std::size_t length) override {
    int id = -1;
    check_(netcdf().nc_def_dim(handle_, name, length == 0 ? NC_UNLIMITED : length, &id));
    return id;
  }
  int variable(const std::string& name, NativeType type, std::span<const int> dimensions) override {
    constexpr nc_type types[] = {NC_INT, NC_FLOAT, NC_DOUBLE};
    int id = -1;
    check_(netcdf().nc_def_var(handle_, name.c_str(), types[static_cast<int>(type)],
                               static_cast<int>(dimensions.size()), dimensions.data(), &id));
    return id;
  }
  void text(int variable, const char* name, std::string_view value) override {
    check_(netcdf().nc_put_att_text(handle_, place(variable), name, value.size(), value.data()));
  }
  void integers(int variable, const char* name, std::span<const int> values) override {
    check_(netcdf().nc_put_att_int(handle_, place(variable), name, NC_INT, values.size(), values.data()));
  }
  void number(int variable, const char* name, double value) override {
    check_(netcdf().nc_put_att_double(handle_, place(variable), name, NC_DOUBLE, 1, &value));
  }

 private:
  static int place(int variable) { return variable == whole_file ? NC_GLOBAL : variable; }
  int handle_;
  std::function<void(int)> check_;
};

/// Offset of the number of records, in the first block.
constexpr off_t place_of_count = 4;  // after the magic word
constexpr std::uint64_t end_of_count = 8;

bool put_count(int descriptor, std::uint32_t records) {
  const char count[4] = {static_cast<char>(records >> 24), static_cast<char>(records >> 16),
                         static_cast<char>(records >> 8), static_cast<char>(records)};
  return ::pwrite(descriptor, count, sizeof count, place_of_count) == sizeof count;
}

/// Sets the number of records to `records` and cuts the file after them. False, with errno, on failure.
bool cut_to(const std::string& path, std::uint32_t records, std::uint64_t bytes) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  // the count first: no missing record is ever counted
  const bool cut = put_count(descriptor, records) && ::ftruncate(descriptor, static_cast<off_t>(bytes)) == 0;
  return ::close(descriptor) == 0 && cut;
}

}  // namespace

NativeWriter::~NativeWriter() {
  try {
    close();
  } catch (const Failure&) {  // a destructor cannot report
  }
}

void NativeWriter::check(int status, const char* action) {
  if (status == NC_NOERR) return;
  const int handle = handle_;
  handle_ = -1;
  if (handle >= 0) netcdf().nc_abort(handle);  // closes the descriptor
  count_whole_records();
  // positive codes are errors of the operating system
  if (status > 0) throw Failure(ExitCode::io, io_error_text(action, path_, status));
  fail(ExitCode::io, "cannot {} {}: {}", action, path_, netcdf().nc_strerror(status));
}

/// After a failure: corrects the number of records, since the library may have counted an incomplete record
/// or omitted records written since the last count. Blocks are written in ascending order, so the file's
/// length gives the number of complete records. The count is in the first block and needs no further space.
void NativeWriter::count_whole_records() {
  struct Closing {
    int descriptor;
    ~Closing() {
      if (descriptor >= 0) ::close(descriptor);
    }
  } const file{::open(path_.c_str(), O_WRONLY | O_CLOEXEC)};
  struct stat status {};
  if (file.descriptor < 0 || ::fstat(file.descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return;
  std::optional<ClassicLayout> layout;
  try {
    layout = read_classic_layout(path_);
  } catch (const Failure&) {  // not even the header is complete
  }
  if (!layout || layout->record_bytes == 0) {
    remove_or_empty(path_, file.descriptor);
    return;
  }
  const auto length = static_cast<std::uint64_t>(status.st_size);
  const std::uint64_t room =
      length > layout->first_record ? (length - layout->first_record) / layout->record_bytes : 0;
  const auto whole = static_cast<std::uint32_t>(std::min<std::uint64_t>(room, records()));
  if (!put_count(file.descriptor, whole)) return;
  const std::uint64_t end = layout->first_record + whole * layout->record_bytes;
  if (end < length && ::ftruncate(file.descriptor, static_cast<off_t>(end)) != 0)
    return;  // readers use the count in the header
}

void NativeWriter::open(const std::string& path, const Channels& channels, const RunInfo& info,
                        NativeOptions options, const FilePosition* position) {
  close();
  set_up(path, options);
  if (position)
    go_on(channels, info, *position);
  else
    create(channels, info);
}

void NativeWriter::set_up(const std::string& path, const NativeOptions& options) {
  path_ = path;
  buffer_bytes_ = options.buffer_bytes;
  clock_ = FlushClock(options.flush_seconds);
  written_ = 0;
  variables_ = {};
  single_precision_ = options.single_precision;
  if (options.every < 1)
    fail(ExitCode::usage, "{}: every {}-th record; 1 or more is possible", path, options.every);
  every_ = options.every;
  since_kept_ = -1;
  held_ = false;
  modes_.clear();
  // The library needs to seek, and removes a file that it could not set up: devices must not be opened.
  std::error_code error;  // a file without status cannot be opened either
  const std::filesystem::file_status kind = std::filesystem::status(path, error);
  if (std::filesystem::exists(kind) && !std::filesystem::is_regular_file(kind) &&
      !std::filesystem::is_directory(kind))
    fail(ExitCode::io, "cannot write {}: it is not a regular file, which .nc results need", path);
}

void NativeWriter::create(const Channels& channels, const RunInfo& info) {
  netcdf();  // where there is no library there is no empty file
  // The library's message for an unwritable directory is less precise than the system's: test first.
  StreamFile().open(path_);
  std::size_t window = block_bytes;
  int handle = -1;
  check(netcdf().nc__create(name_of_file(path_).c_str(), NC_CLOBBER | NC_64BIT_OFFSET, 0, &window, &handle),
        "create");
  handle_ = handle;
  define(channels, info);
  check(netcdf().nc_sync(handle_), "write");
}

FilePosition NativeWriter::position() {
  if (handle_ < 0) fail(ExitCode::internal, "the position of a file that is not open: {}", path_);
  flush();
  const ClassicLayout layout = read_classic_layout(path_).value();
  const std::uint64_t end = layout.first_record + written_ * layout.record_bytes;
  // Before the first record the file may be shorter than its padded header.
  const std::uint64_t bytes = written_ > 0 ? end : std::min(end, std::filesystem::file_size(path_));
  return position_in(path_, bytes, end_of_count);
}

void NativeWriter::go_on(const Channels& channels, const RunInfo& info, const FilePosition& position) {
  check_position(path_, position);
  const std::optional<ClassicLayout> layout = read_classic_layout(path_);
  const std::uint64_t record = native_size(channels, info, single_precision_).record;
  if (!layout || layout->record_bytes != record)
    fail(ExitCode::io, "cannot go on with {}: its records are not those of this model", path_);
  if (position.bytes > layout->first_record) written_ = (position.bytes - layout->first_record) / record;
  variables_ = native_variables(channels, info, single_precision_);
  width_ = static_cast<std::size_t>(channels.size());
  if (!cut_to(path_, static_cast<std::uint32_t>(written_), position.bytes))
    throw Failure(ExitCode::io, io_error_text("shorten", path_, errno));
  std::size_t window = block_bytes;
  int handle = -1;
  check(netcdf().nc__open(name_of_file(path_).c_str(), NC_WRITE, &window, &handle), "open");
  handle_ = handle;
  int previous = 0;
  check(netcdf().nc_set_fill(handle_, NC_NOFILL, &previous), "open");  // every value of a record is written
}

void NativeWriter::define(const Channels& channels, const RunInfo& info) {
  int previous = 0;
  check(netcdf().nc_set_fill(handle_, NC_NOFILL, &previous), "define");  // every value of a record is written
  LibraryHead head(handle_, [this](int status) { check(status, "define"); });
  variables_ = describe_native_head(channels, info, single_precision_, path_, head);
  width_ = static_cast<std::size_t>(channels.size());
  check(netcdf().nc__enddef(handle_, 0, 4, 0, native_record_alignment), "define");
}

void NativeWriter::record(double time, StepKind kind, std::span<const double> values) {
  if (values.size() != width_)
    fail(ExitCode::internal, "{}: a record has {} values, the channels {}", path_, values.size(), width_);
  // A simulation begins with another kind of record, or at the time at which the last one ended.
  const bool begins = since_kept_ < 0 || kind != last_kind_ || time <= last_time_;
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
  if (values_.size() * sizeof(double) >= buffer_bytes_ || clock_.due()) flush();
}

void NativeWriter::keep(double time, StepKind kind, std::span<const double> values) {
  times_.push_back(time);
  kinds_.push_back(static_cast<int>(kind));
  values_.insert(values_.end(), values.begin(), values.end());
}

void NativeWriter::keep_held() {
  if (held_) keep(last_time_, last_kind_, held_values_);
  held_ = false;
}

namespace {

/// Conversion to single precision; values out of range become infinite, as in arithmetic.
float to_float(double value) {
  constexpr double largest = std::numeric_limits<float>::max();
  if (std::abs(value) <= largest || !std::isfinite(value)) return static_cast<float>(value);
  return value > 0 ? std::numeric_limits<float>::infinity() : -std::numeric_limits<float>::infinity();
}

}  // namespace

void NativeWriter::write_record(std::size_t record, double time, int kind, const double* values) {
  check(netcdf().nc_put_var1_double(handle_, variables_.time, &record, &time), "write");
  check(netcdf().nc_put_var1_int(handle_, variables_.kind, &record, &kind), "write");
  for (const NativeVariable& variable : variables_.entities) {
    const std::size_t start[2] = {record, 0}, count[2] = {1, variable.size};
    if (single_precision_) {
      floats_.resize(variable.size);
      std::transform(values, values + variable.size, floats_.begin(), to_float);
      check(netcdf().nc_put_vara_float(handle_, variable.id, start, count, floats_.data()), "write");
    } else {
      check(netcdf().nc_put_vara_double(handle_, variable.id, start, count, values), "write");
    }
    values += variable.size;
  }
}

void NativeWriter::flush() {
  if (handle_ < 0) return;
  clock_.reset();
  if (times_.empty()) return;
  // record by record, the order of the file
  for (std::size_t k = 0; k < times_.size(); ++k)
    write_record(written_ + k, times_[k], kinds_[k], values_.data() + k * width_);
  check(netcdf().nc_sync(handle_), "write");  // data before the number of records
  written_ += times_.size();
  times_.clear();
  kinds_.clear();
  values_.clear();
}

void NativeWriter::close() {
  if (handle_ < 0) return;
  keep_held();
  flush();
  const int handle = handle_;
  const int status = netcdf().nc_close(handle);
  handle_ = -1;
  check(status, "close");
  const std::vector<ModeSet> modes = std::exchange(modes_, {});
  if (!modes.empty()) add_modes_to_native(path_, modes);
}

}  // namespace trammel
