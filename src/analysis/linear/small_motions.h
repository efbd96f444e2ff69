// Small motions about a state: the linearised equations in independent coordinates.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "assemble/assembler.h"

namespace trammel {

struct SmallMotionOptions {
  AnalysisPoint point{AnalysisMode::linear, phase_dynamics};
  int RM = -1;  ///< index of the marker relative to which displacements are measured; −1: ground
  std::vector<int> measures;  ///< indices of scalars (VARIABLEs) that are taken as coordinates first
  std::vector<int> held;      ///< indices of scalars that keep their values
  std::vector<int> inputs;    ///< indices of scalars (VARIABLEs) with an input u: V = e + u
  bool no_damping = false;    ///< leaves out terms in velocities
  double arm = 1;             ///< length by which a rotation counts as a displacement
};

/// δq, δq̇, δλ and all scalars follow from z = (p, s, μ): coordinates p of the mechanism (as many as holonomic
/// constraints leave free), free scalars s, multipliers μ of such constraints:
///     A₂ z̈ + A₁ ż + A₀ z = B u,   δq = F z,   δq̇ = F ż + F₁ z.
/// About a motion, p are measured in moving axes or in those of ground, and F changes with time: its
/// derivatives are in the equations, so these are the derivatives of p̈ = f(p, ṗ, …) along the motion, with
/// coefficients frozen at this instant (theory.md, Small motions).
struct SmallMotions {
  Eigen::MatrixXd A2, A1, A0, B;
  Eigen::MatrixXd F, F1;
  int coordinates = 0;                  ///< number of coordinates p
  std::vector<std::string> names;       ///< per entry of z
  std::vector<double> unit;             ///< named quantity per unit of z
  std::vector<unsigned char> is_state;  ///< per entry of z: whether it may be a state (of p, also its rate)
  std::vector<int> scalars;             ///< index in the model of each entry of z behind p that is a scalar
  double frequency = 0;                 ///< a bound of the frequencies [rad/time]; 0: nothing moves
  double rate = 0;      ///< bound of the rates of the motion at the state [rad/time]; 0 in equilibrium
  double accuracy = 0;  ///< rounding of each entry, relative to the terms that it sums

  int size() const { return static_cast<int>(A0.rows()); }
};

/// `state`: with its accelerations and reactions. Dense matrices, for models of some hundred coordinates.
/// Throws Failure(solver) at singular positions, Failure(input) for `measures` that are no coordinates.
SmallMotions small_motions(const Model& model, Assembler& assembler, const State& state,
                           const SmallMotionOptions& options);

/// A bound of the rates at which the mechanism moves [rad/time]: the largest v/arm, √(a/arm), ω and √α of
/// bodies and of markers at nodes, v/arm and √(a/arm) of modal coordinates.
double rate_of_motion(const Model& model, const State& state, double arm);

}  // namespace trammel
