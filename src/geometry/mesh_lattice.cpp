#include "geometry/mesh_lattice.h"

#include <cmath>

namespace trammel {

namespace {

__extension__ using Wide = __int128;

struct WideRow {
  std::int64_t x, y, z;
};

Wide determinant(const WideRow& a, const WideRow& b, const WideRow& c) {
  return a.x * (Wide(b.y) * c.z - Wide(b.z) * c.y) + a.y * (Wide(b.z) * c.x - Wide(b.x) * c.z) +
         a.z * (Wide(b.x) * c.y - Wide(b.y) * c.x);
}

int sign(Wide x) {
  return (x > 0) - (x < 0);
}

/// Whole numbers within ±2¹⁵ made of a name (the mixing of splitmix64).
WideRow direction_of(std::uint32_t name) {
  std::uint64_t h = (name + 1) * 0x9e3779b97f4a7c15ULL;
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ULL;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebULL;
  h ^= h >> 31;
  const auto part = [&](int k) { return static_cast<std::int64_t>(h >> (16 * k) & 0xffff) - 0x8000; };
  return {part(0), part(1), part(2)};
}

WideRow difference(const WideRow& a, const WideRow& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

/// The sign of the first coefficient of det(D + ε R) that is not 0, R by the names of the points.
int moved_apart(const WideRow (&d)[3], const LatticePoint& o, const LatticePoint* const (&points)[3]) {
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

}  // namespace

int orientation(const LatticePoint& a, const LatticePoint& b, const LatticePoint& c, const LatticePoint& d) {
  const LatticePoint* const points[3] = {&b, &c, &d};
  WideRow rows[3];
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
  const int exact = sign(determinant(rows[0], rows[1], rows[2]));
  return exact != 0 ? exact : moved_apart(rows, a, points);
}

}  // namespace trammel
