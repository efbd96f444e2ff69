// A model linearised at the present state of a session: states, matrices, modes.
#pragma once

#include <vector>

#include "analysis/linear/modes.h"
#include "analysis/session.h"

namespace trammel {

struct LinearizationOptions {
  int RM = -1;  ///< index of the marker relative to which displacements are measured; −1: ground
  std::vector<int> measures;  ///< indices of scalars (VARIABLEs) that are coordinates, as PSTATE names them
  std::vector<int> inputs;    ///< indices of scalars: V = e + u
  std::vector<int> outputs;   ///< indices of scalars: y = V
  bool no_damping = false;
  bool matrices = false;  ///< A, B, C, D are asked for
  int modes = 0;  ///< number of modes nearest `frequency`, without matrices; 0: all modes, with matrices
  double frequency = 0;  ///< [cycles/time]
};

/// ẋ = A x + B u, y = C x + D u.
struct Linearization {
  double t = 0;
  State at;         ///< the state of the linearisation
  int nearest = 0;  ///< number of modes asked for, without `motions` and `equations`; 0: all
  SmallMotions motions;
  StateEquations equations;
  Eigen::MatrixXd C, D;
  Modes modes;
};

/// Largest number of coordinates for which all modes are computed, by dense matrices. Of larger models the
/// `lowest_modes` are computed, unless a number is given.
inline constexpr int most_coordinates_linearized = 1000, lowest_modes = 30;

/// Linearises at the present state of the session, with accelerations and reactions found there; the session
/// and its analyses are left as they are, but initial conditions are found first where there are none yet.
/// Throws Failure(solver) as small_motions() and state_equations() do, Failure(unsupported) for models that
/// are too large.
Linearization linearize(Session& session, const LinearizationOptions& options);

/// Warnings about the linear equations: that the state is in motion, that DELAYs were taken as constants,
/// that a mode has no vector of its own.
std::vector<std::string> doubts_about(const Linearization& linear, const Session& session);

}  // namespace trammel
