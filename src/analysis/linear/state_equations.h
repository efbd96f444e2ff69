// Small motions as equations of first order in named states.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "analysis/linear/finite_part.h"
#include "analysis/linear/small_motions.h"

namespace trammel {

/// ẋ = A x + B u of states x with names, and z = Z x + Z_u u of the small motions, all in the units of names.
struct StateEquations {
  struct State {
    std::string name;  ///< "PART/2 DX", "PART/2 DX rate", "DIFF/4"
    int of = 0;        ///< column of z
    bool rate = false;
  };
  std::vector<State> states;
  Eigen::MatrixXd A, B;
  Eigen::MatrixXd Z, Z_u;
  FinitePart finite;  ///< the same in orthonormal combinations of scaled unknowns; its X: z, then rates
};

/// States are coordinates, their rates and scalars that have a rate, as many as there are finite eigenvalues:
/// of those that algebraic equations bind to each other the ones are taken that determine the others best.
/// Throws Failure(solver) as finite_part() does, Failure(input) where an input sets a state directly, so that
/// its derivatives would be asked for.
StateEquations state_equations(const SmallMotions& motions);

}  // namespace trammel
