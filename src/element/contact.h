// CONTACT: the force where a solid of I overlaps one of J, at one point p for action and reaction.
//   normal    IMPACT   F_n = max(0, k g^e + STEP(g, 0, 0, DMAX, DAMPING) ġ)
//             POISSON  F_n = PENALTY g (STEP(ġ, −v₀, ε², v₀, 1)): what is stored on the way in comes back
//             times ε²
//   friction  μ(|v|) F_n against the slip v, the part of the relative velocity at p across the normal:
//             STEP(|v|, −v_s, −μ_s, v_s, μ_s) up to v_s, STEP(|v|, v_s, μ_s, v_d, μ_d) up to v_d, then μ_d
//   F_I = F_n n − μ F_n v/|v| at p = −F_J
// g > 0: depth of the overlap, ġ: the speed at which I and J approach each other along n at p.
#pragma once

#include "element/wrench.h"
#include "expression/functions.h"
#include "geometry/touch.h"
#include "language/contact.h"

namespace trammel {

/// Parameters of the force; of POISSON `stiffness` is PENALTY.
struct ContactLaw {
  double stiffness = 0, exponent = 1, damping = 0, full_depth = 1;
  bool poisson = false;
  double restitution = 1, turning_speed = 1;  ///< ε, v₀
  bool friction = false;
  double mu_static = 0, mu_dynamic = 0, stick_speed = 1, slide_speed = 2;
};

/// What there is to know of one contact besides its force.
struct ContactOverlaps {
  int count = 0;             ///< pairs of shapes that overlap
  double depth = -HUGE_VAL;  ///< the greatest; negative: the least distance, or less
};

template <class T>
TRAMMEL_HD T normal_force(const ContactLaw& law, const T& depth, const T& rate) {
  EvalError error = EvalError::none;  // parameters were checked when they were read
  if (!law.poisson)
    return functions::contact_force(depth, rate, T(law.stiffness), T(law.exponent), T(law.damping),
                                    T(law.full_depth), error);
  const T share = functions::step(rate, T(-law.turning_speed), T(law.restitution * law.restitution),
                                  T(law.turning_speed), T(1.0), error);
  return T(law.stiffness * share) * depth;
}

/// −μ(|v|) v/|v|. Below the stick speed μ/|v| = μ_s (3 − u²)/(2 v_s), u = |v|/v_s: smooth at rest.
template <class T>
TRAMMEL_HD Vec3<T> friction_direction(const ContactLaw& law, const Vec3<T>& slip) {
  using std::sqrt;
  const T square = dot(slip, slip);
  const double stick = law.stick_speed;
  if (value_of(square) <= stick * stick) {
    const T u2 = square * (1 / (stick * stick));
    return T((u2 - 3.0) * (law.mu_static / (2 * stick))) * slip;
  }
  EvalError error = EvalError::none;
  const T speed = sqrt(square);
  const T mu =
      functions::step(speed, T(stick), T(law.mu_static), T(law.slide_speed), T(law.mu_dynamic), error);
  return T(-1.0 * mu / speed) * slip;
}

/// The wrenches of one overlap on I at I and on J at J.
template <class T>
TRAMMEL_HD WrenchPair<T> wrench(const ContactLaw& law, const Incident<T>& at, const MarkerKinematics<T>& I,
                                const MarkerKinematics<T>& J) {
  const Vec3<T> arm_I = at.point - I.r, arm_J = at.point - J.r;
  const Vec3<T> v = I.v + cross(I.w, arm_I) - J.v - cross(J.w, arm_J);
  const T apart = dot(v, at.normal);
  const T force = normal_force(law, at.depth, T(-apart));
  Vec3<T> direction = at.normal;
  if (law.friction) direction += friction_direction(law, v - apart * at.normal);
  WrenchPair<T> w;
  w.fi = force * direction;
  w.ti = cross(arm_I, w.fi);
  w.fj = -w.fi;
  w.tj = cross(arm_J, w.fj);
  return w;
}

}  // namespace trammel
