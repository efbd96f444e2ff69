// The header of a native file: dimensions, variables, attributes; written by the netCDF library in
// NativeWriter, or only counted for its size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "output/channels.h"
#include "output/run_info.h"

namespace trammel {

/// Records begin at a multiple of this, bytes.
constexpr std::size_t native_record_alignment = 8192;

/// A file name for the netCDF library, which would take names such as "http:..." for addresses.
inline std::string name_of_file(const std::string& path) {
  return path.starts_with("/") ? path : "./" + path;
}

enum class NativeType { integer, single_precision, double_precision };

class NativeHead {
 public:
  static constexpr int whole_file = -1;  ///< instead of a variable: attributes of the file
  virtual ~NativeHead() = default;
  /// Length 0: the record dimension. Returns its index.
  virtual int dimension(const char* name, std::size_t length) = 0;
  virtual int variable(const std::string& name, NativeType type, std::span<const int> dimensions) = 0;
  virtual void text(int variable, const char* name, std::string_view value) = 0;
  virtual void integers(int variable, const char* name, std::span<const int> values) = 0;
  virtual void number(int variable, const char* name, double value) = 0;
};

/// An entity's variable in the file.
struct NativeVariable {
  int id = 0;
  std::size_t size = 0;  ///< components
};
struct NativeVariables {
  int time = -1, kind = -1;
  std::vector<NativeVariable> entities;  ///< in their order
};

/// Defines in `head` everything before the records (docs/file_formats.md). Failure(internal) for an entity
/// without components or listed twice; `path` is for the message.
NativeVariables describe_native_head(const Channels& channels, const RunInfo& info, bool single_precision,
                                     const std::string& path, NativeHead& head);

/// Bytes of a native file.
struct NativeSize {
  std::uint64_t head = 0;    ///< bytes before the first record, alignment included
  std::uint64_t record = 0;  ///< bytes per record
};
/// Computed from the format's specification ("NetCDF Classic Format Specification", Unidata; 64-bit offsets).
NativeSize native_size(const Channels& channels, const RunInfo& info, bool single_precision);
/// The variables of such a file; their indices are in the order of definition.
NativeVariables native_variables(const Channels& channels, const RunInfo& info, bool single_precision);

}  // namespace trammel
