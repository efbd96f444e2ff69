// Results as comma-separated values: a header line, then a line per record.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "output/channels.h"
#include "output/number_text.h"
#include "output/stream_file.h"

namespace trammel {

/// Header "PART/2.X [mm]", the time first as "TIME [sec]"; names with commas or quotes are quoted (RFC 4180).
/// The kind of a record is not stored. Numbers: shortest text that reads back to the same double. Failures:
/// io.
class CsvFile {
 public:
  /// With a position the file is continued there, without a header line.
  void open(const std::string& path, const Channels& channels, const FilePosition* position = nullptr);
  /// values: one double per component of the channels given to open(), in their order.
  void record(double time, std::span<const double> values);
  void flush() { file_.flush(); }
  FilePosition position() { return file_.position(); }
  void close() { file_.close(); }

  std::uint64_t size() const { return file_.size(); }

 private:
  StreamFile file_;
  RecordText text_;
};

}  // namespace trammel
