// Symmetric 3 × 3 matrices.
#pragma once

#include <algorithm>
#include <cmath>

#include "math/vec3.h"

namespace trammel {

/// xx yy zz xy xz yz of a symmetric matrix.
struct Symmetric {
  double m[6] = {};
};
TRAMMEL_HD inline Vec3d operator*(const Symmetric& s, const Vec3d& v) {
  const double* m = s.m;
  return {m[0] * v.x + m[3] * v.y + m[4] * v.z, m[3] * v.x + m[1] * v.y + m[5] * v.z,
          m[4] * v.x + m[5] * v.y + m[2] * v.z};
}
TRAMMEL_HD inline void add(Symmetric& sum, double factor, const Symmetric& s) {
  for (int i = 0; i < 6; ++i) sum.m[i] += factor * s.m[i];
}
TRAMMEL_HD inline Mat3d matrix_of(const Symmetric& s) {
  const double* m = s.m;
  return {{m[0], m[3], m[4], m[3], m[1], m[5], m[4], m[5], m[2]}};
}

/// Eigenvalues of a symmetric matrix, ascending, by Jacobi rotations: accurate to rounding of the largest,
/// even if two are equal.
inline Vec3d eigenvalues(Mat3d a) {
  constexpr int sweeps = 20;  // convergence is quadratic: five would do
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        if (a(p, q) == 0) continue;
        const double theta = (a(q, q) - a(p, p)) / (2 * a(p, q));
        const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::hypot(theta, 1.0));
        const double c = 1 / std::hypot(t, 1.0), s = t * c;
        const int r = 3 - p - q;  // the third axis
        const double change = t * a(p, q), arp = a(r, p), arq = a(r, q);
        a(p, p) -= change;
        a(q, q) += change;
        a(p, q) = a(q, p) = 0;
        a(r, p) = a(p, r) = c * arp - s * arq;
        a(r, q) = a(q, r) = s * arp + c * arq;
      }
  double d[3] = {a(0, 0), a(1, 1), a(2, 2)};
  std::sort(d, d + 3);
  return {d[0], d[1], d[2]};
}

}  // namespace trammel
