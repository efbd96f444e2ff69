// Nearest points and caps against what defines them, with formulas of another kind.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "geometry/touch.h"
#include "math/rotation.h"

namespace trammel::overlap_test {
namespace {

using D = Dual<double, 6>;
const Shape solids[] = {{ShapeKind::ball, {0.7}},
                        {ShapeKind::ellipsoid, {0.5, 1.5, 0.9}},
                        {ShapeKind::ellipsoid, {1, 1, 0.001}},
                        {ShapeKind::ellipsoid, {0.001, 1, 1}},
                        {ShapeKind::box, {0.4, 0.9, 1.3}},
                        {ShapeKind::frustum, {1.2, 0.5, 0.5}},
                        {ShapeKind::frustum, {1.2, 0.9, 0.3}},
                        {ShapeKind::frustum, {0.6, 0, 0.8}},
                        {ShapeKind::torus, {1.1, 0.3}},
                        {ShapeKind::half_space, {}}};

class Random {
 public:
  double within(double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine_); }
  Vec3d vector(double size) { return {within(-size, size), within(-size, size), within(-size, size)}; }
  Pose<double> pose(double size) { return {vector(size), rotation_vector(vector(3))}; }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine_); }

 private:
  std::mt19937 engine_{7};
};

/// A function that is negative inside the solid and zero on its surface; where the surface is smooth its
/// gradient has the direction of the outward normal.
template <class T>
T inside_out(const Shape& s, const Vec3<T>& p) {
  using std::sqrt;
  const double* a = s.size;
  const auto largest = [](std::initializer_list<T> list) {
    T out = *list.begin();
    for (const T& x : list)
      if (value_of(x) > value_of(out)) out = x;
    return out;
  };
  const T r = sqrt(T(p.x * p.x + p.y * p.y + 1e-300));
  switch (s.kind) {
    case ShapeKind::ball:
      return norm(p) - a[0];
    case ShapeKind::ellipsoid: {
      T sum = T(-1.0);
      for (int k = 0; k < 3; ++k) sum = sum + p[k] * p[k] / (a[k] * a[k]);
      return sum;
    }
    case ShapeKind::box:
      return largest({p.x - a[0], -p.x - a[0], p.y - a[1], -p.y - a[1], p.z - a[2], -p.z - a[2]});
    case ShapeKind::frustum:
      return largest({-p.z, p.z - a[0], r - (a[1] + (a[2] - a[1]) / a[0] * p.z)});
    case ShapeKind::torus:
      return (r - a[0]) * (r - a[0]) + p.z * p.z - a[1] * a[1];
    case ShapeKind::half_space:
    case ShapeKind::mesh:
    case ShapeKind::planar:
      break;
  }
  return p.z;
}

/// A point of the surface: between one inside and one outside.
Vec3d surface_point(const Shape& s, Random& random) {
  while (true) {
    Vec3d a = random.vector(2), b = random.vector(2);
    if (s.kind == ShapeKind::ellipsoid)  // thin ones are hard to hit
      for (int k = 0; k < 3; ++k) a[k] *= s.size[k] / 2;
    if (!(inside_out(s, a) < 0) || !(inside_out(s, b) > 0)) continue;
    for (int k = 0; k < 60; ++k) {
      const Vec3d middle = 0.5 * (a + b);
      (inside_out(s, middle) < 0 ? a : b) = middle;
    }
    return a;
  }
}

TEST(Nearest, is_on_the_surface_along_its_normal_and_nothing_is_nearer) {
  Random random;
  for (const Shape& s : solids) {
    SCOPED_TRACE(static_cast<int>(s.kind));
    std::vector<Vec3d> surface;
    for (int k = 0; k < 3000; ++k) surface.push_back(surface_point(s, random));
    for (int n = 0; n < 2000; ++n) {
      Vec3d p = random.vector(2);
      if (n % 10 == 0) p[random.below(3)] = 0;
      if (n % 50 == 0) p = {};
      const Nearest<double> at = nearest(s, p);
      EXPECT_NEAR(norm(at.normal), 1, 1e-12);
      if (std::fabs(at.distance) > 1e-12) {
        EXPECT_EQ(at.distance > 0, inside_out(s, p) > 0);
      }
      const Vec3d x = p - at.distance * at.normal;
      EXPECT_NEAR(inside_out(s, x), 0, s.kind == ShapeKind::ellipsoid ? 1e-8 : 1e-12);
      for (const Vec3d& q : surface) ASSERT_GE(norm(p - q), std::fabs(at.distance) - 1e-11);
      // The gradient at the place, where the surface is smooth and n is not from an edge.
      Vec3<Dual<double, 3>> moving;
      for (int k = 0; k < 3; ++k) moving[k] = Dual<double, 3>::variable(x[k], k);
      const Dual<double, 3> f = inside_out(s, moving);
      const Vec3d gradient{f.d[0], f.d[1], f.d[2]};
      const bool smooth = s.kind != ShapeKind::box && s.kind != ShapeKind::frustum;
      if (smooth) {
        EXPECT_LT(norm(cross(at.normal, gradient)), 1e-7 * norm(gradient));
      }
    }
  }
}

/// The derivative of the distance is the normal, and that of the place follows.
TEST(Nearest, derivatives_are_those_of_differences) {
  Random random;
  for (const Shape& s : solids) {
    SCOPED_TRACE(static_cast<int>(s.kind));
    if (s.size[0] == 0.001 || s.size[2] == 0.001) continue;  // bends too sharply for differences
    for (int n = 0; n < 500; ++n) {
      const Vec3d p = random.vector(2), step = random.vector(1e-5);
      Vec3<D> q;
      for (int k = 0; k < 3; ++k) {
        q[k] = D(p[k]);
        q[k].d[0] = step[k];
      }
      const Nearest<D> at = nearest(s, q);
      const Nearest<double> before = nearest(s, p - step), after = nearest(s, p + step);
      if (norm(after.normal - before.normal) > 1e-3) continue;  // between two faces
      EXPECT_NEAR(at.distance.d[0], 0.5 * (after.distance - before.distance), 1e-10);
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(at.normal[k].d[0], 0.5 * (after.normal[k] - before.normal[k]), 2e-7) << n;
    }
  }
}

/// Moment and volume of the part of a box below n·x = d: with W = ∫ (d − n·x)₊ over the box, which is
/// Σ ± (d − n·v)₊⁴/(24 n₁n₂n₃) over its corners v, ∂W/∂d is the volume and −∂W/∂n the moment.
Vec3d centroid_below(const double* half, const Vec3d& n, double d) {
  using D4 = Dual<double, 4>;
  Vec3<D4> m;
  for (int k = 0; k < 3; ++k) m[k] = D4::variable(n[k], k);
  const D4 plane = D4::variable(d, 3);
  D4 sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    D4 height = plane;
    double sign = 1;
    for (int k = 0; k < 3; ++k) {
      const double side = corner >> k & 1 ? 1 : -1;
      height = height - side * half[k] * m[k];
      sign *= -side;
    }
    if (height.v > 0) sum = sum + sign * (height * height * height * height);
  }
  const D4 W = sum / (24.0 * m.x * m.y * m.z);
  return {-W.d[0] / W.d[3], -W.d[1] / W.d[3], -W.d[2] / W.d[3]};
}

TEST(Cap, of_a_box_is_the_one_by_sums_over_corners) {
  Random random;
  const double half[3] = {0.4, 0.9, 1.3};
  for (int n = 0; n < 10000; ++n) {
    Vec3d up = random.vector(1);
    up = (1 / norm(up)) * up;
    if (std::min({std::fabs(up.x), std::fabs(up.y), std::fabs(up.z)}) < 0.1) continue;
    double lowest = 0;
    for (int k = 0; k < 3; ++k) lowest -= half[k] * std::fabs(up[k]);
    const double d = lowest + random.within(0.05, 2 * -lowest);
    const Cap<double> cap = detail::cap_of_box(half, up, d);
    const Vec3d expected = centroid_below(half, up, d);
    // The sum loses digits by its alternating terms: some 1e-15 of the box's over the part's fourth power.
    const double rounding = 1e-12 + 1e-15 / std::pow(d - lowest, 4);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(cap.centroid[k], expected[k], rounding) << d - lowest;
    const Vec3d foot = cap.centroid - (cap.depth - (d - dot(up, cap.centroid))) * up;
    EXPECT_NEAR(inside_out(Shape{ShapeKind::box, {half[0], half[1], half[2]}}, foot), 0, 1e-13);
  }
}

/// Slices n·x = s of an ellipsoid are ellipses about s g/(n·g), g_i = a_i² n_i, of area ~ 1 − s²/(n·g).
TEST(Cap, of_an_ellipsoid_is_the_one_by_slices) {
  Random random;
  const double a[3] = {0.5, 1.5, 0.9};
  for (int n = 0; n < 2000; ++n) {
    Vec3d up = random.vector(1), g;
    up = (1 / norm(up)) * up;
    for (int k = 0; k < 3; ++k) g[k] = a[k] * a[k] * up[k];
    const double square = dot(up, g), reach_up = std::sqrt(square),
                 d = random.within(-0.999, 0.999) * reach_up;
    double volume = 0, moment = 0;  // cubic and quartic: Simpson's rule with one step, and Boole's
    const double h = d + reach_up;
    const auto area = [&](double s) { return 1 - s * s / square; };
    const double weight[] = {7, 32, 12, 32, 7};
    for (int k = 0; k < 5; ++k) {
      const double s = -reach_up + h * k / 4;
      volume += weight[k] * area(s);
      moment += weight[k] * area(s) * s;
    }
    const Cap<double> cap = detail::cap_of_ellipsoid(a, up, d);
    const double rounding = 1e-13 + 1e-15 * reach_up / h;
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(cap.centroid[k], moment / volume / square * g[k], 10 * rounding);
    const Vec3d foot = cap.centroid - (cap.depth - (d - dot(up, cap.centroid))) * up;
    EXPECT_NEAR(inside_out(Shape{ShapeKind::ellipsoid, {a[0], a[1], a[2]}}, foot), 0, 1e-12);
  }
}

/// Face, edge and corner of a box on a plane, and a part of 1e-9.
TEST(Cap, of_a_box_in_special_places) {
  const double half[3] = {0.4, 0.9, 1.3};
  for (const double depth : {1e-9, 1e-3, 0.5}) {
    const Cap<double> face = detail::cap_of_box(half, Vec3d{0, 0, 1}, -1.3 + depth);
    EXPECT_NEAR(face.depth, depth, 4e-16);
    EXPECT_NEAR(face.centroid.z, -1.3 + depth / 2, 4e-16);
    EXPECT_NEAR(face.centroid.x, 0, 1e-15);
    // Of an edge: a triangle, 2/3 of its height from the plane to the edge... its centroid at 1/3.
    const double c = std::sqrt(0.5);
    const Cap<double> edge = detail::cap_of_box(half, Vec3d{0, c, c}, -2.2 * c + depth);
    EXPECT_NEAR(edge.depth, depth, 1e-15);
    EXPECT_NEAR(dot(Vec3d{0, c, c}, edge.centroid), -2.2 * c + depth * 2 / 3, 1e-15);
    // Of a corner: a pyramid, its centroid at 1/4 of the height.
    const double e = std::sqrt(1.0 / 3);
    const double deep = std::min(depth, 0.1);
    const Cap<double> corner = detail::cap_of_box(half, Vec3d{e, e, e}, -2.6 * e + deep);
    EXPECT_NEAR(corner.depth, deep, 1e-15);
    EXPECT_NEAR(dot(Vec3d{e, e, e}, corner.centroid), -2.6 * e + deep * 3 / 4, 1e-15);
  }
  EXPECT_LE(detail::cap_of_box(half, Vec3d{0, 0, 1}, -1.3).depth, 0);
  EXPECT_NEAR(detail::cap_of_box(half, Vec3d{0, 0, 1}, -1.4).depth, -0.1, 1e-15);
}

TEST(Overlap, is_the_same_from_both_sides_and_turns_with_both) {
  Random random;
  int pairs = 0;
  for (const Shape& a : solids)
    for (const Shape& b : solids) {
      if (pair_kind(a.kind, b.kind) == PairKind::none) continue;
      ++pairs;
      for (int n = 0; n < 500; ++n) {
        const Pose<double> I = random.pose(1), J = random.pose(1), turn = random.pose(1);
        const Incident<double> one = overlap(a, I, b, J), other = overlap(b, J, a, I);
        if (one.depth <= 0) continue;
        EXPECT_NEAR(one.depth, other.depth, 1e-14);
        EXPECT_LT(norm(one.point - other.point), 1e-13);
        EXPECT_LT(norm(one.normal + other.normal), 1e-13);
        const auto moved = [&](const Pose<double>& p) {
          return Pose<double>{turn.r + turn.A * p.r, turn.A * p.A};
        };
        const Incident<double> with = overlap(a, moved(I), b, moved(J));
        EXPECT_NEAR(with.depth, one.depth, 1e-9);  // a thin ellipsoid magnifies rounding by 1e6
        const bool thin =
            a.size[0] == 0.001 || a.size[2] == 0.001 || b.size[0] == 0.001 || b.size[2] == 0.001;
        if (!thin) {
          EXPECT_LT(norm(with.point - moved({one.point, I.A}).r), 1e-12);
        }
      }
    }
  EXPECT_GE(pairs, 20);
}

/// Depth, normal and point, by variations of the pose of I.
TEST(Overlap, derivatives_are_those_of_differences) {
  Random random;
  for (const Shape& a : solids)
    for (const Shape& b : solids) {
      if (pair_kind(a.kind, b.kind) == PairKind::none || a.size[0] == 0.001 || a.size[2] == 0.001 ||
          b.size[0] == 0.001 || b.size[2] == 0.001)
        continue;
      for (int n = 0; n < 200; ++n) {
        const Pose<double> I = random.pose(0.8), J = random.pose(0.8);
        const Vec3d shift = random.vector(1e-6), turn = random.vector(1e-6);
        Pose<D> at, other;
        for (int k = 0; k < 3; ++k) at.r[k] = D(I.r[k]), at.r[k].d[0] = shift[k], other.r[k] = D(J.r[k]);
        const Mat3d dA = skew(turn) * I.A;
        for (int k = 0; k < 9; ++k)
          at.A.m[k] = D(I.A.m[k]), at.A.m[k].d[0] = dA.m[k], other.A.m[k] = D(J.A.m[k]);
        const Incident<D> exact = overlap(a, at, b, other);
        const auto moved = [&](double sign) {
          return overlap(a, Pose<double>{I.r + sign * shift, rotation_vector(sign * turn) * I.A}, b, J);
        };
        const Incident<double> now = overlap(a, I, b, J), before = moved(-1), after = moved(1);
        if (now.depth <= 1e-3 || norm(after.normal - before.normal) > 1e-4) continue;
        EXPECT_NEAR(exact.depth.d[0], 0.5 * (after.depth - before.depth), 1e-11);
        for (int k = 0; k < 3; ++k) {
          EXPECT_NEAR(exact.normal[k].d[0], 0.5 * (after.normal[k] - before.normal[k]), 1e-9);
          EXPECT_NEAR(exact.point[k].d[0], 0.5 * (after.point[k] - before.point[k]), 1e-9)
              << static_cast<int>(a.kind) << static_cast<int>(b.kind) << " " << now.depth;
        }
      }
    }
}

}  // namespace
}  // namespace trammel::overlap_test
