// What `trammel batch` is asked to do.
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
  std::string variants;               ///< --variants: the table of what varies
  GenerateOptions generate;           ///< --generate: that table is made first
  bool resume = false;                ///< --resume: goes on with the table of results that there is
  std::vector<std::string> channels;  ///< --channels
  std::string prefix, directory;      ///< -o, -C
  bool full = false;                  ///< --full: .nc and .msg of every variant
  bool single_precision = false;      ///< --single: float32 in these .nc files
  int every = 1;                      ///< --every: their decimation
  std::optional<int> threads;         ///< -j; as many as there are processors
  std::string linear_solver = "auto";
  bool share_reactions = false;  ///< as in ComputeSettings
  std::string backend = "cpu";   ///< --backend
  int device = 0;                ///< --device
  std::string command_line;
  std::function<bool()> stop;  ///< asked often, by one thread at a time: true stops the batch as SIGINT does
};

}  // namespace trammel
