// BUSHING: linear spring and damper in six directions, in the axes of J.
//   F_I = FORCE − K∘d − C∘v,  T_I = TORQUE − KT∘(AX, AY, AZ) − CT∘ω   (J axes)
//   F_J = −F_I,  T_J = −T_I − (r_I − r_J) × F_I
// d, v: position and velocity of I as seen in J; ω: relative angular velocity.
#pragma once

#include "element/wrench.h"
#include "expression/marker_kinematics.h"

namespace trammel {

struct Bushing {
  Vec3d k, c, kt, ct, force, torque;
};

TRAMMEL_HD inline CountedAngles counted_angles(const Bushing&) {
  return {0, 3};
}

template <class T>
TRAMMEL_HD WrenchPair<T> wrench(const Bushing& p, const MarkerKinematics<T>& I, const MarkerKinematics<T>& J,
                                const double* last) {
  const Vec3<T> separation = I.r - J.r;
  const Vec3<T> d = transpose_times(J.A, separation);
  const Vec3<T> v = transpose_times(J.A, I.v - J.v - cross(J.w, separation));
  const Vec3<T> w = transpose_times(J.A, I.w - J.w);
  const Vec3<T> angle = projected_angles(I.A, J.A);
  Vec3<T> f, t;
  for (int k = 0; k < 3; ++k) {
    f[k] = p.force[k] - p.k[k] * d[k] - p.c[k] * v[k];
    t[k] = p.torque[k] - p.kt[k] * continued_angle(angle[k], last[k]) - p.ct[k] * w[k];
  }
  WrenchPair<T> out;
  out.fi = J.A * f;
  out.ti = J.A * t;
  out.fj = -out.fi;
  out.tj = -out.ti - cross(separation, out.fi);
  return out;
}

}  // namespace trammel
