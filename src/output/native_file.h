// The native result file: netCDF classic with 64-bit offsets, one record variable per entity.
// docs/file_formats.md describes the layout. What was flushed stays readable whatever happens later.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "output/channels.h"
#include "output/run_info.h"
#include "output/step_kind.h"
#include "output/stream_file.h"

namespace trammel {

struct NativeOptions {
  std::size_t buffer_bytes = std::size_t{1} << 20;  ///< records held back before they are written
  double flush_seconds = 2.0;                       ///< and the longest time they are held back
};

/// Failures of the disk or the library: Failure(io) naming the file.
class NativeWriter {
 public:
  NativeWriter() = default;
  ~NativeWriter();  ///< closes; errors are lost here, so call close() first
  NativeWriter(const NativeWriter&) = delete;
  NativeWriter& operator=(const NativeWriter&) = delete;

  void open(const std::string& path, const Channels& channels, const RunInfo& info,
            NativeOptions options = {});
  /// values: one double per component of the channels given to open(), in their order.
  void record(double time, StepKind kind, std::span<const double> values);
  /// Writes the buffered records and the record count to the file.
  void flush();
  void close();

  bool is_open() const { return handle_ >= 0; }
  const std::string& path() const { return path_; }
  std::size_t records() const { return written_ + times_.size(); }

 private:
  struct Variable {
    int id;            ///< of the netCDF variable
    std::size_t size;  ///< components
  };
  void check(int status, const char* action);
  void define(const Channels& channels, const RunInfo& info);
  void define_entity(const Entity& entity, const UnitNames& units, std::vector<int>& dimensions);
  void write_record(std::size_t record, double time, int kind, const double* values);

  std::string path_;
  int handle_ = -1;
  int time_dimension_ = -1, time_variable_ = -1, kind_variable_ = -1;
  std::vector<Variable> variables_;  ///< in the order of the entities
  std::size_t width_ = 0;            ///< values per record
  std::size_t written_ = 0;          ///< records in the file
  std::vector<double> times_, values_;
  std::vector<int> kinds_;
  std::size_t buffer_bytes_ = 0;
  FlushClock clock_;
};

/// A component of an entity of an open file.
struct ChannelRef {
  int entity = -1;  ///< index in channels().entities, -1: time
  int component = 0;
  std::string name;   ///< "PART/2.X"
  std::string label;  ///< "boom.X" where the entity has a view name, else as name
  std::string unit;   ///< "meter", "" without unit
};

/// Reads files of NativeWriter, also while they are written or after the writer was killed: the records
/// up to the last flush before the opening. Failures: io (unreadable), input (another kind of file),
/// usage (no such channel; the text suggests near names).
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
  std::vector<ChannelRef> list() const;
  /// "PART/2.X", "PART_2.X", "boom.X", ".model.boom.X" or "TIME", case ignored; the type may be
  /// shortened ("REQ/1.X") and the component left out where there is only one ("VARIABLE/3").
  ChannelRef find(std::string_view name) const;

  std::vector<double> time() const;
  std::vector<StepKind> kinds() const;
  std::vector<double> read(const ChannelRef& channel) const;
  std::vector<double> read(std::string_view name) const { return read(find(name)); }
  /// All values of one record in the order of the channels.
  std::vector<double> record(std::size_t index) const;

 private:
  void check(int status, const char* action) const;
  void read_description();
  Entity read_entity(int variable) const;
  std::string text_attribute(int variable, const char* name) const;
  int integer_attribute(int variable, const char* name) const;
  ChannelRef make_ref(int entity, int component) const;
  std::vector<int> entities_named(std::string_view name) const;
  [[noreturn]] void no_such_channel(std::string_view name) const;

  std::string path_;
  int handle_ = -1;
  int time_variable_ = -1, kind_variable_ = -1;
  std::size_t records_ = 0;
  Channels channels_;
  std::vector<int> variables_;  ///< netCDF variable of each entity
  RunInfo info_;
};

}  // namespace trammel
