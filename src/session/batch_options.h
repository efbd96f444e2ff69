// The options of `trammel batch`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "session/generate.h"
#include "session/plan.h"

namespace trammel {

struct BatchOptions {
  JobOptions job;
  TimeOptions times;
  std::string variants;               ///< --variants: the file of the table of variants
  GenerateOptions generate;           ///< --generate: makes that table first
  bool resume = false;                ///< --resume: continues the existing table of results
  std::vector<std::string> channels;  ///< --channels
  std::string prefix, directory;      ///< -o, -C
  bool full = false;                  ///< --full: .nc and .msg of every variant
  bool single_precision = false;      ///< --single: float32 in the .nc files of --full
  int every = 1;                      ///< --every: decimation of the .nc files of --full
  std::optional<int> threads;         ///< -j; without it as many as the machine has processors
  std::string linear_solver = "auto";
  bool share_reactions = false;  ///< as in ComputeSettings
  std::string backend = "cpu";   ///< --backend
  int device = 0;                ///< --device
  std::string command_line;
  std::function<bool()> stop;  ///< called often, by one thread at a time: true stops the batch as SIGINT does
};

}  // namespace trammel
