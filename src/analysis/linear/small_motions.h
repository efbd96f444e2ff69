// Small motions about a state: the linearised equations in independent coordinates.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "assemble/assembler.h"

namespace trammel {

struct SmallMotionOptions {
  AnalysisPoint point{AnalysisMode::linear, phase_dynamics};
  int RM = -1;                ///< marker from which displacements are seen; −1: ground
  std::vector<int> measures;  ///< scalars (VARIABLEs) to be coordinates before displacements of parts
  std::vector<int> held;      ///< scalars that keep their values
  std::vector<int> inputs;    ///< scalars (VARIABLEs) to whose equations inputs u are added: V = e + u
  bool no_damping = false;    ///< without what depends on velocities
  double arm = 1;             ///< length by which a rotation counts as a displacement
};

/// δq, δq̇, δλ and all scalars follow from z: coordinates p of the mechanism (as many as it has degrees of
/// freedom but for constraints that are linear in velocities), scalars, multipliers of such constraints:
///     A₂ z̈ + A₁ ż + A₀ z = B u,   δq = F z,   δq̇ = F ż + F₁ z.
/// About a motion, p are measured in moving axes or in ground's, and F changes with it: its derivatives in
/// time are in the equations, so these are those of p̈ = f(p, ṗ, …) along the motion, its coefficients frozen
/// at this instant (theory.md, Small motions).
struct SmallMotions {
  Eigen::MatrixXd A2, A1, A0, B;
  Eigen::MatrixXd F, F1;
  int coordinates = 0;                  ///< of p
  std::vector<std::string> names;       ///< per column of z
  std::vector<double> unit;             ///< of what the name says per unit of z
  std::vector<unsigned char> is_state;  ///< whether z or, of p, also ż is a state; others follow
  std::vector<int> scalars;             ///< of the model, per column behind p
  double frequency = 0;                 ///< a bound of the frequencies [rad/time]; 0: nothing moves
  double rate = 0;                      ///< of the motion there [rad/time]; 0 at rest in equilibrium
  double accuracy = 0;                  ///< of each entry, to the terms that make it

  int size() const { return static_cast<int>(A0.rows()); }
};

/// At a state with its accelerations and reactions. Dense: for models of some hundred coordinates. Throws
/// Failure(solver) at singular positions, Failure(input) for measures that are no coordinates.
SmallMotions small_motions(const Model& model, Assembler& assembler, const State& state,
                           const SmallMotionOptions& options);

}  // namespace trammel
