// What the commands on result files share: options as they are typed, notices.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "output/result_reader.h"

namespace trammel {

struct TimeWindow {
  std::optional<double> from, to;
};

/// "0.5:2", "0.5:", ":2", "". Failure(usage) otherwise.
TimeWindow parse_window(const std::string& text);

/// "A=B" pairs of --map. Failure(usage) where one is no pair.
std::vector<std::pair<std::string, std::string>> parse_map(const std::vector<std::string>& texts);

/// "b.req: requests, 101 records, time 0 to 1, 12 channels"
std::string describe(const ResultReader& file);

/// The files' notices to standard output, each as "note: ...".
void print_notices(const std::vector<std::string>& notices);

/// Runs a command; failures go to standard error and become its exit code.
template <class Action>
int guarded_command(Action action);

int exit_code_of_failure();

/// The exception that is being handled as a Failure: io for files that the system refuses, internal for what
/// should not be.
Failure present_failure();

template <class Action>
int guarded_command(Action action) {
  try {
    return action();
  } catch (...) {
    return exit_code_of_failure();
  }
}

}  // namespace trammel
