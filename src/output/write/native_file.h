// The native result file: netCDF classic with 64-bit offsets, one record variable per entity.
// docs/file_formats.md describes the layout. What was flushed stays readable whatever happens later.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "output/channel_names.h"
#include "output/run_info.h"
#include "output/step_kind.h"
#include "output/stream_file.h"
#include "output/write/native_head.h"

namespace trammel {

struct ClassicLayout;

struct NativeOptions {
  std::size_t buffer_bytes = std::size_t{1} << 20;  ///< records held back before they are written
  double flush_seconds = 2.0;                       ///< and the longest time they are held back
  bool single_precision = false;                    ///< values as float32 (7 digits); time stays double
  /// Of the records of one kind, one after the other in time, every n-th; the first and the last always.
  int every = 1;
};

/// Failures of the disk or the library: Failure(io) naming the file, which then is closed and counts the
/// records that are whole in it.
class NativeWriter {
 public:
  NativeWriter() = default;
  ~NativeWriter();  ///< closes; errors are lost here, so call close() first
  NativeWriter(const NativeWriter&) = delete;
  NativeWriter& operator=(const NativeWriter&) = delete;

  /// With a position the file goes on there: records behind it are removed. archive() is to follow.
  void open(const std::string& path, const Channels& channels, const RunInfo& info,
            NativeOptions options = {}, const FilePosition* position = nullptr);
  /// values: one double per component of the channels given to open(), in their order.
  void record(double time, StepKind kind, std::span<const double> values);
  /// Writes the buffered records and the record count to the file.
  void flush();
  /// Where the file can go on: behind all records but the one that is held back, which are flushed.
  FilePosition position();
  /// What a file that goes on needs besides its position: where decimation is.
  void archive(Archive& a) { a(since_kept_, held_, last_time_, last_kind_, held_values_); }
  void close();

  bool is_open() const { return handle_ >= 0; }
  const std::string& path() const { return path_; }
  /// Records written or buffered; one that may yet be the last of a simulation is not counted.
  std::size_t records() const { return written_ + times_.size(); }

 private:
  void check(int status, const char* action);
  void count_whole_records();
  void set_up(const std::string& path, const NativeOptions& options);
  void create(const Channels& channels, const RunInfo& info);
  void define(const Channels& channels, const RunInfo& info);
  void go_on(const Channels& channels, const RunInfo& info, const FilePosition& position);
  void write_record(std::size_t record, double time, int kind, const double* values);
  void keep(double time, StepKind kind, std::span<const double> values);
  void keep_held();

  std::string path_;
  int handle_ = -1;
  NativeVariables variables_;
  std::size_t width_ = 0;    ///< values per record
  std::size_t written_ = 0;  ///< records in the file
  std::vector<double> times_, values_;
  std::vector<int> kinds_;
  std::size_t buffer_bytes_ = 0;
  bool single_precision_ = false;
  std::vector<float> floats_;
  /// Decimation: the last record, kept if it turns out to be the last of its simulation.
  int every_ = 1;
  long long since_kept_ = -1;  ///< records since the last one kept, −1: none yet
  bool held_ = false;
  double last_time_ = 0;
  StepKind last_kind_ = StepKind::model_input;
  std::vector<double> held_values_;
  FlushClock clock_;
};

/// Reads files of NativeWriter, also while they are written or after the writer was killed: the records
/// up to the last flush before the opening. Failures: io (unreadable), input (another kind of file),
/// usage (no such channel; the text suggests near names). A file that was cut (copied while it grew, a full
/// disk) is read up to its last complete record, with a notice.
class NativeReader {
 public:
  explicit NativeReader(const std::string& path);
  ~NativeReader();
  NativeReader(const NativeReader&) = delete;
  NativeReader& operator=(const NativeReader&) = delete;

  const std::string& path() const { return path_; }
  const Channels& channels() const { return channels_; }
  const RunInfo& info() const { return info_; }
  std::size_t records() const { return records_; }

  /// Every channel, time not included.
  std::vector<ChannelRef> list() const { return list_channels(channels_); }
  /// See find_channel().
  ChannelRef find(std::string_view name) const { return find_channel(channels_, path_, name); }

  std::vector<double> time() const;
  std::vector<StepKind> kinds() const;
  std::vector<double> read(const ChannelRef& channel) const;
  std::vector<double> read(std::string_view name) const { return read(find(name)); }
  /// All values of one record in the order of the channels.
  std::vector<double> record(std::size_t index) const;
  void read_record(std::size_t index, std::span<double> values) const;
  /// That the file is shorter than its record count says, to be shown.
  const std::vector<std::string>& notices() const { return notices_; }

 private:
  void check(int status, const char* action) const;
  void read_description();
  void leave_out_missing_records(const ClassicLayout& layout);
  Entity read_entity(int variable) const;
  std::string text_attribute(int variable, const char* name) const;
  int integer_attribute(int variable, const char* name) const;

  std::string path_;
  int handle_ = -1;
  int time_variable_ = -1, kind_variable_ = -1;
  std::size_t records_ = 0;
  Channels channels_;
  std::vector<int> variables_;  ///< netCDF variable of each entity
  RunInfo info_;
  std::vector<std::string> notices_;
};

}  // namespace trammel
