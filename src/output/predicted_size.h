// Predicted size of a result file, before the run.
#pragma once

#include <cstdint>

#include "output/output_set.h"

namespace trammel {

struct FileSize {
  std::uint64_t bytes = 0;   ///< whole file
  std::uint64_t record = 0;  ///< each record
};

/// Size of a file of this format with `records` records. Exact for formats of fixed width (nc, req, gra,
/// out), if `info` is that of the run; .res and .csv, whose numbers vary in length, are estimated for a
/// typical share of zeros. The native file is computed; text files are measured by writing a few records to
/// memory, with a sample of each kind of entity if there are more than some hundred (the header's text is
/// then the sample's). Failures: io (no file in memory can be made).
FileSize predicted_size(Format format, const Channels& channels, const RunInfo& info,
                        const OutputOptions& options, long long records);

}  // namespace trammel
