// How large a result file will be, before the run.
#pragma once

#include <cstdint>

#include "output/output_set.h"

namespace trammel {

struct FileSize {
  std::uint64_t bytes = 0;   ///< of the whole file
  std::uint64_t record = 0;  ///< of each record in it
};

/// Size of a file of this format with `records` records. Exact for formats of fixed width (nc, req, gra,
/// out), as far as `info` is what the run will have; .res and .csv, whose numbers have as many characters as
/// they need, are predicted for a usual share of zeros. The native file is counted, text files are measured:
/// a few records that the writer itself writes into memory, of more than some hundred entities a sample of
/// each kind (then the text of the head, with its names, is the sample's). Failures: io (no file in memory
/// can be made).
FileSize predicted_size(Format format, const Channels& channels, const RunInfo& info,
                        const OutputOptions& options, long long records);

}  // namespace trammel
