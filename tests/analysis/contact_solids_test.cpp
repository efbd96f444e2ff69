// CONTACT of solids made of profiles, and of what is inside a solid.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "../support/simulate.h"

namespace trammel::contact_solids_test {
namespace {

using namespace test;

std::string deck_of_solids(const std::string& body) {
  return "solids\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/1, "
         "PART=1\n" +
         body + "END\n";
}

/// The channels of CONTACT/1 at the start between a shape of a turned part 2 and one of ground.
std::array<double, 6> pushed(const std::string& shapes) {
  Recording r(deck_of_solids(
      "PART/2, MASS=2, IP=1,1,1, CM=20, QG=0.03,0.02,0.04, REULER=10D,20D,5D\nMARKER/20, PART=2\n"
      "MARKER/21, PART=2, QP=-0.1,-0.15,-0.05\nMARKER/22, PART=2, QP=0.1,-0.15,-0.05\n"
      "MARKER/23, PART=2, QP=0.1,0.15,-0.05\nMARKER/24, PART=2, QP=-0.1,0.15,-0.05\n" +
      shapes + "CONTACT/1, IGEOM=2, JGEOM=1, STIFFNESS=1E4, EXPONENT=1\n"));
  r.simulation->run(dynamics_analysis, {1e-6, 1});
  std::array<double, 6> out;
  const char* names[] = {"FX", "FY", "FZ", "TX", "TY", "TZ"};
  for (int k = 0; k < 6; ++k) out[k] = r.at(0, "CONTACT/1", names[k]);
  return out;
}

/// A prism over a rectangle is a BOX, however its profile is given, and along z either way.
TEST(ContactSolids, a_prism_of_a_rectangle_is_a_box) {
  for (const std::string other : {"GRAPHICS/1, PLANE, RM=1\n",
                                  "GRAPHICS/1, BOX, CORNER=12, X=1, Y=1, Z=0.5\nMARKER/12, PART=1, "
                                  "QP=-0.5,-0.5,-0.5\n"}) {
    const auto box = pushed(other + "GRAPHICS/2, BOX, CORNER=21, X=0.2, Y=0.3, Z=0.1\n");
    EXPECT_GT(box[2], 10);
    for (const std::string prism :
         {"RM=21, PROFILE_POINTS=0,0,0.2,0,0.2,0.3,0,0.3, LENGTH=0.1",
          "RM=21, PROFILE=21,22,23,24, LENGTH=0.1",
          "RM=20, PROFILE_POINTS=-0.1,-0.15,-0.1,0.15,0.1,0.15,0.1,-0.15,-0.1,-0.15, LENGTH=-0.05\n"
          "GRAPHICS/3, EXTRUSION, RM=20, PROFILE_POINTS=-0.1,-0.15,-0.1,0.15,0.1,0.15,0.1,-0.15, "
          "LENGTH=0.05"}) {
      const auto same = pushed(other + "GRAPHICS/2, EXTRUSION, " + prism + "\n");
      if (prism[3] == '2' && prism[4] == '0') continue;  // half of it: another solid
      for (int k = 0; k < 6; ++k) EXPECT_NEAR(same[k], box[k], 1e-8 * box[2]) << prism << " " << k;
    }
  }
}

/// What is drawn out against z from above is what is drawn out along it from below.
TEST(ContactSolids, a_prism_goes_either_way) {
  const std::string plane = "GRAPHICS/1, PLANE, RM=1\nMARKER/25, PART=2, QP=-0.1,-0.15,0.05\n";
  const auto up = pushed(plane +
                         "GRAPHICS/2, EXTRUSION, RM=21, PROFILE_POINTS=0,0,0.2,0,0.1,0.3, LENGTH=0.1\n"),
             down = pushed(plane +
                           "GRAPHICS/2, EXTRUSION, RM=25, PROFILE_POINTS=0,0,0.2,0,0.1,0.3, LENGTH=-0.1\n");
  EXPECT_GT(up[2], 10);
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(up[k], down[k], 1e-9 * up[2]);
}

/// A REVOLUTION of a rectangle is a CYLINDER with as many sides; two halves of it push as the whole where
/// only one of them touches.
TEST(ContactSolids, a_revolution_of_a_rectangle_is_a_cylinder) {
  const std::string block =
      "GRAPHICS/1, BOX, CORNER=12, X=1, Y=1, Z=0.5\nMARKER/12, PART=1, QP=-0.5,-0.5,-0.5\n"
      "MARKER/26, PART=2, QP=0,0,-0.05\n";
  const auto cylinder = pushed(block + "GRAPHICS/2, CYLINDER, CM=26, RADIUS=0.2, LENGTH=0.1\n"),
             turned = pushed(
                 block +
                 "GRAPHICS/2, REVOLUTION, RM=26, PROFILE_POINTS=0,0,0.2,0,0.2,0.1,0,0.1, ANGLE=360D\n");
  EXPECT_GT(cylinder[2], 10);
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(cylinder[k], turned[k], 1e-9 * cylinder[2]) << k;
  const auto coarse =
      pushed(block + "GRAPHICS/2, REVOLUTION, RM=26, PROFILE_POINTS=0,0,0.2,0,0.2,0.1,0,0.1, SIDES=4\n");
  EXPECT_GT(std::fabs(coarse[2] / cylinder[2] - 1), 1e-3);
}

constexpr const char* rolls =
    "STIFFNESS=1E6, EXPONENT=1, DAMPING=1E3, DMAX=1E-6, COULOMB_FRICTION=ON, MU_STATIC=0.5\n, "
    "MU_DYNAMIC=0.5, "
    "STICTION_TRANSITION_VELOCITY=1E-4, FRICTION_TRANSITION_VELOCITY=2E-4\n";

/// A ball of radius r that rolls in a spherical shell of radius R: small oscillations of period
/// 2π √(7 (R − r)/(5 g)), longer by θ²/16 at an amplitude θ.
TEST(ContactSolids, a_ball_rolls_in_a_shell) {
  const double R = 0.6, r = 0.1, g = 9.81, depth = 2 * g / 1e6, amplitude = 0.04;
  const double path = R - r + depth;
  Recording run(
      deck_of_solids("GRAPHICS/1, ELLIPSOID, CM=1, XSCALE=1.2, YSCALE=1.2, ZSCALE=1.2\n" +
                     fmt::format("PART/2, MASS=2, IP=0.008,0.008,0.008, CM=20, QG={:.17g},0,{:.17g}\n",
                                 path * std::sin(amplitude), -path * std::cos(amplitude)) +
                     "MARKER/20, PART=2\nGRAPHICS/2, ELLIPSOID, CM=20, XSCALE=0.2, YSCALE=0.2, ZSCALE=0.2\n"
                     "ACCGRAV/KGRAV=-9.81\nCONTACT/1, IGEOM=2, JGEOM=1, JFLIP=1, " +
                     rolls + "INTEGRATOR/GSTIFF, SI2, ERROR=1E-8\n"));
  const double period = 2 * M_PI * std::sqrt(7 * (R - r) / (5 * g)) * (1 + amplitude * amplitude / 16);
  run.simulation->run(dynamics_analysis, {2 * period, 2000});
  std::vector<double> passes;
  for (std::size_t n = 1; n < run.time.size(); ++n) {
    const double a = run.at(n - 1, "PART/2", "X"), b = run.at(n, "PART/2", "X");
    if ((a > 0) != (b > 0)) passes.push_back(run.time[n - 1] + (run.time[n] - run.time[n - 1]) * a / (a - b));
  }
  ASSERT_EQ(passes.size(), 4u);
  // Creep, and the forces half a depth off the surfaces: parts of 1e-4.
  EXPECT_NEAR((passes[2] - passes[0]) / period, 1, 3e-4);
  EXPECT_NEAR((passes[3] - passes[1]) / period, 1, 3e-4);
}

/// The same shell as I: action and reaction change places.
TEST(ContactSolids, a_hole_may_be_of_either_side) {
  const auto force = [](const std::string& contact) {
    Recording r(
        deck_of_solids("GRAPHICS/1, BOX, CORNER=11, X=1, Y=1, Z=1\nMARKER/11, PART=1, QP=-0.5,-0.5,-0.5\n"
                       "PART/2, MASS=2, IP=1,1,1, CM=20, QG=0.401,0.402,-0.404\nMARKER/20, PART=2\n"
                       "GRAPHICS/2, ELLIPSOID, CM=20, XSCALE=0.2, YSCALE=0.2, ZSCALE=0.2\nCONTACT/1, " +
                       contact + ", STIFFNESS=1E4, EXPONENT=1\n"));
    r.simulation->run(dynamics_analysis, {1e-9, 1});
    return Vec3d{r.at(0, "CONTACT/1", "FX"), r.at(0, "CONTACT/1", "FY"), r.at(0, "CONTACT/1", "FZ")};
  };
  // Three walls, each by its own depth.
  EXPECT_LT(norm(force("IGEOM=2, JGEOM=1, JFLIP=1") - Vec3d{-10, -20, 40}), 1e-8);
  EXPECT_LT(norm(force("IGEOM=1, IFLIP=1, JGEOM=2") - Vec3d{10, 20, -40}), 1e-8);
}

/// A hole of a file's mesh, or of a profile, holds a ball as the shape itself does.
TEST(ContactSolids, a_ball_in_a_hole_of_a_profile) {
  const auto force = [](const std::string& hole) {
    Recording r(deck_of_solids("MARKER/11, PART=1, QP=0,0,-0.5\nMARKER/12, PART=1, QP=-0.5,-0.5,-0.5\n" +
                               hole +
                               "PART/2, MASS=2, IP=1,1,1, CM=20, QG=0.401,0.402,-0.404\nMARKER/20, PART=2\n"
                               "GRAPHICS/2, ELLIPSOID, CM=20, XSCALE=0.2, YSCALE=0.2, ZSCALE=0.2\n"
                               "CONTACT/1, IGEOM=2, JGEOM=1, JFLIP=1, STIFFNESS=1E4, EXPONENT=1\n"));
    r.simulation->run(dynamics_analysis, {1e-9, 1});
    return Vec3d{r.at(0, "CONTACT/1", "FX"), r.at(0, "CONTACT/1", "FY"), r.at(0, "CONTACT/1", "FZ")};
  };
  const Vec3d box = force("GRAPHICS/1, BOX, CORNER=12, X=1, Y=1, Z=1\n"),
              prism = force("GRAPHICS/1, EXTRUSION, RM=12, PROFILE_POINTS=0,0,1,0,1,1,0,1, LENGTH=1\n"),
              pot = force("GRAPHICS/1, CYLINDER, CM=11, RADIUS=0.65, LENGTH=1\n");
  EXPECT_LT(norm(box - prism), 1e-8);
  // The side at a distance of 0.568 from the axis, and the bottom.
  const double out = std::hypot(0.401, 0.402), side = 1e4 * (out + 0.1 - 0.65);
  EXPECT_LT(norm(pot - Vec3d{-side * 0.401 / out, -side * 0.402 / out, 40}), 1e-8);
}

/// A pin lies in a wider hole across gravity; both become meshes, whose sides are parallel here: those of the
/// hole touch its circle, the corners of the pin lie on the pin's.
TEST(ContactSolids, a_pin_lies_in_a_hole) {
  Recording r(
      deck_of_solids("MARKER/11, PART=1, QP=-0.2,0,0, REULER=90D,90D,0\nGRAPHICS/1, CYLINDER, CM=11, "
                     "RADIUS=0.052, LENGTH=0.4\n"
                     "PART/2, MASS=2, IP=0.01,0.01,0.01, CM=20, QG=0,0,-0.002\nMARKER/20, PART=2\n"
                     "MARKER/21, PART=2, QP=-0.1,0,0, REULER=90D,90D,0\nGRAPHICS/2, CYLINDER, CM=21, "
                     "RADIUS=0.05, LENGTH=0.2\n"
                     "ACCGRAV/KGRAV=-9.81\nCONTACT/1, IGEOM=2, JGEOM=1, JFLIP=1, " +
                     std::string(rolls) + "INTEGRATOR/GSTIFF, SI2, ERROR=1E-6\n"));
  r.simulation->run(dynamics_analysis, {0.5, 10});
  const std::size_t last = r.time.size() - 1;
  EXPECT_NEAR(r.at(last, "CONTACT/1", "FZ"), 2 * 9.81, 1e-2);
  EXPECT_NEAR(r.at(last, "PART/2", "X"), 0, 1e-6);
  EXPECT_NEAR(r.at(last, "PART/2", "Y"), 0, 1e-5);
  const double side = M_PI / 32, room = 0.052 - 0.05 * std::cos(side);
  EXPECT_NEAR(r.at(last, "PART/2", "Z"), -room / std::cos(side), 1e-4);
}

/// A block falls on the floor of a box and stays.
TEST(ContactSolids, a_block_comes_to_rest_in_a_box) {
  Recording r(deck_of_solids(
      "MARKER/11, PART=1, QP=-0.15,-0.15,-0.15\nGRAPHICS/1, BOX, CORNER=11, X=0.3, Y=0.3, Z=0.3\n"
      "PART/2, MASS=1, IP=0.0017,0.0017,0.0017, CM=20, QG=0.01,0.02,0\nMARKER/20, PART=2\n"
      "MARKER/21, PART=2, QP=-0.05,-0.05,-0.05\nGRAPHICS/2, BOX, CORNER=21, X=0.1, Y=0.1, Z=0.1\n"
      "ACCGRAV/KGRAV=-9.81\nCONTACT/1, IGEOM=2, JGEOM=1, JFLIP=1, STIFFNESS=1E5, EXPONENT=1, DAMPING=300\n"
      ", DMAX=1E-4\nINTEGRATOR/GSTIFF, SI2, ERROR=1E-6\n"));
  r.simulation->run(dynamics_analysis, {2, 20});
  const std::size_t last = r.time.size() - 1;
  EXPECT_NEAR(r.at(last, "CONTACT/1", "FZ"), 9.81, 1e-3);
  EXPECT_NEAR(r.at(last, "PART/2", "Z"), -0.1 - 9.81 / 1e5, 1e-7);
  EXPECT_NEAR(r.at(last, "PART/2", "X"), 0.01, 1e-6);
}

/// A wheel rolls on a plane as on a round: its height and speed stay, and no corner is felt.
TEST(ContactSolids, a_wheel_rolls_smoothly) {
  for (const std::string wheel :
       {"CYLINDER, CM=21, RADIUS=0.3, LENGTH=0.1", "TORUS, CM=20, MAJOR=0.25, MINOR=0.05"}) {
    const double depth = 2 * 9.81 / 1e6;
    Recording r(
        deck_of_solids("GRAPHICS/1, PLANE, RM=1\nPART/2, MASS=2, IP=0.09,0.09,0.09, CM=20, VX=1, "
                       "WZ=-3.33333333333, REULER=0,90D,0\n" +
                       fmt::format(", QG=0,0,{:.17g}\n", 0.3 - depth) +
                       "MARKER/20, PART=2\nMARKER/21, PART=2, QP=0,0,-0.05\nGRAPHICS/2, " + wheel +
                       "\nACCGRAV/KGRAV=-9.81\nCONTACT/1, IGEOM=2, JGEOM=1, " + rolls +
                       "INTEGRATOR/GSTIFF, SI2, ERROR=1E-8\n"));
    r.simulation->run(dynamics_analysis, {1, 100});
    for (std::size_t n = 5; n < r.time.size(); ++n) {
      // Sides of 32 to a turn would rise and fall by 0.3 (1 − cos 5.6°) = 1.4 mm.
      EXPECT_NEAR(r.at(n, "PART/2", "Z"), 0.3 - depth, 1e-6) << wheel << n;
      EXPECT_NEAR(r.at(n, "PART/2", "VX"), r.at(5, "PART/2", "VX"), 1e-4) << wheel << n;
    }
  }
}

/// Rolls without slipping: 3/2 (R − r) φ'' = −g sin φ. Against each other cylinders have flat sides, a turn
/// of whose normals, π/n, is what φ may be off by; with the 32 that they have by themselves the roller is
/// caught.
TEST(ContactSolids, a_roller_in_a_hole_with_many_sides) {
  constexpr double pi = std::numbers::pi, g = 9.81, R = 1, r = 0.3, end = 0.6;
  constexpr int sides = 256, steps = 6000;
  double phi = 0.2, rate = 0;
  for (int k = 0; k < steps; ++k) {  // symplectic Euler about midpoints: errors of (ω h)² = 1e-7
    const double h = end / steps, middle = phi + rate * h / 2;
    rate -= h * g * std::sin(middle) / (1.5 * (R - r));
    phi = middle + rate * h / 2;
  }
  const auto swing = [&](const std::string& more) {
    Recording at(deck_of_solids(
        "ACCGRAV/JGRAV=-9.81\nPART/2, MASS=1, IP=0.045,0.045,0.045, CM=20" +
        fmt::format(", QG={:.17g},{:.17g},0\n", (R - r) * std::sin(0.2), -(R - r) * std::cos(0.2)) +
        "MARKER/20, PART=2\nMARKER/2, PART=1, QP=0,0,-0.75\nJOINT/1, PLANAR, I=20, J=1\n"
        "GRAPHICS/1, CYLINDER, CM=20, LENGTH=0.5, RADIUS=0.3" +
        more + "\nGRAPHICS/2, CYLINDER, CM=2, LENGTH=2, RADIUS=1" + more +
        "\nCONTACT/1, IGEOM=1, JGEOM=2, JFLIP=2, IMPACT, STIFFNESS=1E6, EXPONENT=1, DAMPING=2000, "
        "DMAX=1E-6, COULOMB_FRICTION=ON, MU_STATIC=0.5, MU_DYNAMIC=0.5, STICTION_TRANSITION_VELOCITY=1E-4, "
        "FRICTION_TRANSITION_VELOCITY=2E-4\nINTEGRATOR/GSTIFF, SI2, ERROR=1E-7\n"));
    at.simulation->run(dynamics_analysis, {end, 1});
    return std::atan2(at.at(1, "PART/2", "X"), -at.at(1, "PART/2", "Y"));
  };
  EXPECT_NEAR(swing(", SIDES=256"), phi, pi / sides);
  EXPECT_GT(std::fabs(swing("") - phi), 5 * pi / sides);
}

}  // namespace
}  // namespace trammel::contact_solids_test
