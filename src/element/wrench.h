// What a force element returns: forces and torques on its two markers, global axes.
#pragma once

#include "expression/marker_kinematics.h"
#include "math/angle.h"
#include "math/vec3.h"

namespace trammel {

/// On I at marker I, on J at marker J (for floating J: at the centre of mass of its body).
template <class T>
struct WrenchPair {
  Vec3<T> fi, ti, fj, tj;
};

/// The 12 numbers F_I T_I F_J T_J.
TRAMMEL_HD inline void store(const WrenchPair<double>& w, double* out) {
  const Vec3<double>* part[4] = {&w.fi, &w.ti, &w.fj, &w.tj};
  for (int p = 0; p < 4; ++p)
    for (int k = 0; k < 3; ++k) out[3 * p + k] = (*part[p])[k];
}

template <class T>
TRAMMEL_HD WrenchPair<T> operator+(const WrenchPair<T>& a, const WrenchPair<T>& b) {
  return {a.fi + b.fi, a.ti + b.ti, a.fj + b.fj, a.tj + b.tj};
}
template <class T>
TRAMMEL_HD WrenchPair<T> operator*(const T& s, const WrenchPair<T>& a) {
  return {s * a.fi, s * a.ti, s * a.fj, s * a.tj};
}

/// Which of the angles AX, AY, AZ of I in J a law counts revolutions of: `count` from axis `first` on.
struct CountedAngles {
  int first = 0, count = 0;
};

/// A projected angle of I in J, AX, AY or AZ (axis 0, 1, 2), without revolution count.
template <class T>
TRAMMEL_HD T projected_angle(const Mat3<T>& ai, const Mat3<T>& aj, int axis) {
  using std::atan2;
  const Vec3<T> side = ai.column(axis == 2 ? 0 : 2);
  const T along_y = dot(side, aj.column(1)), along_x = dot(side, aj.column(0));
  if (axis == 2) return atan2(along_y, along_x);
  return atan2(axis == 0 ? T(-along_y) : along_x, dot(side, aj.column(2)));
}

/// AX, AY and AZ of I in J; they are no sequence of rotations.
template <class T>
TRAMMEL_HD Vec3<T> projected_angles(const Mat3<T>& ai, const Mat3<T>& aj) {
  return {projected_angle(ai, aj, 0), projected_angle(ai, aj, 1), projected_angle(ai, aj, 2)};
}

/// Motion of I in J, in the axes of J: separation and projected angles e; velocity as seen in J and relative
/// angular velocity `rate`, six numbers each. `last`: last accepted angles, from which the angles are
/// continued.
template <class T>
TRAMMEL_HD void relative_motion(const MarkerKinematics<T>& I, const MarkerKinematics<T>& J,
                                const double* last, T* e, T* rate) {
  const Vec3<T> separation = I.r - J.r;
  const Vec3<T> d = transpose_times(J.A, separation);
  const Vec3<T> v = transpose_times(J.A, I.v - J.v - cross(J.w, separation));
  const Vec3<T> w = transpose_times(J.A, I.w - J.w);
  const Vec3<T> angle = projected_angles(I.A, J.A);
  for (int i = 0; i < 3; ++i) {
    e[i] = d[i];
    e[3 + i] = continued_angle(angle[i], last[i]);
    rate[i] = v[i];
    rate[3 + i] = w[i];
  }
}

/// The pair of wrenches of a force and torque on I with components f along the axes of J, and their balance
/// on J.
template <class T>
TRAMMEL_HD WrenchPair<T> balanced_wrench(const T (&f)[6], const MarkerKinematics<T>& I,
                                         const MarkerKinematics<T>& J) {
  WrenchPair<T> out;
  out.fi = J.A * Vec3<T>{f[0], f[1], f[2]};
  out.ti = J.A * Vec3<T>{f[3], f[4], f[5]};
  out.fj = -out.fi;
  out.tj = -out.ti - cross(I.r - J.r, out.fi);
  return out;
}

}  // namespace trammel
