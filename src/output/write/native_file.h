// The native result file: netCDF classic with 64-bit offsets, one record variable per entity. Layout:
// docs/file_formats.md. Flushed records stay readable whatever happens later.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "output/channel_names.h"
#include "output/mode_set.h"
#include "output/run_info.h"
#include "output/step_kind.h"
#include "output/stream_file.h"
#include "output/write/native_head.h"

namespace trammel {

struct ClassicLayout;

struct NativeOptions {
  std::size_t buffer_bytes = std::size_t{1} << 20;  ///< records held back before they are written
  double flush_seconds = 2.0;                       ///< longest time records are held back
  bool single_precision = false;                    ///< values as float32 (7 digits); time stays double
  /// Every n-th record of a simulation, and always its first and last.
  int every = 1;
};

/// Failures of the disk: Failure(io) naming the file, which is then closed and contains its complete records.
class NativeWriter {
 public:
  NativeWriter() = default;
  ~NativeWriter();  ///< close(false); ignores errors, so call close() first
  NativeWriter(const NativeWriter&) = delete;
  NativeWriter& operator=(const NativeWriter&) = delete;

  /// With a position the file is continued there: later records are removed. Call archive() next.
  void open(const std::string& path, const Channels& channels, const RunInfo& info,
            NativeOptions options = {}, const FilePosition* position = nullptr);
  /// values: one double per component of the channels given to open(), in their order.
  void record(double time, StepKind kind, std::span<const double> values);
  /// Modes are in the file when it is closed: their arrays stand before the records, whose places move. A
  /// file that can be continued takes them at its successful end only: until then its bytes stay where they
  /// are. Failure(io) where there is no netCDF library to do that.
  void modes(const ModeSet& set);
  /// Writes the buffered records and the record count to the file.
  void flush();
  /// The position at which the file can be continued, also after close(false): after all records but the one
  /// held back; flushes.
  FilePosition position();
  /// Saves or restores what a continued file needs besides its position: the state of decimation, modes.
  void archive(Archive& a) { a(since_kept_, held_, last_time_, last_kind_, held_values_, modes_); }
  /// `successful`: the file is not to be continued.
  void close(bool successful = true);

  bool is_open() const { return open_; }
  const std::string& path() const { return path_; }
  /// Records written or buffered, without the one that may become the last of a simulation.
  std::size_t records() const { return written_ + pending_; }

 private:
  template <class Action>
  void guarded(Action action);
  void set_up(const std::string& path, const NativeOptions& options);
  void create(const Channels& channels, const RunInfo& info);
  void go_on(const FilePosition& position);
  void keep(double time, StepKind kind, std::span<const double> values);
  void keep_held();

  std::string path_;
  StreamFile file_;
  bool open_ = false;
  NativeSize size_;
  std::size_t width_ = 0;    ///< values per record
  std::size_t written_ = 0;  ///< records that the file counts
  std::size_t pending_ = 0;  ///< and those after them
  std::size_t buffer_bytes_ = 0;
  bool single_precision_ = false;
  /// Decimation: the last record is held back, since it is kept if it ends its simulation.
  int every_ = 1;
  long long since_kept_ = -1;  ///< records since the last one kept, −1: none kept yet
  bool held_ = false;
  double last_time_ = 0;
  StepKind last_kind_ = StepKind::model_input;
  std::vector<double> held_values_;
  std::vector<ModeSet> modes_;
  bool continuable_ = false;  ///< somebody knows a position at which the file can be continued
  FlushClock clock_;
};

/// Reads files of NativeWriter, also while they are written or after the writer was killed: the records up to
/// the last flush before opening. A truncated file (copied while it grew, full disk) is read up to its last
/// complete record, with a notice. Failures: io (unreadable), input (another kind of file), usage (no such
/// channel; suggests near names).
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
  ChannelRef find(std::string_view name) const { return find_channel(channels_, path_, name); }

  std::vector<double> time() const;
  std::vector<StepKind> kinds() const;
  /// Modes of LINEAR/EIGENSOL: read_native_modes().
  std::vector<ModeSet> modes() const;
  std::vector<double> read(const ChannelRef& channel) const;
  std::vector<double> read(std::string_view name) const { return read(find(name)); }
  /// All values of one record in the order of the channels.
  std::vector<double> record(std::size_t index) const;
  void read_record(std::size_t index, std::span<double> values) const;
  /// Remarks for the user, such as a truncation.
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
