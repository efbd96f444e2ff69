// Modes: eigenvalues of small motions with the displacements that belong to them.
#pragma once

#include <complex>
#include <vector>

#include "analysis/linear/state_equations.h"

namespace trammel {

/// One real eigenvalue, or a complex one with its conjugate.
struct Mode {
  std::complex<double> s;   ///< [rad/time], imaginary part not negative
  Eigen::VectorXcd q;       ///< δq per coordinate of the model
  Eigen::VectorXcd v;       ///< δq̇
  Eigen::VectorXcd scalar;  ///< per scalar of the model; 0 of those that keep their values
  bool paired() const { return s.imag() != 0; }
  double damping_ratio() const { return s == 0.0 ? 0.0 : -s.real() / std::abs(s); }
};

struct Modes {
  std::vector<Mode> modes;     ///< as of sort_modes()
  int states = 0;              ///< how many eigenvalues there are, pairs counted twice
  Eigen::MatrixXd neutral;     ///< δq of small motions that stay as they are, a column each
  std::vector<int> defective;  ///< modes, by index, that share their vector with one before
  double error = 0;            ///< as Spectrum::error
};

/// Real ones first, by rising |s|; then pairs by rising |s|.
void sort_modes(std::vector<Mode>& modes);

/// All of them. The size of a vector is arbitrary.
Modes modes_of(const Model& model, const SmallMotions& motions, const StateEquations& equations);

}  // namespace trammel
