// The log of a run as JSON lines, for programs: one object per event; docs/file_formats.md lists the events.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "output/stream_file.h"

namespace trammel {

class JsonLog {
 public:
  /// Failure(io) naming the file.
  void open(const std::string& path);
  /// Continues the file at a `position` that position() gave; the rest of the file is cut off.
  void open(const std::string& path, const FilePosition& position) { file_.open(path, position); }
  bool is_open() const { return file_.is_open(); }
  /// Writes {"event": name, "wall": seconds, ...fields} and hands it to the operating system at once. Numbers
  /// that are not finite become null. Does nothing without an open file.
  void event(const char* name, double wall, const nlohmann::ordered_json& fields);
  FilePosition position() { return file_.position(); }
  void close() { file_.close(); }

 private:
  StreamFile file_;
};

}  // namespace trammel
