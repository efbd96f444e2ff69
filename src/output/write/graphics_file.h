// The .gra file (format A.G8): positions of the parts over time, for animations. Layout:
// docs/file_formats.md.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "output/channels.h"
#include "output/number_text.h"
#include "output/run_info.h"
#include "output/step_kind.h"
#include "output/stream_file.h"
#include "output/write/graphics_scene.h"

namespace trammel {

/// Six digits: position and 3-1-3 angles (rad) of every part and point mass, forces of arrows. Failures: io.
class GraphicsFile {
 public:
  /// With a position the file is continued there, without a header.
  void open(const std::string& path, const Channels& channels, const RunInfo& info,
            const GraphicsScene& scene = {}, const FilePosition* position = nullptr);
  /// values: one double per component of the channels given to open(), in their order.
  void record(double time, StepKind kind, std::span<const double> values);
  void flush() { file_.flush(); }
  FilePosition position() { return file_.position(); }
  void close() { file_.close(); }

  std::uint64_t size() const { return file_.size(); }

 private:
  /// Indices of six components in a record, −1: none.
  struct Row {
    std::array<int, 6> places;
    double factor = 1;
  };
  static char* put_row(char* at, const Row& row, std::span<const double> values);

  std::vector<Row> rows_;  ///< those of parts, then of arrows
  StreamFile file_;
  RecordText text_;
};

}  // namespace trammel
