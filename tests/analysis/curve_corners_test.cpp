// Points on curves of straight lines (ORDER=2): corners that they pass, and those that hold them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/diagnostics.h"
#include "measured_motions.h"

namespace trammel::curve_corners_test {
namespace {

using namespace test;

constexpr double degree = std::numbers::pi / 180;

/// A bead of 2 kg without friction or gravity, with the speed 2 on the first of two lines of length 1; the
/// second turns by an angle.
std::string bead(double angle, const std::string& integrator) {
  return fmt::format(
      "bead\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1,GROUND\nMARKER/1,PART=1\n"
      "MARKER/9,PART=1,FLOATING\nPOINT_MASS/2,MASS=2,CM=20,QG=0.1,0,0\nMARKER/20,POINT_MASS=2\n"
      "MATRIX/1,FULL,RORDER,ROWS=3,COLUMNS=3,VALUES=0,0,0,1,0,0,{:.17g},{:.17g},0\n"
      "CURVE/1,OPEN,CURVE_POINTS,MATRIX=1,ORDER=2\nPTCV/1,I=20,JFLOAT=9,CURVE=1,RM=1,VEL=2\n"
      "REQUEST/1,F2=VM(20)\\F3=DX(20)\\F4=DY(20)\n{}END\n",
      1 + std::cos(angle), std::sin(angle), integrator);
}

/// The velocity across the next line is lost, cos of the angle is left of the speed: 0.45 s before the
/// corner, and 0.45 s on the second line.
TEST(CurveCorners, speed_after_an_obtuse_corner) {
  for (const std::string integrator :
       {"", "INTEGRATOR/GSTIFF,SI2\n", "INTEGRATOR/WSTIFF,SI1,ERROR=1E-4\n",
        "INTEGRATOR/GSTIFF,I3,ERROR=1E-6\n", "INTEGRATOR/HHT,ERROR=1E-6\n", "INTEGRATOR/RADAU\n"}) {
    SCOPED_TRACE(integrator);
    const double speed = 2 * std::cos(20 * degree);
    Recording r(bead(20 * degree, integrator));
    r.simulation->initialize();
    r.simulation->run(dynamics_analysis, {0.9, 9});
    // The step over the corner keeps the mean velocity of both lines for a part of it, and ERROR=1E-3 is one
    // of positions.
    EXPECT_NEAR(r.at(9, "REQUEST/1", "F2"), speed, 2e-2);
    EXPECT_NEAR(std::hypot(r.at(9, "REQUEST/1", "F3") - 1, r.at(9, "REQUEST/1", "F4")), 0.45 * speed, 2e-2);
    const bool taken = integrator.find("SI") != std::string::npos || integrator.empty();
    EXPECT_EQ(std::count_if(r.warnings.begin(), r.warnings.end(),
                            [](const std::string& w) { return w.find("I3 takes its place") != w.npos; }),
              taken ? 1 : 0);
  }
}

/// The same behind sharp corners, met between outputs and at one: what the step over the corner leaves of
/// velocities across the next line is of any size, and had thrown the bead back.
TEST(CurveCorners, speed_behind_a_sharp_corner) {
  for (const std::string integrator :
       {"", "INTEGRATOR/GSTIFF,I3,ERROR=1E-3\n", "INTEGRATOR/WSTIFF,I3,ERROR=1E-4\n", "INTEGRATOR/HHT\n",
        "INTEGRATOR/HHT,ERROR=1E-6\n", "INTEGRATOR/NEWMARK,HINIT=1E-3\n", "INTEGRATOR/RADAU,ERROR=1E-5\n"})
    for (const double angle : {60.0, 70.0, 80.0, 88.0})
      for (const int outputs : {7, 9}) {
        SCOPED_TRACE(fmt::format("{} {} {}", integrator, angle, outputs));
        Recording r(bead(angle * degree, integrator));
        r.simulation->initialize();
        r.simulation->run(dynamics_analysis, {0.9, outputs});
        // Nothing acts on the lines. HHT at 1e-6 was off by 2e-10 (9e-8 from other places), others by
        // rounding.
        const double speed = 2 * std::cos(angle * degree), x = r.at(outputs, "REQUEST/1", "F3") - 1,
                     y = r.at(outputs, "REQUEST/1", "F4");
        EXPECT_NEAR(r.at(outputs, "REQUEST/1", "F2"), speed, 1e-6);
        EXPECT_NEAR(x, 0.45 * speed * std::cos(angle * degree), 1e-6);
        EXPECT_NEAR(y, 0.45 * speed * std::sin(angle * degree), 1e-6);
      }
}

/// The curve is on a sled of 3 kg that slides along y: the impulse P across the next line, at an angle β, is
/// that after which the bead's velocity over the sled is along it, P (1/m + cos²β/M) = v sin β.
TEST(CurveCorners, a_sled_takes_its_part_of_the_impulse) {
  const double m = 2, M = 3, v = 2;
  for (const double angle : {40.0, 70.0, 80.0})
    for (const std::string integrator : {"", "INTEGRATOR/GSTIFF,I3,ERROR=1E-3\n",
                                         "INTEGRATOR/HHT,ERROR=1E-6\n", "INTEGRATOR/RADAU,ERROR=1E-5\n"}) {
      SCOPED_TRACE(fmt::format("{} {}", integrator, angle));
      const double s = std::sin(angle * degree), c = std::cos(angle * degree),
                   P = v * s / (1 / m + c * c / M);
      Recording r(
          fmt::format("sled\nUNITS/SYSTEM=MKS\nPART/1,GROUND\nMARKER/1,PART=1,REULER=0,90D,0\nPART/"
                      "3,MASS=3,CM=30,IP=1,1,1\n"
                      "MARKER/30,PART=3\nMARKER/31,PART=3,REULER=0,90D,0\nMARKER/9,PART=3,FLOATING\n"
                      "JOINT/1,TRANSLATIONAL,I=31,J=1\nPOINT_MASS/2,MASS=2,CM=20,QG=0.1,0,0,VX=2\nMARKER/"
                      "20,POINT_MASS=2\n"
                      "MATRIX/1,FULL,RORDER,ROWS=3,COLUMNS=3,VALUES=0,0,0,1,0,0,{:.17g},{:.17g},0\n"
                      "CURVE/1,OPEN,CURVE_POINTS,MATRIX=1,ORDER=2\nPTCV/1,I=20,JFLOAT=9,CURVE=1,RM=30\n"
                      "REQUEST/1,F2=VX(20)\\F3=VY(20)\\F4=VY(30)\n{}END\n",
                      1 + c, s, integrator));
      r.simulation->initialize();
      r.simulation->run(dynamics_analysis, {0.7, 7});
      // HHT at 1e-6 is off by 4e-6, as it meets the corner; others by 1e-10.
      EXPECT_NEAR(r.at(7, "REQUEST/1", "F2"), v - P / m * s, 1e-5);
      EXPECT_NEAR(r.at(7, "REQUEST/1", "F3"), P / m * c, 1e-5);
      EXPECT_NEAR(r.at(7, "REQUEST/1", "F4"), -P / M * c, 1e-5);
    }
}

/// A state of accelerations needs SI2, which has no step over a corner: it ends there, and is not left to I3.
TEST(CurveCorners, a_state_of_accelerations_ends_at_a_corner) {
  std::string deck = bead(20 * degree, "INTEGRATOR/GSTIFF,SI2\n");
  deck.replace(deck.find("REQUEST/1"), 0, "DIFF/1,IC=0,FUNCTION=20*(ACCX(20)-DIF(1))\n");
  Recording r(deck);
  r.simulation->initialize();
  EXPECT_THROW(r.simulation->run(dynamics_analysis, {0.9, 9}), Failure);
  EXPECT_TRUE(r.warnings.empty());
}

/// Behind a corner that turns by more than a right angle the way on leads back: the point cannot stay on the
/// curve, and must not leave it in silence.
TEST(CurveCorners, acute_corner_ends_the_run) {
  for (const std::string integrator : {"GSTIFF,I3,ERROR=1E-6", "HHT,ERROR=1E-6", "RADAU"}) {
    Recording r(bead(150 * degree, "INTEGRATOR/" + integrator + "\n"));
    r.simulation->initialize();
    try {
      r.simulation->run(dynamics_analysis, {0.9, 9});
      FAIL() << integrator;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code(), ExitCode::solver);
      EXPECT_NE(std::string(failure.what()).find("PTCV/1"), std::string::npos) << failure.what();
    }
    EXPECT_NEAR(r.time.back(), 0.45, 0.051) << integrator;  // outputs up to the corner are kept
  }
}

/// A driven arm with a slot carries a bead around a triangle, whose corners turn by 120°: the bead is where
/// the arm crosses the triangle, whatever the step.
TEST(CurveCorners, driven_around_a_triangle) {
  std::string points;
  for (int k = 0; k <= 3; ++k)
    points += fmt::format(",{:.17g},{:.17g},0", std::cos(120 * degree * k), std::sin(120 * degree * k));
  const std::string deck =
      "slotted "
      "arm\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1,GROUND\nMARKER/1,PART=1\n"
      "MARKER/9,PART=1,FLOATING\nPART/2,MASS=1,CM=21,IP=1,1,1\nMARKER/21,PART=2\nMARKER/"
      "22,PART=2,REULER=90D,90D,0\n"
      "JOINT/1,REVOLUTE,I=21,J=1\nMOTION/1,JOINT=1,ROTATION,FUNCTION=0.7+TIME\n"
      "PART/3,QG=0.6,0.3,0,MASS=1,CM=30,IP=1,1,1\nMARKER/30,PART=3\nMARKER/31,PART=3,REULER=90D,90D,0\n"
      "JOINT/2,TRANSLATIONAL,I=31,J=22\nMATRIX/1,FULL,RORDER,ROWS=4,COLUMNS=3,VALUES=" +
      points.substr(1) +
      "\nCURVE/1,CLOSED,CURVE_POINTS,MATRIX=1,ORDER=2\nPTCV/1,I=30,JFLOAT=9,CURVE=1,RM=1\n"
      "REQUEST/1,F2=DX(30)\\F3=DY(30)\nEND\n";
  for (const int outputs : {30, 63, 200}) {
    Recording r(deck);
    r.simulation->initialize();
    r.simulation->run(kinematics_analysis, {15, outputs});
    for (std::size_t n = 0; n < r.time.size(); ++n) {
      const double angle = 0.7 + r.time[n], from_middle = std::remainder(angle - 60 * degree, 120 * degree);
      const double radius = 0.5 / std::cos(from_middle);  // the sides are 1/2 from the centre
      EXPECT_NEAR(r.at(n, "REQUEST/1", "F2"), radius * std::cos(angle), 1e-9) << outputs << " " << r.time[n];
      EXPECT_NEAR(r.at(n, "REQUEST/1", "F3"), radius * std::sin(angle), 1e-9) << outputs << " " << r.time[n];
    }
  }
}

}  // namespace
}  // namespace trammel::curve_corners_test
