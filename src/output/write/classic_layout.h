// Where the records of a netCDF classic file lie: what is missing of a file that was cut.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace trammel {

struct ClassicLayout {
  std::uint64_t first_record = 0;  ///< offset of the first record, bytes
  std::uint64_t record_bytes = 0;  ///< of one record; 0: the file has no records
};

/// From the header of a netCDF file of the classic formats (CDF-1, CDF-2; "NetCDF Classic Format
/// Specification", Unidata); nullopt for any other file. Failure(input) where the file ends before its header
/// does.
std::optional<ClassicLayout> read_classic_layout(const std::string& path);

}  // namespace trammel
