// Redundant constraints that change with the position, contradictions, and what a message says of them.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "../support/simulate.h"

namespace trammel::redundancy_test {
namespace {

using namespace test;

const std::string head =
    "title\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/10, PART=1\n";

std::string failure_of(Recording& r, double end, int steps) {
  try {
    r.simulation->run(dynamics_analysis, {end, steps});
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::solver);
    return failure.what();
  }
  return "none";
}

/// Part 2 turns about z, once a second. Part 3, on a cylindrical joint along x, is kept from turning by
/// parallel axes with part 2: of the rows Zi.Xj, Zi.Yj, both about x, the one vanishes when the other is
/// largest.
const std::string turning = head +
                            "MARKER/11, PART=1, QP=0, 0, 1, REULER=90D, 90D, 0D\n"
                            "PART/2, MASS=1, CM=20, IP=0.1, 0.1, 0.1\nMARKER/20, PART=2\n"
                            "PART/3, MASS=1, CM=30, IP=0.1, 0.1, 0.1\nMARKER/30, PART=3, QP=0, 0, 1\n"
                            "MARKER/31, PART=3, QP=0, 0, 1, REULER=90D, 90D, 0D\n"
                            "JOINT/1, REVOLUTE, I=20, J=10\nMOTION/1, JOINT=1, ROTATION, FUNCTION=360D*TIME\n"
                            "JOINT/2, CYLINDRICAL, I=31, J=11\nJPRIM/1, PARALLEL_AXES, I=30, J=20\n"
                            "SFORCE/1, ROTATION, I=31, J=11, FUNCTION=SIN(TIME)\nEND\n";

TEST(RedundantRows, that_turn_with_the_mechanism_are_chosen_anew) {
  for (const int steps : {4, 10, 97, 100, 256, 1000}) {
    Recording r(turning);
    r.simulation->run(dynamics_analysis, {1, steps});
    ASSERT_EQ(r.values.size(), steps + 1u);
    for (std::size_t k = 0; k < r.values.size(); ++k) {
      // Nothing but the parallel axes holds part 3 against the torque; the corrector leaves a hundredth of
      // ERROR^(2/3) of the largest multiplier, which is that torque over the length of a row that vanishes.
      EXPECT_NEAR(std::fabs(r.at(k, "JPRIM/1", "TX")), std::sin(r.time[k]), 1e-3)
          << steps << ", " << r.time[k];
      EXPECT_NEAR(r.at(k, "PART/3", "WX"), 0, 1e-9);
    }
  }
  Recording r(turning);
  r.simulation->run(dynamics_analysis, {1, 4});
  ASSERT_FALSE(r.warnings.empty());
  EXPECT_NE(r.warnings[0].find("JPRIM/1 Zi."), std::string::npos) << r.warnings[0];
}

TEST(Contradiction, of_velocities_is_found_at_the_start) {
  Recording r(head +
              "PART/2, MASS=1, CM=20, IP=0.1, 0.3, 0.3, QG=1, 0, 0\nMARKER/20, PART=2\nMARKER/21, PART=2, "
              "QP=-1, 0, 0\n"
              "JOINT/1, REVOLUTE, I=21, J=10\nMOTION/1, ROTATIONAL, JOINT=1, FUNCTION=TIME\n"
              "MOTION/2, ROTATIONAL, JOINT=1, FUNCTION=2*TIME\nEND\n");
  const std::string text = failure_of(r, 1, 10);
  EXPECT_NE(text.find("velocities that the constraints ask for at time 0"), std::string::npos) << text;
  EXPECT_NE(text.find("contradicts MOTION/1, MOTION/2"), std::string::npos) << text;
}

/// A crank of 2 m, a coupler of 1 m whose end slides along x: the crank turns to asin(1/2) and no farther.
TEST(DeadCentre, motion_that_cannot_be_followed_is_named) {
  Recording r(head +
              "MARKER/12, PART=1, REULER=90D, 90D, 0\n"
              "PART/2, MASS=1, CM=20, IP=0.1, 0.1, 0.1, QG=1, 0, 0\nMARKER/20, PART=2\n"
              "MARKER/21, PART=2, QP=-1, 0, 0\nMARKER/22, PART=2, QP=1, 0, 0\n"
              "PART/3, MASS=1, CM=30, IP=0.1, 0.1, 0.1, QG=2.5, 0, 0\nMARKER/30, PART=3\n"
              "MARKER/31, PART=3, QP=-0.5, 0, 0\nMARKER/32, PART=3, QP=0.5, 0, 0\n"
              "JOINT/1, REVOLUTE, I=21, J=10\nJOINT/2, REVOLUTE, I=31, J=22\nJPRIM/1, INLINE, I=32, J=12\n"
              "MOTION/1, ROTATIONAL, JOINT=1, FUNCTION=TIME\nEND\n");
  const std::string text = failure_of(r, 1, 10);
  EXPECT_NE(text.find("MOTION cannot be followed"), std::string::npos) << text;
  EXPECT_NE(text.find("MOTION/1"), std::string::npos) << text;
  EXPECT_NEAR(r.simulation->state().t, std::numbers::pi / 6, 1e-3);
}

TEST(MovedParts, are_told_with_the_amount) {
  // The joint brings the part from 5 m to 1 m.
  Recording r(
      head +
      "PART/2, MASS=1, CM=20, IP=1, 1, 1, QG=5, 0, 0\nMARKER/20, PART=2\nMARKER/21, PART=2, QP=-1, 0, 0\n"
      "JOINT/1, REVOLUTE, I=21, J=10\nEND\n");
  const InitialReport& report = r.simulation->initialize();
  EXPECT_TRUE(report.notes.empty());
  EXPECT_NE(report.moved.find("PART/2 by 4"), std::string::npos) << report.moved;
}

/// A pendulum of 1 m at X = 1.5: the joint allows less.
const std::string exact_deck =
    head +
    "PART/2, MASS=1, CM=20, IP=0.1, 0.3, 0.3, QG=1.5, 0, 0, EXACT=X\nMARKER/20, PART=2\n"
    "MARKER/21, PART=2, QP=-1, 0, 0\nJOINT/1, REVOLUTE, I=21, J=10\nEND\n";

TEST(MovedParts, exact_coordinates_that_cannot_be_kept_are_named) {
  Recording r(exact_deck);
  const InitialReport& report = r.simulation->initialize();
  ASSERT_FALSE(report.notes.empty());
  EXPECT_NE(report.notes[0].find("PART/2: X by -0.5"), std::string::npos) << report.notes[0];
}

TEST(MovedParts, exact_coordinates_stop_a_strict_run) {
  Diagnostics diagnostics;
  Model model = compile(parse_dataset(exact_deck, "test.adm", diagnostics), diagnostics);
  DynamicsSettings settings;
  settings.initial.keep_exact = true;
  Session simulation(std::move(model), settings, {});
  EXPECT_THROW(simulation.initialize(), Failure);
}

/// A beam on two fixed joints at ±1 m with a load of 10 N in its middle. Shared equally, each bears 5 N and
/// no torque: by symmetry, and every other share has a larger sum of squares.
const std::string beam = head +
                         "MARKER/11, PART=1, QP=-1, 0, 0\nMARKER/12, PART=1, QP=1, 0, 0\n"
                         "PART/2, MASS=1, CM=20, IP=0.1, 0.1, 0.1\nMARKER/20, PART=2\n"
                         "MARKER/21, PART=2, QP=-1, 0, 0\nMARKER/22, PART=2, QP=1, 0, 0\n"
                         "JOINT/1, FIXED, I=21, J=11\nJOINT/2, FIXED, I=22, J=12\nACCGRAV/JGRAV=-10\n"
                         "REQUEST/1, F2=FY(21, 11)\nEND\n";

TEST(SharedReactions, of_two_joints_are_halves) {
  Diagnostics diagnostics;
  Model model = compile(parse_dataset(beam, "test.adm", diagnostics), diagnostics);
  std::vector<double> last;
  SessionEvents events;
  events.record = [&](double, StepKind, std::span<const double> v) { last.assign(v.begin(), v.end()); };
  ComputeSettings compute;
  compute.share_reactions = true;
  Session simulation(std::move(model), {}, std::move(events), compute);
  simulation.run(dynamics_analysis, {0.1, 1});
  const auto value = [&](const char* entity, const char* component) {
    std::size_t k = 0;
    for (const Entity& e : simulation.channels().entities)
      for (const Component& c : e.components) {
        if (e.name() == entity && c.name == component) return last[k];
        ++k;
      }
    return std::nan("");
  };
  // Rounding, and a millionth that small terms of a dependence may leave.
  for (const char* joint : {"JOINT/1", "JOINT/2"}) {
    EXPECT_NEAR(std::fabs(value(joint, "FY")), 5, 1e-5);
    EXPECT_NEAR(value(joint, "FX"), 0, 1e-5);
    EXPECT_NEAR(value(joint, "TZ"), 0, 1e-5);
  }
  EXPECT_NEAR(value("JOINT/1", "FY"), value("JOINT/2", "FY"), 1e-5);
  EXPECT_NEAR(value("REQUEST/1", "F2"), value("JOINT/1", "FY"), 1e-5);
}

TEST(SharedReactions, are_not_shared_unasked) {
  Recording r(beam);
  r.simulation->run(dynamics_analysis, {0.1, 1});
  EXPECT_NEAR(std::fabs(r.at(1, "JOINT/1", "FY") + r.at(1, "JOINT/2", "FY")), 10, 1e-6);
  EXPECT_NEAR(std::min(std::fabs(r.at(1, "JOINT/1", "FY")), std::fabs(r.at(1, "JOINT/2", "FY"))), 0, 1e-6);
}

/// A straight chain of n bodies: at its root the axis of the pin is held against the long arm of all others;
/// seen from there what holds it is by 3/n³ independent of the others' rows, and has to hold.
std::string chain(int n, const std::string& more) {
  std::string deck = head;
  for (int p = 2; p < n + 2; ++p)
    deck += fmt::format(
        "PART/{0}, MASS=1, CM={0}0, IP=.1,.1,.1, QG=0,{1},0\nMARKER/{0}0, PART={0}\n"
        "MARKER/{0}1, PART={0}, QP=0,.5,0\nMARKER/{0}2, PART={0}, QP=0,-.5,0\nJOINT/{0}, REVOLUTE, I={0}1, "
        "J={2}\n",
        p, 1.5 - p, p == 2 ? std::string("10") : fmt::format("{}2", p - 1));
  return deck + more + "END\n";
}

TEST(RedundantRows, are_not_those_of_long_chains) {
  constexpr int n = 6000;
  Recording r(chain(n, ""));
  const InitialReport& report = r.simulation->initialize();
  EXPECT_TRUE(report.redundant.empty());
  EXPECT_EQ(report.degrees_of_freedom, n);
}

/// A second pin on the same axis between the first body and ground is redundant by five rows, as ever.
TEST(RedundantRows, of_two_joints_between_the_same_parts_are_found) {
  Recording r(chain(5,
                    "MARKER/25, PART=2, QP=0, .5, 1\nMARKER/15, PART=1, QP=0, 0, 1\n"
                    "JOINT/99, REVOLUTE, I=25, J=15\n"));
  const InitialReport& report = r.simulation->initialize();
  EXPECT_EQ(report.redundant.size(), 5u);
  EXPECT_EQ(report.degrees_of_freedom, 5);
}

}  // namespace
}  // namespace trammel::redundancy_test
