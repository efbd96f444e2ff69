// CONTACT: the force where a solid of I overlaps one of J, at one point p for action and reaction.
//   normal    IMPACT   F_n = max(0, k g^e + STEP(g, 0, 0, DMAX, DAMPING) ġ)
//             POISSON  F_n = PENALTY g (STEP(ġ, −v₀, ε², v₀, 1)): what is stored on the way in comes back
//             times ε²
//             user code (element/user_contact.h)
//   friction  μ(|v|) F_n against the slip v, the part of the relative velocity at p across the normal:
//             STEP(|v|, −v_s, −μ_s, v_s, μ_s) up to v_s, STEP(|v|, v_s, μ_s, v_d, μ_d) up to v_d, then μ_d
//   F_I = F_n n − μ F_n v/|v| at p = −F_J
// With STICTION friction is that of element/friction.h, with a creep z of the surfaces in place of v at rest.
// g > 0: depth of the overlap, ġ: the speed at which I and J approach each other along n at p.
#pragma once

#include "element/friction.h"
#include "element/user_contact.h"
#include "element/wrench.h"
#include "expression/functions.h"
#include "geometry/touch.h"
#include "language/contact.h"

namespace trammel {

/// Parameters of the force; of POISSON `stiffness` is PENALTY.
struct ContactLaw {
  double stiffness = 0, exponent = 1, damping = 0, full_depth = 1;
  bool poisson = false;
  double restitution = 1, turning_speed = 1;     ///< ε, v₀
  bool friction = false, dynamics_only = false;  ///< the latter: none in statics
  double mu_static = 0, mu_dynamic = 0, stick_speed = 1, slide_speed = 2;
  double deformation = 0;                 ///< of STICTION: the greatest creep; 0: without
  const UserNormalForce* user = nullptr;  ///< in place of both, on the processor; the model has it
};

/// What the force of an overlap depends on besides the motion.
struct ContactInstant {
  bool rubs;  ///< with friction
  double time;
  int shape_I = 0, shape_J = 0;  ///< GRAPHICS, of which user code is told the markers
};

/// What there is to know of one contact besides its force.
struct ContactOverlaps {
  int count = 0;             ///< pairs of shapes that overlap
  double depth = -HUGE_VAL;  ///< the greatest; negative: the least distance, or less
  double turn = NAN;         ///< normal_turn(), the least; no number without overlaps
  /// The time after which others might pass each other in a step.
  double passage = HUGE_VAL;
};

/// Slips of the overlaps of one contact.
struct ContactSlips {
  int count = 0;
  double least = HUGE_VAL, largest = 0;  ///< |v|
  Vec3d slip{};                          ///< v of the last one

  void add(const Vec3d& v) {
    const double speed = norm(v);
    ++count;
    least = speed < least ? speed : least;
    largest = speed > largest ? speed : largest;
    slip = v;
  }
  template <class Archive>
  void archive(Archive& a) {
    a(count, least, largest, slip.x, slip.y, slip.z);
  }
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

/// The normal force of an overlap at which I and J approach each other with `rate`.
template <class T>
TRAMMEL_HD T normal_force(const ContactLaw& law, const Incident<T>& at, const T& rate, const Pose<T>& I,
                          const Pose<T>& J, const ContactInstant& now) {
#if !defined(__CUDACC__)
  if (law.user) return user_normal_force(*law.user, at, rate, I, J, now.shape_I, now.shape_J, now.time);
#else
  (void)I, (void)J, (void)now;
#endif
  return normal_force(law, at.depth, rate);
}

/// What vanishes where the normal force has a corner inside an overlap: the force of IMPACT before it is held
/// from pulling, the rate at which POISSON turns to restitution. No number where user code has the law.
TRAMMEL_HD inline double normal_turn(const ContactLaw& law, double depth, double rate) {
  if (law.user) return NAN;
  if (law.poisson) return rate;
  EvalError error = EvalError::none;
  const double damping = functions::step(depth, 0.0, 0.0, law.full_depth, law.damping, error);
  return law.stiffness * std::pow(depth, law.exponent) + damping * rate;
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

/// Creep of one overlap: the deflection z of the surfaces along each other, in the axes of J.
template <class T>
struct Creep {
  Vec3<T> z;
  Vec3<T> rate;  ///< ż, which wrench() finds
};

/// Friction −μ_s (a v/V + b z/Δ) of a normal force 1, and ż = v − g z/Δ; v: slip. z counts as far as it is
/// across the normal.
template <class T>
TRAMMEL_CALLED Vec3<T> stick_slip(const ContactLaw& law, const Vec3<T>& slip, const Vec3<T>& normal,
                                  const Mat3<T>& axes, Creep<T>& creep) {
  const StickSlip friction{law.stick_speed, law.slide_speed / law.stick_speed, law.mu_dynamic / law.mu_static,
                           law.deformation};
  const Vec3<T> z = axes * creep.z;
  const Vec3<T> u = T(1 / law.stick_speed) * slip, d = T(1 / law.deformation) * (z - dot(z, normal) * normal);
  const T p = dot(d, d);
  const auto parts = friction.parts(T(dot(u, u)), p);
  creep.rate = transpose_times(axes, slip - friction.hold(T(dot(slip, d)), p) * d);
  return T(-law.mu_static) * (parts.a * u + parts.b * d);
}

/// Force of one overlap on I: `normal` along its normal, and `friction` of a normal force 1.
template <class T>
struct ContactForce {
  T normal;
  Vec3<T> friction;
  Vec3<T> slip;  ///< velocity of I over J along the surfaces
};
/// Velocity of I over J where they overlap.
template <class T>
TRAMMEL_HD Vec3<T> velocity_over(const Incident<T>& at, const MarkerKinematics<T>& I,
                                 const MarkerKinematics<T>& J) {
  return I.v + cross(I.w, at.point - I.r) - J.v - cross(J.w, at.point - J.r);
}
/// And along the surfaces.
template <class T>
TRAMMEL_HD Vec3<T> slip_of(const Incident<T>& at, const MarkerKinematics<T>& I,
                           const MarkerKinematics<T>& J) {
  const Vec3<T> v = velocity_over(at, I, J);
  return v - dot(v, at.normal) * at.normal;
}

/// `creep`: of STICTION.
template <class T>
TRAMMEL_HD ContactForce<T> contact_force(const ContactLaw& law, const Incident<T>& at,
                                         const MarkerKinematics<T>& I, const MarkerKinematics<T>& J,
                                         const ContactInstant& now, Creep<T>* creep) {
  const Vec3<T> v = velocity_over(at, I, J);
  const T apart = dot(v, at.normal);
  ContactForce<T> out{normal_force(law, at, T(-apart), I, J, now), {}, v - apart * at.normal};
  if (now.rubs)
    out.friction =
        creep ? stick_slip(law, out.slip, at.normal, J.A, *creep) : friction_direction(law, out.slip);
  return out;
}

/// The wrenches of one overlap on I at I and on J at J.
template <class T>
TRAMMEL_CALLED WrenchPair<T> wrench(const ContactLaw& law, const Incident<T>& at,
                                    const MarkerKinematics<T>& I, const MarkerKinematics<T>& J,
                                    const ContactInstant& now, Creep<T>* creep = nullptr) {
  const Vec3<T> arm_I = at.point - I.r, arm_J = at.point - J.r;
  const ContactForce<T> force = contact_force(law, at, I, J, now, creep);
  WrenchPair<T> w;
  w.fi = force.normal * (at.normal + force.friction);
  w.ti = cross(arm_I, w.fi);
  w.fj = -w.fi;
  w.tj = cross(arm_J, w.fj);
  return w;
}

}  // namespace trammel
