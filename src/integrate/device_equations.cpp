#include "integrate/device_equations.h"

namespace trammel {

DeviceEquations::DeviceEquations(const Model& model, Assembler& host, Device& device,
                                 const TrammelSolverApi* solver)
    : host_(host),
      structure_(host.structure()),
      inertia_(model),
      assembler_(device, host, model),
      system_(device, solver),
      executor_(device),
      arena_(device) {
  const Buckets<int> rows = rows_of_bodies(model, host.pattern());
  body_rows_ = {arena_.copy(rows.start), arena_.copy(rows.item)};
  differential_ = arena_.copy(differential_scalars(model));
  arena_.flush();
  analyze();
}

StateArrays DeviceEquations::arrays(State&) {
  const DeviceState& s = assembler_.state();
  return {s.q, s.v, s.a, s.lambda, s.s, s.sdot, s.basis};
}

void DeviceEquations::take(const State& state) {
  executor_.flush();
  assembler_.hold_multipliers(state, in_dynamics.phase);
  assembler_.upload(state);
  executor_.forget_told();
  evaluated_ = false;
}

std::optional<bool> DeviceEquations::misses_what_is_near() const {
  if (!host_.couples_what_is_near()) return false;
  if (!evaluated_) return std::nullopt;
  const NearShapes* shapes = host_.near_shapes();
  return (shapes && shapes->coupled_misses_some()) || executor_.told().value > 0;
}

void DeviceEquations::find_law_changes(double t, double time, LawChanges& found) {
  executor_.flush();
  assembler_.find_law_changes(t, time, found);
}

void DeviceEquations::take_structure() {
  for (RecordedLaunches* graphs : {&evaluation_, &with_rates_, &tangent_}) graphs->clear();
  structure_ = host_.structure();
  assembler_.take_structure();
  analyze();
}

void DeviceEquations::bring(State& state) {
  executor_.flush();
  const double t = state.t;
  assembler_.download(state);
  state.t = t;
  inertia_.refuse_negative_energy(state);
}

void DeviceEquations::read(double* here, const double* there, std::size_t n) {
  executor_.flush();
  if (n > 0) assembler_.device().download(here, there, n * sizeof(double));
}

void DeviceEquations::write(double* there, const double* here, std::size_t n) {
  executor_.flush();
  if (n > 0) assembler_.device().upload(there, here, n * sizeof(double));
}

void DeviceEquations::evaluate(const State& state, const Coefficients& c, double* residual) {
  begin_evaluation(state, c);
  until_it_stands(
      [&] { evaluation_.run(device(), residual, nullptr, [&] { record_evaluation(residual); }); });
}

std::string DeviceEquations::why_program_decides() const {
  if (!system_.launches_only())
    return fmt::format("its graphs cannot have solutions by {}", system_.info().solver);
  return device().info().no_sections;
}

const Place* DeviceEquations::record_evaluation(double* residual) {
  assembler_.evaluate_equations();
  assembler_.residual(residual);
  find_what_is_told();
  return assembler_.worst_note();
}

const Place* DeviceEquations::record_matrix() {
  assembler_.tangent();
  return system_.launch_factorization(assembler_.values());
}

void DeviceEquations::begin_iterations(const State& state, const Coefficients& c) {
  begin_evaluation(state, c);
}

void DeviceEquations::evaluate_rates(const State& state, const Coefficients& c, double* residual,
                                     double* acceleration_rows) {
  begin_evaluation(state, c);
  until_it_stands([&] {
    with_rates_.run(device(), residual, acceleration_rows,
                    [&] { record_rates(residual, acceleration_rows); });
  });
}

const Place* DeviceEquations::record_rates(double* residual, double* acceleration_rows) {
  assembler_.evaluate_deep();
  assembler_.residual(residual);
  assembler_.rates(2, acceleration_rows);
  find_what_is_told();
  return assembler_.worst_note();
}

void DeviceEquations::begin_evaluation(const State& state, const Coefficients& c) {
  assembler_.set_point({state.t, static_cast<int>(in_dynamics.mode), c});
  assembler_.take_lists();
  evaluated_ = true;
}

/// An evaluation, repeated until it stands.
template <class Evaluate>
void DeviceEquations::until_it_stands(const Evaluate& evaluate) {
  DeviceAssembler::until_it_stands([&] {
    evaluate();
    return assembler_.tell_failure();
  });
}

void DeviceEquations::find_what_is_told() {
  assembler_.find_failure();
  assembler_.find_uncoupled(executor_.told_there());
}

void DeviceEquations::velocity_rows(const State&, double* rows) {
  assembler_.rates(1, rows);
}

void DeviceEquations::mass_times_acceleration(const State&, double*) {
  fail(ExitCode::unsupported, "Eq. 10 of the HHT paper as printed is not computed on a device");
}

SolveReport DeviceEquations::factor(const State& state, const Coefficients& c, PhaseTimes* times) {
  {
    const PhaseTimer timer(times ? &times->tangent : nullptr, waited());
    assembler_.set_point({state.t, static_cast<int>(in_dynamics.mode), c});
    tangent_.run(device(), nullptr, nullptr, [&] { assembler_.tangent(); });
  }
  const PhaseTimer timer(times ? &times->factorization : nullptr, waited());
  return system_.set_matrix(assembler_.values());
}

void DeviceEquations::accept(State& state) {
  assembler_.keep_angles();
  assembler_.keep_delays(state);
}

SystemCounters DeviceEquations::counters() const {
  const DeviceSystemCounters& c = system_.counters();
  SystemCounters out;
  out.factorizations = c.factorizations;
  out.solves = c.solves;
  out.refinements = c.refinements;
  out.guard_trips = c.guard_trips;
  out.full_pivotings = c.host_answers;
  return out;
}

std::size_t DeviceEquations::bytes() const {
  return assembler_.bytes() + static_cast<std::size_t>(system_.info().bytes) + arena_.bytes();
}

}  // namespace trammel
