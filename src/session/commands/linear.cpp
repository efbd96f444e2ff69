#include "session/commands/linear.h"

#include "session/commands/references.h"
#include "session/linear/linear_files.h"
#include "session/linear/linear_request.h"
#include "session/linear/linear_tables.h"
#include "session/stages.h"

namespace trammel::commands {

namespace {

/// Arguments of LINEAR/EIGENSOL that ask for tables of modes, from the first to the last named.
constexpr std::string_view tables_of_modes[] = {"COORDS", "KINETIC", "STRAIN", "DISSIPATIVE"};

}  // namespace

void plan_linear(Planner& planner, const Command& command) {
  for (const std::string_view table : tables_of_modes)
    if (const Argument* a = command.statement.find(table);
        a && a->numbers.size() == 2 && a->numbers[0] > a->numbers[1])
      planner.diagnostics().warning(a->where, "LINEAR: {}={},{} has no effect: no mode is from {} to {}",
                                    table, a->numbers[0], a->numbers[1], a->numbers[0], a->numbers[1]);
  planner.begin_use();
  planner.begin_simulations();
  if (references_are_there(planner, command.statement))
    planner.add(planner.stage_of(command));
  else
    planner.add_echo(command);
}

namespace {

/// Whether the argument `table` of LINEAR asks for mode n, counted from 1: without numbers for all modes.
bool shows(const Statement& linear, std::string_view table, int n) {
  const Argument* asked = linear.find(table);
  if (!asked) return false;
  const Numbers& range = asked->numbers;
  return range.empty() || (n >= range.front() && n <= range.back());
}

/// Warns of tables that ask for modes beyond the last.
void tell_absent_modes(StageRunner& runner, const Statement& linear, std::size_t modes) {
  for (const std::string_view table : tables_of_modes)
    if (const Argument* a = linear.find(table);
        a && !a->numbers.empty() && a->numbers[0] > static_cast<double>(modes))
      runner.log().warn(fmt::format("{}: LINEAR: {} has no effect: it begins with mode {}, and there are {}",
                                    to_string(a->where), table, a->numbers[0], modes));
}

/// The tables of modes, for message file and results.
std::string mode_tables(StageRunner& runner, const Statement& s, const Linearization& linear) {
  Session& session = *runner.session();
  const Model& model = session.model();
  std::string out = "\n  EigenSolution computation started.\n";
  if (const auto rm = s.id_of("RM")) out += fmt::format("\n  Option RM={} was used.\n", *rm);
  if (linear.nearest == 0) out += mode_counts(linear);
  out += eigenvalue_table(model, linear);
  int n = 0;
  for (const Mode& mode : linear.modes.modes) {
    ++n;
    const bool shape = shows(s, "COORDS", n), kinetic = shows(s, "KINETIC", n),
               strain = shows(s, "STRAIN", n), dissipative = shows(s, "DISSIPATIVE", n);
    if (!shape && !kinetic && !strain && !dissipative) continue;
    const ModeEnergies energies =
        mode_energies(model, session.assembler(), linear.at, mode, s.has("NODAMPIN"));
    out += mode_head(model, linear, mode, energies, n);
    if (shape) out += shape_table(model, linear, mode);
    if (kinetic) out += energy_table("kinetic energy", energies.of_parts);
    if (strain) out += energy_table("strain energy", energies.of_springs);
    if (dissipative) out += energy_table("dissipative energy", energies.of_dampers);
  }
  return out;
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
  const int number = matrices && s.has("FILE") ? 0 : runner.next_linear();
  const LinearContents contents{.matrices = matrices, .shapes = !s.has("NOVECTOR")};
  if (!matrices) {
    tell_absent_modes(runner, s, linear.modes.modes.size());
    ModeSet set = mode_set(session.model(), linear, contents.shapes);
    set.number = number;
    set.text = mode_tables(runner, s, linear);
    runner.log().message(set.text);
    runner.give_modes(set);
  }
  std::string written;
  if (matrices && s.has("FILE"))
    written =
        write_state_matrices(runner.path_of(s.text("FILE")), session.model(), linear, options, contents);
  else if (const std::string prefix = runner.prefix(); !prefix.empty())
    written = write_npz(fmt::format("{}_linear_{}.npz", prefix, number), session.model(), linear, options,
                        contents);
  runner.log().tell(linear_summary(session.model(), linear, matrices) +
                    (written.empty() ? "" : fmt::format("\nWritten to {}.", written)));
  return runner.go_on();
}

}  // namespace trammel::commands
