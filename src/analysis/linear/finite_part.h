// The finite part of a linear system E ẋ = A x + B u whose E is singular.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

namespace trammel {

/// ξ̇ = A ξ + B u, x = X ξ + Y u: all motions of the descriptor system under inputs without jumps.
struct FinitePart {
  Eigen::MatrixXd A, B, X, Y;
  /// Some input would have to be differentiated; B and Y are then without meaning.
  bool differentiates_inputs = false;
};

/// Removes the infinite eigenvalues step by step: algebraic unknowns are eliminated by their equations; where
/// these leave some of them open, the equations left over bind the other unknowns, which are replaced by
/// independent combinations, until E is regular. Ranks are decided by orthogonal changes of unknowns and
/// equations only, after scaling both to largest entries near one; time should be in units in which the
/// finite eigenvalues are below one. Source: the staircase form of P. Van Dooren, The computation of
/// Kronecker's canonical form of a singular pencil, Linear Algebra Appl. 27 (1979). Throws Failure(solver)
/// where the equations leave an unknown open, by its `name`, or contradict each other.
/// `states`: unknowns whose rate their own equation, of the same index, gives explicitly, E_kk ẋ_k = …: no
/// rank is asked for them, whatever the scale of these equations.
FinitePart finite_part(const Eigen::MatrixXd& E, const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                       const std::vector<Eigen::Index>& states,
                       const std::function<std::string(Eigen::Index)>& name);

}  // namespace trammel
