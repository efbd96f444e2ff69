// Parts of a model and of a state that are numbers alone: a device reads them as they stand.
#pragma once

#include "math/vec3.h"

namespace trammel {

/// Value of the function MODE of expressions (ADAMS/Solver).
enum class AnalysisMode : int {
  kinematics = 1,
  initial_conditions = 3,
  dynamics = 4,
  statics = 5,
  quasi_statics = 6,
  linear = 7,
};

/// A marker fixed to a body (or to ground, body = −1): position from the body's centre of mass and
/// orientation, both in body axes (in global axes for ground). Marker 0 is the ground frame.
struct Marker {
  int id = 0;
  int body = -1;
  Vec3d s;
  Mat3d A = Mat3d::identity();
  int node = -1;  ///< index in Model::nodes, −1: at none; s and A are those of the undeformed body
};

/// Where the modal coordinates of a flexible body are.
struct FlexiblePlace {
  int body = 0;              ///< index of the body that is its frame
  int first = 0, modes = 0;  ///< the first among the coordinates, and how many
  int dynamic = 0;           ///< modes that have inertia: the first ones; the others are quasi-static
};

/// A node of a flexible body at which a marker is.
struct NodePlace {
  int flexible = 0;  ///< index among flexible bodies
  int shape = 0;     ///< its first mode among those of all nodes: 6 numbers φ, φ* per mode, in body axes
};

/// The equation of a scalar unknown.
enum class ScalarKind : unsigned char {
  variable,      ///< V − e = 0
  differential,  ///< Ẋ − e = 0
  implicit,      ///< e(X, Ẋ, ...) = 0
  algebraic,     ///< e(X, ...) = 0, without Ẋ
  motion_rate,   ///< Ẋ − X_next = 0: first state of a MOTION given by its acceleration
  force_output,  ///< W − component of an element's wrench on I = 0
  modal_output,  ///< V − q = 0, or q̇, q̈: a modal coordinate that expressions read
};

/// Whether an unknown has a rate, which an integrator follows.
TRAMMEL_HD constexpr bool has_rate(ScalarKind kind) {
  return kind == ScalarKind::differential || kind == ScalarKind::implicit || kind == ScalarKind::motion_rate;
}
/// Whether the equation is e = 0, not x − e = 0 or ẋ − e = 0.
TRAMMEL_HD constexpr bool is_residual(ScalarKind kind) {
  return kind == ScalarKind::implicit || kind == ScalarKind::algebraic;
}

/// A revolution counter of AX, AY or AZ(I, J) in an expression.
struct AngleCounter {
  int slot = 0;  ///< in State::angle
  int axis = 0;  ///< 0 AX, 1 AY, 2 AZ
  int I = 0, J = 0;
};

/// The curves of a PTCV (that of J only) or CVCV and the parameters of the contact, counters in State::angle.
struct CurveUse {
  int curve_I = -1, curve_J = -1;  ///< in Model::curves
  int slot_I = -1, slot_J = -1;    ///< in State::angle: last accepted parameters
  double start_I = 0, start_J = 0;
};

/// Orientation of a rigid body: A = G A₃₁₃(ε) R with G, R constant between re-basings.
struct OrientationBasis {
  Mat3d G = Mat3d::identity(), R = Mat3d::identity();
  template <class Archive>
  void archive(Archive& a) {
    for (Mat3d* matrix : {&G, &R})
      for (int k = 0; k < 9; ++k) a((*matrix)(k / 3, k % 3));
  }
};

}  // namespace trammel
