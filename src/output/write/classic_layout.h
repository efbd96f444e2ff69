// The layout of records in a netCDF classic file, to find out what is missing in a truncated file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace trammel {

struct ClassicLayout {
  std::uint64_t first_record = 0;  ///< offset of the first record, bytes
  std::uint64_t record_bytes = 0;  ///< of one record; 0: the file has no records
};

/// Reads the header of a netCDF file in a classic format (CDF-1, CDF-2; "NetCDF Classic Format
/// Specification", Unidata); nullopt for other files. Failure(input) when the file ends within its header.
std::optional<ClassicLayout> read_classic_layout(const std::string& path);

}  // namespace trammel
