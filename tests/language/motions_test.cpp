// Motions whose FUNCTION reads states, against the same function of TIME alone.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/simulate.h"

namespace trammel::motions_test {
namespace {

using namespace test;

/// A slider of 2 kg along z. y = e^{−2t} (DIFF/1), u = 3y + t (VARIABLE/1), w = e^{−t} sin 3t (state of an
/// LSE), o = 2w + u (its output), x = 1 + ∫u dt (DIFF/2, whose rate reads a VARIABLE).
const std::string slider =
    "title\nPART/1, GROUND\nMARKER/1, PART = 1\nPART/2, MASS = 2, CM = 20, IP = 1, 1, 1\nMARKER/20, PART = "
    "2\n"
    "JOINT/1, TRANSLATIONAL, I = 20, J = 1\nINTEGRATOR/HHT, ERROR = 1E-8\nDIFF/1, IC = 1, FUNCTION = "
    "-2*DIF(1)\n"
    "VARIABLE/1, FUNCTION = 3*DIF(1)+TIME\nDIFF/2, IC = 1, FUNCTION = VARVAL(1)\n"
    "ARRAY/1, X\nARRAY/2, U, VARIABLES = 1\nARRAY/3, Y\nARRAY/4, IC, NUMBERS = 0, 1\n"
    "MATRIX/1, FULL, RORDER, ROWS = 2, COLUMNS = 2, VALUES = -1, 3, -3, -1\n"
    "MATRIX/2, SPARSE, ROWS = 2, COLUMNS = 1, I = 1, J = 1, VALUES = 0\n"
    "MATRIX/3, FULL, RORDER, ROWS = 1, COLUMNS = 2, VALUES = 2, 0\nMATRIX/4, FULL, ROWS = 1, COLUMNS = 1, "
    "VALUES = 1\n"
    "LSE/1, X = 1, A = 1, B = 2, U = 2, C = 3, Y = 3, D = 4, IC = 4\n";
const std::string y = "EXP(-2*TIME)", u = "(3*EXP(-2*TIME)+TIME)", w = "(EXP(-TIME)*SIN(3*TIME))",
                  x = "(2.5-1.5*EXP(-2*TIME)+0.5*TIME**2)", o = "(2*" + w + "+" + u + ")";

struct Case {
  const char* name;
  std::string level, of_states, of_time;
};
std::vector<Case> cases() {
  return {
      {"displacement", "", "0.2*VARVAL(1)**2-0.5*ARYVAL(1,1)*DIF(2)", "0.2*" + u + "**2-0.5*" + w + "*" + x},
      {"velocity", "VELOCITY, ICDISP = 0.3, ", "VARVAL(1)*DIF(2)-3*ARYVAL(3,1)", u + "*" + x + "-3*" + o},
      {"velocity_free", "VELOCITY, ", "DIF(1)", y},
      {"acceleration", "ACCELERATION, ICDISP = 0.3, ICVEL = -1, ", "DIF1(1)+ARYVAL(3,1)*DIF(1)",
       "-2*" + y + "+" + o + "*" + y}};
}

Recording run(const Case& c, const std::string& function) {
  Recording r(slider + "MOTION/1, JOINT = 1, " + c.level + "FUNCTION = " + function + "\nEND\n");
  r.simulation->run(dynamics_analysis, {1.5, 15, 0});
  return r;
}

TEST(MotionsOfStates, are_those_of_time) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const Recording states = run(c, c.of_states), time = run(c, c.of_time);
    ASSERT_EQ(states.time, time.time);
    for (std::size_t k = 0; k < time.time.size(); ++k) {
      // The first record is consistent to rounding. From then on states carry the integrator's error, of
      // second order: ERROR^(2/3) = 5e-6 in positions, and ERROR^(1/3) of their derivatives as in any motion.
      const double position = k == 0 ? 1e-12 : 2e-5, rate = k == 0 ? 1e-11 : 1e-4,
                   force = k == 0 ? 1e-9 : 2e-2;
      EXPECT_NEAR(states.at(k, "PART/2", "Z"), time.at(k, "PART/2", "Z"), position) << time.time[k];
      EXPECT_NEAR(states.at(k, "PART/2", "VZ"), time.at(k, "PART/2", "VZ"), rate) << time.time[k];
      EXPECT_NEAR(states.at(k, "PART/2", "ACCZ"), time.at(k, "PART/2", "ACCZ"), force) << time.time[k];
      EXPECT_NEAR(states.at(k, "MOTION/1", "FZ"), 2 * states.at(k, "PART/2", "ACCZ"), 1e-8) << time.time[k];
    }
  }
}

/// A displacement as a DIFF integrates a velocity: the same as the velocity given.
TEST(MotionsOfStates, a_displacement_follows_its_own_velocity) {
  const Recording a = run({"", "", "", ""}, "DIF(2)"),
                  b = run({"", "VELOCITY, ICDISP = 1, ", "", ""}, "VARVAL(1)");
  for (std::size_t k = 0; k < a.time.size(); ++k) {
    EXPECT_NEAR(a.at(k, "PART/2", "Z"), b.at(k, "PART/2", "Z"), 1e-5) << a.time[k];
    EXPECT_NEAR(a.at(k, "PART/2", "VZ"), b.at(k, "PART/2", "VZ"), 1e-4) << a.time[k];
  }
}

/// ż = −k (z − 1): a velocity that reads the position it moves, by a VARIABLE; z = 1 − e^{−kt}.
TEST(MotionsOfStates, may_read_what_they_move) {
  Recording r(slider +
              "VARIABLE/2, FUNCTION = -3*(DZ(20,1)-1)\n"
              "MOTION/1, JOINT = 1, VELOCITY, ICDISP = 0, FUNCTION = VARVAL(2)\nEND\n");
  r.simulation->run(dynamics_analysis, {1, 10, 0});
  EXPECT_NEAR(r.at(0, "PART/2", "VZ"), 3, 1e-12);
  EXPECT_NEAR(r.at(0, "PART/2", "ACCZ"), -9, 1e-11);
  for (std::size_t k = 0; k < r.time.size(); ++k)
    EXPECT_NEAR(r.at(k, "PART/2", "Z"), 1 - std::exp(-3 * r.time[k]), 1e-5) << r.time[k];
}

/// What cannot be differentiated in time before accelerations are known is refused by name.
TEST(MotionsOfStates, that_are_refused) {
  const std::string deck =
      "PART/1, GROUND\nMARKER/1, PART = 1\nPART/2, MASS = 2, CM = 20, IP = 1, 1, 1\nMARKER/20, PART = 2\n"
      "JOINT/1, TRANSLATIONAL, I = 20, J = 1\nVARIABLE/1, FUNCTION = VZ(20,1)\nVARIABLE/2, FUNCTION = "
      "2*VARVAL(1)\n"
      "DIFF/1, FUNCTION = VARVAL(2)\nVARIABLE/3, FUNCTION = FZ(20,1,1)\nDIFF/2, IMPLICIT, FUNCTION = "
      "DIF1(2)-TIME\n"
      "DIFF/3, FUNCTION = DIF(1)\n";
  const std::string where = "deck.adm:13: MOTION/1: ";
  const struct {
    const char *motion, *message;
  } wrong[] = {
      {"FUNCTION = DZ(20,1)",
       "FUNCTION depends on positions, which is not supported: they are not known when a displacement is "
       "needed; give VELOCITY or "
       "ACCELERATION and its derivative, or use a GCON"},
      {"FUNCTION = DIF(1)",
       "the rate of FUNCTION depends on velocities through VARIABLE/1, which is not supported: they are not "
       "known when a "
       "displacement is "
       "needed; give VELOCITY or ACCELERATION and its derivative, or use a GCON"},
      {"FUNCTION = DIF(2)",
       "the rate of FUNCTION depends on accelerations or forces through DIFF/2, which is not supported: they "
       "are not known when a "
       "displacement is needed; give VELOCITY or ACCELERATION and its derivative, or use a GCON"},
      {"VELOCITY, FUNCTION = VARVAL(2)",
       "FUNCTION depends on velocities through VARIABLE/1, which is not supported: they are not known when a "
       "velocity is needed; "
       "give "
       "ACCELERATION and its derivative, or use a force"},
      {"ACCELERATION, FUNCTION = VARVAL(3)",
       "FUNCTION depends on accelerations or forces through JOINT/1, which is not supported: they are not "
       "known when an "
       "acceleration is "
       "needed; use a force"},
  };
  for (const auto& c : wrong)
    EXPECT_EQ(message_of(deck + "MOTION/1, JOINT = 1, " + c.motion + "\n", ExitCode::unsupported),
              where + c.message);
  for (const char* good : {"FUNCTION = DIF(3)+TIME", "VELOCITY, FUNCTION = DIF(1)",
                           "ACCELERATION, FUNCTION = VARVAL(2)", "ACCELERATION, FUNCTION = DIF(2)"})
    EXPECT_EQ(message_of(deck + "MOTION/1, JOINT = 1, " + good + "\n", ExitCode::unsupported), "accepted")
        << good;
}

}  // namespace
}  // namespace trammel::motions_test
