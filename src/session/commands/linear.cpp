#include "session/commands/linear.h"

#include "session/commands/references.h"
#include "session/linear/linear_files.h"
#include "session/linear/linear_request.h"
#include "session/linear/linear_tables.h"
#include "session/stages.h"

namespace trammel::commands {

void plan_linear(Planner& planner, const Command& command) {
  planner.begin_use();
  planner.begin_simulations();
  if (references_are_there(planner, command.statement))
    planner.add(planner.stage_of(command));
  else
    planner.add_echo(command);
}

namespace {

/// Whether a table of LINEAR shows mode n, counted from 1: without numbers it shows all.
bool shows(const Statement& linear, std::string_view table, int n) {
  const Argument* asked = linear.find(table);
  if (!asked) return false;
  const std::vector<double>& range = asked->numbers;
  return range.empty() || (n >= range.front() && n <= range.back());
}

void tell_modes(StageRunner& runner, const Statement& s, const Linearization& linear) {
  RunLog& log = runner.log();
  Session& session = *runner.session();
  const Model& model = session.model();
  if (linear.nearest == 0) log.message(mode_counts(linear));
  log.message(eigenvalue_table(model, linear));
  int n = 0;
  for (const Mode& mode : linear.modes.modes) {
    ++n;
    const bool shape = shows(s, "COORDS", n), kinetic = shows(s, "KINETIC", n),
               strain = shows(s, "STRAIN", n), dissipative = shows(s, "DISSIPATIVE", n);
    if (!shape && !kinetic && !strain && !dissipative) continue;
    const ModeEnergies energies = mode_energies(model, session.assembler(), linear.at, mode);
    log.message(mode_head(mode, energies, n));
    if (shape) log.message(shape_table(model, linear, mode));
    if (kinetic) log.message(energy_table("kinetic energy", energies.of_parts));
    if (strain) log.message(energy_table("strain energy", energies.of_springs));
    if (dissipative) log.message(energy_table("dissipative energy", energies.of_dampers));
  }
}

}  // namespace

Next execute_linear(StageRunner& runner, const Stage& stage) {
  runner.update_model(stage);
  runner.initialize();
  Session& session = *runner.session();
  const Statement& s = stage.statement;
  const LinearizationOptions options = linear_request(s, runner.description(), session.model());
  const Linearization linear = linearize(session, options);
  for (const std::string& text : doubts_about(linear, session)) runner.log().warn("LINEAR: " + text);
  const bool matrices = s.has("STATEMAT");
  if (!matrices) tell_modes(runner, s, linear);
  const LinearContents contents{.matrices = matrices, .shapes = !s.has("NOVECTOR")};
  std::string written;
  if (matrices && s.has("FILE"))
    written =
        write_state_matrices(runner.path_of(s.text("FILE")), session.model(), linear, options, contents);
  else if (const std::string prefix = runner.prefix(); !prefix.empty())
    written = write_npz(fmt::format("{}_linear_{}.npz", prefix, runner.next_linear_file()), session.model(),
                        linear, options, contents);
  runner.log().tell(linear_summary(session.model(), linear, matrices) +
                    (written.empty() ? "" : fmt::format("\nWritten to {}.", written)));
  return runner.go_on();
}

}  // namespace trammel::commands
