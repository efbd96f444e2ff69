// BEAM with FORMULATION=STRING: bending and torsion of the linear law, and an axial force along the chord.
//   e = (l; DY, DZ, AX, AY, AZ),   ė = (l̇; v_y, v_z, ω),   e₀ = (L, 0, 0, 0, 0, 0)
//   u = (r_I − r_J)/l,   l = |r_I − r_J|,   l̇ = (v_I − v_J)·u
//   (N; F_y, F_z, T) = −K (e − e₀) − C ė,   T in the axes of J
//   F_I = N u + F_y ŷ_J + F_z ẑ_J = −F_J,   T_I = T,   T_J = −T_I − (r_I − r_J) × F_I
#pragma once

#include "element/elastic_field.h"

namespace trammel {

struct StringBeam {
  ElasticField field;  ///< of the linear law: K, C, e₀
};

TRAMMEL_HD inline CountedAngles counted_angles(const StringBeam&) {
  return {0, 3};
}

/// With coincident markers (l = 0) the direction is undefined: not a number.
template <class T>
TRAMMEL_HD WrenchPair<T> wrench(const StringBeam& p, const MarkerKinematics<T>& I,
                                const MarkerKinematics<T>& J, const double* last) {
  T e[6], rate[6], f[6];
  relative_motion(I, J, last, e, rate);
  const Vec3<T> chord = I.r - J.r;
  e[0] = norm(chord);
  const Vec3<T> along = (1.0 / e[0]) * chord;
  rate[0] = dot(I.v - J.v, along);
  elastic_force(p.field, e, rate, f);
  WrenchPair<T> w;
  w.fi = f[0] * along + J.A * Vec3<T>{T(0.0), f[1], f[2]};
  w.ti = J.A * Vec3<T>{f[3], f[4], f[5]};
  w.fj = -w.fi;
  w.tj = -w.ti - cross(chord, w.fi);
  return w;
}

}  // namespace trammel
