// Conversion of result files between formats.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "output/output_set.h"
#include "output/read/result_reader.h"

namespace trammel {

struct ConvertOptions {
  std::vector<std::string> channels = {};    ///< patterns as for select_channels(); none: all
  std::optional<double> from = {}, to = {};  ///< time window, ends included
  int every = 1;                             ///< every n-th record, and always the first and last
  bool single_precision = false;             ///< native files: values as float32
};

struct Conversion {
  std::size_t records = 0, channels = 0;
  std::uint64_t bytes = 0;
  std::vector<std::string> notices;  ///< contents that the new format cannot hold
};

/// Writes the contents of `in` to `out`, in the format of its extension. Failures: usage (extension, channel,
/// window, options that do not fit, `out` is the file of `in`), input (what the format cannot hold), io.
Conversion convert_results(const ResultReader& in, const std::string& out, const ConvertOptions& options);

}  // namespace trammel
