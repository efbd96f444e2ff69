#include "integrate/methods/radau_systems.h"

namespace trammel {

RadauSystems::RadauSystems(HostEquations& equations)
    : equations_(equations), ends_(equations.system().wanted_solver()) {
  const Model& model = equations.model();
  power_.assign(model.unknowns(), 0);
  fixed_.assign(model.unknowns(), 0);
  for (int r = model.coordinates; r < model.first_scalar(); ++r) {
    power_[r] = 2;
    fixed_[r] = 1;
  }
  for (const GeneralConstraint& g : model.general_constraints)
    if (g.pfaffian) power_[model.coordinates + g.row] = 1;
  for (int k = 0; k < model.scalar_count(); ++k)
    fixed_[model.first_scalar() + k] = !model.scalars[k].differential();
  power_of_rows_ = power_;
  follow_structure();
}

void RadauSystems::follow_structure() {
  const Assembler& assembler = equations_.assembler();
  if (structure_ == assembler.structure()) return;
  structure_ = assembler.structure();
  const SparsePattern& pattern = assembler.pattern();
  const EliminationOrder& order = equations_.system().order();
  complex_.analyze(pattern, order.unknowns);
  ends_.analyze(pattern, assembler.graph(), order);
  real_.resize(pattern.nonzeros());
  imaginary_.resize(pattern.nonzeros());
  values_.resize(pattern.nonzeros());
}

/// The tangent is linear in a, b, c but for the division of constraint rows and for the columns of what has
/// no rate: two evaluations, of the real and of the imaginary parts of b and c, make the complex one.
SolveReport RadauSystems::factor_complex(const State& state, std::complex<double> b) {
  follow_structure();
  const std::complex<double> c = b * b;
  equations_.assembler().tangent(state, {1, b.real(), c.real(), b.real(), 1}, real_);
  equations_.assembler().tangent(state, {0, b.imag(), c.imag(), b.imag(), 0}, imaginary_);
  const SparsePattern& pattern = equations_.assembler().pattern();
  const Model& model = equations_.model();
  for (int r = 0; r < model.multipliers; ++r)
    power_[model.coordinates + r] =
        equations_.assembler().masked(r) ? 0 : power_of_rows_[model.coordinates + r];
  // Rows of constraints are given divided by the parts of b or c, and are to be divided by the whole.
  const std::complex<double> factor[] = {{1, 1}, b, c}, inverse[] = {1, 1.0 / b, 1.0 / c};
  for (int j = 0; j < pattern.n; ++j)
    for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) {
      const int power = power_[pattern.row[k]];
      const double re = factor[power].real() * real_[k];
      const double im = fixed_[j] ? 0.0 : factor[power].imag() * imaginary_[k];
      values_[k] = power == 0 ? std::complex<double>(re, im) : std::complex<double>(re, im) * inverse[power];
    }
  return complex_.set_matrix(values_.data(), equations_.system().scaling());
}

SolveReport RadauSystems::factor_real(const State& state, const Coefficients& c) {
  follow_structure();
  equations_.assembler().tangent(state, c, real_);
  return ends_.set_matrix(real_.data());
}

}  // namespace trammel
