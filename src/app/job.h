// What `run`, `check` and `info` share: a command file or dataset, read and edited.
#pragma once

#include <string>
#include <vector>

#include "dataset/commands.h"
#include "dataset/permissive.h"
#include "model/model.h"

namespace trammel {

struct JobOptions {
  std::string file;               ///< .acf or .adm; the extension may be left out
  std::vector<std::string> sets;  ///< --set PART/2,MASS=3.5
  bool strict = false, permissive = false;
};

struct Job {
  std::string file;  ///< as found
  Description description;
  CommandFile commands;
  bool has_command_file = false;
  bool read = false;               ///< the dataset was read, perhaps with mistakes
  std::vector<std::string> edits;  ///< what --set changed
  DropReport dropped;              ///< what --permissive left out
  Diagnostics diagnostics;         ///< everything said about the input
};

/// Reads the deck and its command file, applies --set, and drops or reports what is unsupported. Mistakes
/// of the deck are in job.diagnostics. Throws Failure: io when options.file itself cannot be read, input for
/// a wrong --set.
Job load_job(const JobOptions& options);

/// The file name of a path without folder and extension.
std::string stem_of(const std::string& path);

/// What deserves a warning although it may be meant: parts without mass or inertia.
std::vector<std::string> model_warnings(const Model& model);

/// A constraint row for messages: equation "Zi.Xj", owner "JOINT/2" or "JOINT/2 (hinge)".
struct RowName {
  std::string equation, owner;
};
RowName row_name(const Model& model, int row);

}  // namespace trammel
