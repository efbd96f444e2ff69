// CONTACT of solids made of profiles, and of what is inside a solid.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/simulate.h"

namespace trammel {
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

}  // namespace
}  // namespace trammel
