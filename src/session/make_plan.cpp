#include "session/make_plan.h"

#include <algorithm>

#include "model/compile.h"
#include "session/commands/table.h"
#include "session/planner.h"

namespace trammel {

Plan make_plan(Job& job, const TimeOptions& options, bool strict, bool permissive) {
  Planner planner(job, options, strict, permissive);
  for (const Command& c : job.commands.commands) planner.plan(c, command_row(c.statement.spec->keyword));
  planner.finish(command_row("SIMULATE"));
  return planner.take();
}

PlannedModel plan_and_compile(Job& job, const TimeOptions& options, bool strict, bool permissive) {
  PlannedModel out;
  const auto in_commands = [&](const Diagnostic& d) {
    return d.severity == Severity::error && d.where.file != job.description.file;
  };
  const auto& told = job.diagnostics.list();
  const bool wrong_deck = job.diagnostics.has_errors();
  const bool wrong_commands = std::any_of(told.begin(), told.end(), in_commands);
  std::optional<Diagnostic> stopped;
  try {
    out.plan = make_plan(job, options, strict, permissive);
  } catch (const Failure& failure) {
    if (!wrong_deck && failure.code() == ExitCode::usage) throw;
    stopped = Diagnostic{Severity::error, {}, failure.what(), failure.code()};
  }
  if (job.diagnostics.has_errors()) set_wrong_aside(job);
  out.model = compile(job.description, job.diagnostics, job.counted_angles);
  // After mistakes in the commands the failure of the plan may follow from these, and is not told.
  if (stopped && !wrong_commands && stopped->code != ExitCode::usage) job.diagnostics.add(*stopped);
  if (strict) raise_to_errors(job.diagnostics, Severity::warning);
  keep_each_once(job.diagnostics);
  return out;
}

bool integrator_is_given(const Job& job) {
  if (job.description.find("INTEGRATOR")) return true;
  for (const Command& c : job.commands.commands) {
    if (c.statement.spec->keyword == "INTEGRATOR") return true;
    if (simulates_in_time(c.statement)) return false;
  }
  return false;
}

std::string integrator_of(const Plan& plan) {
  for (const Stage& stage : plan.stages)
    if (stage.integrates()) {
      const IntegratorOptions& o = stage.settings.integrator;
      return fmt::format("{} {}", o.method, o.formulation());
    }
  return "";
}

std::string integrator_note(const Plan& plan, bool given) {
  if (given) return "";
  for (const Stage& stage : plan.stages)
    if (stage.integrates())
      return fmt::format(
          "No INTEGRATOR is given: {} with ERROR = {:.6g} is used (ADAMS would take GSTIFF I3 with ERROR = "
          "0.001).",
          integrator_of(plan), stage.settings.integrator.error);
  return "";
}

}  // namespace trammel
