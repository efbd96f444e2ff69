#include "session/commands/linear.h"

#include <algorithm>

#include "session/commands/info.h"
#include "session/linear/linear_files.h"
#include "session/linear/linear_request.h"
#include "session/linear/linear_tables.h"

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

/// Numbers of the modes that a table shows, from 1; none where it was not asked for.
std::vector<int> shown(const Statement& s, std::string_view table, std::size_t modes) {
  std::vector<int> out;
  const Argument* asked = s.find(table);
  if (!asked) return out;
  const std::size_t given = asked->numbers.size();
  const double first = given > 0 ? asked->numbers[0] : 1;
  const double last = given > 1 ? asked->numbers[1] : given > 0 ? first : double(modes);
  for (std::size_t k = 1; k <= modes; ++k)
    if (double(k) >= first && double(k) <= last) out.push_back(static_cast<int>(k));
  return out;
}

void tell_modes(StageRunner& runner, const Statement& s, const Linearization& linear) {
  RunLog& log = runner.log();
  Session& session = *runner.session();
  const Model& model = session.model();
  const std::size_t count = linear.modes.modes.size();
  const auto numbers = [&](std::string_view table) { return shown(s, table, count); };
  const std::vector<int> coords = numbers("COORDS"), kinetic = numbers("KINETIC"), strain = numbers("STRAIN"),
                         dissipative = numbers("DISSIPATIVE");
  const auto has = [](const std::vector<int>& list, int n) {
    return std::find(list.begin(), list.end(), n) != list.end();
  };
  if (linear.nearest == 0) log.message(mode_counts(linear));
  log.message(eigenvalue_table(model, linear));
  for (int n = 1; n <= static_cast<int>(count); ++n) {
    const bool energy = has(kinetic, n) || has(strain, n) || has(dissipative, n);
    if (!energy && !has(coords, n)) continue;
    const Mode& mode = linear.modes.modes[static_cast<std::size_t>(n) - 1];
    const ModeEnergies energies = mode_energies(model, session.assembler(), linear.at, mode);
    log.message(mode_head(mode, energies, n));
    if (has(coords, n)) log.message(shape_table(model, linear, mode));
    if (has(kinetic, n)) log.message(energy_table("kinetic energy", energies.of_parts));
    if (has(strain, n)) log.message(energy_table("strain energy", energies.of_springs));
    if (has(dissipative, n)) log.message(energy_table("dissipative energy", energies.of_dampers));
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
