// What a plane cuts off a frustum and a torus against slices across the axis, in long double; and their
// motion.
#include "geometry/round_cap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "geometry/touch.h"
#include "math/rotation.h"
#include "placements.h"

namespace trammel::round_cap_test {
namespace {

using Long = long double;
constexpr Long pi = 3.14159265358979323846264338327950288L;

/// Area, and moment about the middle, of the segment of a disc that is `height` high.
std::array<Long, 2> segment(Long radius, Long height) {
  if (radius <= 0 || height <= 0) return {0, 0};
  if (height >= 2 * radius) return {pi * radius * radius, 0};
  const Long theta = 2 * std::asin(std::sqrt(height / (2 * radius))), y = 2 * theta, s = std::sin(theta);
  Long area = (y - std::sin(y)) / 2;
  if (y < 0.1L)
    area = y * y * y / 12 * (1 - y * y / 20 * (1 - y * y / 42 * (1 - y * y / 72 * (1 - y * y / 110))));
  return {radius * radius * area, 2.0L / 3 * radius * radius * radius * s * s * s};
}

/// Volume, moment downhill and moment along z of slices z, between the places where they change their kind.
template <class Slice>
Vec3d centroid_by_slices(std::vector<Long> ends, Slice&& slice) {
  std::sort(ends.begin(), ends.end());
  std::array<Long, 3> sum{};
  for (std::size_t k = 0; k + 1 < ends.size(); ++k)
    for (int panel = 0; panel < 12; ++panel)
      detail::gauss([&](double x, double weight) {
        const Long t = (panel + static_cast<Long>(x)) / 12, width = ends[k + 1] - ends[k];
        const Long z = ends[k] + width * (1 - std::cos(pi * t)) / 2;  // roots at both ends
        const std::array<Long, 2> s = slice(z);
        const Long w = weight / 12 * width * pi / 2 * std::sin(pi * t);
        sum[0] += w * s[0], sum[1] += w * s[1], sum[2] += w * s[0] * z;
      });
  return {static_cast<double>(sum[1] / sum[0]), 0, static_cast<double>(sum[2] / sum[0])};
}

/// n = (−s, 0, c), d: how far x > (c z − d)/s reaches into a disc.
Vec3d frustum_by_slices(const double* size, Long s, Long c, Long d) {
  const Long slope = (static_cast<Long>(size[2]) - size[1]) / size[0];
  std::vector<Long> ends = {0, size[0]};
  for (const int side : {-1, 1}) {
    const Long z = (d + side * s * size[1]) / (c - side * s * slope);
    if (z > 0 && z < size[0]) ends.push_back(z);
  }
  return centroid_by_slices(ends, [&](Long z) {
    const Long r = size[1] + slope * z;
    return segment(r, r - (c * z - d) / s);
  });
}

Vec3d torus_by_slices(const double* size, Long s, Long c, Long d) {
  const Long ring = size[0], tube = size[1];
  std::vector<Long> ends = {-tube, 0, tube};
  for (const int side : {-1, 1}) {  // (c z − d ∓ s R)² = s² (r² − z²)
    const Long p = d + side * s * ring, root = c * c * p * p - p * p + s * s * tube * tube;
    for (const int sign : {-1, 1})
      if (root > 0) ends.push_back(c * p + sign * std::sqrt(root));
  }
  std::erase_if(ends, [&](Long z) { return std::fabs(z) > tube; });
  return centroid_by_slices(ends, [&](Long z) {
    const Long wide = std::sqrt(std::max(0.0L, tube * tube - z * z)), h = (c * z - d) / s;
    const auto outer = segment(ring + wide, ring + wide - h), inner = segment(ring - wide, ring - wide - h);
    return std::array<Long, 2>{outer[0] - inner[0], outer[1] - inner[1]};
  });
}

/// Tilts of all sizes, also beside those along the axis, across it and along the side of a cone.
double tilt(Placements& random, int n, double special) {
  if (n % 3 == 0) return random.number(0, pi);
  const double beside = random.number(-1, 1) * std::pow(10, random.number(-4, 0));
  return n % 3 == 1 ? beside : special + beside;
}

TEST(RoundCap, of_a_frustum_is_the_one_by_slices) {
  Placements random;
  const double sizes[][3] = {{1.2, 0.5, 0.5}, {1.2, 0.9, 0.3}, {0.6, 0, 0.8}, {2, 0.1, 0.1},
                             {0.1, 1, 1},     {1.5, 1, 0},     {0.3, 2, 0.01}};
  for (const auto& size : sizes)
    for (int n = 0; n < 300; ++n) {
      const double angle = tilt(random, n, std::atan2(size[0], size[1] - size[2])),
                   s = std::fabs(std::sin(angle)), c = std::cos(angle);
      if (s < 1e-5) continue;
      const double low = std::min(-s * size[1], -s * size[2] + c * size[0]),
                   high = std::max(s * size[1], s * size[2] + c * size[0]);
      const double depth = (high - low) * (n % 2 ? random.number(0, 1) : std::pow(10, random.number(-5, 0)));
      const double d = low + depth;
      const Cap<double> cap = detail::cap_of_frustum(size, Vec3d{-s, 0, c}, d);
      // The centroid moves by about 1/depth where the plane turns by 1.
      EXPECT_LT(norm(cap.centroid - frustum_by_slices(size, s, c, d)), 2e-12 + 2e-15 / depth)
          << size[0] << " " << size[1] << " " << size[2] << " tilt " << angle << " depth " << depth;
      const Vec3d foot =
          cap.centroid - (cap.depth - (d - dot(Vec3d{-s, 0, c}, cap.centroid))) * Vec3d{-s, 0, c};
      EXPECT_NEAR(nearest(Shape{ShapeKind::frustum, {size[0], size[1], size[2]}}, foot).distance, 0, 1e-12);
    }
}

TEST(RoundCap, of_a_torus_is_the_one_by_slices) {
  Placements random;
  const double sizes[][2] = {{1.1, 0.3}, {1, 0.05}, {1, 0.9}};
  for (const auto& size : sizes)
    for (int n = 0; n < 400; ++n) {
      const double angle = tilt(random, n, pi / 2), s = std::fabs(std::sin(angle)), c = std::cos(angle);
      if (s < 1e-4) continue;
      const double low = -s * size[0] - size[1];
      const double depth = n % 2 ? random.number(0, -2 * low) : size[1] * std::pow(10, random.number(-5, 0));
      const double d = low + depth;
      const Cap<double> cap = detail::cap_of_torus(size, Vec3d{-s, 0, c}, d);
      // Deeper than the tube is thick the plane passes saddles of the inner side, near which the rule is less
      // exact.
      const double rule = depth < size[1] / 2 ? 1e-11 : depth < 2 * size[1] ? 1e-6 : 1e-5;
      EXPECT_LT(norm(cap.centroid - torus_by_slices(size, s, c, d)), rule + 2e-15 / depth)
          << size[0] << " " << size[1] << " tilt " << angle << " depth " << depth;
      EXPECT_LE(cap.depth, depth + 1e-12);
      EXPECT_GT(cap.depth, 0.3 * depth);
    }
}

/// On a face, upright and lying: what is known by hand.
TEST(RoundCap, in_special_places) {
  const double cylinder[] = {1.2, 0.5, 0.5}, torus[] = {1.1, 0.3};
  for (const double depth : {1e-9, 1e-4, 0.3}) {
    const Cap<double> face = detail::cap_of_frustum(cylinder, Vec3d{0, 0, 1}, depth);
    EXPECT_NEAR(face.depth, depth, 1e-16);
    EXPECT_LT(norm(face.centroid - Vec3d{0, 0, depth / 2}), 1e-15);
    const Cap<double> top = detail::cap_of_frustum(cylinder, Vec3d{0, 0, -1}, -1.2 + depth);
    EXPECT_NEAR(top.depth, depth, 1e-15);
    EXPECT_LT(norm(top.centroid - Vec3d{0, 0, 1.2 - depth / 2}), 1e-15);
    // A segment of the circle: its centroid is 2/3 r sin³θ/(θ − sin θ cos θ) from the axis.
    const Cap<double> side = detail::cap_of_frustum(cylinder, Vec3d{0, 1, 0}, -0.5 + depth);
    const auto [area, moment] = segment(0.5, depth);
    EXPECT_NEAR(side.depth, depth, 1e-15);
    EXPECT_LT(norm(side.centroid - Vec3d{0, static_cast<double>(-moment / area), 0.6}), 1e-12);
    // A ring lying: by symmetry on the axis, as high as the segment of the tube (depth below its middle).
    const Cap<double> lying = detail::cap_of_torus(torus, Vec3d{0, 0, 1}, -0.3 + depth);
    const auto [a, m] = segment(0.3, depth);
    EXPECT_NEAR(lying.depth, depth, 1e-15);
    EXPECT_LT(norm(lying.centroid - Vec3d{0, 0, static_cast<double>(-m / a)}),
              1e-7 * std::min(1.0, 1e-9 / depth) + 1e-13);
  }
  EXPECT_NEAR(detail::cap_of_frustum(cylinder, Vec3d{0, 0, 1}, -0.1).depth, -0.1, 1e-16);
  EXPECT_NEAR(detail::cap_of_torus(torus, Vec3d{0, 1, 0}, -1.5).depth, -0.1, 1e-15);
}

using D = Dual<double, 6>;

TEST(RoundCap, derivatives_are_those_of_differences) {
  Placements random;
  const Shape shapes[] = {{ShapeKind::frustum, {1.2, 0.5, 0.5}},
                          {ShapeKind::frustum, {1.2, 0.9, 0.3}},
                          {ShapeKind::frustum, {0.6, 0, 0.8}},
                          {ShapeKind::torus, {1.1, 0.3}}};
  const Shape ground{ShapeKind::half_space};
  const Pose<double> below{{0.1, 0.2, 0}, Mat3d::identity()};
  for (const Shape& shape : shapes)
    for (int n = 0; n < 600; ++n) {
      Pose<double> at{{0, 0, 0}, random.turn()};
      // Every third stands nearly on a face, or exactly.
      if (n % 3 == 0) at.A = rotation_vector((n % 6 == 0 ? 0 : 1e-3) * random.vector(1));
      const double high = overlap(shape, at, ground, below).depth;  // some are below already
      at.r.z = high - 0.25 * std::pow(10, random.number(-2, 0));
      double zero[6] = {};
      D by[6];
      for (int k = 0; k < 6; ++k) by[k] = D::variable(0, k);
      const D none[6];
      const Pose<D> fixed = moved(below, none);
      const Incident<D> exact = overlap(shape, moved(at, by), ground, fixed);
      if (!(exact.depth.v > 1e-3)) continue;
      for (int k = 0; k < 6; ++k) {
        const double h = 1e-6;
        const auto shifted = [&](double by_h) {
          zero[k] = by_h;
          const Incident<double> at_h = overlap(shape, moved(at, zero), ground, below);
          zero[k] = 0;
          return at_h;
        };
        const Incident<double> before = shifted(-h), after = shifted(h);
        EXPECT_NEAR(exact.depth.d[k], (after.depth - before.depth) / (2 * h), 2e-6) << n << " " << k;
        // The point moves by up to the radius over an angle of depth/radius: its third derivative with it.
        const double rough = 1e-12 / std::pow(exact.depth.v, 3) + 1e-7 / exact.depth.v;
        for (int i = 0; i < 3; ++i)
          EXPECT_NEAR(exact.point[i].d[k], (after.point[i] - before.point[i]) / (2 * h), rough)
              << static_cast<int>(shape.kind) << " " << n << " " << k << " " << exact.depth.v;
      }
    }
}

/// A frustum rolls over from its side through its rim onto its face: depth and point go without a jump.
TEST(RoundCap, is_continuous_from_side_to_face) {
  const Shape shapes[] = {{ShapeKind::frustum, {1.2, 0.5, 0.5}},
                          {ShapeKind::frustum, {1.2, 0.9, 0.3}},
                          {ShapeKind::torus, {1.1, 0.3}}};
  const Shape ground{ShapeKind::half_space};
  const Pose<double> below{{}, Mat3d::identity()};
  for (const Shape& shape : shapes) {
    constexpr int steps = 40000;
    constexpr double depth = 0.02;
    double before = 0;
    Vec3d point;
    for (int n = 0; n <= steps; ++n) {
      const double angle = 2 * pi * n / steps + 1e-9;
      Pose<double> at{{}, rotation_vector(Vec3d{angle, 0, 0})};
      // As deep as `depth` at its lowest point, by its support.
      const double s = std::fabs(std::sin(angle)), c = std::cos(angle);
      const double* size = shape.size;
      const double low = shape.kind == ShapeKind::torus ? -s * size[0] - size[1]
                                                        : std::min(-s * size[1], -s * size[2] + c * size[0]);
      at.r.z = -low - depth;
      const Incident<double> now = overlap(shape, at, ground, below);
      EXPECT_GT(now.depth, 0.2 * depth);
      EXPECT_LE(now.depth, depth * (1 + 1e-12));
      if (n > 0) {
        EXPECT_LT(std::fabs(now.depth - before), 3e-4) << angle;  // the lowest place moves by 2.2e-4
        EXPECT_LT(norm(now.point - point), 0.02) << angle;
      }
      before = now.depth, point = now.point;
    }
  }
}

}  // namespace
}  // namespace trammel::round_cap_test
