// `trammel check` and `trammel info`: reports about a deck, without running it.
#pragma once

#include <string>
#include <vector>

#include "session/job.h"

namespace trammel {

struct CheckOptions {
  JobOptions job;
  bool json = false;
  // As in RunOptions, for the predicted sizes of result files.
  std::vector<std::string> formats;
  bool single_precision = false;
  int every = 1;
};

/// Parses, resolves, compiles and assembles the deck. Lists what each of these stages finds wrong or
/// unsupported; each continues without the statements that earlier stages have found wrong. Counts degrees of
/// freedom and redundant equations. Returns the exit code with which `run` would end before its first step.
int check_command(const CheckOptions& options);
struct InfoOptions {
  JobOptions job;
  bool mass = false;
  double density = 0;  ///< mass/length³ in the units of the deck; 0: none
};

/// Prints title, units, statements by kind, result channels; with `mass` the volumes and inertias of GRAPHICS
/// beside those of the parts; of a result file (.nc, .res, .req, .csv) its contents. Returns the exit code.
int info_command(const InfoOptions& options);

}  // namespace trammel
