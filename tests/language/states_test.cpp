// DIFFs that hold an algebraic equation, and expressions that are only shown, in whole runs.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/simulate.h"

namespace trammel::states_test {
namespace {

using namespace test;

const std::string slider =
    "title\nPART/1, GROUND\nMARKER/1, PART = 1\nPART/2, MASS = 2, CM = 20, IP = 1, 1, 1\nMARKER/20, PART = "
    "2\n"
    "JOINT/1, TRANSLATIONAL, I = 20, J = 1\nINTEGRATOR/HHT, ERROR = 1E-8\n";

/// x' = 1 − x from 0 is 1 − e^{−t}; y³ + y = x has the one real root of Cardano; z = 2y is linear in it.
TEST(AlgebraicStates, follow_the_states_that_they_read) {
  Recording r(
      slider +
      "DIFF/1, IC = 0, FUNCTION = 1-DIF(1)\nDIFF/2, IC = 0.7, IMPLICIT, FUNCTION = DIF(2)**3+DIF(2)-DIF(1)\n"
      "DIFF/3, IMPLICIT, FUNCTION = 2*DIF(2)-VARVAL(1)\nVARIABLE/1, FUNCTION = DIF(3)\nEND\n");
  r.simulation->run(dynamics_analysis, {2, 20, 0});
  for (std::size_t k = 0; k < r.time.size(); ++k) {
    const double x = 1 - std::exp(-r.time[k]), root = std::sqrt(0.25 * x * x + 1.0 / 27);
    const double y = std::cbrt(0.5 * x + root) + std::cbrt(0.5 * x - root);
    // HHT at 1e-8 leaves some 1e-6 in x; y and z to the corrector's tolerance of algebraic states.
    EXPECT_NEAR(r.at(k, "DIFF/1", "Q"), x, 2e-6) << r.time[k];
    EXPECT_NEAR(r.at(k, "DIFF/2", "Q"), y, 4e-6) << r.time[k];
    EXPECT_NEAR(r.at(k, "DIFF/3", "Q"), 2 * y, 8e-6) << r.time[k];
  }
}

/// The same by all kinds of methods. What is left of x' = 1 − x adds up from some hundred local errors of
/// 1e-8; y follows the x of the run: (30) of docs/theory.md asks 0.01 ERROR^{2/3} = 5e-8 of correctors, with
/// a rate of convergence that is an estimate; ten times that is allowed.
TEST(AlgebraicStates, are_solved_by_every_method) {
  for (const char* method : {"HHT", "GSTIFF, SI2", "GSTIFF, SI1", "WSTIFF, SI2", "RADAU", "RKF45", "ABAM"}) {
    std::string deck = slider;
    deck.replace(deck.find("HHT"), 3, method);
    Recording r(deck +
                "DIFF/1, IC = 0, FUNCTION = 1-DIF(1)\n"
                "DIFF/2, IMPLICIT, FUNCTION = DIF(2)**3+DIF(2)-DIF(1)\nEND\n");
    r.simulation->run(dynamics_analysis, {2, 20, 0});
    ASSERT_EQ(r.time.size(), 21u) << method;
    EXPECT_TRUE(r.warnings.empty()) << method;
    for (std::size_t k = 0; k < r.time.size(); ++k) {
      const double x = r.at(k, "DIFF/1", "Q"), root = std::sqrt(0.25 * x * x + 1.0 / 27);
      EXPECT_NEAR(x, 1 - std::exp(-r.time[k]), 5e-6) << method << r.time[k];
      EXPECT_NEAR(r.at(k, "DIFF/2", "Q"), std::cbrt(0.5 * x + root) + std::cbrt(0.5 * x - root), 5e-7)
          << method << r.time[k];
    }
  }
}

/// y + y³ = 12 − 2z gives the force on a spring of 2: at rest 2z = y, which is y = 2.
TEST(AlgebraicStates, hold_in_statics) {
  Recording r(slider +
              "DIFF/2, IC = 1, IMPLICIT, FUNCTION = DIF(2)+DIF(2)**3-12+2*DZ(20,1,1)\n"
              "SFORCE/1, TRANSLATION, ACTIONONLY, I = 20, J = 1, FUNCTION = DIF(2)-2*DZ(20,1,1)\nEND\n");
  r.simulation->run(statics_analysis);
  EXPECT_NEAR(r.at(r.time.size() - 1, "DIFF/2", "Q"), 2, 1e-6);
  EXPECT_NEAR(r.at(r.time.size() - 1, "PART/2", "Z"), 1, 1e-6);
}

/// IC chooses among the roots of y² = 4, and is told where it is none of them to the digits of a deck.
TEST(AlgebraicStates, a_contradicted_ic_is_told) {
  struct Row {
    const char *ic, *note;
    double value;
  };
  const std::string end =
      ". DIFF/2 is an algebraic state, as its FUNCTION does not read its rate: IC is where the "
      "search for it begins.";
  const Row rows[] = {{"3", "DIFF/2: IC = 3 contradicts its FUNCTION, which holds with 2", 2},
                      {"-3", "DIFF/2: IC = -3 contradicts its FUNCTION, which holds with -2", -2},
                      {"-2", nullptr, -2},
                      {"1.9999", nullptr, 2}};
  for (const Row& row : rows) {
    Recording r(slider + "DIFF/2, IC = " + row.ic + ", IMPLICIT, FUNCTION = DIF(2)**2-4\nEND\n");
    const std::vector<std::string> notes = r.simulation->initialize().notes;
    r.simulation->run(initial_analysis);
    EXPECT_NEAR(r.at(0, "DIFF/2", "Q"), row.value, 1e-10);
    EXPECT_EQ(notes, row.note ? std::vector{row.note + end} : std::vector<std::string>{}) << row.ic;
  }
  Recording unsaid(slider + "DIFF/2, IMPLICIT, FUNCTION = DIF(2)-4\nEND\n");
  EXPECT_TRUE(unsaid.simulation->initialize().notes.empty());
}

/// Where the equation leaves the state open, or has no root, that is the message.
TEST(AlgebraicStates, equations_without_solution_are_told) {
  for (const auto& [function, reason] :
       {std::pair{"DIF(2)**2-4", "DIFF/2"}, {"DIF(2)**2+DIF(2)+1", "initial accelerations and reactions"}}) {
    Recording r(slider + "DIFF/2, IMPLICIT, FUNCTION = " + function + "\nEND\n");
    try {
      r.simulation->initialize();
      ADD_FAILURE() << function;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code(), ExitCode::solver);
      EXPECT_NE(std::string(failure.what()).find(reason), std::string::npos) << failure.what();
    }
  }
}

/// A force that such a state gives: m ẍ = y with y = 3 − t held by its equation, from rest.
TEST(AlgebraicStates, drive_the_motion) {
  Recording r(slider +
              "DIFF/2, IMPLICIT, FUNCTION = DIF(2)+TIME-3\n"
              "SFORCE/1, TRANSLATION, ACTIONONLY, I = 20, J = 1, FUNCTION = DIF(2)\nEND\n");
  r.simulation->run(dynamics_analysis, {1, 10, 0});
  for (std::size_t k = 0; k < r.time.size(); ++k) {
    const double t = r.time[k];
    EXPECT_NEAR(r.at(k, "SFORCE/1", "FZ"), 3 - t, 1e-9) << t;
    // Second order: ERROR^(2/3) = 5e-6.
    EXPECT_NEAR(r.at(k, "PART/2", "Z"), 0.5 * (1.5 * t * t - t * t * t / 6), 5e-6) << t;
  }
}

/// An equation that reads its rate through a VARIABLE stays a differential one: 2 y' = −y.
TEST(AlgebraicStates, are_not_those_whose_rate_is_read) {
  Recording r(slider +
              "DIFF/2, IC = 1, -0.5, IMPLICIT, FUNCTION = 2*VARVAL(1)+DIF(2)\n"
              "VARIABLE/1, FUNCTION = DIF1(2)\nEND\n");
  r.simulation->run(dynamics_analysis, {1, 10, 0});
  for (std::size_t k = 0; k < r.time.size(); ++k)
    EXPECT_NEAR(r.at(k, "DIFF/2", "Q"), std::exp(-0.5 * r.time[k]), 1e-6) << r.time[k];
}

TEST(AlgebraicStates, have_no_rate_to_show) {
  EXPECT_EQ(message_of("PART/1, GROUND\nDIFF/2, IMPLICIT, FUNCTION = DIF(2)-TIME\nREQUEST/1, F2 = DIF1(2)\n",
                       ExitCode::unsupported),
            "deck.adm:4: REQUEST/1: F2: DIFF/2 is an algebraic state, as its FUNCTION does not read DIF1(2), "
            "and has no "
            "rate that could be read, at column 1");
}

const std::string falling =
    "title\nPART/1, GROUND\nMARKER/1, PART = 1\nPART/2, MASS = 2, CM = 20, IP = 1, 1, 1\nMARKER/20, PART = "
    "2\n"
    "ACCGRAV/KGRAV = -10\n";

/// At rest VX/VZ is 0/0: shown as 0, and from then on 0/v.
TEST(OnlyShown, zero_by_zero_is_shown_as_0_and_told_once) {
  Recording r(falling +
              "VARIABLE/1, FUNCTION = ATAN(ABS(VX(20))/ABS(VZ(20)))\n"
              "VARIABLE/2, FUNCTION = 1+VARVAL(1)\nREQUEST/7, F2 = VARVAL(2)+3*VZ(20)/DZ(20)\nEND\n");
  r.simulation->run(dynamics_analysis, {0.5, 5, 0});
  ASSERT_EQ(r.warnings.size(), 2u) << r.warnings[0];
  EXPECT_EQ(
      r.warnings[0],
      "VARIABLE/1 FUNCTION: 0/0 at column 17 of \"ATAN(ABS(VX(20))/ABS(VZ(20)))\" is shown as 0 at time 0; "
      "nothing of the motion depends on it.");
  EXPECT_EQ(r.warnings[1],
            "REQUEST/7 F2: 0/0 at column 19 of \"VARVAL(2)+3*VZ(20)/DZ(20)\" is shown as 0 at time 0; "
            "nothing of the "
            "motion depends on it.");
  EXPECT_EQ(r.at(0, "VARIABLE/1", "Q"), 0);
  EXPECT_EQ(r.at(0, "REQUEST/7", "F2"), 1);
  for (std::size_t k = 1; k < r.time.size(); ++k) {  // z = −5 t², v = −10 t: to the rounding of HHT's steps
    EXPECT_NEAR(r.at(k, "REQUEST/7", "F2"), 1 + 6 / r.time[k], 1e-8);
    EXPECT_NEAR(r.at(k, "PART/2", "Z"), -5 * r.time[k] * r.time[k], 1e-10);
  }
}

/// Where a force, a constraint, a state or a sensor reads it, there is no value to go on with; nor is x/0
/// one.
TEST(OnlyShown, what_the_motion_depends_on_needs_a_value) {
  const std::string zero = "VARIABLE/1, FUNCTION = VX(20)/VZ(20)\nVARIABLE/2, FUNCTION = 2*VARVAL(1)\n";
  const std::string decks[] = {
      zero + "SFORCE/1, TRANSLATION, ACTIONONLY, I = 20, J = 1, FUNCTION = VARVAL(2)\n",
      zero + "DIFF/1, FUNCTION = VARVAL(2)\n",
      zero + "SENSOR/1, FUNCTION = VARVAL(2), VALUE = 7, GE, HALT\n",
      "VARIABLE/1, FUNCTION = (1+VX(20))/VZ(20)\n",
  };
  for (const std::string& deck : decks) {
    Recording r(falling + deck + "END\n");
    try {
      r.simulation->run(dynamics_analysis, {0.5, 5, 0});
      ADD_FAILURE() << deck;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code(), ExitCode::solver);
      EXPECT_NE(std::string(failure.what()).find("VARIABLE/1 FUNCTION: "), std::string::npos)
          << failure.what();
      EXPECT_NE(std::string(failure.what()).find("division by zero, at column"), std::string::npos)
          << failure.what();
    }
  }
}

/// A torque without reaction about an axis of the body itself: I ω̇ = T.
TEST(ActionOnly, on_one_body_turns_and_pushes_it) {
  const std::string free =
      "title\nPART/1, GROUND\nPART/2, MASS = 2, CM = 20, IP = 3, 3, 2\nMARKER/20, PART = 2\n"
      "MARKER/21, PART = 2, QP = 0.5, 0, 0, REULER = 90D, 90D, 0\nINTEGRATOR/HHT, ERROR = 1E-8\n";
  Recording turned(free + "SFORCE/1, ROTATION, ACTIONONLY, I = 20, J = 20, FUNCTION = 3\nEND\n");
  turned.simulation->run(dynamics_analysis, {1, 10, 0});
  EXPECT_NEAR(turned.at(10, "PART/2", "WZ"), 1.5, 1e-9);
  // Along x of the turning body (z of marker 21): the direction turns with it. v̇ = (cos ωt, sin ωt)·F/m.
  Recording pushed(
      "title\nPART/1, GROUND\nPART/2, MASS = 2, CM = 20, IP = 3, 3, 2, WZ = 2\nMARKER/20, PART = 2\n"
      "MARKER/21, PART = 2, QP = 0.5, 0, 0, REULER = 90D, 90D, 0\nINTEGRATOR/HHT, ERROR = 1E-8\n"
      "SFORCE/1, TRANSLATION, ACTIONONLY, I = 20, J = 21, FUNCTION = 6\nEND\n");
  pushed.simulation->run(dynamics_analysis, {1, 10, 0});
  // Steps by (25), (1/12 + α²/4) h³ |q⃛| = ERROR √6: h < 3.4e-3 for q⃛ = 6 (−sin ωt, cos ωt). In the velocities
  // their errors (26) add up to 0.143 h² |q⃛(t) − q⃛(0)|, at most 2e-5.
  constexpr double tolerance = 2e-5;
  for (std::size_t k = 0; k < pushed.time.size(); ++k) {
    const double angle = 2 * pushed.time[k];
    EXPECT_NEAR(pushed.at(k, "PART/2", "VX"), 3 / 2.0 * std::sin(angle), tolerance) << angle;
    EXPECT_NEAR(pushed.at(k, "PART/2", "VY"), 3 / 2.0 * (1 - std::cos(angle)), tolerance) << angle;
  }
}

/// IC of a joint: velocity first, then displacement; without the second the place is free.
TEST(JointInitialValues, velocity_comes_first) {
  const std::string parts =
      "title\nPART/1, GROUND\nMARKER/1, PART = 1\nPART/2, MASS = 1, CM = 20, IP = 1, 1, 1, QG = 0, 0, 0.25\n"
      "MARKER/20, PART = 2\n";
  const auto initial = [&](const std::string& joint) {
    Recording r(parts + joint + "END\n");
    r.simulation->initialize();
    r.simulation->run(initial_analysis);
    return std::array{r.at(0, "PART/2", "Z"), r.at(0, "PART/2", "VZ"), r.at(0, "PART/2", "WZ")};
  };
  const auto both = initial("JOINT/1, TRANSLATIONAL, I = 20, J = 1, IC = 0.5, 2\n");
  EXPECT_NEAR(both[0], 2, 1e-9);
  EXPECT_NEAR(both[1], 0.5, 1e-12);
  const auto one = initial("JOINT/1, TRANSLATIONAL, I = 20, J = 1, IC = 0.5\n");
  EXPECT_NEAR(one[0], 0.25, 1e-9);
  EXPECT_NEAR(one[1], 0.5, 1e-12);
  const auto turning = initial("JOINT/1, CYLINDRICAL, I = 20, J = 1, ICTRAN = 3, -1, ICROT = 4\n");
  EXPECT_NEAR(turning[0], -1, 1e-9);
  EXPECT_NEAR(turning[1], 3, 1e-12);
  EXPECT_NEAR(turning[2], 4, 1e-12);
}

}  // namespace
}  // namespace trammel::states_test
