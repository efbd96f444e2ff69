// A model linearised where a session is: states, matrices, modes.
#pragma once

#include <vector>

#include "analysis/linear/modes.h"
#include "analysis/session.h"

namespace trammel {

struct LinearizationOptions {
  int RM = -1;                ///< marker from which displacements are seen; −1: ground
  std::vector<int> measures;  ///< scalars (VARIABLEs) that are coordinates, as PSTATE names them
  std::vector<int> inputs;    ///< scalars: V = e + u
  std::vector<int> outputs;   ///< scalars: y = V
  bool no_damping = false;
  bool matrices = false;  ///< these are asked for
  int modes = 0;          ///< how many, nearest `frequency`, without matrices; 0: all, with these
  double frequency = 0;   ///< [cycles/time]
};

/// ẋ = A x + B u, y = C x + D u.
struct Linearization {
  double t = 0;
  State at;         ///< where it is
  int nearest = 0;  ///< so many modes, without motions and equations; 0: all
  SmallMotions motions;
  StateEquations equations;
  Eigen::MatrixXd C, D;
  Modes modes;
};

/// Most coordinates of a model all of whose modes are computed: its matrices are dense. Of larger ones so
/// many of the lowest are, unless a number is given.
inline constexpr int most_coordinates_linearized = 1000, lowest_modes = 30;

/// At the present state of the session, whose accelerations and reactions are found for it; its analyses go
/// on as if nothing had been. Initial conditions are found first, if they have not been. Throws
/// Failure(solver) as small_motions() and state_equations() do, Failure(unsupported) for models that are too
/// large.
Linearization linearize(Session& session, const LinearizationOptions& options);

/// What to know about the linear equations of that state: that they are those of a motion, that DELAYs were
/// taken as constants, that a mode has no vector of its own.
std::vector<std::string> doubts_about(const Linearization& linear, const Session& session);

}  // namespace trammel
