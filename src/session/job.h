// What `run`, `check` and `info` share: a command file or dataset, read and edited.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/settings.h"
#include "dataset/commands.h"
#include "dataset/permissive.h"
#include "model/model.h"
#include "output/run_info.h"

namespace trammel {

struct JobOptions {
  std::string file;               ///< .acf or .adm; the extension may be left out
  std::vector<std::string> sets;  ///< --set PART/2,MASS=3.5 or PART/2.MASS=3.5
  bool strict = false, permissive = false;
  std::string commands;     ///< behind those of the command file, or for a dataset alone
  IntegratorTuning tuning;  ///< of what the deck and its command file say
};

/// A change of the model that does not stand in the deck.
struct Edit {
  std::string text;    ///< a redefinition: "PART/2,MASS=3.5"
  std::string origin;  ///< what messages name: "--set PART/2,MASS=3.5"
  std::string source;  ///< in short: "--set"
};

struct Job {
  std::string file;  ///< as found
  Description description;
  CommandFile commands;
  std::string folder;  ///< of the output files: -C
  IntegratorTuning tuning;
  bool has_command_file = false;
  bool read = false;                      ///< the dataset was read, perhaps with mistakes
  std::vector<Edit> edits;                ///< applied to the description
  DropReport dropped;                     ///< what --permissive left out
  Diagnostics diagnostics;                ///< everything said about the input
  std::map<std::string, int> statements;  ///< by keyword: of the deck, less what --permissive left out
};

/// Reads the deck and its command file. Mistakes of the deck are in job.diagnostics. Throws Failure: io when
/// options.file itself cannot be read, usage for --strict with --permissive.
Job read_job(const JobOptions& options);

/// Applies the edits in their order and reports what is unsupported. With options.permissive, what is
/// unsupported, what reading found wrong and what compiling refuses is left out with all that depends on it
/// (job.dropped). Mistakes are in job.diagnostics; where there are any, the description goes on without what
/// is wrong or unsupported and all that depends on it, so that further stages find mistakes of their own
/// only. Throws Failure(input) for an edit that cannot be read.
void prepare_job(Job& job, const JobOptions& options, const std::vector<Edit>& edits);

/// --set options as edits, in either form: PART/2,MASS=3.5 or PART/2.MASS=3.5.
std::vector<Edit> edits_of(const std::vector<std::string>& sets);

/// read_job() and prepare_job() with --set.
Job load_job(const JobOptions& options);

/// Takes what is said a second time out: the stages of a job look at the same statements.
void keep_each_once(Diagnostics& diagnostics);

/// Takes what is wrong, as job.diagnostics say, or unsupported out of the description.
void set_wrong_aside(Job& job);

/// The file name of a path without folder and extension.
std::string stem_of(const std::string& path);

/// Prefix of the output files: `chosen` (-o) or what the command file says, and `suffix` behind the latter,
/// in `folder`; the name of the deck where that is a folder. Folders on the way are made: Failure(io).
std::string output_prefix(const Job& job, const std::string& chosen, const std::string& folder,
                          const std::string& suffix = "");

/// Where the results of a run of this job come from.
RunInfo info_of(const Job& job, const std::string& command_line);

/// What deserves a warning although it may be meant: parts without mass or inertia.
std::vector<std::string> model_warnings(const Model& model);

/// A constraint row for messages: equation "Zi.Xj", owner "JOINT/2" or "JOINT/2 (hinge)".
struct RowName {
  std::string equation, owner;
};
RowName row_name(const Model& model, int row);

}  // namespace trammel
