// AX, AY, AZ count whole turns: steps end before half a turn, whoever reads the angle.
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../support/simulate.h"

namespace trammel::counted_turns_test {
namespace {

using namespace test;

/// A part that a torque turns about z of ground.
std::string spun(const std::string& torque, const std::string& more, const std::string& integrator) {
  return fmt::format(
      "spun\nUNITS/SYSTEM=MKS\nPART/1,GROUND\nMARKER/1,PART=1\nPART/2,MASS=1,CM=2,IP=1,1,1\nMARKER/2,PART=2\n"
      "JOINT/1,REVOLUTE,I=2,J=1\nSFORCE/1,ROTATION,I=2,J=1,FUNCTION={}\n{}REQUEST/1,F2=AZ(2,1)\n{}\nEND\n",
      torque, more, integrator);
}

const char* const integrators[] = {"",
                                   "INTEGRATOR/GSTIFF",
                                   "INTEGRATOR/GSTIFF, ERROR=1E-5",
                                   "INTEGRATOR/WSTIFF",
                                   "INTEGRATOR/SI2",
                                   "INTEGRATOR/HHT",
                                   "INTEGRATOR/RADAU",
                                   "INTEGRATOR/ABAM"};

// A constant torque T on a moment of inertia of 1: T t² / 2, exact in every method up to its ERROR.
TEST(CountedTurns, are_all_counted_where_only_a_request_reads_the_angle) {
  for (const char* integrator : integrators) {
    Recording r(spun("40", "", integrator));
    r.simulation->run(dynamics_analysis, {5, 5});
    for (std::size_t k = 0; k < r.values.size(); ++k) {
      const double t = r.time[k];
      EXPECT_NEAR(r.at(k, "REQUEST/1", "F2"), 20 * t * t, 0.1) << integrator << ", t = " << t;
    }
  }
}

// θ″ = 40 − θ/1000: θ = 40000 (1 − cos(t √0.001)). A turn that is lost is 6.3, and changes the torque.
TEST(CountedTurns, are_all_counted_where_a_force_reads_the_angle) {
  for (const char* integrator : integrators) {
    Recording r(spun("40-0.001*AZ(2,1)", "", integrator));
    r.simulation->run(dynamics_analysis, {5, 5});
    const double exact = 40000 * (1 - std::cos(5 * std::sqrt(0.001)));
    EXPECT_NEAR(r.at(r.values.size() - 1, "REQUEST/1", "F2"), exact, 0.1) << integrator;
  }
}

// Fixed steps that are too long are not shortened, but told.
TEST(CountedTurns, steps_that_are_too_long_for_them_are_told) {
  Recording r(spun("40", "", "INTEGRATOR/NEWMARK"));
  r.simulation->run(dynamics_analysis, {5, 5});
  ASSERT_FALSE(r.warnings.empty());
  EXPECT_NE(r.warnings[0].find("parts turn so fast"), std::string::npos) << r.warnings[0];
}

// Angles of two parts against each other, neither marker of a force or of a constraint.
// A torque 40 t³ from rest: 2 t⁵. A step knows how fast parts turn where it begins, here hardly; where they
// have become so fast in it that a turn is lost, that is told.
TEST(CountedTurns, that_are_lost_in_a_step_are_told) {
  int lost = 0;
  for (const char* integrator :
       {"RKF45, ERROR=1E-2", "RKF45, ERROR=1E-3", "RKF45, ERROR=1E-4", "GSTIFF", "HHT"}) {
    Recording r(spun("40*TIME**3", "", std::string("INTEGRATOR/") + integrator));
    r.simulation->run(dynamics_analysis, {3, 1});
    const bool all = std::abs(r.at(r.values.size() - 1, "REQUEST/1", "F2") - 486) < 1;
    EXPECT_EQ(r.warnings.empty(), all) << integrator;
    lost += !all;
  }
  EXPECT_GT(lost, 0) << "else this shows nothing";
}

// Outputs inside of steps are evaluated there; the next step is as long as the speeds where it begins allow.
TEST(CountedTurns, are_counted_beside_outputs_inside_of_steps) {
  for (const char* integrator : {"RADAU, ERROR=1E-3", "RADAU, ERROR=1E-4", "GSTIFF, ERROR=1E-3", "HHT"}) {
    Recording r(
        spun("40*TIME**3", "", std::string("INTEGRATOR/") + integrator + ", HMAX=10, INTERPOLATE=ON"));
    r.simulation->run(dynamics_analysis, {3, 3});
    EXPECT_NEAR(r.at(r.values.size() - 1, "REQUEST/1", "F2"), 486, 1) << integrator;
    EXPECT_TRUE(r.warnings.empty()) << integrator;
  }
}

TEST(CountedTurns, of_two_parts_that_turn_against_each_other) {
  Recording r(spun("40",
                   "PART/3,MASS=1,CM=30,IP=1,1,1\nMARKER/30,PART=3\nJOINT/2,REVOLUTE,I=30,J=1\n"
                   "SFORCE/2,ROTATION,I=30,J=1,FUNCTION=-40\nMARKER/31,PART=3,QP=1,0,0\n"
                   "MARKER/21,PART=2,QP=0,1,0\nREQUEST/2,F2=AZ(21,31)\n",
                   "INTEGRATOR/GSTIFF"));
  r.simulation->run(dynamics_analysis, {3, 3});
  EXPECT_NEAR(r.at(3, "REQUEST/2", "F2"), 2 * 20 * 9, 0.1);
}

/// Two rotors that motions turn by ±f(t), a torsion spring of 3 N m / rad between them.
std::string counter_rotors(const std::string& function, const std::string& settings = "") {
  return fmt::format(
      "rotors\nUNITS/SYSTEM=MKS\nPART/1,GROUND\nMARKER/1,PART=1\n"
      "PART/2,MASS=1,CM=20,IP=1,1,1\nMARKER/20,PART=2\n"
      "PART/3,MASS=1,CM=30,IP=1,1,1\nMARKER/30,PART=3\nJOINT/1,REVOLUTE,I=20,J=1\nJOINT/2,REVOLUTE,I=30,J=1\n"
      "MOTION/1,JOINT=1,ROTATION,FUNCTION={0}\nMOTION/2,JOINT=2,ROTATION,FUNCTION=-({0})\n"
      "SPRINGDAMPER/1,I=20,J=30,ROTATION,KT=3\nREQUEST/1,F2=AZ(20,30)\n{1}END\n",
      function, settings);
}

/// Motions f(t) and their closed forms: constant speed, a speed that grows from nothing within a step, one
/// that changes its sign.
struct Turning {
  const char* function;
  double (*f)(double);
};
const Turning turnings[] = {{"2*PI*TIME", [](double t) { return 2 * std::numbers::pi * t; }},
                            {"0.02*TIME**4", [](double t) { return 0.02 * t * t * t * t; }},
                            {"9*SIN(TIME)", [](double t) { return 9 * std::sin(t); }}};

/// The rotors' angle and the torque of the spring between them at each output, all of it prescribed.
void expect_counted(const AnalysisRow& analysis, const Turning& turning, int outputs,
                    const std::string& settings = "") {
  Recording r(counter_rotors(turning.function, settings));
  r.simulation->run(analysis, {10, outputs});
  ASSERT_EQ(r.time.size(), outputs + 1u);
  for (std::size_t k = 0; k < r.time.size(); ++k) {
    const double angle = 2 * turning.f(r.time[k]);
    const std::string where = fmt::format("{} {}, {} outputs, {} t = {}", analysis.name, turning.function,
                                          outputs, settings, r.time[k]);
    // Newton's iterations end at rounding, of up to 400 rad; a turn that is lost is 6.3.
    EXPECT_NEAR(r.at(k, "REQUEST/1", "F2"), angle, 1e-9) << where;
    EXPECT_NEAR(r.at(k, "SPRINGDAMPER/1", "TZ"), -3 * angle, 1e-8) << where;
  }
}

TEST(CountedTurns, of_parts_that_motions_turn_are_counted_in_kinematics) {
  for (const Turning& turning : turnings)
    for (const int outputs : {1, 3, 7, 27, 40, 60}) expect_counted(kinematics_analysis, turning, outputs);
}

/// A crank of length 1 that makes a revolution a second, and a rod of length l to a slider.
std::string crank_with_rod(double l) {
  return fmt::format(
      "rod\nUNITS/SYSTEM=MKS\nPART/1,GROUND\nMARKER/1,PART=1\nMARKER/3,PART=1,REULER=90D,90D,0\n"
      "PART/2,MASS=1,CM=20,IP=1,1,1\nMARKER/20,PART=2\nMARKER/22,PART=2,QP=1,0,0\n"
      "PART/3,QG=1,0,0,MASS=1,CM=30,IP=1,1,1\nMARKER/30,PART=3\nMARKER/32,PART=3,QP={0},0,0\n"
      "PART/4,QG={1},0,0,MASS=1,CM=40,IP=1,1,1\nMARKER/40,PART=4\nMARKER/41,PART=4,REULER=90D,90D,0\n"
      "JOINT/1,REVOLUTE,I=20,J=1\nJOINT/2,REVOLUTE,I=30,J=22\nJOINT/3,SPHERICAL,I=32,J=40\n"
      "JOINT/4,TRANSLATIONAL,I=41,J=3\nMOTION/1,JOINT=1,ROTATION,FUNCTION=2*PI*TIME\n"
      "REQUEST/1,F2=AZ(30,20)\nEND\n",
      l, 1 + l);
}

// The rod swings by asin(1/l) while the crank goes round, faster against it at one end of the stroke than at
// the other: a step that is short enough where it begins may not be where it ends.
TEST(CountedTurns, of_a_rod_against_its_crank_are_counted_in_kinematics) {
  for (const auto& [l, outputs] : {std::pair{1.05, 5}, {1.05, 21}, {1.05, 29}, {3.0, 25}, {3.0, 50}}) {
    Recording r(crank_with_rod(l));
    r.simulation->run(kinematics_analysis, {20, outputs});
    for (std::size_t k = 0; k < r.time.size(); ++k) {
      const double crank = 2 * std::numbers::pi * r.time[k];
      // Rounding of the crank's angle of 126 rad, which Newton's iteration has in every step.
      EXPECT_NEAR(r.at(k, "REQUEST/1", "F2"), -std::asin(std::sin(crank) / l) - crank, 1e-9)
          << "l = " << l << ", " << outputs << " outputs, t = " << r.time[k];
    }
  }
}

// Speeds that jump to ±2 rad/s ask for shorter steps than the shortest, a millionth of the output step, in
// which each rotor turns by 2 rad: positions are found, but the 4 rad between them cannot be told from −2.3.
TEST(CountedTurns, that_cannot_be_counted_end_kinematics_by_the_names_of_their_markers) {
  Recording r(counter_rotors("2*MAX(TIME-1.5E6,0)"));
  try {
    r.simulation->run(kinematics_analysis, {2e6, 2});
    FAIL() << "it goes through";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::solver);
    EXPECT_NE(std::string(failure.what()).find("MARKER/20 and MARKER/30 turn too fast"), std::string::npos)
        << failure.what();
  }
}

// Searches of every method, those that make long corrections among them.
TEST(CountedTurns, of_parts_that_motions_turn_are_counted_in_sequences_of_equilibria) {
  for (const char* settings : {"", "EQUILIBRIUM/METHOD=ADVANCED\n", "EQUILIBRIUM/METHOD=FUNNEL\n",
                               "EQUILIBRIUM/ALIMIT=180D,MAXIT=100\n"})
    for (const Turning& turning : turnings)
      for (const int outputs : {1, 3, 5, 7, 20}) expect_counted(statics_analysis, turning, outputs, settings);
}

// A motion turns one rotor by f; 3 N m / rad hold a second one to it, 1 N m / rad to ground: it follows by 3
// f / 4.
TEST(CountedTurns, of_a_part_that_springs_turn_are_counted_in_sequences_of_equilibria) {
  for (const Turning& turning : turnings)
    for (const int outputs : {1, 3, 5, 7, 20}) {
      Recording r(fmt::format(
          "rotors\nUNITS/SYSTEM=MKS\nPART/1,GROUND\nMARKER/1,PART=1\n"
          "PART/2,MASS=1,CM=20,IP=1,1,1\nMARKER/20,PART=2\nPART/3,MASS=1,CM=30,IP=1,1,1\nMARKER/30,PART=3\n"
          "JOINT/1,REVOLUTE,I=20,J=1\nJOINT/2,REVOLUTE,I=30,J=1\nMOTION/1,JOINT=1,ROTATION,FUNCTION={}\n"
          "SPRINGDAMPER/1,I=20,J=30,ROTATION,KT=3\nSPRINGDAMPER/2,I=30,J=1,ROTATION,KT=1\n"
          "REQUEST/1,F2=AZ(30,1)\nEND\n",
          turning.function));
      r.simulation->run(statics_analysis, {10, outputs});
      for (std::size_t k = 0; k < r.time.size(); ++k)
        // Newton's iteration ends at the rounding of torques of up to 450 N m.
        EXPECT_NEAR(r.at(k, "REQUEST/1", "F2"), 0.75 * turning.f(r.time[k]), 1e-9)
            << turning.function << ", " << outputs << " outputs, t = " << r.time[k];
    }
}

TEST(CountedTurns, that_an_equilibrium_may_lose_where_it_jumps_are_told_by_the_names_of_the_markers) {
  Recording r(counter_rotors("IF(TIME-0.55:0,3,3)"));
  r.simulation->run(statics_analysis, {1, 2});
  ASSERT_EQ(r.warnings.size(), 1u);
  EXPECT_NE(r.warnings[0].find("MARKER/20 and MARKER/"), std::string::npos) << r.warnings[0];
}

}  // namespace
}  // namespace trammel::counted_turns_test
