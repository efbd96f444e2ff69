#include "integrate/equations.h"

#include <utility>
#include <vector>

#include "assemble/slip_leaps.h"

namespace trammel {

Buckets<int> rows_of_bodies(const Model& model, const SparsePattern& pattern) {
  std::vector<std::pair<int, int>> blocks;  // first coordinate and number, in the order of places()
  for (const Body& b : model.bodies) blocks.emplace_back(b.first, b.count());
  for (const FlexibleBody& f : model.flexible_bodies) blocks.emplace_back(f.first, f.modes);
  return in_buckets<int>(static_cast<int>(blocks.size()), [&](auto put) {
    std::vector<int> seen(model.multipliers, -1);  // the last block of which a row is
    for (std::size_t b = 0; b < blocks.size(); ++b)
      for (int column = blocks[b].first; column < blocks[b].first + blocks[b].second; ++column)
        for (int k = pattern.column_start[column]; k < pattern.column_start[column + 1]; ++k) {
          const int row = pattern.row[k] - model.coordinates;
          if (row < 0 || row >= model.multipliers || seen[row] == static_cast<int>(b)) continue;
          seen[row] = static_cast<int>(b);
          put(static_cast<int>(b), row);
        }
  });
}

std::vector<unsigned char> differential_scalars(const Model& model) {
  std::vector<unsigned char> out;
  for (const Scalar& s : model.scalars) out.push_back(s.differential());
  return out;
}

HostEquations::HostEquations(const Model& model, Assembler& assembler, GuardedSystem& system)
    : model_(model),
      assembler_(assembler),
      system_(system),
      executor_(assembler.parallel()),
      inertia_(model),
      leaps_(std::make_unique<SlipLeaps>(model, assembler)),
      body_rows_(rows_of_bodies(model, assembler.pattern())),
      differential_(differential_scalars(model)) {
  if (leaps_->empty()) leaps_.reset();
}
HostEquations::~HostEquations() = default;

StateArrays HostEquations::arrays(State& state) {
  return {state.q.data(), state.v.data(),    state.a.data(),    state.lambda.data(),
          state.s.data(), state.sdot.data(), state.basis.data()};
}

void HostEquations::read(double* here, const double* there, std::size_t n) {
  std::copy_n(there, n, here);
}

void HostEquations::evaluate(const State& state, const Coefficients& c, double* residual) {
  assembler_.evaluate_equations(state, in_dynamics);
  assembler_.residual(state, c, unknowns(residual));
}

void HostEquations::evaluate_rates(const State& state, const Coefficients& c, double* residual,
                                   double* acceleration_rows) {
  assembler_.evaluate(state, in_dynamics);
  assembler_.residual(state, c, unknowns(residual));
  assembler_.constraints(state, ConstraintLevel::acceleration, rows(acceleration_rows));
}

void HostEquations::velocity_rows(const State& state, double* out) {
  assembler_.constraints(state, ConstraintLevel::velocity, rows(out));
}

void HostEquations::mass_times_acceleration(const State& state, double* out) {
  assembler_.mass_times_acceleration(state, {out, static_cast<std::size_t>(model_.coordinates)});
}

SolveReport HostEquations::factor(const State& state, const Coefficients& c, PhaseTimes* times) {
  {
    const PhaseTimer timer(times ? &times->tangent : nullptr);
    matrix_ = assembler_.tangent(state, c);
  }
  const PhaseTimer timer(times ? &times->factorization : nullptr);
  return system_.set_matrix(matrix_.data());
}

void HostEquations::take(const State& state) {
  if (!leaps_) return;
  assembler_.evaluate(state, in_dynamics);
  leaps_->begin();
}

bool HostEquations::leaps(const State& state, double h, bool evaluated) {
  if (!leaps_) return false;
  if (!evaluated) assembler_.evaluate(state, in_dynamics);
  return leaps_->leapt(h);
}

void HostEquations::accept(State& state) {
  if (leaps_) leaps_->accept();
  inertia_.refuse_negative_energy(state);
  assembler_.refuse_turning_back(state);
  assembler_.current_angles(state, state.angle);
  assembler_.tapes().accept(assembler_.reads(), state);
}

void HostEquations::archive_steps(Archive& a) {
  if (leaps_) leaps_->archive(a);
}

}  // namespace trammel
