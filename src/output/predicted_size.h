// How large a result file will be, before the run.
#pragma once

#include <cstdint>

#include "output/output_set.h"

namespace trammel {

/// Bytes of a file of this format with `records` records: from a head and a few records that the writer
/// itself writes into memory. Exact for formats of fixed width (nc, req, gra, out); .res and .csv are of
/// numbers with all their digits, so that files with many zeros or short numbers are smaller. Failures: io
/// (no file in memory can be made).
std::uint64_t predicted_bytes(Format format, const Channels& channels, const RunInfo& info,
                              const OutputOptions& options, long long records);

}  // namespace trammel
