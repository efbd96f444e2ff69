// Overlaps of planar shapes in space against those in the plane, fine polygons and differences.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/planar_touch.h"
#include "placements.h"
#include "planar_curves.h"

namespace trammel::planar_space_test {
namespace {

PlacedShape shape_of(ShapeKind kind, int curve = -1) {
  PlacedShape out;
  out.shape.kind = kind;
  out.curve = curve;
  return out;
}

TEST(Planar, in_space_it_is_as_in_the_plane) {
  Placements random;
  std::vector<PlanarCurve> made;
  made.push_back(circle(0.7));
  made.push_back(circle(0.7));
  made.back().circle = 0.7;
  made.push_back(lobes(24, 0.25, 3));
  made.push_back(circle(0.9, true));
  made.push_back(circle(0.9, true));
  made.back().circle = 0.9;
  std::vector<PlanarView> curves;
  for (const PlanarCurve& c : made) curves.push_back(view(c));
  PlanarOverlaps<double> search;
  int seen = 0;
  for (int n = 0; n < 10000; ++n) {
    const Pose<double> plane{random.vector(3), random.turn()};
    const double x = random.number(-1.4, 1.4), y = random.number(-1.4, 1.4), angle = random.number(-4, 4);
    const double side = n % 2 ? 1 : -1;
    const Mat3d turned =
        Mat3d::from_columns(Vec3d{std::cos(angle), std::sin(angle), 0},
                            Vec3d{-side * std::sin(angle), side * std::cos(angle), 0}, Vec3d{0, 0, side});
    const Pose<double> I{plane.r + plane.A * Vec3d{x, y, 0}, plane.A * turned};
    const auto compare = [&](const PlacedShape& a, const Pose<double>& at_a, const PlacedShape& b,
                             const Pose<double>& at_b, const PlanarOverlap<double>& expected) {
      const auto found = planar_overlaps(planar_tables(curves.data()), a, at_a, b, at_b);
      ASSERT_EQ(found.size(), 1u);
      const Vec3d normal = plane.A * Vec3d{expected.normal.x, expected.normal.y, 0},
                  point = plane.r + plane.A * Vec3d{expected.point.x, expected.point.y, 0};
      EXPECT_NEAR(found[0].depth, expected.depth, 1e-12);
      EXPECT_NEAR(norm(found[0].normal - normal), 0, 1e-9);
      EXPECT_NEAR(norm(found[0].point - point), 0, 1e-9);
      ++seen;
    };
    // By the general search and in closed form, for circles; a lobed curve either way around.
    const PlacedShape round = shape_of(ShapeKind::planar, 1), lobed = shape_of(ShapeKind::planar, 2),
                      hole = shape_of(ShapeKind::planar, 4), ground = shape_of(ShapeKind::half_space);
    const auto at = pose_at(x, y, angle, side);
    if (const auto found = search.find(made[0], at, made[0]); found.size() == 1)
      compare(round, I, round, plane, found[0]);
    if (const auto found = search.find(made[0], at, made[3]); found.size() == 1)
      if (std::hypot(x, y) > 0.2 && std::hypot(x, y) < 1.6) compare(round, I, hole, plane, found[0]);
    if (const auto found = search.find(made[2], at, made[0]); found.size() == 1)
      compare(lobed, I, round, plane, found[0]);
    // The half-space below y = 0: its z axis is y of the plane, and it is turned about that.
    if (const auto found = search.find_cut(made[2], at); found.size() == 1) {
      const double spin = random.number(-4, 4);
      const Vec3d up = plane.A.column(1),
                  across = std::cos(spin) * plane.A.column(0) + std::sin(spin) * plane.A.column(2);
      const Pose<double> half{plane.r + random.number(-1, 1) * plane.A.column(0),
                              Mat3d::from_columns(across, cross(up, across), up)};
      compare(lobed, I, ground, half, found[0]);
      EXPECT_NEAR(found[0].normal.y, 1, 1e-15);
    }
  }
  EXPECT_GT(seen, 10000);
}

/// Of shapes apart the depth is the negative distance, by all places of a fine polygon.
TEST(Planar, distances_of_what_does_not_touch) {
  Placements random;
  std::vector<PlanarCurve> made;
  made.push_back(circle(0.7));
  made.back().circle = 0.7;
  made.push_back(lobes(24, 0.25, 3));
  const PlanarView curves[] = {view(made[0]), view(made[1])};
  const std::vector<Vec2d> fine = corners(made[1], 400);
  const PlacedShape round = shape_of(ShapeKind::planar, 0), lobed = shape_of(ShapeKind::planar, 1),
                    ground = shape_of(ShapeKind::half_space);
  int seen = 0;
  for (int n = 0; n < 1000; ++n) {
    const double x = random.number(-4, 4), y = random.number(-4, 4), angle = random.number(-4, 4);
    const auto at = pose_at(x, y, angle);
    const Pose<double> I{{x, y, 0},
                         Mat3d::from_columns(Vec3d{at.c, at.s, 0}, Vec3d{-at.s, at.c, 0}, Vec3d{0, 0, 1})},
        J{{}, Mat3d::identity()},
        up{{}, Mat3d::from_columns(Vec3d{1, 0, 0}, Vec3d{0, 0, -1}, Vec3d{0, 1, 0})};
    double from_middle = HUGE_VAL, lowest = HUGE_VAL;
    for (const Vec2d& p : fine) {
      from_middle = std::min(from_middle, norm(at.place(p)));
      lowest = std::min(lowest, at.place(p).y);
    }
    const auto depth = [&](const PlacedShape& a, const Pose<double>& at_a, const PlacedShape& b,
                           const Pose<double>& at_b) {
      return planar_overlaps(planar_tables(curves), a, at_a, b, at_b)[0].depth;
    };
    // Between two places of the polygon, 5e-4 apart, the curve comes 1e-7 nearer.
    if (from_middle > 0.7 && std::hypot(x, y) > 1) {
      EXPECT_NEAR(depth(lobed, I, round, J), 0.7 - from_middle, 1e-6);
      EXPECT_NEAR(depth(round, J, lobed, I), 0.7 - from_middle, 1e-6);
      ++seen;
    }
    if (lowest > 0) {
      EXPECT_NEAR(depth(lobed, I, ground, up), -lowest, 1e-6);
      EXPECT_NEAR(depth(ground, up, round, I), 0.7 - y, 1e-12);
      ++seen;
    }
  }
  EXPECT_GT(seen, 1000);
}

/// Derivatives by six motions in space of either body, also out of the plane.
TEST(Planar, in_space_derivatives_are_those_of_differences) {
  using D = Dual<double, 6>;
  Placements random;
  std::vector<PlanarCurve> made;
  made.push_back(circle(0.8));
  made.back().circle = 0.8;
  made.push_back(lobes(24, 0.25, 3));
  made.push_back(polygon(star_points(10, 0.4, 1.1)));
  std::vector<PlanarView> curves;
  for (const PlanarCurve& c : made) curves.push_back(view(c));
  PlacedShape point;
  const PlacedShape shapes[] = {shape_of(ShapeKind::planar, 0), shape_of(ShapeKind::planar, 1),
                                shape_of(ShapeKind::planar, 2), shape_of(ShapeKind::half_space), point};
  const auto row = [](const auto& x) {
    return std::vector{x.depth, x.normal.x, x.normal.y, x.normal.z, x.point.x, x.point.y, x.point.z};
  };
  int seen = 0;
  for (int n = 0; n < 6000; ++n) {
    const PlacedShape &a = shapes[n % 5], &b = shapes[n / 5 % 5];
    if (a.curve < 0 && b.curve < 0) continue;
    const Pose<double> at[2] = {{random.vector(0.8), random.turn()}, {random.vector(0.8), random.turn()}};
    const int side = n / 25 % 2;
    D none[6], by[6];
    for (int k = 0; k < 6; ++k) by[k] = D::variable(0, k);
    const Pose<D> lifted[2] = {moved(at[0], side == 0 ? by : none), moved(at[1], side == 1 ? by : none)};
    const auto span = planar_overlaps(planar_tables(curves.data()), a, lifted[0], b, lifted[1]);
    const std::vector<Incident<D>> found(span.begin(), span.end());
    for (int k = 0; k < 6; ++k) {
      const auto differences = [&](double h) {
        std::vector<std::vector<double>> out[2];
        for (int sign = 0; sign < 2; ++sign) {
          double still[6] = {}, step[6] = {};
          step[k] = sign == 0 ? h : -h;
          for (const auto& x :
               planar_overlaps(planar_tables(curves.data()), a, moved(at[0], side == 0 ? step : still), b,
                               moved(at[1], side == 1 ? step : still)))
            out[sign].push_back(row(x));
        }
        std::vector<std::vector<double>> slope;
        if (out[0].size() == found.size() && out[1].size() == found.size())
          for (std::size_t o = 0; o < found.size(); ++o) {
            slope.emplace_back();
            for (int c = 0; c < 7; ++c) slope[o].push_back((out[0][o][c] - out[1][o][c]) / (2 * h));
          }
        return slope;
      };
      const auto near = differences(1e-6), far = differences(2e-6);
      if (near.size() != found.size() || far.size() != found.size()) continue;
      for (std::size_t o = 0; o < found.size(); ++o) {
        if (!(found[o].depth.v > 0)) continue;
        const auto exact = row(found[o]);
        for (int c = 0; c < 7; ++c) {
          if (std::fabs(near[o][c] - far[o][c]) > 1e-7 * (1 + std::fabs(near[o][c]))) continue;
          ++seen;
          ASSERT_NEAR(exact[c].d[k], near[o][c], 1e-6 * (1 + std::fabs(near[o][c])))
              << n << ' ' << k << ' ' << c;
        }
      }
    }
  }
  EXPECT_GT(seen, 50000);
}

}  // namespace
}  // namespace trammel::planar_space_test
