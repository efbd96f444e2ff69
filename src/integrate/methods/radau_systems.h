// The linear systems of Radau IIA besides the real one of a step: the complex one of its stages, and those at
// its end.
#pragma once

#include <complex>
#include <vector>

#include "integrate/equations.h"
#include "linear/host/complex_system.h"

namespace trammel {

class RadauSystems {
 public:
  /// On the processor; `equations` must outlive it.
  explicit RadauSystems(HostEquations& equations);

  /// The tangent with b = `hb` and c = `hb`², a complex step, at the point of the last evaluation, factored.
  /// Rows of constraints are divided by c, or b, as in Assembler::tangent().
  SolveReport factor_complex(const State& state, std::complex<double> hb);
  SolveReport solve_complex(std::complex<double>* x) { return complex_.solve(x, x); }
  /// The tangent with real coefficients, at the point of the last evaluation, factored; of accelerations it
  /// is [M Φqᵀ; Φq 0] with the states' rates.
  SolveReport factor_real(const State& state, const Coefficients& c);
  SolveReport solve_real(const double* b, double* x) { return ends_.solve(b, x); }

  /// Per unknown, in the last complex matrix: 2 in rows φ(q), 1 in rows linear in velocities, else 0, also
  /// where a multiplier is held at zero in place of its row.
  const unsigned char* power() const { return power_.data(); }
  void archive(Archive& a) { a(complex_, ends_, power_); }

 private:
  void follow_structure();

  HostEquations& equations_;
  std::shared_ptr<const Structure> structure_;  ///< for which all below is made
  ComplexSystem complex_;
  GuardedSystem ends_;
  std::vector<unsigned char> power_, power_of_rows_;  ///< the latter with all rows in force
  /// Per unknown: its column does not depend on the step (λ, algebraic scalars).
  std::vector<unsigned char> fixed_;
  std::vector<double> real_, imaginary_;
  std::vector<std::complex<double>> values_;
};

}  // namespace trammel
