// A run: reads a deck, runs its commands, writes its results.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "session/listener.h"
#include "session/plan.h"
#include "session/step_timing.h"

namespace trammel {

struct RunOptions {
  JobOptions job;
  TimeOptions times;
  std::string prefix, directory;     ///< -o, -C
  std::vector<std::string> formats;  ///< --formats nc,req ... or none; empty: nc and what the deck asks for
  bool single_precision = false;     ///< --single: float32 in the native file
  int every = 1;                     ///< --every: decimation of the native file
  std::string log_json;              ///< --log-json FILE
  bool dry_run = false;
  double checkpoint_seconds = 0;  ///< --checkpoint: wall time between two; 0: none
  bool resume = false;            ///< --resume: continues from the last checkpoint, if there is one
  ComputeSettings compute;        ///< -j, --linear-solver
  std::string backend = "auto";   ///< --backend: auto, cpu, cuda, host
  std::vector<std::string> auto_backends{"cuda"};  ///< back ends besides cpu that auto considers
  StepTimer step_timer = time_steps;               ///< measures the steps by which auto decides
  int device = 0;                                  ///< --device: number of the device of the back end
  double accuracy = 0;                             ///< --accuracy (study/accuracy.h); 0: one run
  /// --channels: patterns of the channels for --accuracy; none: all.
  std::vector<std::string> accuracy_channels;
  bool keeps_earlier = true;  ///< existing files of this name are renamed, not replaced
  bool stats = false;         ///< --stats: tells the computing time of each phase
  std::string command_line;
  std::function<bool()> stop;  ///< called at every step: true stops the run as SIGINT does
};

/// Check -j and --linear-solver: Failure(usage) for impossible numbers and names.
inline constexpr int most_threads = 256;
void check_threads(int threads);
void check_linear_solver(const std::string& name, bool on_device = false);

/// Returns the exit code; errors have been told to the listener and written to message and status files by
/// then. While a SignalGuard exists, signals end the run.
int run_job(const RunOptions& options, Listener listener);

}  // namespace trammel
