#include "session/job.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/text.h"
#include "dataset/changes.h"
#include "dataset/check.h"
#include "dataset/reader.h"
#include "model/compile.h"
#include "model/joint_friction.h"
#include "output/stream_file.h"
#include "session/version.h"

namespace trammel {

namespace fs = std::filesystem;

std::string stem_of(const std::string& path) {
  return fs::path(path).stem().string();
}

namespace {

/// The file that the user means: the name itself, else with .acf, else with .adm added, ignoring case.
std::string found_file(const std::string& name) {
  std::error_code error;
  if (fs::exists(name, error)) return name;
  if (error) throw Failure(ExitCode::io, io_error_text("read", name, error.value()));
  for (const char* extension : {".acf", ".adm"})
    if (const auto found = find_file("", name, extension)) return *found;
  if (name.empty()) fail(ExitCode::usage, "the name of the file is empty");
  fail(ExitCode::io, "{}: the file does not exist", name);
}

/// Whether a diagnostic is in the list already.
bool is_told(const Diagnostics& diagnostics, const Diagnostic& d) {
  const auto& list = diagnostics.list();
  return std::any_of(list.begin(), list.end(), [&](const Diagnostic& told) {
    return told.text == d.text && told.where.file == d.where.file && told.where.line == d.where.line;
  });
}

/// Applies the edits in their order. Mistakes that the description has only after them (ranges, exclusions,
/// references) are reported as theirs.
void apply_edits(Job& job, const std::vector<Edit>& edits, bool permissive) {
  if (edits.empty()) return;
  Diagnostics found;
  for (const Edit& edit : edits) {
    Statement change = parse_redefinition(edit.text, edit.origin);
    change.where = {std::make_shared<const std::string>(edit.origin), 0};
    for (Argument& a : change.arguments) a.where = change.where;
    if (permissive && !job.description.find(change.spec->keyword, change.id) &&
        job.description.find_absent(change.spec->keyword, change.id))
      found.error(change.where, "{} is left out", change.label());
    apply_change(job.description, change, found);
  }
  job.edits = edits;
  check_description(job.description, found);
  for (const Diagnostic& d : found.list()) {
    if (d.severity != Severity::error || is_told(job.diagnostics, d)) continue;
    const bool names_edit = std::any_of(edits.begin(), edits.end(),
                                        [&](const Edit& edit) { return edit.origin == d.where.file; });
    const std::string after = names_edit ? "" : fmt::format("after {}: ", edits.back().source);
    job.diagnostics.add({d.severity, {}, after + to_string(d), d.code});
  }
}

/// Removes commands that are unsupported.
DropReport drop_commands(CommandFile& file) {
  DropReport report;
  std::vector<Command> kept;
  for (Command& c : file.commands) {
    const std::string reason = unsupported_reason(c.statement);
    if (reason.empty())
      kept.push_back(std::move(c));
    else
      report.add({std::string(c.statement.spec->keyword), c.statement.label(), reason, c.where});
  }
  file.commands = std::move(kept);
  return report;
}

/// Leaves out the elements that compile() refuses, until it refuses none.
void drop_refused(Job& job) {
  for (;;) {
    Diagnostics found;
    compile(job.description, found);
    const DropReport report = drop_wrong(job.description, found, Wrong::elements);
    if (report.dropped.empty()) return;
    job.dropped.append(report);
  }
}

/// --permissive, after the edits: leaves out what is unsupported or refused. Ground must remain.
void leave_out(Job& job) {
  job.dropped.append(drop_unsupported(job.description, Dependents::drop));
  job.dropped.append(drop_commands(job.commands));
  leave_out_wrong_frictions(job.description, job.diagnostics);
  if (!job.diagnostics.has_errors()) drop_refused(job);
  const auto is_ground = [](const Statement& s) { return s.spec->keyword == "PART" && s.has("GROUND"); };
  const std::vector<Statement>& list = job.description.statements;
  if (!job.diagnostics.has_errors() && std::none_of(list.begin(), list.end(), is_ground))
    job.diagnostics.error({job.description.file, 0},
                          "the PART with GROUND is left out, and no model can do without");
}

std::map<std::string, int> counts_of(const Description& description) {
  std::map<std::string, int> counts;
  for (const Statement& s : description.statements) ++counts[std::string(s.spec->keyword)];
  return counts;
}

/// Turns "PART/2.MASS=3.5", the form of headers of a batch table, into the statement "PART/2, MASS=3.5".
/// Statements, which have a comma or slash before the first argument, are unchanged.
std::string as_statement(const std::string& text) {
  const std::size_t mark = text.find_first_of(".:,=");
  if (mark == std::string::npos || text[mark] == ',' || text[mark] == '=') return text;
  const bool has_id = text.find('/') < mark;
  return text.substr(0, mark) + (has_id ? ", " : "/") + text.substr(mark + 1);
}

}  // namespace

std::vector<Edit> edits_of(const std::vector<std::string>& sets) {
  std::vector<Edit> edits;
  for (const std::string& text : sets) edits.push_back({as_statement(text), "--set " + text, "--set"});
  return edits;
}

Job read_job(const JobOptions& options) {
  if (options.strict && options.permissive)
    fail(ExitCode::usage, "--strict and --permissive exclude each other");
  Job job;
  job.tuning = options.tuning;
  job.file = found_file(options.file);
  job.has_command_file = lower(fs::path(job.file).extension().string()) == ".acf";
  if (job.has_command_file) {
    job.commands = read_commands(job.file, job.diagnostics);
  } else {
    job.commands.model = job.file;
    job.commands.output_prefix = stem_of(job.file);
  }
  if (!options.commands.empty()) {
    add_commands(job.commands, options.commands, "the command line", job.diagnostics);
    job.has_command_file = true;
  }
  if (job.commands.model.empty()) return job;
  job.description = read_dataset(job.commands.model, job.diagnostics);
  job.read = true;
  return job;
}

void keep_each_once(Diagnostics& diagnostics) {
  Diagnostics once;
  for (const Diagnostic& d : diagnostics.list())
    if (!is_told(once, d)) once.add(d);
  if (once.list().size() < diagnostics.list().size()) diagnostics = std::move(once);
}

void raise_to_errors(Diagnostics& diagnostics, Severity least) {
  if (diagnostics.full()) return;  // it has the list of errors that there can be
  Diagnostics raised;
  for (Diagnostic d : diagnostics.list()) {
    if (d.severity >= least && d.severity != Severity::error)
      d = {Severity::error, d.where, d.text + " (--strict)", ExitCode::unsupported};
    raised.add(std::move(d));
  }
  diagnostics = std::move(raised);
}

void set_wrong_aside(Job& job) {
  Diagnostics found = job.diagnostics;
  drop_wrong(job.description, found, Wrong::all);
  drop_unsupported(job.description, Dependents::drop);
  drop_commands(job.commands);
}

void prepare_job(Job& job, const JobOptions& options, const std::vector<Edit>& edits) {
  if (!job.read) return;
  job.statements = counts_of(job.description);
  if (options.permissive) {
    job.dropped = drop_wrong(job.description, job.diagnostics, Wrong::elements);
  } else if (job.diagnostics.has_errors()) {
    report_unsupported(job.description, job.diagnostics);
    if (job.has_command_file) report_unsupported(job.commands, job.diagnostics);
    set_wrong_aside(job);
  }
  const bool told = job.diagnostics.has_errors();
  apply_edits(job, edits, options.permissive);
  if (options.permissive) leave_out(job);
  if (options.permissive || !told) {
    job.statements = counts_of(job.description);
    // After --permissive this only reports arguments that are accepted without effect.
    report_unsupported(job.description, job.diagnostics);
    if (job.has_command_file) report_unsupported(job.commands, job.diagnostics);
  }
  if (options.strict) raise_to_errors(job.diagnostics, Severity::note);
  if (job.diagnostics.has_errors()) set_wrong_aside(job);
}

Job load_job(const JobOptions& options) {
  Job job = read_job(options);
  prepare_job(job, options, edits_of(options.sets));
  return job;
}

namespace {

/// A prefix from a command file: backslashes are slashes, and a path with a drive letter keeps its last name.
std::string native_prefix(std::string prefix) {
  std::replace(prefix.begin(), prefix.end(), '\\', '/');
  if (prefix.size() > 1 && prefix[1] == ':') prefix = fs::path(prefix).filename().string();
  return prefix;
}

}  // namespace

std::string output_prefix(const Job& job, const std::string& chosen, const std::string& folder,
                          const std::string& suffix) {
  fs::path prefix = fs::path(folder) / (chosen.empty() ? native_prefix(job.commands.output_prefix) : chosen);
  std::error_code error;  // ignored: creating the files will find it
  const bool is_folder = prefix.filename().empty() || fs::is_directory(prefix, error);
  if (is_folder) prefix /= stem_of(job.file);
  if (chosen.empty() || is_folder) prefix += suffix;
  const fs::path parent = prefix.parent_path();
  error.clear();
  if (!parent.empty()) fs::create_directories(parent, error);
  if (error) throw Failure(ExitCode::io, io_error_text("make the folder", parent.string(), error.value()));
  return prefix.string();
}

RunInfo info_of(const Job& job, const std::string& command_line) {
  RunInfo info;
  info.title = job.description.title;
  info.command_line = command_line;
  info.input_file = job.commands.model.empty() ? job.file : job.commands.model;
  describe_run(info);
  return info;
}

std::vector<std::string> model_warnings(const Model& model) {
  constexpr std::size_t most = 8;  // names in one message
  std::vector<std::string> massless, inertialess;
  for (const Body& b : model.bodies) {
    const std::string name = b.name.label() + (b.name.view_name.empty() ? "" : " (" + b.name.view_name + ")");
    const Mat3d& j = b.inertia;
    if (!(b.mass > 0))
      massless.push_back(name);
    else if (b.turns() && j(2, 2) == 0 && (b.planar() || (j(0, 0) == 0 && j(1, 1) == 0)))
      inertialess.push_back(name);
  }
  std::vector<std::string> warnings;
  const auto warn = [&](std::vector<std::string>& names, const char* what) {
    if (names.empty()) return;
    const std::size_t count = names.size();
    names.resize(std::min(count, most));
    warnings.push_back(
        fmt::format("{} {}{} no {}: joints must hold such a part completely to others, or it has no "
                    "accelerations and can only be analysed at rest.",
                    fmt::join(names, ", "), count > most ? fmt::format("and {} more ", count - most) : "",
                    count == 1 ? "has" : "have", what));
  };
  warn(massless, "mass");
  warn(inertialess, "moments of inertia");
  return warnings;
}

RowName row_name(const Model& model, int row) {
  const std::string name = model.equation_name(model.coordinates + row);  // "JOINT/2 Zi.Xj"
  const std::size_t blank = name.find(' ');
  RowName out{blank == std::string::npos ? "equation" : name.substr(blank + 1), name.substr(0, blank)};
  const auto add = [&](const ElementName& element) {
    if (!element.view_name.empty()) out.owner += " (" + element.view_name + ")";
  };
  const auto e = std::partition_point(
      model.constraint_elements.begin(), model.constraint_elements.end(),
      [&](const ConstraintElement& element) { return element.first_row + element.rows <= row; });
  if (e != model.constraint_elements.end()) add(e->name);
  for (const GeneralConstraint& g : model.general_constraints)
    if (g.row == row) add(g.name);
  return out;
}

}  // namespace trammel
