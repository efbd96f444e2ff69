// Control of velocities for HHT, whose ERROR is of positions: where a stop turns a body, a displacement that
// ERROR allows may be all that the stop gives way, and then nothing is left of the error of q̇.
//
// What is allowed in q̇ is ε^{2/3}, the global error of a method of second order whose local error in
// positions is ε, relative above 1. The error is taken to be
//     ¼ h (q̈_{n+1} − what q̈ would be there if it went on as before),   in the first step  ¼ h (q̈_1 − q̈_0):
// a force that begins somewhere inside of the step has about that error. Of a smooth motion it is of order
// h³, about twice the local error of q̇ (docs/theory.md, 26).
#pragma once

#include <cmath>

#include "integrate/methods/consistent_rates.h"

namespace trammel {

struct VelocityControl {
  bool active = false;
  double h = 0;                       ///< of the present step
  int stuck = 0;                      ///< attempts at the present step in which errors did not shrink with it
  double last_h = 0, last_error = 0;  ///< of the last attempt that failed; 0: none
  /// Local errors of q̇, and its changes in the step, one entry per coordinate; empty where not active.
  double *error, *change;

  template <class Visit>
  void arrays(const ModelSizes& n, Visit&& visit) {
    for (double** x : {&error, &change}) visit(*x, active ? n.coordinates : 0);
  }

  /// Takes the error of the present step.
  template <class Core>
  TRAMMEL_HD void take_error(Core& core) const {
    if (!active) return;
    const int n = core.n.coordinates;
    const Predictor& past = core.history.unknowns;
    const double *now = core.motion.now.a, *begin = core.motion.begin.a;
    const double slope = past.points() < 2 ? 0 : h / (past.time(0) - past.time(1));  // of q̈, in steps before
    core.run(TakeMultiple{now, h / 4, error}, n);
    core.run(AddMultiple{begin, -h / 4 * (1 + slope), error}, n);
    if (slope > 0) core.run(AddMultiple{past.point(1), h / 4 * slope, error}, n);
    core.run.copy(change, core.motion.begin.v, n);
    core.run(Difference{core.motion.now.v, 1.0, change}, n);
  }
  /// Over a jump of velocities, which no step resolves, they are not judged.
  TRAMMEL_HD void failed(double error_ratio) {
    constexpr double falls = 0.8;
    if (last_h > 0 && h < last_h && !(error_ratio < falls * last_error)) ++stuck;
    last_h = h;
    last_error = error_ratio;
  }
  TRAMMEL_HD void accepted() { stuck = 0, last_h = 0; }
  /// What take_error() found, over what is allowed, less what rounding is in it: η in a position is η/(h²
  /// mobility) in q̈, of which the differences have four; in a chain there is that of its other bodies, too.
  template <class Core>
  TRAMMEL_HD double error_ratio(Core& core, double mobility) const {
    constexpr int most_stuck = 3;
    if (!active) return 0;
    constexpr double rounding_units = 100, unit_roundoff = 0x1p-53, quiet = 0.1;
    const double root = std::cbrt(core.rules.error);
    const auto found = core.run.reduce(
        LastingVelocityError{{core.run.places(), error, core.motion.now.v, core.run.cos_theta()},
                             change,
                             quiet * quiet * root * root},
        core.n.bodies);
    core.run.collect();
    const double rounding = rounding_units * unit_roundoff * most(1.0, core.rounding.size) / (h * mobility);
    return stuck >= most_stuck ? 0.0 : most(0.0, (root_of(*found) - rounding) / (root * root));
  }
  /// Of a correction Δ that changes q̇ by `gain` h Δ, of which the corrector leaves at most a tenth of what is
  /// allowed; over ERROR, of which it leaves a thousandth.
  template <class Core>
  TRAMMEL_HD double correction_ratio(Core& core, double gain) const {
    if (!active) return 0;
    constexpr double share = 0.01;
    return error_beside(core, core.motion.correction, core.motion.now.v,
                        share * gain * h * std::cbrt(core.rules.error));
  }
};

}  // namespace trammel
