// CURVE, PTCV and CVCV in whole runs: beads on wires, cams, against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "../support/simulate.h"

namespace trammel::curves_test {
namespace {

using namespace test;
constexpr double pi = std::numbers::pi;

/// MATRIX/id and CURVE/id through f(u) at n + 1 values of u.
std::string curve(int id, int n, double from, double to, bool closed, const std::function<Vec3d(double)>& f) {
  std::string text = fmt::format("MATRIX/{}, FULL, RORDER, ROWS = {}, COLUMNS = 3\n, VALUES = ", id, n + 1);
  for (int k = 0; k <= n; ++k)
    text += (k ? "\n, " : "") + list(f(closed && k == n ? from : from + (to - from) * k / n));
  return text + fmt::format("\nCURVE/{0}, {1}, MATRIX = {0}, CURVE_POINTS\n", id, closed ? "CLOSED" : "OPEN");
}

std::string circle(int id, int n, double radius) {
  return curve(id, n, 0, 2 * pi, true, [=](double a) {
    return Vec3d{radius * std::cos(a), radius * std::sin(a), 0};
  });
}

const double g = 9.81, R = 0.5, mass = 2;

/// A cycloid, cup upwards: s = 4R sin(θ/2) along it.
Vec3d cycloid(double theta) {
  return {R * (theta + std::sin(theta)), R * (1 - std::cos(theta)), 0};
}

/// A bead on the cycloid; I at the given place.
std::string bead(const Vec3d& place, const std::string& ptcv, const std::string& more = "") {
  return "title\nPART/1, GROUND\nMARKER/11, PART = 1, QP = 0.3, 0.2, 0.1, REULER = 20D, 0, 0\nMARKER/12, "
         "PART = 1\n"
         "MARKER/19, PART = 1, FLOATING\nACCGRAV/JGRAV = -9.81\nINTEGRATOR/HHT, ERROR = 1E-8\nIC/ERROR = "
         "1E-12\n" +
         fmt::format("POINT_MASS/2, MASS = {}, CM = 21, QG = {}\nMARKER/21, POINT_MASS = 2\n", mass,
                     list(place)) +
         curve(1, 80, -2.6, 2.6, false, cycloid) + "PTCV/1, I = 21, JFLOAT = 19, CURVE = 1" + ptcv + "\n" +
         more + "END\n";
}

/// Huygens: s" = -g/(4R) s for any amplitude. Reaction N = m (g cos φ + v²/ρ), slope φ = θ/2, ρ = 4R cos φ.
TEST(PointOnCurve, bead_on_a_cycloid_is_isochronous) {
  const double start = 2.0, w = std::sqrt(g / (4 * R)), A = 4 * R * std::sin(start / 2);
  Recording r(bead(cycloid(start), ", RM = 12"));
  r.simulation->run(dynamics_analysis, {2 * pi / w, 60, 0});
  for (std::size_t k = 0; k < r.time.size(); ++k) {
    const double s = A * std::cos(w * r.time[k]), v = -A * w * std::sin(w * r.time[k]);
    const double phi = std::asin(s / (4 * R));
    const Vec3d x = r.vector(k, "POINT_MASS/2", "X", "Y", "Z"), exact = cycloid(2 * phi);
    // HHT is of second order, so its global error falls as ERROR^(2/3): 7e-4, 1.6e-4, 3.5e-5 for 1e-6, 1e-7,
    // 1e-8, whatever the number of points of the wire.
    EXPECT_LT(norm(x - exact), 7e-5) << r.time[k];
    const double N = mass * (g * std::cos(phi) + v * v / (4 * R * std::cos(phi)));
    // The spline's curvature is exact to 1e-3 of itself near the steep ends (its error is of second order).
    EXPECT_LT(norm(r.vector(k, "PTCV/1", "FX", "FY", "FZ") - N * Vec3d{-std::sin(phi), std::cos(phi), 0}),
              4e-3 * N);
    EXPECT_EQ(norm(r.vector(k, "PTCV/1", "TX", "TY", "TZ")), 0);
  }
}

/// The wire in a frame of its own, moved and turned: the bead stays on it and keeps its energy.
TEST(PointOnCurve, the_curve_stands_in_the_axes_of_rm) {
  const double turn = 20 * pi / 180;
  const Mat3d axes = rotation_z(turn);
  Recording r(bead(Vec3d{0.3, 0.2, 0.1} + axes * cycloid(0.3), ", RM = 11"));
  r.simulation->run(dynamics_analysis, {3, 60, 0});
  const double start = r.at(0, "POINT_MASS/2", "Y");
  for (std::size_t k = 0; k < r.time.size(); ++k) {
    const Vec3d v = r.vector(k, "POINT_MASS/2", "VX", "VY", "VZ");
    const double lost = 0.5 * dot(v, v) + g * (r.at(k, "POINT_MASS/2", "Y") - start);
    EXPECT_NEAR(lost, 0, 2e-4);  // of g R = 5: HHT's damping, as above
    // Off the cycloid by its interpolation, h⁴/384 of R with h = 5.2/80.
    const Vec3d local = transpose(axes) * (r.vector(k, "POINT_MASS/2", "X", "Y", "Z") - Vec3d{0.3, 0.2, 0.1});
    const double theta = std::copysign(std::acos(1 - local.y / R), local.x);
    EXPECT_NEAR(local.x, R * (theta + std::sin(theta)), 1e-5);
    EXPECT_NEAR(r.at(k, "POINT_MASS/2", "Z"), 0.1, 1e-9);
  }
  EXPECT_LT(r.at(r.time.size() / 2, "POINT_MASS/2", "X"), 2);
}

/// Down a helix (a cos θ, a sin θ, c θ): θ" = −g c/(a² + c²); the reaction is m (acceleration − gravity).
TEST(PointOnCurve, bead_on_a_helix) {
  const double a = 0.4, c = 0.1, down = g * c / (a * a + c * c);
  const auto helix = [=](double u) { return Vec3d{a * std::cos(u), a * std::sin(u), c * u}; };
  Recording r(
      "title\nPART/1, GROUND\nMARKER/12, PART = 1\nMARKER/19, PART = 1, FLOATING\nACCGRAV/KGRAV = -9.81\n"
      "INTEGRATOR/HHT, ERROR = 1E-8\n" +
      fmt::format("POINT_MASS/2, MASS = {}, CM = 21, QG = {}\nMARKER/21, POINT_MASS = 2\n", mass,
                  list(helix(0))) +
      curve(1, 240, -20, 1, false, helix) + "PTCV/1, I = 21, JFLOAT = 19, CURVE = 1, RM = 12\nEND\n");
  r.simulation->run(dynamics_analysis, {2, 40, 0});
  for (std::size_t k = 0; k < r.time.size(); ++k) {
    const double t = r.time[k], u = -0.5 * down * t * t, rate = -down * t;
    // Second order at ERROR = 1e-8, as for the cycloid: 4e-5 of a length of 1, growing with t² here.
    EXPECT_LT(norm(r.vector(k, "POINT_MASS/2", "X", "Y", "Z") - helix(u)), 2e-4) << t;
    const Vec3d radial{std::cos(u), std::sin(u), 0}, around{-std::sin(u), std::cos(u), 0};
    const Vec3d acceleration = (-a * rate * rate) * radial + (-a * down) * around + Vec3d{0, 0, -c * down};
    const Vec3d force = mass * (acceleration + Vec3d{0, 0, g});
    // Curvature of the spline: h²/12 = 6e-4 with h = 21/240, and the place on the helix.
    EXPECT_LT(norm(r.vector(k, "PTCV/1", "FX", "FY", "FZ") - force), 3e-3 * norm(force)) << t;
  }
}

/// ORDER=2, straight lines: a bead slides down a wire of slope −3/4 in a plane, s̈ = g sin φ, and N = m g cos
/// φ.
TEST(StraightLines, bead_on_a_line) {
  const std::string deck =
      "title\nPART/1, GROUND\nMARKER/12, PART = 1\nMARKER/19, PART = 1, FLOATING\nACCGRAV/JGRAV = -9.81\n"
      "INTEGRATOR/HHT, ERROR = 1E-8\nIC/ERROR = 1E-12\nMATRIX/1, FULL, RORDER, ROWS = 3, COLUMNS = 3\n"
      ", VALUES = -4, 3, 0, 0, 0, 0, 4, -3, 0\nCURVE/1, OPEN, MATRIX = 1, CURVE_POINTS, ORDER = 2\n"
      "POINT_MASS/2, MASS = 2, CM = 21, QG = -2, 1.5, 0\nMARKER/21, POINT_MASS = 2\n"
      "PTCV/1, I = 21, JFLOAT = 19, CURVE = 1, RM = 12\n"
      "REQUEST/1, F2 = CURVE(0.5, 0, 1, 1)\\F3 = CURVE(0.5, 1, 2, 1)\\F4 = CURVE(-0.25, 2, 1, 1)\nEND\n";
  Recording r(deck);
  r.simulation->run(dynamics_analysis, {0.9, 9, 0});
  for (std::size_t k = 0; k < r.time.size(); ++k) {
    const double s = 0.5 * g * 0.6 * r.time[k] * r.time[k];  // past the middle point without a kink
    EXPECT_NEAR(r.at(k, "POINT_MASS/2", "X"), -2 + 0.8 * s, 1e-7) << r.time[k];
    EXPECT_NEAR(r.at(k, "POINT_MASS/2", "Y"), 1.5 - 0.6 * s, 1e-7) << r.time[k];
    EXPECT_LT(norm(r.vector(k, "PTCV/1", "FX", "FY", "FZ") - 2 * g * 0.8 * Vec3d{0.6, 0.8, 0}), 1e-6);
  }
  EXPECT_NEAR(r.at(0, "REQUEST/1", "F2"), 2, 1e-15);
  EXPECT_NEAR(r.at(0, "REQUEST/1", "F3"), -3, 1e-15);
  EXPECT_EQ(r.at(0, "REQUEST/1", "F4"), 0);
}

/// Over a corner: the velocity along the next line is what is left, v₁ = v₀ d₀·d₁.
TEST(StraightLines, a_corner_takes_the_velocity_across_the_next_line) {
  Recording r(
      "title\nPART/1, GROUND\nMARKER/12, PART = 1\nMARKER/19, PART = 1, FLOATING\nACCGRAV/JGRAV = -9.81\n"
      "INTEGRATOR/HHT, ERROR = 1E-8\nMATRIX/1, FULL, RORDER, ROWS = 3, COLUMNS = 3\n"
      ", VALUES = -4, 3, 0, 0, 0, 0, 4, 0.5, 0\nCURVE/1, OPEN, MATRIX = 1, CURVE_POINTS, ORDER = 2\n"
      "POINT_MASS/2, MASS = 2, CM = 21, QG = -2, 1.5, 0\nMARKER/21, POINT_MASS = 2\n"
      "PTCV/1, I = 21, JFLOAT = 19, CURVE = 1, RM = 12\nEND\n");
  r.simulation->run(dynamics_analysis, {1.5, 15, 0});
  const Vec3d before{0.8, -0.6, 0}, after = (1 / std::hypot(4, 0.5)) * Vec3d{4, 0.5, 0};
  const double at = std::sqrt(2 * 2.5 / (0.6 * g)), left = 0.6 * g * at * dot(before, after), tau = 1.5 - at;
  const double s = left * tau - 0.5 * g * after.y * tau * tau;
  // The step that meets the corner ends a little beyond it: a small part of the time since.
  EXPECT_NEAR(r.at(15, "POINT_MASS/2", "X"), s * after.x, 1e-3);
  EXPECT_NEAR(r.at(15, "POINT_MASS/2", "VX"), (left - g * after.y * tau) * after.x, 2e-3);
}

/// Around a square with corners: the parameter by lengths, and CURVE linear between the corners.
TEST(StraightLines, function_curve_on_a_square) {
  Recording r(
      "title\nPART/1, GROUND\nPART/2, MASS = 1, CM = 21, IP = 1, 1, 1\nMARKER/21, PART = 2\n"
      "MATRIX/1, FULL, RORDER, ROWS = 5, COLUMNS = 3\n, VALUES = 0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,0\n"
      "CURVE/1, CLOSED, MATRIX = 1, CURVE_POINTS, ORDER = 2\n"
      "REQUEST/1, F2 = CURVE(TIME-1, 0, 1, 1)\\F3 = CURVE(TIME-1, 0, 2, 1)\\F4 = CURVE(TIME-1, 1, 1, "
      "1)\nEND\n");
  r.simulation->run(dynamics_analysis, {2, 64, 0});
  for (std::size_t k = 0; k + 1 < r.time.size(); ++k) {
    const double side = 2 * r.time[k], u = side - std::floor(side);
    const double x[4] = {u, 1, 1 - u, 0}, y[4] = {0, u, 1, 1 - u}, slope[4] = {2, 0, -2, 0};
    const int at = static_cast<int>(side);
    EXPECT_NEAR(r.at(k, "REQUEST/1", "F2"), x[at], 1e-12) << side;
    EXPECT_NEAR(r.at(k, "REQUEST/1", "F3"), y[at], 1e-12) << side;
    if (u > 0) {
      EXPECT_NEAR(r.at(k, "REQUEST/1", "F4"), slope[at], 1e-12) << side;
    }
  }
}

TEST(StraightLines, are_refused_by_name_where_a_tangent_is_needed) {
  const std::string line =
      "MATRIX/1, FULL, RORDER, ROWS = 2, COLUMNS = 3\n, VALUES = 0,0,0, 1,0,0\nCURVE/1, OPEN, MATRIX = 1, "
      "CURVE_POINTS, ORDER = 2\n";
  const std::string parts =
      "PART/1, GROUND\nMARKER/11, PART = 1\nMARKER/19, PART = 1, FLOATING\nPART/2, MASS = 1, CM = 21, IP = "
      "1, 1, "
      "1\nMARKER/21, PART = 2\nMARKER/29, PART = 2, FLOATING\n";
  EXPECT_EQ(message_of(parts + line +
                           "CVCV/1, ICURVE = 1, JCURVE = 1, IRM = 21, JRM = 11, IFLOAT = 29, JFLOAT = 19\n",
                       ExitCode::unsupported),
            "deck.adm:11: CVCV/1: CURVE/1 has ORDER=2, and two curves touch only where both have a tangent; "
            "give it "
            "ORDER=4");
  EXPECT_EQ(
      message_of("PART/1, GROUND\nMATRIX/1, FULL, RORDER, ROWS = 4, COLUMNS = 3\n, VALUES = 0,0,0, 1,0,0, "
                 "2,1,0, 3,3,0\nCURVE/1, OPEN, MATRIX = 1, CURVE_POINTS, ORDER = 3\n",
                 ExitCode::unsupported),
      "deck.adm:5: CURVE/1: ORDER=3 is not supported; curves are cubic (ORDER=4) or of straight lines "
      "(ORDER=2)");
}

/// DISP places the bead wherever I stands, VEL is its speed along the curve, and both hold to rounding.
TEST(PointOnCurve, initial_place_and_velocity) {
  const double theta = 2 * std::asin(0.6);  // slope: sin φ = 0.6, cos φ = 0.8
  Recording r(
      bead({0.4, 1.3, 0.2}, ", RM = 12, VEL = -3, DISP = " + list(cycloid(theta) + Vec3d{-0.06, 0.08, 0})));
  r.simulation->initialize();
  r.simulation->run(initial_analysis);
  // The spline differs from the cycloid by 1e-6.
  EXPECT_LT(norm(r.vector(0, "POINT_MASS/2", "X", "Y", "Z") - cycloid(theta)), 1e-5);
  EXPECT_LT(norm(r.vector(0, "POINT_MASS/2", "VX", "VY", "VZ") - Vec3d{-2.4, -1.8, 0}), 1e-4);
}

/// ICM gives the axes of DISP. Without DISP the place is the one nearest to I.
TEST(PointOnCurve, initial_place_in_other_axes_or_nearest) {
  Recording other(bead({0.4, 1.3, 0.2}, ", RM = 12, ICM = 11, DISP = 0, 0, 0"));
  other.simulation->initialize();
  other.simulation->run(initial_analysis);
  Recording nearest(bead({0.3, 0.2, 0.1}, ", RM = 12"));
  nearest.simulation->initialize();
  nearest.simulation->run(initial_analysis);
  const Vec3d a = other.vector(0, "POINT_MASS/2", "X", "Y", "Z"),
              b = nearest.vector(0, "POINT_MASS/2", "X", "Y", "Z");
  EXPECT_LT(norm(a - b), 1e-9);  // IC/ERROR, 1e-12, and the same foot
  // (r − c)·c' = 0 for the cycloid: c' = (1 + cos θ, sin θ), to its interpolation.
  const double tangent_x = 1 + (1 - b.y / R), tangent_y = std::sqrt(1 - std::pow(1 - b.y / R, 2));
  EXPECT_NEAR((0.3 - b.x) * tangent_x + (0.2 - b.y) * tangent_y, 0, 1e-4);
  EXPECT_NEAR(b.z, 0, 1e-12);
}

/// A bead that slides off the end of an open wire stops the run there, with results up to then.
TEST(PointOnCurve, leaving_the_end_is_an_error) {
  Recording r(bead(cycloid(2.4), ", RM = 12, VEL = 4"));
  try {
    r.simulation->run(dynamics_analysis, {2, 40, 0});
    ADD_FAILURE() << "did not stop";
  } catch (const Failure& f) {
    EXPECT_EQ(f.code(), ExitCode::solver);
    EXPECT_NE(std::string(f.what()).find("PTCV/1: the contact left the last end of CURVE/1 at time 0."),
              std::string::npos)
        << f.what();
  }
  EXPECT_GT(r.time.size(), 0u);
}

/// An eccentric disc (radius r, eccentricity e) about ground z; a follower of mass m along y above its axis.
std::string cam(double e, const std::string& elements) {
  return "title\nPART/1, GROUND\nMARKER/11, PART = 1\nMARKER/12, PART = 1\n, ZP = 0, 1, 0\nACCGRAV/JGRAV = "
         "-9.81\n"
         "INTEGRATOR/HHT, ERROR = 1E-8\nPART/2, MASS = 1, CM = 21, IP = 1, 1, 1\nMARKER/21, PART = "
         "2\nMARKER/29, PART = "
         "2, FLOATING\n" +
         fmt::format("MARKER/22, PART = 2, QP = {}, 0, 0\n", e) +
         "PART/3, MASS = 2, CM = 31, IP = 1, 1, 1, QG = 0, 1.5, 0\nMARKER/31, PART = 3\nMARKER/32, PART = "
         "3\n, ZP = 0, "
         "1, 0\nMARKER/39, PART = 3, FLOATING\nJOINT/1, REVOLUTE, I = 21, J = 11\nJOINT/2, TRANSLATIONAL, I "
         "= 32, J = "
         "12\nMOTION/1, JOINT = 1, FUNCTION = 5*TIME\n" +
         elements + "END\n";
}

/// Height, its acceleration and the torque for e sin a + sqrt(l² − e² cos² a), a = w t.
struct Follower {
  double y, acceleration, slope;  ///< slope: dy/da
  Follower(double e, double l, double a, double w) {
    const double c = std::cos(a), s = std::sin(a), root = std::sqrt(l * l - e * e * c * c);
    y = e * s + root;
    slope = e * c + e * e * c * s / root;
    const double curvature =
        -e * s + e * e * (c * c - s * s) / root - std::pow(e * e * c * s, 2) / std::pow(root, 3);
    acceleration = w * w * curvature;
  }
};

void expect_follower(const Recording& r, const std::string& element, double e, double l, double sign) {
  for (std::size_t k = 0; k < r.time.size(); ++k) {
    const Follower f(e, l, 5 * r.time[k], 5);
    // A spline through n points of a circle is off by (2π/n)⁴/384 of the radius, and its curvature by
    // (2π/n)²/12, 1.6e-4 for 144; m v² κ is 2 (5·1.3)², which makes 0.013. HHT adds as much again and more
    // after the first record (0.03 at ERROR = 1e-8, 0.24 at 1e-6).
    const double tolerance = k == 0 ? 0.015 : 0.06;
    EXPECT_NEAR(r.at(k, "PART/3", "Y"), f.y, 1e-5) << r.time[k];
    const double N = 2 * (f.acceleration + g);
    EXPECT_NEAR(sign * r.at(k, element, "FY"), N, tolerance) << r.time[k];
    // Power: the motor lifts the follower.
    EXPECT_NEAR(r.at(k, "MOTION/1", "TZ"), N * f.slope, tolerance) << r.time[k];
  }
}

/// A knife edge on the cam, over three turns: the contact runs across the closure of the curve.
TEST(PointOnCurve, cam_with_a_knife_edge) {
  const double e = 0.3;
  Recording r(cam(e, circle(1, 144, 1) + "PTCV/1, I = 31, JFLOAT = 29, RM = 22, CURVE = 1\n"));
  EXPECT_EQ(r.simulation->initialize().degrees_of_freedom, 0);
  r.simulation->run(dynamics_analysis, {6 * pi / 5, 90, 0});
  expect_follower(r, "PTCV/1", e, 1, 1);
  // One of its rows says no more than the joints do (all is in one plane). The parameter is counted all the
  // same: three turns backwards on the cam, 2 each.
  const CurveUse& use = r.simulation->model().curve_uses[0];
  const double start = std::atan2(std::sqrt(1 - e * e), -e) / pi - 1;
  EXPECT_NEAR(r.simulation->state().angle[use.slot_J], start - 6, 1e-5);  // the place on the cam, as above
}

/// A round foot of radius 0.4 on the same cam: as a knife edge on a cam of radius 1.4.
TEST(CurveOnCurve, cam_with_a_round_foot) {
  const double e = 0.3;
  Recording r(cam(
      e, circle(1, 144, 1) + circle(2, 144, 0.4) +
             "CVCV/1, ICURVE = 2, JCURVE = 1, IRM = 31, JRM = 22, IFLOAT = 39, JFLOAT = 29\nREQUEST/1, F2 = "
             "CVCV(1,0,3,0)\\F3 = CVCV(1,0,8,0)\\F4 = CVCV(1,1,3,0)\\F6 = CVCV(1,1,8,0)\n"));
  r.simulation->run(dynamics_analysis, {6 * pi / 5, 90, 0});
  expect_follower(r, "CVCV/1", e, 1.4, 1);
  for (std::size_t k = 0; k < r.time.size(); ++k) {
    EXPECT_EQ(r.at(k, "REQUEST/1", "F2"), r.at(k, "CVCV/1", "FY"));
    EXPECT_EQ(r.at(k, "REQUEST/1", "F4"), -r.at(k, "REQUEST/1", "F2"));
    EXPECT_EQ(r.at(k, "REQUEST/1", "F3"), 0);
    EXPECT_EQ(r.at(k, "REQUEST/1", "F6"), 0);
  }
}

/// The same pair named the other way round.
TEST(CurveOnCurve, the_order_of_the_curves_does_not_matter) {
  const double e = 0.3;
  Recording r(cam(e, circle(1, 144, 1) + circle(2, 144, 0.4) +
                         "CVCV/1, ICURVE = 1, JCURVE = 2, IRM = 22, JRM = 31, IFLOAT = 29, JFLOAT = 39\n"));
  r.simulation->run(dynamics_analysis, {6 * pi / 5, 90, 0});
  expect_follower(r, "CVCV/1", e, 1.4, -1);
}

/// A disc of radius 0.4 without friction inside a ring of radius 1: its centre is a pendulum of length 0.6,
/// at any amplitude with energy g h + v²/2; it does not turn.
TEST(CurveOnCurve, disc_slides_inside_a_ring) {
  Recording r(
      "title\nPART/1, GROUND\nMARKER/11, PART = 1\nMARKER/19, PART = 1, FLOATING\nACCGRAV/JGRAV = "
      "-9.81\nINTEGRATOR/HHT, ERROR = 1E-7\nPART/2, MASS = 2, CM = 21, IP = 1, 1, 1, QG = 0.6, 0, "
      "0\nMARKER/21, PART = "
      "2\nMARKER/29, PART = 2, FLOATING\nJOINT/1, PLANAR, I = 21, J = 11\n" +
      circle(1, 72, 0.4) + circle(2, 72, 1) +
      "CVCV/1, ICURVE = 1, JCURVE = 2, IRM = 21, JRM = 11, IFLOAT = 29, JFLOAT = 19\nEND\n");
  r.simulation->run(dynamics_analysis, {2, 50, 0});
  for (std::size_t k = 0; k < r.time.size(); ++k) {
    const double x = r.at(k, "PART/2", "X"), y = r.at(k, "PART/2", "Y");
    EXPECT_NEAR(std::hypot(x, y), 0.6, 1e-5);
    const Vec3d v = r.vector(k, "PART/2", "VX", "VY", "VZ");
    EXPECT_NEAR(0.5 * dot(v, v) + g * y, 0, 2e-3);  // of g l = 6: HHT's damping
    EXPECT_NEAR(r.at(k, "PART/2", "WZ"), 0, 1e-3);  // the spline's normals miss the centre by 1e-5
    // N = m (v²/l − g y/l), towards the middle
    const double N = 2 * (dot(v, v) - g * y) / 0.6;
    EXPECT_NEAR(-(x * r.at(k, "CVCV/1", "FX") + y * r.at(k, "CVCV/1", "FY")) / 0.6, N,
                2e-2 * (1 + std::abs(N)));
  }
}

/// CURVE(alpha, iord, comp, id) of a circle: alpha is the angle, but for its range.
TEST(CurveFunction, coordinates_and_derivatives) {
  const std::string deck =
      "title\nPART/1, GROUND\nPART/2, MASS = 1, CM = 21, IP = 1, 1, 1\nMARKER/21, PART = 2\n" +
      circle(8, 72, 2) +
      "REQUEST/1, F2 = CURVE(TIME-1,0,1,8)\\F3 = CURVE(TIME-1,0,2,8)\\F4 = CURVE(TIME-1,1,1,8)\\F6 = "
      "CURVE(TIME-1,2,2,8)\\F7 = CURVE(TIME-1,0,3,8)\nEND\n";
  Recording r(deck);
  r.simulation->run(dynamics_analysis, {2, 40, 0});
  for (std::size_t k = 0; k < r.time.size(); ++k) {
    const double a = pi * r.time[k];
    // Errors of a spline with h = 2π/72: h⁴/384, h³/24, h²/12 of the radius and its powers of π.
    EXPECT_NEAR(r.at(k, "REQUEST/1", "F2"), 2 * std::cos(a), 1e-6);
    EXPECT_NEAR(r.at(k, "REQUEST/1", "F3"), 2 * std::sin(a), 1e-6);
    EXPECT_NEAR(r.at(k, "REQUEST/1", "F4"), -2 * pi * std::sin(a), 2e-4);
    EXPECT_NEAR(r.at(k, "REQUEST/1", "F6"), -2 * pi * pi * std::sin(a), 2e-2);
    EXPECT_EQ(r.at(k, "REQUEST/1", "F7"), 0);
  }
  try {
    r.simulation->run(dynamics_analysis, {2.5, 5, 0});
    ADD_FAILURE() << "a parameter beyond 1 was accepted";
  } catch (const Failure& f) {
    EXPECT_NE(std::string(f.what()).find("the parameter of a CURVE lies outside -1 to 1"), std::string::npos)
        << f.what();
  }
}

}  // namespace
}  // namespace trammel::curves_test
