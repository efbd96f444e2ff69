// What `run`, `check` and `info` share: a command file or dataset, read and edited.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/settings.h"
#include "dataset/commands.h"
#include "dataset/permissive.h"
#include "model/compile.h"
#include "model/model.h"
#include "output/run_info.h"

namespace trammel {

struct JobOptions {
  std::string file;               ///< .acf or .adm; the extension may be left out
  std::vector<std::string> sets;  ///< --set PART/2,MASS=3.5 or PART/2.MASS=3.5
  bool strict = false, permissive = false;
  std::string commands;  ///< further commands, after those of the command file; or all commands for a dataset
  IntegratorTuning tuning;  ///< changes of the INTEGRATOR settings of deck and command file
};

/// A change of the model from outside the deck.
struct Edit {
  std::string text;    ///< a redefinition: "PART/2,MASS=3.5"
  std::string origin;  ///< place named in messages: "--set PART/2,MASS=3.5"
  std::string source;  ///< short name of the place: "--set"
};

struct Job {
  std::string file;  ///< path of the file that was found
  Description description;
  CommandFile commands;
  std::string folder;  ///< of the output files: -C
  IntegratorTuning tuning;
  bool has_command_file = false;
  bool read = false;        ///< the dataset was read, perhaps with mistakes
  std::vector<Edit> edits;  ///< applied to the description
  DropReport dropped;       ///< what --permissive left out
  Diagnostics diagnostics;  ///< all messages about the input
  /// Angles whose turns count from the start on, as the deck asks for them once the commands have changed it.
  std::set<CountedAngle> counted_angles;
  /// Number of statements of the deck per keyword, without those that --permissive left out.
  std::map<std::string, int> statements;
};

/// Reads the deck and its command file. Mistakes of the deck are in job.diagnostics. Throws Failure: io when
/// options.file itself cannot be read, usage for --strict with --permissive.
Job read_job(const JobOptions& options);

/// Applies the edits in their order and reports what is unsupported. With options.permissive, statements that
/// are unsupported, wrong, or refused by compile() are left out with all that depends on them (job.dropped).
/// Mistakes are added to job.diagnostics; where there are any, the description continues without the
/// statements that are wrong or unsupported and all that depends on them, so that further stages find new
/// mistakes only. Throws Failure(input) for an edit that cannot be read.
void prepare_job(Job& job, const JobOptions& options, const std::vector<Edit>& edits);

/// The --set options, in either form, as edits: PART/2,MASS=3.5 or PART/2.MASS=3.5.
std::vector<Edit> edits_of(const std::vector<std::string>& sets);

/// read_job() and prepare_job() with the edits of --set.
Job load_job(const JobOptions& options);

/// Removes repeated diagnostics: several stages of a job look at the same statements.
void keep_each_once(Diagnostics& diagnostics);

/// --strict: diagnostics from this severity on become errors of code 4.
void raise_to_errors(Diagnostics& diagnostics, Severity least);

/// Removes from the description the statements that are wrong, as job.diagnostics say, or unsupported.
void set_wrong_aside(Job& job);

/// The file name of a path without folder and extension.
std::string stem_of(const std::string& path);

/// Prefix of the output files in `folder`: `chosen` (-o), else that of the command file followed by `suffix`;
/// where it is a folder, the name of the deck in it. Folders on the way are made: Failure(io).
std::string output_prefix(const Job& job, const std::string& chosen, const std::string& folder,
                          const std::string& suffix = "");

/// Title, input file, command line, program and process of a run of this job, for result files.
RunInfo info_of(const Job& job, const std::string& command_line);

/// Warnings about what may be intended: parts without mass or inertia.
std::vector<std::string> model_warnings(const Model& model);

/// A constraint row for messages: equation "Zi.Xj", owner "JOINT/2" or "JOINT/2 (hinge)".
struct RowName {
  std::string equation, owner;
};
RowName row_name(const Model& model, int row);

}  // namespace trammel
