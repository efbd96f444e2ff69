// Modes: eigenvalues of small motions with their vectors.
#pragma once

#include <complex>
#include <vector>

#include "analysis/linear/state_equations.h"

namespace trammel {

/// A real eigenvalue, or a pair of conjugate complex ones, of which s is the one with positive imaginary
/// part.
struct Mode {
  std::complex<double> s;   ///< [rad/time], imaginary part not negative
  Eigen::VectorXcd q;       ///< δq per coordinate of the model
  Eigen::VectorXcd v;       ///< δq̇
  Eigen::VectorXcd scalar;  ///< change of each scalar of the model; 0 for scalars that keep their values
  bool paired() const { return s.imag() != 0; }
  double damping_ratio() const { return s == 0.0 ? 0.0 : -s.real() / std::abs(s); }
};

struct Modes {
  std::vector<Mode> modes;     ///< in the order of sort_modes()
  int states = 0;              ///< how many eigenvalues there are, pairs counted twice
  Eigen::MatrixXd neutral;     ///< one column δq for each displacement that stays constant (eigenvalue zero)
  std::vector<int> defective;  ///< modes, by index, that share their vector with one before
  double error = 0;            ///< as Spectrum::error
};

/// Sorts: real eigenvalues first, then pairs, each by rising |s|.
void sort_modes(std::vector<Mode>& modes);

/// All modes of the equations. The size of a vector is arbitrary.
Modes modes_of(const Model& model, const SmallMotions& motions, const StateEquations& equations);

}  // namespace trammel
