// Options that the commands on result files share.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "output/read/result_reader.h"

namespace trammel {

struct TimeWindow {
  std::optional<double> from, to;
};

/// The window of time in "0.5:2", "0.5:", ":2" or "". Failure(usage) for other texts.
TimeWindow parse_window(const std::string& text);

/// The pairs "A=B" of --map. Failure(usage) for other texts.
std::vector<std::pair<std::string, std::string>> parse_map(const std::vector<std::string>& texts);

/// A line about the file: "b.req: requests, 101 records, time 0 to 1, 12 channels".
std::string describe(const ResultReader& file);

}  // namespace trammel
