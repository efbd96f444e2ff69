// Curves and the rows on them: interpolation, feet, gradients and second derivatives off and on the curve.
#include <gtest/gtest.h>

#include <array>
#include <numbers>

#include "../support/random.h"
#include "../support/variation.h"
#include "base/diagnostics.h"
#include "element/curve_row.h"
#include "math/rotation.h"

namespace trammel::curve_test {
namespace {

using test::derivative;
constexpr double pi = std::numbers::pi;

template <class F>
std::vector<Vec3d> sample(int n, double from, double to, const F& f) {
  std::vector<Vec3d> points;
  for (int k = 0; k <= n; ++k) points.push_back(f(from + (to - from) * k / n));
  points.back() = f(to);
  return points;
}

CurveTable circle(int n, double radius) {
  auto points = sample(n, 0, 2 * pi, [&](double a) {
    return Vec3d{radius * std::cos(a), radius * std::sin(a), 0};
  });
  points.back() = points.front();
  return make_curve_table(1, points, true);
}

CurveTable helix(int n) {
  return make_curve_table(2,
                          sample(n, 0, 6,
                                 [](double a) {
                                   return Vec3d{2 * std::cos(a), 2 * std::sin(a), 0.5 * a};
                                 }),
                          false);
}

/// Cubic interpolation: the error falls with the fourth power of the distance of the points.
TEST(Curve, interpolation_is_of_fourth_order) {
  const auto error = [](int n) {
    const CurveTable c = circle(n, 3);
    double most = 0;
    for (int k = 0; k < 1000; ++k)
      most = std::max(most, std::abs(norm(curve_point(c, -1 + 0.002 * k + 0.001).c) - 3));
    return most;
  };
  const double order = std::log2(error(16) / error(32));
  // The next term of the error is of relative size (2π/16)² = 0.15, in the order 0.2.
  EXPECT_NEAR(order, 4, 0.2);
}

TEST(Curve, passes_through_its_points_and_is_twice_continuous) {
  const CurveTable c = helix(12), ring = circle(7, 1);
  for (const CurveTable* curve : {&c, &ring})
    for (std::size_t k = 0; k < curve->point.size(); ++k) {
      const double a = curve->alpha[k];
      const auto below = curve_point(*curve, a - 1e-13), above = curve_point(*curve, a + 1e-13);
      // 1e-13 of the parameter times a slope of 10 and, of c", a third derivative of 1000.
      EXPECT_LT(norm(below.c - curve->point[k]) + norm(above.c - curve->point[k]), 1e-11);
      if (curve->closed || (k > 0 && k + 1 < curve->point.size())) {
        EXPECT_LT(norm(below.d1 - above.d1), 1e-10) << k;
        EXPECT_LT(norm(below.d2 - above.d2), 1e-8) << k;
      }
    }
}

/// The normals are unit vectors at right angles to the curve, continuous across the closure, constant out of
/// the plane of a plane curve.
TEST(Curve, normals) {
  const CurveTable ring = circle(9, 2);
  auto wobbling = sample(20, 0, 2 * pi, [](double a) {
    return Vec3d{3 * std::cos(a), 2 * std::sin(a), std::sin(2 * a) + 0.5 * std::cos(3 * a)};
  });
  wobbling.back() = wobbling.front();
  const CurveTable knot = make_curve_table(3, wobbling, true), open = helix(12);
  for (const CurveTable* curve : {&ring, &knot, &open})
    for (int k = 0; k < 200; ++k) {
      const double a = -1 + 0.01 * k;
      const auto n = curve_normals(*curve, a);
      const Vec3d t = curve_point(*curve, a).d1;
      for (int i = 0; i < 2; ++i) {
        EXPECT_NEAR(norm(n.n[i]), 1, 1e-14);
        EXPECT_NEAR(dot(n.n[i], t) / norm(t), 0, 1e-14);
      }
      EXPECT_NEAR(dot(n.n[0], n.n[1]), 0, 1e-14);
      if (curve == &ring) {
        EXPECT_NEAR(n.n[0].z, 1, 1e-15);
      }
    }
  const auto before = curve_normals(knot, 1 - 1e-12), after = curve_normals(knot, 1 + 1e-12);
  EXPECT_LT(norm(before.n[0] - after.n[0]), 1e-10);  // 1e-12 times a rate of 10
}

TEST(Curve, feet) {
  const CurveTable ring = circle(24, 2);
  for (double angle : {0.1, 1.0, 3.0, 6.2}) {
    const Vec3d r{3 * std::cos(angle), 3 * std::sin(angle), 0.4};
    const double a = nearest_parameter(ring, r);
    const auto p = curve_point(ring, a);
    EXPECT_NEAR(dot(r - p.c, p.d1), 0, 1e-13);
    // The spline differs from the circle by 1e-5, and its tangent by 1e-4.
    EXPECT_NEAR(std::atan2(p.c.y, p.c.x), std::remainder(angle, 2 * pi), 1e-3);
    EXPECT_NEAR(foot_parameter(ring, r, a + 0.05), a, 1e-14);
    EXPECT_NEAR(foot_parameter(ring, r, a + 4.05), a + 4, 4e-15);  // two turns on: counted
  }
}

/// Where a curve turns within a small part of its parameter, the search for a foot from some way off ends at
/// one, too: x = sin t, y = sin 2t/100 and its ends at x = ±1.
TEST(Curve, feet_at_sharp_turns) {
  auto points = sample(40, 0, 2 * pi, [](double t) { return Vec3d{std::sin(t), 0.01 * std::sin(2 * t), 0}; });
  points.back() = points.front();
  const CurveTable flat = make_curve_table(1, points, true);
  for (int k = 0; k < 400; ++k) {
    const double alpha = -1 + 0.005 * k;
    for (const double away : {-0.08, -0.05, -0.01, 0.01, 0.05, 0.08}) {
      const Vec3d on = curve_point(flat, alpha).c;
      for (const Vec3d& r : {on, on + Vec3d{0.02, 0.001, 0}})
        EXPECT_TRUE(is_foot(flat, r, foot_parameter(flat, r, alpha + away))) << alpha << " " << away;
    }
  }
}

/// Straight lines: the foot on the line it is walked to, at a corner that looks away the corner, turns
/// counted.
TEST(Curve, feet_on_straight_lines) {
  const std::vector<Vec3d> square{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 0}};
  const CurveTable ring = make_curve_table(1, square, true, true);
  EXPECT_NEAR(foot_parameter(ring, {0.3, -0.2, 1}, -0.9), -1 + 0.5 * 0.3, 1e-15);
  EXPECT_NEAR(foot_parameter(ring, {1.5, 0.25, 0}, -0.6), -0.5 + 0.5 * 0.25, 1e-15);  // beyond the first line
  EXPECT_NEAR(foot_parameter(ring, {2, -1, 0}, -0.9), -0.5, 2e-15);                   // outside a corner
  EXPECT_NEAR(foot_parameter(ring, {2, -1, 0}, -0.4), -0.5, 2e-15);
  EXPECT_FALSE(is_foot(ring, {2, -1, 0}, -0.5));
  // Behind a corner that turns by 150 degrees a point on the second line has a foot on the first one, too.
  const CurveTable back =
      make_curve_table(3, {{0, 0, 0}, {1, 0, 0}, {1 - std::sqrt(0.75), 0.5, 0}}, false, true);
  EXPECT_NEAR(foot_parameter(back, curve_point(back, 0.3).c, -0.2), 0.3, 2e-15);
  EXPECT_NEAR(sharpest_turn(back, -0.2, 0.3), -std::sqrt(0.75), 1e-15);
  EXPECT_LT(sharpest_turn(back, 0.3, -0.2), 0);
  EXPECT_EQ(sharpest_turn(back, -0.9, -0.2), 1);
  EXPECT_GE(sharpest_turn(ring, -0.9, 0.3), 0);
  EXPECT_TRUE(is_foot(ring, {0.3, -0.2, 1}, -1 + 0.5 * 0.3));
  EXPECT_NEAR(foot_parameter(ring, {0.5, -0.1, 0}, 0.9), 1.25, 1e-15);  // over the last point
  EXPECT_NEAR(foot_parameter(ring, {0.5, -0.1, 0}, 3.1), 3.25, 1e-15);
  EXPECT_NEAR(foot_parameter(ring, {-0.1, 0.5, 0}, -0.95), -1.25, 1e-15);
  EXPECT_NEAR(nearest_parameter(ring, {0.9, 1.4, 0}), 0.05, 1e-15);
  const CurveTable line = make_curve_table(2, {{0, 0, 0}, {0, 0, 4}}, false, true);
  EXPECT_NEAR(foot_parameter(line, {1, 1, 5}, 0), 1.5, 1e-15);  // beyond its end: told where that matters
  EXPECT_NEAR(nearest_parameter(line, {1, 1, 5}), 1, 1e-15);
  for (const double a :
       {-0.99, -0.6, -0.4, 0.3, 0.99}) {  // normals of a line of a plane curve: z, and in the plane
    const auto n = curve_normals(ring, a);
    const Vec3d t = curve_point(ring, a).d1;
    EXPECT_NEAR(n.n[0].z, 1, 1e-15);
    EXPECT_NEAR(dot(n.n[1], t), 0, 1e-15);
    EXPECT_NEAR(norm(t), 2, 1e-15);  // a length of 4 over a range of 2
    EXPECT_EQ(norm(curve_point(ring, a).d2), 0);
  }
}

TEST(Curve, mistakes_are_told) {
  const std::vector<Vec3d> four{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  const auto text = [](const std::vector<Vec3d>& points, bool closed) -> std::string {
    try {
      make_curve_table(1, points, closed);
    } catch (const Failure& f) {
      EXPECT_EQ(f.code(), ExitCode::input);
      return f.what();
    }
    return "accepted";
  };
  EXPECT_EQ(text(four, false), "accepted");
  EXPECT_NE(text({four[0], four[1], four[2]}, false).find("at least 4 points"), std::string::npos);
  EXPECT_NE(text({four[0], four[1], four[1], four[2]}, false).find("points 2 and 3 are the same"),
            std::string::npos);
  EXPECT_NE(text(four, true).find("the first and the last point"), std::string::npos);
}

using test::moved, test::numbers, test::Variation;

struct Situation {
  const char* name;
  ConstraintRow row;
  CurveContact contact;
  Pose<double> I, J;
};

/// A point on and off a helix and a ring; ovals that touch from outside and from inside, and stand apart.
std::vector<Situation> situations(const CurveTable& space, const CurveTable& ring, const CurveTable& small) {
  std::vector<Situation> list;
  test::Random random(5);
  for (double distance : {0.0, 0.3})
    for (const CurveTable* curve : {&space, &ring}) {
      const Pose<double> J{random.vector(), random.rotation()};
      const double alpha = 0.237;
      const auto n = curve_normals(*curve, alpha);
      const Vec3d local = curve_point(*curve, alpha).c + distance * (0.6 * n.n[0] - 0.8 * n.n[1]);
      const Pose<double> I{J.r + J.A * local, random.rotation()};
      for (signed char k = 0; k < 2; ++k)
        list.push_back({"point", {RowKind::curve_normal, 0, k}, {{}, *curve, 0, alpha}, I, J});
      list.push_back({"place", {RowKind::curve_place, 0, 0, 0.2}, {{}, *curve, 0, alpha}, I, J});
    }
  for (const Vec3d& centre : {Vec3d{3.1, 0.4, 0}, Vec3d{1.2, 0.3, 0}}) {
    const Pose<double> J{random.vector(), random.rotation()};
    const Pose<double> I{J.r + J.A * centre, J.A * rotation_z(0.7)};
    CurveContact contact{small, ring, 0, 0};
    const ContactPlace at = nearest_contact(contact, I, J);
    EXPECT_TRUE(at.found);
    contact.last_I = at.I;
    contact.last_J = at.J;
    list.push_back({"gap", {RowKind::curve_gap}, contact, I, J});
    const Pose<double> tilted{I.r, test::exponential({0.1, -0.2, 0.05}) * I.A};
    list.push_back({"gap of a tilted curve", {RowKind::curve_gap}, contact, tilted, J});
  }
  return list;
}

class CurveRows : public ::testing::Test {
 protected:
  CurveTable space = helix(15), ring = circle(24, 2), small;
  CurveRows() {
    auto points = sample(24, 0, 2 * pi, [](double a) {
      return Vec3d{0.6 * std::cos(a), 0.4 * std::sin(a), 0};
    });
    points.back() = points.front();
    small = make_curve_table(7, points, true);
  }
  template <class F>
  void each(const F& check) {
    for (const Situation& s : situations(space, ring, small)) {
      SCOPED_TRACE(testing::Message() << s.name << " axis " << int(s.row.j));
      check(s);
    }
  }
};

/// Fourth-order differences at h = 1e-3 of functions that are piecewise rational in sines, fifth derivatives
/// below 1e5; a jump of the third derivative within the stencil (knots of the spline) would add 1e-9 times
/// its size.
constexpr double tolerance = 1e-7;

TEST_F(CurveRows, gradient_is_the_derivative_of_the_value) {
  each([](const Situation& s) {
    const Variation g = numbers(curve_row_gradient(s.row, s.contact, s.I, s.J));
    for (int k = 0; k < 12; ++k) {
      Variation d{};
      d[k] = 1;
      const double expected = derivative([&](double h) {
        const Pose<double> I = moved(s.I, &d[0], h), J = moved(s.J, &d[6], h);
        if (s.row.kind != RowKind::curve_place) return curve_row_value(s.row, s.contact, I, J);
        // Its length per parameter is that of the place itself: here the one in the middle.
        const double middle = contact_place(s.contact, s.I, s.J).J;
        return norm(curve_point(s.contact.J, middle).d1) *
               (contact_place(s.contact, I, J).J - s.row.parameter);
      });
      EXPECT_NEAR(g[k], expected, tolerance) << k;
    }
  });
}

TEST_F(CurveRows, hessian_is_the_derivative_of_the_gradient) {
  each([](const Situation& s) {
    if (s.row.kind == RowKind::curve_place) return;  // in initial conditions only, where none is needed
    double h[12][12] = {};
    curve_row_hessian(s.row, s.contact, s.I, s.J, -1.7, h);
    for (int c = 0; c < 12; ++c) {
      Variation d{};
      d[c] = 1;
      for (int r = 0; r < 12; ++r) {
        const double expected = derivative([&](double x) {
          return numbers(curve_row_gradient(s.row, s.contact, moved(s.I, &d[0], x), moved(s.J, &d[6], x)))[r];
        });
        EXPECT_NEAR(h[r][c], -1.7 * expected, tolerance) << r << " " << c;
      }
    }
  });
}

/// The jet gives the same value, and along a motion r(t), A(t) the derivatives that differences give.
TEST_F(CurveRows, time_derivatives) {
  each([](const Situation& s) {
    if (s.row.kind == RowKind::curve_place) return;
    const double v[6] = {0.3, -0.2, 0.5, 0.4, 0.1, -0.3}, u[6] = {-0.1, 0.4, 0.2, -0.2, 0.3, 0.1};
    const auto jet_pose = [](const Pose<double>& p, const double* d) {
      Pose<Dual<Dual<double, 1>, 1>> out;
      const Mat3d turn = skew(Vec3d{d[3], d[4], d[5]}), first = turn * p.A, second = turn * first;
      const auto set = [](Dual<Dual<double, 1>, 1>& x, double value, double rate, double acceleration) {
        x.v.v = value;
        x.v.d[0] = x.d[0].v = rate;
        x.d[0].d[0] = acceleration;
      };
      for (int k = 0; k < 3; ++k) set(out.r[k], p.r[k], d[k], 0);
      for (int k = 0; k < 9; ++k) set(out.A.m[k], p.A.m[k], first.m[k], second.m[k]);
      return out;
    };
    const Dual<Dual<double, 1>, 1> jet =
        curve_row_value(s.row, s.contact, jet_pose(s.I, v), jet_pose(s.J, u));
    const auto at = [&](double t) {
      return curve_row_value(s.row, s.contact, moved(s.I, v, t), moved(s.J, u, t));
    };
    EXPECT_NEAR(jet.v.v, at(0), 1e-14);
    EXPECT_NEAR(jet.v.d[0], derivative(at), tolerance);
    const double h = 2e-3;
    // Second difference: h²/12 times a fourth derivative below 100, and rounding 1e-15/h².
    EXPECT_NEAR(jet.d[0].d[0], (at(h) - 2 * at(0) + at(-h)) / (h * h), 1e-4);
  });
}

/// Reactions of any row but a place in ground axes balance: moving both bodies as one changes nothing.
TEST_F(CurveRows, rigid_motion_changes_nothing) {
  each([](const Situation& s) {
    const RowGradient<double> g = curve_row_gradient(s.row, s.contact, s.I, s.J);
    EXPECT_LT(norm(g.fi + g.fj), 1e-14);
    EXPECT_LT(norm(g.ti + g.tj + cross(s.I.r - s.J.r, g.fi)), 1e-13);
  });
}

}  // namespace
}  // namespace trammel::curve_test
