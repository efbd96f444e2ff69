// The .gra file: where the parts are, over time, for animations. docs/file_formats.md has the layout.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "output/channels.h"
#include "output/run_info.h"
#include "output/stream_file.h"

namespace trammel {

/// Six digits: position and 3-1-3 angles (rad) of every part, point mass and flexible body. Failures: io.
class GraphicsFile {
 public:
  void open(const std::string& path, const Channels& channels, const RunInfo& info);
  /// values: one double per component of the channels given to open(), in their order.
  void record(double time, std::span<const double> values);
  void flush() { file_.flush(); }
  void close() { file_.close(); }

  std::uint64_t size() const { return file_.size(); }

 private:
  std::vector<std::array<int, 6>> parts_;  ///< places of X Y Z PSI THETA PHI in a record, −1: not there
  StreamFile file_;
  std::string text_;
};

}  // namespace trammel
