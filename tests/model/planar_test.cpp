// Parts that move in a plane: where they may be, and which equations their joints have.
#include <gtest/gtest.h>

#include <tuple>

#include "../support/planar_decks.h"

namespace trammel::planar_test {
namespace {

using namespace test;

const std::string ground = "UNITS/UCF=1\nPART/1, GROUND\nMARKER/11, PART=1\n";
/// A plane through (0, 0, 2) with the normal along -y of ground.
const std::string plane = "MARKER/12, PART=1, QP=0, 0, 2, REULER=0, 90D, 0\n";

std::string part(const std::string& more, const std::string& markers = "") {
  return ground + plane + "PART/2, PLANAR, MASS=1, CM=20, IP=1, 1, 1" + more +
         "\nMARKER/20, PART=2, QP=1, 0, 0\n" + markers;
}

TEST(Planar, a_part_has_three_coordinates_along_its_plane) {
  const Model model = compile_text(part(", PLANE=12, QG=3, 0, 4, REULER=0, 90D, 0"));
  const Body& body = model.bodies[0];
  EXPECT_TRUE(body.planar());
  EXPECT_EQ(model.coordinates, 3);
  EXPECT_EQ(model.unknown_name(body.first + 1), "PART/2 Y");
  EXPECT_EQ(model.unknown_name(body.first + 2), "PART/2 Psi");
  // The axes of a marker at REULER = 0, 90D, 0: x of ground, z of ground, -y of ground.
  EXPECT_LT(largest(body.plane - Mat3d::from_columns({1, 0, 0}, {0, 0, 1}, {0, -1, 0})), 1e-15);
  EXPECT_EQ(body.plane(2, 2), 0);  // cos 90D as 6e-17 would be an entry of the matrix
  EXPECT_NEAR(body.height, 0, 1e-15);
}

TEST(Planar, states_off_the_plane_are_refused_by_name) {
  const auto expect = [](const std::string& deck, const char* told) {
    EXPECT_NE(message_of(deck).find(told), std::string::npos) << message_of(deck);
  };
  EXPECT_EQ(message_of(part("")), "accepted");
  expect(part(", QG=0, 0, 0.5"), "PART/2: is PLANAR, and its centre of mass is 0.5 off its plane");
  expect(part(", REULER=0, 90D, 0"), "PART/2: is PLANAR, and the z axis of its frame is not the normal");
  expect(part(", REULER=0, 180D, 0"), "the z axis of its frame is not the normal");
  expect(part(", VZ=0.3"), "PART/2: is PLANAR, and its initial velocity has 0.3 along the normal");
  expect(part(", VX=0.3, VM=12", ""), "accepted");
  expect(part(", VY=0.3, VM=12", ""), "its initial velocity has 0.3 along the normal");
  expect(part(", WX=0.2, WZ=1"),
         "PART/2: is PLANAR, and its initial angular velocity has 0.2 off the normal");
  // What a preprocessor leaves of 0.
  EXPECT_EQ(message_of(part(", WX=-3E-17")), "accepted");
  EXPECT_EQ(message_of(part(", VZ=2E-16")), "accepted");
  expect(part(", WZ=1, WM=12"), "its initial angular velocity has 1 off the normal");
  for (const char* word : {"Z", "THETA", "PHI"})
    expect(part(std::string(", EXACT=X:") + word), (std::string("PART/2: EXACT has ") + word).c_str());
  EXPECT_EQ(message_of(part(", EXACT=X:Y:PSI")), "accepted");
  expect(part(", PLANE=20"), "PART/2: PLANE=20 is no fixed marker of the ground part");
  expect(ground + "PART/2, MASS=1, CM=20, PLANE=11\nMARKER/20, PART=2\n", "PLANE");
}

/// The equations that are left of every joint by the freedoms that the plane has of it: three less those.
TEST(Planar, joints_keep_the_equations_that_the_plane_does_not_satisfy) {
  struct Kept {
    const char *statement, *type;
    int I, J, rows;
  };
  for (const Kept& j : {Kept{"JOINT", "REVOLUTE", 2, 3, 2},      Kept{"JOINT", "TRANSLATIONAL", 4, 5, 2},
                        Kept{"JOINT", "CYLINDRICAL", 2, 3, 2},   Kept{"JOINT", "CYLINDRICAL", 4, 5, 2},
                        Kept{"JOINT", "SPHERICAL", 6, 4, 2},     Kept{"JOINT", "UNIVERSAL", 2, 4, 2},
                        Kept{"JOINT", "UNIVERSAL", 4, 5, 3},     Kept{"JOINT", "HOOKE", 7, 7, 2},
                        Kept{"JOINT", "CONVEL", 4, 5, 2},        Kept{"JOINT", "CONVEL", 2, 3, 3},
                        Kept{"JOINT", "PLANAR", 2, 3, 0},        Kept{"JOINT", "PLANAR", 4, 5, 2},
                        Kept{"JOINT", "FIXED", 6, 6, 3},         Kept{"JOINT", "FIXED", 4, 5, 3},
                        Kept{"JOINT", "RACKPIN, PD=1", 2, 4, 1}, Kept{"JPRIM", "ATPOINT", 2, 6, 2},
                        Kept{"JPRIM", "INLINE", 2, 3, 2},        Kept{"JPRIM", "INLINE", 6, 4, 1},
                        Kept{"JPRIM", "INPLANE", 2, 3, 0},       Kept{"JPRIM", "INPLANE", 6, 4, 1},
                        Kept{"JPRIM", "ORIENTATION", 6, 6, 1},   Kept{"JPRIM", "PARALLEL_AXES", 2, 3, 0},
                        Kept{"JPRIM", "PARALLEL_AXES", 4, 5, 1}, Kept{"JPRIM", "PERPENDICULAR", 4, 5, 1},
                        Kept{"JPRIM", "PERPENDICULAR", 2, 5, 0}})
    for (const auto& [of_I, of_J] : {std::pair{20, 30}, {20, 10}, {10, 20}}) {
      Random random(7);
      const Model model =
          compile_text(planar_bodies(random) +
                       fmt::format("{}/1, {}, I={}, J={}\n", j.statement, j.type, of_I + j.I, of_J + j.J));
      EXPECT_EQ(model.multipliers, j.rows) << j.type << " " << j.I << " " << j.J;
    }
}

TEST(Planar, joints_that_do_not_fit_the_plane_are_refused_by_name) {
  Random random(8);
  const std::string bodies = planar_bodies(random);
  const auto expect = [&](const std::string& joint, const char* told) {
    const std::string message = message_of(bodies + joint);
    EXPECT_NE(message.find(told), std::string::npos) << joint << message;
  };
  expect("JOINT/5, REVOLUTE, I=24, J=35\n", "JOINT/5: is REVOLUTE, and its axis lies so that it holds");
  expect("JOINT/5, TRANSLATIONAL, I=22, J=33\n", "JOINT/5: is TRANSLATIONAL, and its axis lies so");
  expect("JOINT/5, REVOLUTE, I=22, J=35\n", "JOINT/5: its equation Zi.");
  expect("JOINT/5, FIXED, I=22, J=36\n", "cannot hold in the plane of PART/2");
  expect("MARKER/99, PART=2, RM=22, QP=0,0,0.3\nJOINT/5, REVOLUTE, I=99, J=33\n", "bring to one height");
  expect("JOINT/5, CYLINDRICAL, I=22, J=33\nMOTION/6, JOINT=5, TRANSLATION, FUNCTION=TIME\n",
         "MOTION/6: gives the motion DZ, which there is none of in the plane of PART/2");
  expect("MOTION/6, I=22, J=33, Z, FUNCTION=TIME\n", "MOTION/6: gives the motion Z");
  expect("JOINT/5, CYLINDRICAL, I=22, J=33, ICTRAN=0.1\n", "JOINT/5: gives the motion DZ");
  // A pair of which one moves in space has all of its equations.
  const Model mixed =
      compile_text(bodies +
                   "PART/5, MASS=1, CM=51, IP=1,1,1\nMARKER/51, PART=5\nJOINT/5, REVOLUTE, I=22, "
                   "J=51\n");
  EXPECT_EQ(mixed.multipliers, 5);
}

TEST(Planar, curves_out_of_the_plane_are_refused) {
  Random random(9);
  const std::string curve =
      "MATRIX/1, FULL, RORDER, ROWS=4, COLUMNS=3, VALUES=0,0,0, 1,0,{}, 2,1,0, 3,1,0\nCURVE/1, MATRIX=1, "
      "CURVE_POINTS\nPTCV/1, I=22, JFLOAT=39, RM=33, CURVE=1\n";
  const std::string bodies = planar_bodies(random);
  EXPECT_EQ(compile_text(bodies + fmt::format(fmt::runtime(curve), 0)).multipliers, 1);
  EXPECT_NE(
      message_of(bodies + fmt::format(fmt::runtime(curve), 0.1)).find("PTCV/1: CURVE/1 does not lie in"),
      std::string::npos);
}

}  // namespace
}  // namespace trammel::planar_test
