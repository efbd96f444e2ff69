// Command files with statics, kinematics and dynamics one after the other: what they find and what they tell.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support.h"

using namespace trammel_test;

namespace analyses_test {
namespace {

constexpr const char* head =
    "a deck\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nACCGRAV/JGRAV=-9.81\nPART/1, "
    "GROUND\n"
    "MARKER/1, PART=1\n";

/// A driven crank, x = cos(2 t) of its end; and what `more` adds.
std::string crank(const std::string& more = "") {
  return std::string(head) +
         "PART/2, MASS=3, CM=20, IP=.1,.5,.5\nMARKER/20, PART=2, QP=1,0,0\nMARKER/21, PART=2\n"
         "JOINT/1, REVOLUTE, I=21, J=1\nMOTION/1, JOINT=1, ROT, FUNCTION=2*TIME\nREQUEST/1, "
         "F2=DX(20,1)\\F3=MODE\n" +
         more + "END\n";
}

std::string pendulum(const std::string& more = "") {
  return std::string(head) +
         "PART/2, MASS=3, CM=20, IP=.1,.5,.5, REULER=300D,0,0\nMARKER/20, PART=2, QP=2,0,0\nMARKER/21, "
         "PART=2\n"
         "JOINT/1, REVOLUTE, I=21, J=1\nREQUEST/1, F2=DX(20,1)\\F3=MODE\n" +
         more + "END\n";
}

Outcome run_deck(const Folder& f, const std::string& deck, const std::string& commands,
                 std::vector<std::string> options = {}) {
  f.write("deck.adm", deck);
  f.write("job.acf", "deck\njob\n" + commands);
  options.insert(options.begin(), {"run", "job.acf"});
  return run(f, options);
}

TEST(Analyses, statics_and_dynamics_in_one_run) {
  Folder f;
  const Outcome o = run_deck(
      f, pendulum(), "EQUILIBRIUM/MAXIT=50, LIST\nSIMULATE/STATIC\nSIMULATE/DYNAMIC, END=1, STEPS=2\n");
  ASSERT_EQ(o.code, 0) << o.err;
  const std::string msg = f.read("job.msg");
  // What job monitors look for.
  for (const char* text : {"Current EQUILIBRIUM settings are:", "   MAXIT     ", "  Begin Static Solution\n",
                           " STATICS: Original static solver will be used with the Sparse linear solver.\n",
                           "  Static Solution converged in ", "  Residual imbalance is less than ",
                           "  The equilibrium is stable.", "  End Static Solution\n",
                           "Performing Dynamic Simulation using Gstiff SI2 Integrator"})
    EXPECT_NE(msg.find(text), std::string::npos) << text << msg;
  const std::vector<double> x = f.channel("job.nc", "REQUEST/1.F2"),
                            mode = f.channel("job.nc", "REQUEST/1.F3");
  ASSERT_EQ(x.size(), 4u);
  for (const double value : x) EXPECT_NEAR(value, 0, 1e-9);  // it hangs
  EXPECT_EQ(mode, (std::vector<double>{5, 4, 4, 4}));
}

/// The list of LC_4_int_modal.msg line by line, and those of IC and KINEMATICS with every argument that there
/// is.
TEST(Analyses, settings_are_listed_with_all_arguments) {
  Folder f;
  const Outcome o =
      run_deck(f, pendulum(),
               "EQUILIBRIUM/ALIMIT=0.5D, ERROR=0.5, IMBALANCE=0.01, MAXIT=20, STABILITY=10, TLIMIT=1, "
               "METHOD=ORIGINAL\nEQUILIBRIUM/LIST\nKINEMATICS/LIST\nIC/LIST\nSIMULATE/INITIAL_CONDITIONS\n");
  ASSERT_EQ(o.code, 0) << o.err;
  const std::string msg = f.read("job.msg");
  EXPECT_NE(msg.find("Current EQUILIBRIUM settings are:\n"
                     "   ALIMIT    = 0.008727 (rad)\n   ERROR     = 0.500000\n   IMBALANCE = 0.010000\n"
                     "   MAXIT     = 20\n   PATTERN   = TTTTTTTTTT\n   STABILITY = 10.000000\n"
                     "   TLIMIT    = 1.000000\n   METHOD    = ORIGINAL\n   ATOL      = 0.000001\n"
                     "   RTOL      = 0.000000\n   MAXITL    = 40\n   ETAMAX    = 0.900000\n"
                     "   ETA       = 0.000100\n"),
            std::string::npos)
      << msg;
  for (const std::string statement : {"KINEMATICS", "IC"}) {
    const std::size_t at = msg.find("Current " + statement + " settings are:\n");
    ASSERT_NE(at, std::string::npos) << msg;
    const std::string list = msg.substr(at, msg.find("\n\n", at) - at);
    for (const char* name : {"ALIMIT", "AERROR", "AMAXIT", "APATTERN", "ERROR", "MAXIT", "PATTERN", "TLIMIT"})
      EXPECT_NE(list.find("\n   " + std::string(name) + " "), std::string::npos) << name << list;
    EXPECT_NE(list.find(statement == "IC" ? "\n   VERROR " : "\n   HMAX "), std::string::npos) << list;
  }
}

TEST(Analyses, transient_is_kinematics_where_nothing_is_free) {
  Folder f;
  const std::string commands = "SIMULATE/TRANSIENT, END=1, STEPS=10\n";
  ASSERT_EQ(run_deck(f, crank(), commands).code, 0);
  EXPECT_NE(f.read("job.msg").find("****** Performing Kinematic Simulation ******"), std::string::npos);
  const std::vector<double> x = f.channel("job.nc", "REQUEST/1.F2");
  for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(x[k], std::cos(0.2 * k), 1e-13);
  EXPECT_EQ(f.channel("job.nc", "REQUEST/1.F3").back(), 1);
  // Not with a state that must be integrated; the message file says so.
  ASSERT_EQ(run_deck(f, crank("DIFF/7, IC=1, FUNCTION=-DIF(7)\n"), commands).code, 0);
  EXPECT_NE(f.read("job.msg").find("DIFF/7 has a state that must be integrated: dynamics is used"),
            std::string::npos);
  ASSERT_EQ(run_deck(f, pendulum(), commands).code, 0);
  EXPECT_NE(f.read("job.msg").find("Performing Dynamic Simulation"), std::string::npos);
  // Dynamics is dynamics, with a warning.
  const Outcome o = run_deck(f, crank(), "SIMULATE/DYNAMIC, END=1, STEPS=10\n");
  EXPECT_NE(
      f.read("job.msg").find("The data set is kinematically determinate.  However, a dynamic analysis\n"),
      std::string::npos);
  EXPECT_NE(o.out.find("SIMULATE/KINEMATICS"), std::string::npos) << o.out;
}

TEST(Analyses, kinematics_of_what_is_free_is_a_mistake) {
  Folder f;
  const Outcome o = run_deck(f, pendulum(), "SIMULATE/KINEMATIC, END=1, STEPS=10\n");
  EXPECT_EQ(o.code, 3);
  EXPECT_NE(o.err.find("the model has 1 degree of freedom"), std::string::npos) << o.err;
  EXPECT_EQ(run_deck(f, crank(), "SIMULATE/KINEMATIC\n").code, 3);  // END is missing
}

TEST(Analyses, sensors_act_between_states) {
  Folder f;
  // cos(2 t) falls to 0.5 at t = π/6.
  const std::string ends = "SENSOR/1, FUNCTION=DX(20,1), LE, VALUE=0.5, ERROR=1E-9, RETURN\n";
  const Outcome o = run_deck(f, crank(ends),
                             "SIMULATE/KINEMATIC, END=1, STEPS=10\nDEACTIVATE/SENSOR, ID=1\n"
                             "SIMULATE/KINEMATIC, END=1, STEPS=2\n");
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_NE(f.read("job.msg").find("Sensor/1 has become active at time = 0.5235988."), std::string::npos);
  const std::vector<double> time = f.channel("job.nc", "time"), x = f.channel("job.nc", "REQUEST/1.F2");
  ASSERT_EQ(time.size(), 1u + 5u + 1u + 3u);  // up to 0.5, the sensor's, and another simulation
  EXPECT_NEAR(time[6], std::numbers::pi / 6, 1e-9);
  EXPECT_NEAR(x[6], 0.5, 1e-9);
  EXPECT_NEAR(x.back(), std::cos(2.0), 1e-12);
  // DT: outputs ten times as dense from there on.
  const std::string denser = "SENSOR/1, FUNCTION=TIME, GE, VALUE=0.55, ERROR=1E-9, DT=0.045\n";
  ASSERT_EQ(run_deck(f, crank(denser), "SIMULATE/KINEMATIC, END=1, STEPS=10\n").code, 0);
  EXPECT_EQ(f.channel("job.nc", "time").size(), 1u + 5u + 10u);
}

}  // namespace
}  // namespace analyses_test
