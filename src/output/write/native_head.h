// The header of a native file: dimensions, variables and attributes in the bytes of the netCDF classic format
// with 64-bit offsets ("NetCDF Classic Format Specification", Unidata).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "output/channels.h"
#include "output/run_info.h"
#include "output/stream_file.h"

namespace trammel {

/// Records begin at a multiple of this, bytes.
constexpr std::size_t native_record_alignment = 8192;

/// A file name for the netCDF library, which would take names such as "http:..." for addresses.
inline std::string name_of_file(const std::string& path) {
  return path.starts_with("/") ? path : "./" + path;
}

/// Bytes of a native file.
struct NativeSize {
  std::uint64_t head = 0;    ///< bytes before the first record, alignment included
  std::uint64_t record = 0;  ///< bytes per record: time, kind, and all values one behind the other
};
NativeSize native_size(const Channels& channels, const RunInfo& info, bool single_precision);

/// Writes everything before the records (docs/file_formats.md) as a unit of the file, which is empty before.
/// Failure(internal) for an entity without components or listed twice.
/// `size`: native_size() of the same.
void write_native_head(const Channels& channels, const RunInfo& info, bool single_precision,
                       const NativeSize& size, StreamFile& file);

}  // namespace trammel
