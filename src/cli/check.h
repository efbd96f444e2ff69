// `trammel check` and `trammel info`: what a deck is, without running it.
#pragma once

#include <string>
#include <vector>

#include "session/job.h"

namespace trammel {

struct CheckOptions {
  JobOptions job;
  bool json = false;
  // As of RunOptions: what they mean for the sizes of result files.
  std::vector<std::string> formats;
  bool single_precision = false;
  int every = 1;
};

/// Parses, resolves, compiles and assembles: lists what each of these stages finds wrong or unsupported, each
/// going on without what those before it have found; counts degrees of freedom and redundant equations. The
/// exit code is that which `run` would end with before its first step.
int check_command(const CheckOptions& options);
struct InfoOptions {
  JobOptions job;
  bool mass = false;
  double density = 0;  ///< mass/length³ in the units of the deck; 0: none
};

/// Title, units, statements by kind, result channels; with `mass` the volumes and inertias of GRAPHICS beside
/// those of the parts; of a result file (.nc, .res, .req, .csv): what it holds.
int info_command(const InfoOptions& options);

}  // namespace trammel
