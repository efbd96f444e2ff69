// Runs of one deck with other settings of its integrator, whose results are in a temporary folder.
#pragma once

#include <string>

#include "session/run.h"

namespace trammel {

/// Least ERROR: below it there is nothing but rounding.
inline constexpr double least_error = 1e-13;

/// The integrator of the first simulation in time, as the deck has it.
struct StepSettings {
  std::string integrator;  ///< "GSTIFF SI2"
  double error = 0, hmax = 0;
  bool fixed = false;    ///< steps of one size, without control of their error
  bool several = false;  ///< other simulations have other settings
  std::string prefix;    ///< prefix of the run's files
};
/// Throws Failure as run_job(), and usage where the commands have no simulation in time.
StepSettings step_settings(const RunOptions& options);

/// The changed settings of the deck as a statement: "INTEGRATOR/GSTIFF, SI2, ERROR=1e-06".
std::string integrator_statement(const StepSettings& deck, const IntegratorTuning& tuning);

struct Trial {
  IntegratorTuning tuning;
  std::string results;  ///< native file
  long long steps = 0;
  double time = 0;      ///< model time that the steps cover
  double seconds = 0;   ///< wall time
  int code = 0;         ///< exit code
  std::string failure;  ///< last error told, where the code is not 0
};

/// Runs with the changed settings. The listener receives its progress, and its errors where it fails, not its
/// messages.
Trial run_trial(RunOptions options, const IntegratorTuning& tuning, const Listener& listener);

class TrialFolder {
 public:
  TrialFolder();  ///< Failure(io)
  ~TrialFolder();
  TrialFolder(const TrialFolder&) = delete;
  TrialFolder& operator=(const TrialFolder&) = delete;

  const std::string& path() const { return path_; }
  /// The options with their results in this folder, as the native file NUMBER.nc.
  RunOptions options_of_next(RunOptions options);

 private:
  std::string path_;
  int runs_ = 0;
};

}  // namespace trammel
