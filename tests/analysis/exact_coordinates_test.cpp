// EXACT coordinates in initial positions: which angles they are where these are ambiguous, what is told of
// those that cannot have their values, planar parts, point masses and flexible bodies.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/beam_body.h"
#include "../support/simulate.h"
#include "flexible/modal_file.h"
#include "math/rotation.h"

namespace trammel::exact_coordinates_test {
namespace {

using namespace test;

const std::string head =
    "title\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/10, PART=1\n";
constexpr double rounding = 1e-12;  // of a few corrections of parts of 1 m

/// A part whose frame lies in a ball joint at the origin; its marker 21 at `point` of its own axes is to be
/// in the plane at `height` z = const of ground.
std::string top(const std::string& reuler, const std::string& exact, const Vec3d& point, double height) {
  return head + "PART/2, MASS=1, CM=20, IP=1, 1, 1, REULER=" + reuler + ", EXACT=" + exact +
         "\nMARKER/20, PART=2\nMARKER/21, PART=2, QP=" + list(point) + "\nMARKER/11, PART=1, QP=0,0," +
         std::to_string(height) + "\nJOINT/1, SPHERICAL, I=20, J=10\nJPRIM/1, INPLANE, I=21, J=11\nEND\n";
}

struct Top {
  explicit Top(const std::string& deck) : run(deck) {
    run.simulation->run(initial_analysis);
    angles = run.vector(0, "PART/2", "PSI", "THETA", "PHI");
    for (const std::string& text : run.simulation->report().notes)
      if (text.find("EXACT") != std::string::npos) note = text;
  }
  Recording run;
  Vec3d angles;
  std::string note;
};

double apart(double a, double b) {
  return std::abs(std::remainder(a - b, 2 * M_PI));
}

TEST(ExactCoordinates, psi_or_phi_hold_their_sum_where_theta_is_zero) {
  for (const char* word : {"PSI", "PHI", "PSI:PHI"}) {
    const Top tilted(top("30D,0,0", word, {1, 0, 0}, 0.3));
    EXPECT_LT(apart(tilted.angles.x + tilted.angles.z, M_PI / 6), rounding) << word;
    EXPECT_GT(tilted.angles.y, 0.3) << word;
    EXPECT_EQ(tilted.note, "") << word;
    // z of the part down: the difference.
    const Top over(top("30D,180D,0", word, {1, 0, 0}, 0.3));
    EXPECT_LT(apart(over.angles.x - over.angles.z, M_PI / 6), rounding) << word;
    EXPECT_LT(over.angles.y, M_PI - 0.3) << word;
    EXPECT_EQ(over.note, "") << word;
  }
}

TEST(ExactCoordinates, theta_of_zero_is_the_direction_of_the_axis) {
  // The point can only come to height 0.3 by a tilt, of asin 0.3 at least.
  const Top tilted(top("30D,0,0", "THETA", {1, 0, 0}, 0.3));
  EXPECT_GT(tilted.angles.y, std::asin(0.3) - 1e-9);
  EXPECT_NE(tilted.note.find(fmt::format("PART/2: THETA by {:.6g} deg", tilted.angles.y * 180 / M_PI)),
            std::string::npos)
      << tilted.note;
  // It has height 0 already: nothing moves.
  const Top kept(top("30D,0,0", "THETA", {1, 0, 0}, 0));
  EXPECT_LT(kept.angles.y, rounding);
  EXPECT_EQ(kept.note, "");
}

TEST(ExactCoordinates, are_angles_up_to_turns_and_reflected_triples) {
  const double psi = 0.4, theta = 1.1, phi = -0.7;
  const auto triple = [](double a, double b, double c) {
    return fmt::format("{:.17g},{:.17g},{:.17g}", a, b, c);
  };
  for (const std::string& given :
       {triple(psi, theta, phi), triple(psi + 4 * M_PI, theta - 2 * M_PI, phi - 2 * M_PI),
        triple(psi + M_PI, -theta, phi + M_PI), triple(psi - M_PI, 2 * M_PI - theta, phi - M_PI)})
    for (const char* word : {"PSI", "THETA", "PHI", "PSI:THETA", "THETA:PHI", "PSI:PHI"}) {
      const std::string exact = word;
      const Top found(top(given, exact, {0.5, 0.4, 0.6}, 0.35));
      if (exact == "THETA:PHI") {  // the height depends on these two alone
        EXPECT_NE(found.note, "") << given;
        continue;
      }
      EXPECT_EQ(found.note, "") << given << " " << word;
      if (exact.find("PSI") != std::string::npos) {
        EXPECT_LT(apart(found.angles.x, psi), rounding) << given;
      }
      if (exact.find("THETA") != std::string::npos) {
        EXPECT_LT(apart(found.angles.y, theta), rounding) << given;
      }
      if (exact.find("PHI") != std::string::npos) {
        EXPECT_LT(apart(found.angles.z, phi), rounding) << given;
      }
      const double height = dot(rotation_313(found.angles).row(2), Vec3d{0.5, 0.4, 0.6});
      EXPECT_NEAR(height, 0.35, rounding);
    }
}

/// The frame lies in a joint on ground, so its X is 0; the other coordinates can be as given, and are.
TEST(ExactCoordinates, that_cannot_be_held_leave_the_others) {
  Recording r(
      head +
      "PART/2, MASS=1, CM=20, IP=1, 1, 1, QG=0.2, 0.1, 0, REULER=20D, 30D, 40D, EXACT=X:PSI:PHI\n"
      "MARKER/20, PART=2, QP=0.5, 0, 0\nMARKER/21, PART=2\nMARKER/22, PART=2, QP=1, 0, 0\n"
      "PART/3, MASS=1, CM=30, IP=1, 1, 1, QG=1.1, 0.5, 0.2, EXACT=Z:THETA\nMARKER/30, PART=3, QP=0.3, "
      "0, 0\nMARKER/31, PART=3\nJOINT/1, SPHERICAL, I=21, J=10\nJOINT/2, SPHERICAL, I=31, J=22\nEND\n");
  r.simulation->run(initial_analysis);
  const std::vector<std::string>& notes = r.simulation->report().notes;
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("it changed PART/2: X by -0.2. "), std::string::npos) << notes[0];
  EXPECT_NEAR(r.at(0, "PART/2", "PSI"), 20 * M_PI / 180, rounding);
  EXPECT_NEAR(r.at(0, "PART/2", "PHI"), 40 * M_PI / 180, rounding);
  EXPECT_NEAR(r.at(0, "PART/3", "Z"), 0.2, rounding);
  EXPECT_NEAR(r.at(0, "PART/3", "THETA"), 0, rounding);
}

/// Two point masses that are to have the same X, and are given 2e-5 apart, as a dataset of few digits has it.
TEST(ExactCoordinates, that_contradict_each_other_by_rounding_share_it) {
  Recording r(head +
              "POINT_MASS/2, MASS=1, CM=20, QG=0.5, 0, 0, EXACT=X\nMARKER/20, POINT_MASS=2\n"
              "MARKER/21, POINT_MASS=2, REULER=90D, 90D, 0\n"
              "POINT_MASS/3, MASS=1, CM=30, QG=0.50002, 1, 0, EXACT=X:Y\nMARKER/30, POINT_MASS=3\n"
              "JPRIM/1, INPLANE, I=30, J=21\nEND\n");
  r.simulation->run(initial_analysis);
  EXPECT_NEAR(r.at(0, "POINT_MASS/2", "X"), 0.50001, rounding);
  EXPECT_NEAR(r.at(0, "POINT_MASS/3", "X"), 0.50001, rounding);
  EXPECT_NEAR(r.at(0, "POINT_MASS/3", "Y"), 1, rounding);
  ASSERT_EQ(r.simulation->report().notes.size(), 1u);
  EXPECT_NE(r.simulation->report().notes[0].find("it changed POINT_MASS/2: X by 1e-05; POINT_MASS/3: X by "
                                                 "-1e-05. "),
            std::string::npos)
      << r.simulation->report().notes[0];
}

TEST(ExactCoordinates, of_point_masses_are_held) {
  // On the line x = 2 y through the origin: x = 0.3 leaves y = 0.15.
  const std::string line =
      fmt::format("MARKER/11, PART=1, REULER={:.17g},90D,0\n", std::atan2(1, 2) + M_PI / 2);
  Recording r(head + line +
              "POINT_MASS/2, MASS=1, CM=20, QG=0.3, 0.5, 0.1, EXACT=X\nMARKER/20, POINT_MASS=2\n"
              "JPRIM/1, INLINE, I=20, J=11\nEND\n");
  r.simulation->run(initial_analysis);
  EXPECT_TRUE(r.simulation->report().notes.empty());
  EXPECT_NEAR(norm(r.vector(0, "POINT_MASS/2", "X", "Y", "Z") - Vec3d{0.3, 0.15, 0}), 0, rounding);
}

/// A planar bar whose angle its joints give: 0.2 rad less than EXACT asks for.
TEST(ExactCoordinates, of_planar_parts_are_told_with_their_sign) {
  Recording r(head +
              "PART/2, PLANAR, MASS=1, CM=20, IP=0, 0, 1, QG=0, 0, 0, REULER=0.7, 0, 0, EXACT=PSI\n"
              "MARKER/20, PART=2\nMARKER/11, PART=1, REULER=0.5, 0, 0\nJOINT/1, FIXED, I=20, J=11\nEND\n");
  r.simulation->run(initial_analysis);
  ASSERT_EQ(r.simulation->report().notes.size(), 1u);
  EXPECT_NE(r.simulation->report().notes[0].find("PART/2: PSI by -11.4592 deg"), std::string::npos)
      << r.simulation->report().notes[0];
}

const Beam beam{.elements = 2};

std::string flexible(const TemporaryFile& file, const std::string& more, double end) {
  return head + "FLEX_BODY/2, MNF_FILE=" + file.path() + more +
         "\nMARKER/21, FLEX_BODY=2, NODE_ID=1\nMARKER/22, FLEX_BODY=2, NODE_ID=3\n" +
         fmt::format("MARKER/12, PART=1, QP={:.17g}, 0, 0\n", end) +
         "JOINT/1, SPHERICAL, I=21, J=10\nJOINT/2, SPHERICAL, I=22, J=12\nEND\n";
}

/// A beam between balls that are farther apart than it is long: of its six modes one at least must give.
TEST(ExactCoordinates, of_modes_are_held_or_told) {
  const TemporaryFile file("exact.mtx", write_mtx(modes_of(beam, {1, 3}, 0)));
  const std::string given = ", QG=0.01, 0.02, 0, DMODE=0.001,-0.002,0,0.001,0,0.002";
  const double value[] = {0.001, -0.002, 0, 0.001, 0, 0.002}, end = 1.01 * beam.length;
  Recording some(flexible(file, given + ", MEXACT=7,8,9,10", end));
  some.simulation->run(initial_analysis);
  EXPECT_TRUE(some.simulation->report().notes.empty()) << some.simulation->report().notes[0];
  for (int k = 0; k < 4; ++k)
    EXPECT_NEAR(some.at(0, "FLEX_BODY/2", fmt::format("Q{}", 7 + k)), value[k], rounding) << k;

  Recording all(flexible(file, given + ", MEXACT=7,8,9,10,11,12", end));
  all.simulation->run(initial_analysis);
  ASSERT_EQ(all.simulation->report().notes.size(), 1u);
  const std::string& note = all.simulation->report().notes[0];
  int changed = 0;
  for (int k = 0; k < 6; ++k) {
    const std::string name = fmt::format("Q{}", 7 + k);
    const double change = all.at(0, "FLEX_BODY/2", name) - value[k];
    const std::size_t at = note.find(name + " by ");
    EXPECT_EQ(at != std::string::npos, std::abs(change) > rounding) << name << change << note;
    if (at == std::string::npos) continue;
    ++changed;
    EXPECT_NEAR(std::stod(note.substr(at + name.size() + 4)), change, 1e-5 * std::abs(change)) << name;
  }
  EXPECT_EQ(changed, 1) << note;
}

/// Place and angles of a flexible body are those of its frame, away from its centre of mass.
TEST(ExactCoordinates, of_the_frames_of_flexible_bodies_are_held) {
  const TemporaryFile file("frame.mtx", write_mtx(modes_of(beam, {1, 3}, 0)));
  Recording r(head + "FLEX_BODY/2, MNF_FILE=" + file.path() +
              ", QG=0.3, 0.1, 0.2, REULER=20D, 50D, 10D, EXACT=Y:PSI:THETA\nMARKER/21, FLEX_BODY=2, "
              "NODE_ID=3\nJOINT/1, SPHERICAL, I=21, J=10\nEND\n");
  r.simulation->run(initial_analysis);
  EXPECT_TRUE(r.simulation->report().notes.empty());
  EXPECT_NEAR(r.at(0, "FLEX_BODY/2", "Y"), 0.1, rounding);
  EXPECT_NEAR(r.at(0, "FLEX_BODY/2", "PSI"), 20 * M_PI / 180, rounding);
  EXPECT_NEAR(r.at(0, "FLEX_BODY/2", "THETA"), 50 * M_PI / 180, rounding);
}

}  // namespace
}  // namespace trammel::exact_coordinates_test
