// What a force element returns: forces and torques on its two markers, global axes.
#pragma once

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

/// The projected angles AX, AY, AZ of I in J (not a rotation sequence), without revolution count.
template <class T>
TRAMMEL_HD Vec3<T> projected_angles(const Mat3<T>& ai, const Mat3<T>& aj) {
  using std::atan2;
  const Vec3<T> xi = ai.column(0), zi = ai.column(2);
  const Vec3<T> xj = aj.column(0), yj = aj.column(1), zj = aj.column(2);
  return {atan2(T(-dot(zi, yj)), dot(zi, zj)), atan2(dot(zi, xj), dot(zi, zj)),
          atan2(dot(xi, yj), dot(xi, xj))};
}

/// The turn count that continues `angle` from its last accepted value.
template <class T>
TRAMMEL_HD T continued_angle(const T& angle, double last) {
  constexpr double turn = 6.283185307179586477;
  return angle + turn * std::nearbyint((last - value_of(angle)) / turn);
}

}  // namespace trammel
