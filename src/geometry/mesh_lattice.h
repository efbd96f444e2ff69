// Points of two meshes with whole coordinates, for answers that never contradict each other.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/hd.h"

namespace trammel {

/// A point in units of the lattice. Points that compare as degenerate are moved apart by an infinitesimal
/// amount that only `name` decides.
struct LatticePoint {
  std::int64_t at[3];  ///< within ±2⁴⁰
  std::uint32_t name;  ///< differs between points
};

namespace detail {

__extension__ using Wide = __int128;

struct WideRow {
  std::int64_t x, y, z;
};

TRAMMEL_HD inline Wide determinant(const WideRow& a, const WideRow& b, const WideRow& c) {
  return a.x * (Wide(b.y) * c.z - Wide(b.z) * c.y) + a.y * (Wide(b.z) * c.x - Wide(b.x) * c.z) +
         a.z * (Wide(b.x) * c.y - Wide(b.y) * c.x);
}

TRAMMEL_HD inline int sign(Wide x) {
  return (x > 0) - (x < 0);
}

/// Whole numbers within ±2¹⁵ made of a name (the mixing of splitmix64).
TRAMMEL_HD inline WideRow direction_of(std::uint32_t name) {
  std::uint64_t h = (name + 1) * 0x9e3779b97f4a7c15ULL;
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ULL;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebULL;
  h ^= h >> 31;
  const auto part = [&](int k) { return static_cast<std::int64_t>(h >> (16 * k) & 0xffff) - 0x8000; };
  return {part(0), part(1), part(2)};
}

TRAMMEL_HD inline WideRow difference(const WideRow& a, const WideRow& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

/// The sign of the first coefficient of det(D + ε R) that is not 0, R by the names of the points.
TRAMMEL_HD inline int moved_apart(const WideRow (&d)[3], const LatticePoint& o,
                                  const LatticePoint* const (&points)[3]) {
  WideRow r[3];
  for (int i = 0; i < 3; ++i) r[i] = difference(direction_of(points[i]->name), direction_of(o.name));
  const Wide first =
      determinant(r[0], d[1], d[2]) + determinant(d[0], r[1], d[2]) + determinant(d[0], d[1], r[2]);
  if (first != 0) return sign(first);
  const Wide second =
      determinant(d[0], r[1], r[2]) + determinant(r[0], d[1], r[2]) + determinant(r[0], r[1], d[2]);
  if (second != 0) return sign(second);
  return determinant(r[0], r[1], r[2]) < 0 ? -1 : 1;
}

}  // namespace detail

/// The sign, never 0, of det(b − a, c − a, d − a), exact: +1 if d lies on the side of the triangle abc to
/// which its normal points. Where the points lie in one plane, that of the points moved by ε times small
/// whole numbers made of their names, ε → 0: so all answers together are those of one placement without
/// degeneracy (H. Edelsbrunner, E. P. Mücke, ACM Trans. Graphics 9 (1990), with another choice of the
/// perturbation).
TRAMMEL_CALLED inline int orientation(const LatticePoint& a, const LatticePoint& b, const LatticePoint& c,
                                      const LatticePoint& d) {
  const LatticePoint* const points[3] = {&b, &c, &d};
  detail::WideRow rows[3];
  double x[3][3];
  for (int i = 0; i < 3; ++i) {
    const auto& p = points[i]->at;
    rows[i] = {p[0] - a.at[0], p[1] - a.at[1], p[2] - a.at[2]};
    x[i][0] = static_cast<double>(rows[i].x);
    x[i][1] = static_cast<double>(rows[i].y);
    x[i][2] = static_cast<double>(rows[i].z);
  }
  double sum = 0, size = 0;
  for (int k = 0; k < 3; ++k) {
    const int l = (k + 1) % 3, m = (k + 2) % 3;
    const double p = x[1][l] * x[2][m], q = x[1][m] * x[2][l];
    sum += x[0][k] * (p - q);
    size += std::fabs(x[0][k]) * (std::fabs(p) + std::fabs(q));
  }
  // Rounding of these fourteen operations is below eight units of 2⁻⁵³ of the sum of sizes.
  if (std::fabs(sum) > 1e-15 * size) return sum > 0 ? 1 : -1;
  const int exact = detail::sign(detail::determinant(rows[0], rows[1], rows[2]));
  return exact != 0 ? exact : detail::moved_apart(rows, a, points);
}

}  // namespace trammel
