// What `run` and `check` share: a command file or dataset, read, edited and compiled.
#pragma once

#include <string>
#include <vector>

#include "analysis/settings.h"
#include "dataset/commands.h"
#include "dataset/permissive.h"
#include "model/compile.h"

namespace trammel {

struct JobOptions {
  std::string file;                ///< .acf or .adm
  std::vector<std::string> sets;   ///< --set PART/2,MASS=3.5
  bool strict = false, permissive = false;
};

struct Job {
  Description description;
  CommandFile commands;
  bool has_command_file = false;
  DropReport dropped;              ///< what --permissive left out
  Diagnostics diagnostics;         ///< everything said about the input
};

/// Reads the deck and its command file, applies --set, and drops or reports what is unsupported. Mistakes
/// of the deck are in job.diagnostics; throws Failure (io) for files that cannot be read.
Job load_job(const JobOptions& options);

/// The file name of a path without folder and extension.
std::string stem_of(const std::string& path);

}  // namespace trammel
