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
  double checkpoint_seconds = 0;  ///< --checkpoint: of wall time between two; 0: none
  bool resume = false;            ///< --resume: goes on from the last checkpoint, if there is one
  ComputeSettings compute;        ///< -j, --linear-solver
  std::string backend = "auto";   ///< --backend: auto, cpu, cuda, host
  std::vector<std::string> auto_backends{"cuda"};  ///< back ends beside cpu that auto considers
  StepTimer step_timer = time_steps;               ///< by which it decides
  int device = 0;                                  ///< --device: which of the back end's
  double accuracy = 0;                             ///< --accuracy (study/accuracy.h); 0: one run
  std::vector<std::string> accuracy_channels;  ///< --channels: patterns of channels that it is for; none: all
  bool keeps_earlier = true;  ///< files of an earlier run of this name are renamed, not replaced
  bool stats = false;         ///< --stats: where the time went
  std::string command_line;
  std::function<bool()> stop;  ///< asked at every step: true stops the run as SIGINT does
};

/// -j and --linear-solver: Failure(usage) for numbers and names that are not possible.
inline constexpr int most_threads = 256;
void check_threads(int threads);
void check_linear_solver(const std::string& name, bool on_device = false);

/// The exit code; errors are told and in the message and status files by then. Signals end it where a
/// SignalGuard lives.
int run_job(const RunOptions& options, Listener listener);

}  // namespace trammel
