// How soon shapes might pass each other: a box of 0.2, or a ball in it, about a plate of 0.1, whose top is z
// = 0.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/deck.h"
#include "assemble/assembler.h"

namespace trammel::passage_test {
namespace {

using namespace test;

constexpr double half_plate = 0.05;  // the radius of a ball inside it

/// A part without gravity: a box, a ball and a rod.
const char* const box_and_plate =
    "UNITS/UCF=1\nPART/1,GROUND\nMARKER/1,PART=1,QP=-5,-5,-0.1\nGRAPHICS/1,BOX,CORNER=1,X=10,Y=10,Z=0.1\n"
    "PART/2,MASS=1,CM=20,IP=1,1,1\nMARKER/20,PART=2\nMARKER/21,PART=2,QP=-0.1,-0.1,-0.1\n"
    "GRAPHICS/2,BOX,CORNER=21,X=0.2,Y=0.2,Z=0.2\nGRAPHICS/"
    "3,ELLIPSOID,CM=20,XSCALE=0.2,YSCALE=0.2,ZSCALE=0.2\n"
    "CONTACT/1,IGEOM=2,JGEOM=1,STIFFNESS=1E5,EXPONENT=1.5,DAMPING=0,DMAX=1E-3\n"
    "CONTACT/2,IGEOM=3,JGEOM=1,STIFFNESS=1E5,EXPONENT=1.5,DAMPING=0,DMAX=1E-3\n"
    "MARKER/22,PART=2,QP=-0.1,-0.5,-0.1\nGRAPHICS/4,BOX,CORNER=22,X=0.2,Y=1,Z=0.2\n"
    "CONTACT/3,IGEOM=4,JGEOM=1,STIFFNESS=1E5,EXPONENT=1.5,DAMPING=0,DMAX=1E-3\n";

class Passage : public ::testing::Test {
 protected:
  /// The box at a distance above the plate, or that deep in it, with the rates of x, y, z, ψ, θ, φ.
  std::vector<ContactOverlaps> found(double above, const std::array<double, 6>& v,
                                     const std::array<double, 6>& a, double time, double beside = 0) {
    State state(model_);
    state.q.assign(6, 0.0);
    state.q[0] = beside;
    state.q[2] = above + 0.1;
    state.v.assign(v.begin(), v.end());
    state.a.assign(a.begin(), a.end());
    assembler_.evaluate(state, in_dynamics);
    std::vector<ContactOverlaps> out(3);
    assembler_.overlaps(out, time);
    return out;
  }
  double passage(double above, const std::array<double, 6>& v, const std::array<double, 6>& a, double time) {
    return found(above, v, a, time)[0].passage;
  }

 private:
  Model model_ = compile_text(box_and_plate);
  Assembler assembler_{model_};
};

/// Deeper than half of the plate's radius, no deeper than that and an eighth, from wherever it comes: by a
/// velocity, then by an acceleration.
TEST_F(Passage, is_when_a_box_is_in_the_plate) {
  for (const double above : {0.01, 0.3, 1.0, 1.9, 4.7}) {
    const double by_speed = 10 * passage(above, {0, 0, -10, 0, 0, 0}, {}, 1) - above;
    EXPECT_GT(by_speed, 0.499 * half_plate) << above;
    EXPECT_LT(by_speed, 1.126 * half_plate) << above;
    const double fallen = 4.905 * std::pow(passage(above, {}, {0, 0, -9.81, 0, 0, 0}, 2), 2) - above;
    EXPECT_GT(fallen, 0.499 * half_plate) << above;
    EXPECT_LT(fallen, 1.126 * half_plate) << above;
  }
}

/// A box that is in the plate goes on by half of its radius, or an eighth at least.
TEST_F(Passage, is_known_of_shapes_that_overlap) {
  EXPECT_NEAR(10 * passage(-0.01, {0, 0, -10, 0, 0, 0}, {}, 1), 0.015, 1e-6);
  EXPECT_NEAR(10 * passage(-0.03, {0, 0, -10, 0, 0, 0}, {}, 1), half_plate / 8, 1e-6);
}

/// A rod along y turns about x, 0.4 above the plate: its end comes down by 0.5 sin θ + 0.1 cos θ.
TEST_F(Passage, is_told_of_what_turns) {
  const double turned = 10 * found(0.3, {0, 0, 0, 0, 10, 0}, {}, 0.1)[2].passage;
  const double depth = 0.5 * std::sin(turned) + 0.1 * std::cos(turned) - 0.4;
  EXPECT_GT(depth, 0.2 * half_plate);
  EXPECT_LT(depth, 2 * half_plate);
  EXPECT_EQ(found(0.5, {0, 0, 0, 0, 10, 0}, {}, 0.1)[2].passage, HUGE_VAL);  // it does not reach the plate
}

/// What goes away, slides, turns in its place, or goes no deeper in that time.
TEST_F(Passage, shortens_no_step_of_others) {
  EXPECT_EQ(passage(0.5, {0, 0, 10, 0, 0, 0}, {}, 1), HUGE_VAL);
  EXPECT_EQ(passage(-0.001, {3, 0, 0, 0, 0, 0}, {}, 1), HUGE_VAL);
  EXPECT_EQ(passage(-0.001, {0, 0, 0, 300, 0, 0}, {}, 0.01), HUGE_VAL);
  EXPECT_EQ(passage(0.5, {0, 0, -10, 0, 0, 0}, {}, 0.05 + 0.99 * half_plate / 10), HUGE_VAL);
  EXPECT_EQ(passage(0.5, {0, 0, -10, 0, 0, 0}, {}, 0), HUGE_VAL);
  EXPECT_EQ(passage(0.5, {}, {}, 1), HUGE_VAL);
}

/// The ball, of closed form, by half of the mean of the radii of both, from above and from beside the plate.
TEST_F(Passage, is_when_a_ball_is_in_the_plate) {
  const double half = 0.5 * 0.5 * (0.1 + half_plate);
  for (const double above : {20.0, 1.0, 0.01}) {
    const double fallen = 10 * found(above, {0, 0, -10, 0, 0, 0}, {}, 3)[1].passage - above;
    EXPECT_GT(fallen, 0.999 * half) << above;
    EXPECT_LT(fallen, 1.251 * half) << above;          // an eighth of the depth further at most
    if (above < 1) continue;                           // so steep a way meets its edge from afar
    for (const double beside : {-5.2, -8.0, -40.0}) {  // its middle is above that of the plate as it meets it
      const double across = -beside / above * 10;
      const double met = 10 * found(above, {across, 0, -10, 0, 0, 0}, {}, 3, beside)[1].passage - above;
      EXPECT_GT(met, 0.999 * half) << above << " " << beside;
      EXPECT_LT(met, 1.251 * half) << above << " " << beside;
    }
  }
  EXPECT_EQ(found(1, {0, 0, 10, 0, 0, 0}, {}, 3)[1].passage, HUGE_VAL);
  EXPECT_EQ(found(1, {0, 0, -10, 0, 0, 0}, {}, 0.1)[1].passage, HUGE_VAL);
}

}  // namespace
}  // namespace trammel::passage_test
