// Where a motion begins: what a dataset gives for it, or what a motion has reached whose model is changed.
#pragma once

#include <array>
#include <vector>

#include "math/vec3.h"

namespace trammel {

/// Initial values of a body. The orientation of a point mass never changes.
struct InitialBody {
  Vec3d position;                        ///< centre of mass, global axes
  Mat3d orientation;                     ///< body axes in global axes
  std::array<bool, 6> exact{};           ///< X Y Z PSI THETA PHI of the BCS: to be held in assembly
  Vec3d velocity, angular_velocity;      ///< in the axes of velocity_marker, angular_marker
  std::array<bool, 6> velocity_given{};  ///< VX VY VZ WX WY WZ: to be held as well as constraints allow
  int velocity_marker = 0;               ///< VM (0: global axes)
  int angular_marker = -1;               ///< WM (−1: CM marker)
  /// Some of X, Y, Z of the BCS is to be held in assembly.
  bool exact_position() const { return exact[0] || exact[1] || exact[2]; }
};

/// Initial values of a scalar unknown.
struct InitialScalar {
  double value = 0, rate = 0;
  bool given = false;  ///< by IC
};

/// Initial values of a modal coordinate.
struct InitialMode {
  double value = 0, rate = 0;
  bool exact = false;       ///< to be held in assembly
  bool rate_given = false;  ///< to be held as well as constraints allow
};

struct InitialValues {
  std::vector<InitialBody> bodies;     ///< per body of the model
  std::vector<InitialMode> modes;      ///< per modal coordinate of the model
  std::vector<InitialScalar> scalars;  ///< per scalar of the model
};

}  // namespace trammel
