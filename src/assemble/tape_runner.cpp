#include "assemble/tape_runner.h"

#include <algorithm>
#include <cmath>

#include "assemble/tape_runs.h"

namespace trammel {

namespace {

using D6 = Dual<double, 6>;

/// describe() with the values in registers of dual numbers.
template <class T>
std::string describe(const Tape& tape, const TapeStatus& status, const std::vector<T>& registers) {
  std::vector<double> values(tape.code.size());
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = value_of(registers[k]);
  return trammel::describe(tape, status, values.data());
}

}  // namespace

struct TapeRunner::Scratch {
  template <class T>
  struct Buffers {
    std::vector<MarkerKinematics<T>> markers;
    std::vector<T> states, rates, registers, adjoints;
    std::vector<T> gradient_markers, gradient_states, gradient_rates;

    void size_for(const Tape& tape, bool adjoint) {
      const auto grow = [](auto& v, std::size_t n) {
        if (v.size() < n) v.resize(n);
      };
      grow(markers, tape.markers.size());
      grow(states, tape.states.size());
      grow(rates, tape.rates.size());
      grow(registers, tape.code.size());
      if (!adjoint) return;
      grow(adjoints, tape.code.size());
      grow(gradient_markers, 18 * tape.markers.size());
      grow(gradient_states, tape.states.size());
      grow(gradient_rates, tape.rates.size());
    }
  };

  std::vector<SplineView> splines;
  std::vector<DelayView> delays;
  std::vector<double> angles;
  Buffers<double> plain;
  Buffers<Kinematics::Jet> jet;
  Buffers<D6> dual;

  TapeTables tables(const State& state) {
    for (std::size_t k = 0; k < delays.size(); ++k) delays[k] = state.delays[k].view();
    return {splines.data(), delays.data()};
  }
  /// The same for one tape: of the histories those that it reads, whatever state the others are of.
  TapeTables tables(const State& state, const Tape& tape) {
    for (const DelaySlot& slot : tape.delays) delays[slot.buffer] = state.delays[slot.buffer].view();
    return {splines.data(), delays.data()};
  }
  /// What a tape reads, in the buffers.
  TapeInputs<double> gather(const TapeSources& from, const TapeItem& tape) {
    return gather_inputs(
        from, tape,
        {plain.markers.data(), plain.states.data(), plain.rates.data(), angles.data(), nullptr, nullptr});
  }
  const double* gather_angles(const Tape& tape, const State& state) {
    for (std::size_t k = 0; k < tape.angles.size(); ++k) angles[k] = state.angle[tape.angles[k]];
    return angles.data();
  }
};

TapeRunner::TapeRunner(const Model& model) : model_(model), scratch_(std::make_unique<Scratch>()) {
  std::size_t most_angles = 0;
  for (const Tape& tape : model.tapes) {
    items_.push_back({view(tape), tape.markers.data(), tape.states.data(), tape.rates.data(),
                      tape.angles.data(), static_cast<int>(tape.angles.size())});
    scratch_->plain.size_for(tape, true);
    most_angles = std::max(most_angles, tape.angles.size());
  }
  scratch_->angles.resize(most_angles);
  for (const SplineTable& table : model.splines) scratch_->splines.push_back(view(table));
  scratch_->delays.resize(model.delays.size());
  explicit_ = model.explicit_scalars();
}

TapeRunner::~TapeRunner() = default;

TapeTables TapeRunner::tables(const State& state) {
  return scratch_->tables(state);
}

void TapeRunner::fail_evaluation(int index, const TapeReads& reads, const std::string& text) const {
  fail(ExitCode::solver, "{}: {}, at t = {:.9g}", model_.tape_owner(index), text, reads.state->t);
}

/// Where tape `index` finds what it reads.
TapeSources TapeRunner::sources_of(int index, const TapeReads& reads) {
  const State& state = *reads.state;
  return {reads.kinematics->markers(),
          state.s.data(),
          state.sdot.data(),
          reads.wrenches,
          state.angle.data(),
          model_.scalar_count(),
          state.t,
          reads.mode,
          scratch_->tables(state, model_.tapes[index])};
}

double TapeRunner::state_value(const TapeReads& reads, int index) const {
  const int scalars = model_.scalar_count();
  return index < scalars ? reads.state->s[index] : reads.wrenches[index - scalars];
}

void TapeRunner::values(int index, const TapeReads& reads, double* results) {
  const Tape& tape = model_.tapes[index];
  if (is_left_out(index)) {
    std::fill_n(results, tape.results.size(), 0.0);
    return;
  }
  run(index, reads);
  for (std::size_t k = 0; k < tape.results.size(); ++k)
    results[k] = scratch_->plain.registers[tape.results[k]];
}

TapeRegisters TapeRunner::registers(int index, const TapeReads& reads, bool every_branch) {
  std::vector<double>& r = scratch_->plain.registers;
  std::fill_n(r.begin(), model_.tapes[index].code.size(), NAN);
  inputs_ = scratch_->gather(sources_of(index, reads), items_[index]);
  inputs_.every_branch = every_branch;
  (void)evaluate(items_[index].view, inputs_, r.data());  // what has no value stays NaN
  inputs_.every_branch = false;
  return {r.data(), inputs_.markers};
}

void TapeRunner::run(int index, const TapeReads& reads) {
  inputs_ = scratch_->gather(sources_of(index, reads), items_[index]);
  Scratch::Buffers<double>& b = scratch_->plain;
  const TapeStatus status = evaluate(items_[index].view, inputs_, b.registers.data());
  const Tape& tape = model_.tapes[index];
  if (!status.ok()) fail_evaluation(index, reads, describe(tape, status, b.registers));
  if (status.extrapolated >= 0 && on_extrapolation)
    on_extrapolation(extrapolated_spline(tape, status, b.registers.data(), inputs_.tables));
  if (status.zero_by_zero >= 0 && on_zero_by_zero)
    on_zero_by_zero(index, describe_zero_by_zero(tape, status));
}

double TapeRunner::gradient(int index, int result, const TapeReads& reads, const TapeDerivativeRoom& out) {
  const Tape& tape = model_.tapes[index];
  if (is_left_out(index)) {
    std::fill_n(out.marker, 18 * tape.markers.size(), 0.0);
    std::fill_n(out.state, tape.states.size(), 0.0);
    std::fill_n(out.rate, tape.rates.size(), 0.0);
    return 0;
  }
  run(index, reads);
  TapeGradient<double> g{out.marker, out.state, out.rate, 0.0};
  Scratch::Buffers<double>& b = scratch_->plain;
  const TapeStatus status =
      trammel::gradient(items_[index].view, inputs_, b.registers.data(), b.adjoints.data(), result, g);
  if (!status.ok()) fail_evaluation(index, reads, describe(tape, status, b.registers));
  return b.registers[tape.results[result]];
}

void TapeRunner::jet(int index, int result, const TapeReads& reads, double (&value)[3], int order) {
  const TimeDerivatives d = derivatives(jet_of(index, result, reads, order));
  value[0] = d.value;
  value[1] = d.first;
  value[2] = d.second;
}

/// A result as a jet in time whose derivatives are right up to `order`.
TapeRunner::Jet TapeRunner::jet_of(int index, int result, const TapeReads& reads, int order) {
  const Tape& tape = model_.tapes[index];
  std::vector<Jet> states(tape.states.size()), rates(tape.rates.size());  // before the buffers are in use
  for (std::size_t k = 0; k < states.size(); ++k) states[k] = state_jet(reads, tape.states[k], order);
  for (std::size_t k = 0; k < rates.size(); ++k) rates[k] = rate_jet(reads, tape.rates[k], order);
  Scratch::Buffers<Jet>& b = scratch_->jet;
  b.size_for(tape, false);
  for (std::size_t k = 0; k < tape.markers.size(); ++k)
    b.markers[k] = reads.kinematics->jet(tape.markers[k].marker);
  TapeInputs<Jet> in{b.markers.data(),
                     states.data(),
                     rates.data(),
                     time_jet(reads.state->t),
                     reads.mode,
                     scratch_->gather_angles(tape, *reads.state),
                     scratch_->tables(*reads.state, tape)};
  const TapeStatus status = evaluate(items_[index].view, in, b.registers.data());
  if (!status.ok()) fail_evaluation(index, reads, describe(tape, status, b.registers));
  return b.registers[tape.results[result]];
}

/// X of a DIFF: (X, e, ė); V of a VARIABLE: (e, ė, ë).
TapeRunner::Jet TapeRunner::state_jet(const TapeReads& reads, int index, int order) {
  const double now = state_value(reads, index);
  if (index >= model_.scalar_count()) return time_jet(now, 0.0, 0.0);
  const Scalar& s = model_.scalars[index];
  if (!s.differential())
    return explicit_[index] ? jet_of(s.tape, s.result, reads, order) : time_jet(now, 0.0, 0.0);
  if (order == 0 || !explicit_[index]) return time_jet(now, reads.state->sdot[index], 0.0);
  const TimeDerivatives e = derivatives(jet_of(s.tape, s.result, reads, order - 1));
  return time_jet(now, e.value, e.first);
}

/// Ẋ of a DIFF: (e, ė, ë).
TapeRunner::Jet TapeRunner::rate_jet(const TapeReads& reads, int index, int order) {
  const Scalar& s = model_.scalars[index];
  return explicit_[index] ? jet_of(s.tape, s.result, reads, order)
                          : time_jet(reads.state->sdot[index], 0.0, 0.0);
}

template <class Sweep>
void TapeRunner::second_derivatives(int index, const TapeReads& reads, Sweep sweep) {
  const Tape& tape = model_.tapes[index];
  Scratch::Buffers<D6>& b = scratch_->dual;
  b.size_for(tape, true);
  DualRoom room{b.markers.data(),
                b.states.data(),
                b.rates.data(),
                b.registers.data(),
                b.adjoints.data(),
                {b.gradient_markers.data(), b.gradient_states.data(), b.gradient_rates.data(), {}},
                scratch_->angles.data()};
  const TapeStatus status = sweep(sources_of(index, reads), room);
  if (!status.ok()) fail_evaluation(index, reads, describe(tape, status, b.registers));
}

void TapeRunner::hessian(int index, const TapeReads& reads, bool velocity_level,
                         std::vector<double>& blocks) {
  const std::size_t n = model_.tapes[index].markers.size();
  blocks.assign(36 * n * n, 0.0);
  second_derivatives(index, reads, [&](const TapeSources& from, DualRoom& room) {
    return tape_hessian(from, items_[index], velocity_level, room, blocks.data());
  });
}

void TapeRunner::state_hessian(int index, const TapeReads& reads, bool velocity_level,
                               std::vector<double>& blocks) {
  blocks.assign(6 * model_.tapes[index].markers.size() * model_.tapes[index].states.size(), 0.0);
  second_derivatives(index, reads, [&](const TapeSources& from, DualRoom& room) {
    return tape_state_hessian(from, items_[index], velocity_level, room, blocks.data());
  });
}

void TapeRunner::accept(const TapeReads& reads, State& state) {
  for (std::size_t k = 0; k < model_.delays.size(); ++k) {
    double value[3];
    const Delay& delay = model_.delays[k];
    values(delay.tape, reads, value);
    state.delays[k].accept(state.t, value[0], delay.longest);
  }
}

}  // namespace trammel
