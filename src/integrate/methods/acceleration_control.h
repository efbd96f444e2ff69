// SI1 beside SI2: errors of accelerations are controlled as well.
//
// Accelerations of a formula are differences of velocities, (v_{n+1} − v_p)/(ℓ_0 h): where these are as exact
// as ERROR asks, accelerations lack one order of the step, and rounding u |v| of velocities is u |v|/h in
// them. Two things do not shrink with the step: what is left of that rounding, and what accelerations lack
// where a step begins. So neither is held against a step, and after a step whose accelerations are not
// judged, the first one or one over a jump, they are taken from the equations instead of the formula.
#pragma once

#include "integrate/methods/consistent_rates.h"

namespace trammel {

struct AccelerationControl {
  bool active = false;
  /// As the step begins: the largest acceleration, at least 1, and the error of accelerations that rounding
  /// of velocities is in a step of 1 s, over ERROR.
  double size = 1, rounding = 0;

  /// `rate`: of the motion (StabilizedIndex2). `room`: one number per coordinate.
  template <class Core>
  TRAMMEL_HD void begin_step(Core& core, double rate, double* room) {
    constexpr double unit_roundoff = 0x1p-53;
    if (core.n.coordinates == 0) return;
    const double* a = core.motion.begin.a;
    const auto largest =
        core.run.reduce(AccelerationCorrection{core.run.places(), a, a, core.run.cos_theta()}, core.n.bodies);
    core.run.collect();
    // Of translations or of rotations, whichever are smaller.
    const double translation = largest->x[1], rotation = largest->x[3];
    const bool of_translation = rotation == 0 || (translation > 0 && translation < rotation);
    size = most(1.0, of_translation ? translation : rotation);
    core.run(FillValues{room, unit_roundoff * rate * most(1.0, core.rounding.size)}, core.n.coordinates);
    rounding = error_beside(core, room, a, 1);
  }

  /// An error of accelerations, over ERROR, without what rounding of velocities times `gain` is in it; this
  /// is no room for a longer step either.
  TRAMMEL_HD double without_rounding(double error, double gain, double l0h) const {
    constexpr double as_it_is = 0.3;
    return most(error - gain * rounding / l0h, least(error, as_it_is));
  }
};

}  // namespace trammel
