// How fast markers turn, and how long a step may be in which something turns by an angle.
#pragma once

#include <cmath>

#include "assemble/kinematics.h"
#include "model/model.h"

namespace trammel {

/// Angular velocity and acceleration [rad/time, rad/time²], global axes.
struct Spin {
  Vec3d w, alpha;
};

/// Of a marker, from its body and the rates of its modes: those of the marker are as an earlier evaluation
/// has left them where equations read its pose alone.
inline Spin spin_of(const Model& model, const Kinematics& now, int m) {
  const int body = model.markers[m].body;
  if (body < 0) return {};
  return {now.body(body).w + now.modal_change(m, now.modal().v.data()).turn, now.body(body).alpha};
}

/// h from ω h + α h² / 2 = φ, none of them negative; infinite where nothing turns.
inline double time_of_turn(double w, double alpha, double turn) {
  const double speed = w + std::sqrt(w * w + 2 * alpha * turn);
  return speed > 0 ? 2 * turn / speed : HUGE_VAL;
}

}  // namespace trammel
