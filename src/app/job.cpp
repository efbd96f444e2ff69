#include "app/job.h"

#include <filesystem>

#include "base/text.h"
#include "dataset/reader.h"

namespace trammel {

namespace fs = std::filesystem;

std::string stem_of(const std::string& path) { return fs::path(path).stem().string(); }

namespace {

/// In permissive mode commands that cannot run are left out, as statements are.
void drop_commands(Job& job) {
  std::vector<Command> kept;
  for (Command& c : job.commands.commands) {
    const std::string reason = c.redefinition ? "redefinitions between runs are not supported" : unsupported_reason(c.statement);
    if (reason.empty())
      kept.push_back(std::move(c));
    else
      job.dropped.dropped.push_back({std::string(c.statement.spec->keyword), c.statement.label(), reason, c.where});
  }
  job.commands.commands = std::move(kept);
}

}  // namespace

Job load_job(const JobOptions& options) {
  Job job;
  const std::string extension = lower(fs::path(options.file).extension().string());
  std::string model = options.file;
  if (extension == ".acf") {
    job.has_command_file = true;
    job.commands = read_commands(options.file, job.diagnostics);
    model = job.commands.model;
    if (model.empty()) return job;
  } else {
    if (const auto found = find_file("", options.file, ".adm")) model = *found;
    job.commands.model = model;
    job.commands.output_prefix = stem_of(model);
  }
  job.description = read_dataset(model, job.diagnostics);
  if (job.diagnostics.has_errors()) return job;
  for (const std::string& text : options.sets) job.description.redefine(parse_redefinition(text, "--set " + text));
  if (options.permissive) {
    job.dropped = drop_unsupported(job.description, Dependents::drop);
    drop_commands(job);
  } else {
    report_unsupported(job.description, job.diagnostics);
    if (job.has_command_file) report_unsupported(job.commands, job.diagnostics);
  }
  if (options.strict) {
    std::vector<Diagnostic> raised;
    for (const Diagnostic& d : job.diagnostics.list())
      if (d.severity == Severity::note) raised.push_back({Severity::error, d.where, d.text + " (--strict)", ExitCode::unsupported});
    for (Diagnostic& d : raised) job.diagnostics.add(std::move(d));
  }
  return job;
}

}  // namespace trammel
