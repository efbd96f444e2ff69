// The .req file (format A.R3): six numbers per request and output time, read by post-processors.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "output/channels.h"
#include "output/number_text.h"
#include "output/run_info.h"
#include "output/stream_file.h"

namespace trammel {

class RequestFile {
 public:
  /// Writes the header. Entities of type REQUEST are written, in the order of the list; Failure(internal) for
  /// a request with more than 8 components or two components for one of the six numbers. With a position the
  /// file is continued there, without a header.
  void open(const std::string& path, const Channels& channels, const RunInfo& info,
            const FilePosition* position = nullptr);
  /// values: one double per component of the channels given to open(), in their order.
  void record(double time, std::span<const double> values);
  void flush() { file_.flush(); }
  FilePosition position() { return file_.position(); }
  void close() { file_.close(); }

  const std::string& path() const { return file_.path(); }
  std::uint64_t size() const { return file_.size(); }

 private:
  /// Index in a record's values (-1: none, written as 0) and factor to the file's unit.
  struct Source {
    int index = -1;
    double factor = 1.0;
  };
  std::vector<std::array<Source, 6>> requests_;
  StreamFile file_;
  RecordText text_;
};

/// Sets the type of a request that was read from a file without types, and the slots of its components: 1 to
/// 4 where all names and quantities are those of that type, or eight quantities stand as there; else 5, a
/// function, whose values are written as they are.
void set_request_type(Entity& request);

/// Position among the six numbers (0 to 5: X Y Z and the three rotational ones, F2 F3 F4 F6 F7 F8) of
/// component `index` of a request; -1 for a magnitude, which the format does not contain.
int request_position(const Entity& request, int index);

}  // namespace trammel
