// Small motions as equations of first order in named states.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "analysis/linear/finite_part.h"
#include "analysis/linear/small_motions.h"

namespace trammel {

/// ẋ = A x + B u of named states x, and z = Z x + Z_u u of the small motions, all in the units of the names.
struct StateEquations {
  struct State {
    std::string name;  ///< "PART/2 DX", "PART/2 DX rate", "DIFF/4"
    int of = 0;        ///< index of its entry of z
    bool rate = false;
  };
  std::vector<State> states;
  Eigen::MatrixXd A, B;
  Eigen::MatrixXd Z, Z_u;
  /// The same in orthonormal combinations ξ of scaled unknowns; rows of its X: z, then rates.
  FinitePart finite;
};

/// States are coordinates, their rates, and scalars that have a rate, as many as there are finite
/// eigenvalues; where algebraic equations bind them to each other, those are taken that determine the others
/// best. Throws Failure(solver) as finite_part() does, Failure(input) where an input acts on a state
/// directly, so that its derivatives would be needed.
StateEquations state_equations(const SmallMotions& motions);

}  // namespace trammel
