// Initial velocities that a dataset gives and the constraints do not allow are told with how much they
// change.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/beam_body.h"
#include "../support/simulate.h"
#include "flexible/modal_file.h"

namespace trammel::changed_velocities_test {
namespace {

using namespace test;

const std::string head =
    "title\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/10, PART=1\n";

/// Notes about a part whose centre of mass is 1 m along x from the joint at the origin.
std::string notes_of(const std::string& velocities, const std::string& joint) {
  Recording r(head + "PART/2, MASS=1, CM=20, IP=1, 1, 1" + velocities +
              "\nMARKER/20, PART=2, QP=1, 0, 0\nMARKER/21, PART=2\nJOINT/1, " + joint +
              ", I=21, J=10\nEND\n");
  std::string text;
  for (const std::string& note : r.simulation->initialize().notes) text += note;
  return text;
}

const std::string told = "The constraints do not allow all initial velocities that are given; they change ";

TEST(ChangedVelocities, are_told_with_the_amount) {
  // On a ball joint the centre of mass moves across the arm, and the rest of the rotation is free.
  EXPECT_EQ(notes_of(", VX=1, VY=2, WX=0.3", "SPHERICAL"), told + "PART/2: VX by -1.");
  // On a hinge about z it turns about z alone, 2 rad/s.
  EXPECT_EQ(notes_of(", WX=0.5, WZ=2", "REVOLUTE"), told + "PART/2: WX by -28.6479 deg per unit of time.");
  // On the hinge VY is WZ times 1 m: both change.
  EXPECT_NE(notes_of(", VY=0, WZ=2", "REVOLUTE")
                .find(told + "PART/2: VY by 1, WZ by -57.2958 deg per unit of time."),
            std::string::npos);
}

TEST(ChangedVelocities, that_are_allowed_or_rounded_are_not_told) {
  EXPECT_EQ(notes_of(", VY=2, WZ=2", "REVOLUTE"), "");
  EXPECT_EQ(notes_of(", VY=2.00005, WZ=2", "REVOLUTE"), "");
  EXPECT_EQ(notes_of(", VX=0, VY=0, VZ=0", "FIXED"), "");
  EXPECT_EQ(notes_of(", WX=-2E-15", "REVOLUTE"), "");  // what a preprocessor leaves of 0
  EXPECT_EQ(notes_of("", "SPHERICAL"), "");
}

/// Some of VX, VY, VZ along the axes of VM, which the constraints allow: a part turns about a fixed hinge at
/// the distance (a, b) from its centre of mass with ω, which these components tell as long as they do not
/// vanish.
TEST(ChangedVelocities, along_turned_axes_are_kept) {
  for (int seed = 0; seed < 60; ++seed) {
    const double turn = 0.1 + 0.37 * seed, a = 1 + 0.3 * std::sin(7.0 * seed), b = 0.5 * std::cos(5.0 * seed),
                 omega = 1 + 0.1 * seed;
    // v = ω z × (a, b) = ω (−b, a), along the axes that are turned by `turn`
    const double along[2] = {omega * (-b * std::cos(turn) + a * std::sin(turn)),
                             omega * (b * std::sin(turn) + a * std::cos(turn))};
    const int k = std::abs(along[0]) > std::abs(along[1]) ? 0 : 1;
    for (const char* kind : {"", ", PLANAR"})
      for (const int marker : {11, 22}) {
        Recording r(head +
                    fmt::format("MARKER/11, PART=1, REULER={:.17g}, 0, 0\nPART/2, MASS=1, CM=20, IP=1, 1, 1, "
                                "QG={:.17g}, {:.17g}, 0, V{}={:.17g}, VM={}{}\nMARKER/20, PART=2\n"
                                "MARKER/22, PART=2, REULER={:.17g}, 0, 0\n"
                                "MARKER/21, PART=2, QP={:.17g}, {:.17g}, 0\nJOINT/1, REVOLUTE, I=21, J=10\n"
                                "REQUEST/1, F2=WZ(20)\nEND\n",
                                turn, a, b, "XY"[k], along[k], marker, kind, turn, -a, -b));
        EXPECT_EQ(r.simulation->initialize().notes, std::vector<std::string>{}) << seed;
        r.simulation->run(dynamics_analysis, {1e-6, 1});
        EXPECT_NEAR(r.at(0, "REQUEST/1", "F2"), omega, 1e-8 * omega) << seed << kind;
      }
  }
}

/// A PLANAR part in a plane that is oblique to the axes of ground has some of its velocity given along these.
TEST(ChangedVelocities, in_an_oblique_plane_are_kept) {
  Recording r(head +
              "MARKER/11, PART=1, REULER=0, 0.7, 0.4\nPART/2, MASS=1, CM=20, IP=1, 1, 1, REULER=0, 0.7, 0.4, "
              "PLANAR, PLANE=11, VX=0.5\nMARKER/20, PART=2\nMARKER/12, PART=1, REULER=0, 0.7, 0\n"
              "GCON/1, FUNCTION=VY(20, 12, 12)-VX(20, 12, 12)\nREQUEST/1, F2=VX(20)\nEND\n");
  EXPECT_EQ(r.simulation->initialize().notes, std::vector<std::string>{});
  r.simulation->run(dynamics_analysis, {1e-6, 1});
  EXPECT_NEAR(r.at(0, "REQUEST/1", "F2"), 0.5, 1e-8);
}

/// A beam between balls cannot become longer: the rates of its modes that would make it so change.
TEST(ChangedVelocities, of_modes_are_told) {
  const Beam beam{.elements = 2};
  const TemporaryFile file("rates.mtx", write_mtx(modes_of(beam, {1, 3}, 0)));
  Recording r(head + "FLEX_BODY/2, MNF_FILE=" + file.path() +
              ", VMODE=0.1,0.1,0.1,0.1,0.1,0.1\nMARKER/21, FLEX_BODY=2, NODE_ID=1\nMARKER/22, FLEX_BODY=2, "
              "NODE_ID=3\n" +
              fmt::format("MARKER/12, PART=1, QP={:.17g}, 0, 0\n", beam.length) +
              "JOINT/1, SPHERICAL, I=21, J=10\nJOINT/2, SPHERICAL, I=22, J=12\nEND\n");
  const std::vector<std::string> notes = r.simulation->initialize().notes;
  ASSERT_EQ(notes.size(), 1u);
  const FlexibleBody& body = r.simulation->model().flexible_bodies[0];
  int changed = 0;
  for (int j = 0; j < body.modes; ++j) {
    const double change = r.simulation->state().v[body.first + j] / body.size[j] - 0.1;
    const std::string name = fmt::format("VMODE of {} by ", body.mode_id[j]);
    const std::size_t at = notes[0].find(name);
    if (at == std::string::npos) {
      EXPECT_LT(std::abs(change), 1e-3) << name;
      continue;
    }
    ++changed;
    EXPECT_NEAR(std::stod(notes[0].substr(at + name.size())), change, 1e-5 * std::abs(change));
  }
  EXPECT_GT(changed, 0) << notes[0];
}

}  // namespace
}  // namespace trammel::changed_velocities_test
