// SPRINGDAMPER: linear spring and damper along, or about the z axis of, two markers.
//   translation: f = FORCE − K (DM − LENGTH) − C VR,      F_I = f (r_I − r_J)/DM = −F_J
//   rotation:    τ = TORQUE − KT (AZ − ANGLE) − CT ω·ẑ_J, T_I = τ ẑ_J = −T_J
#pragma once

#include "element/wrench.h"
#include "expression/marker_kinematics.h"
#include "language/forces.h"
#include "math/angle.h"

namespace trammel {

struct SpringDamper {
  bool rotational = false;
  double k = 0, c = 0, free_length = 0, preload = 0;  ///< K C LENGTH FORCE, or KT CT ANGLE TORQUE
};

TRAMMEL_HD inline CountedAngles counted_angles(const SpringDamper& p) {
  return {2, p.rotational ? 1 : 0};
}

/// `last`: last accepted AZ, read by rotation only. With coincident markers (DM = 0) the direction is
/// undefined: not a number, which the caller reports with the element's name.
template <class T>
TRAMMEL_HD WrenchPair<T> wrench(const SpringDamper& p, const MarkerKinematics<T>& I,
                                const MarkerKinematics<T>& J, const double* last) {
  WrenchPair<T> w;
  if (p.rotational) {
    const Vec3<T> z = J.A.column(2);
    const T az = continued_angle(projected_angle(I.A, J.A, 2), last[0]);
    const T torque = p.preload - p.k * (az - p.free_length) - p.c * dot(I.w - J.w, z);
    w.ti = torque * z;
    w.tj = -w.ti;
    return w;
  }
  const Vec3<T> d = I.r - J.r;
  const T length = norm(d);
  const Vec3<T> u = (1.0 / length) * d;
  const T force = p.preload - p.k * (length - p.free_length) - p.c * dot(I.v - J.v, u);
  w.fi = force * u;
  w.fj = -w.fi;
  return w;
}

struct SpringDamperStatement {
  static constexpr const StatementSpec& spec = statements::springdamper;
  static SpringDamper read(const auto& s) {
    if (s.has("ROTATION"))
      return {true, s.real("KT", 0), s.real("CT", 0), s.real("ANGLE", 0), s.real("TORQUE", 0)};
    return {false, s.real("K", 0), s.real("C", 0), s.real("LENGTH", 0), s.real("FORCE", 0)};
  }
};

}  // namespace trammel
