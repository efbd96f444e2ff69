// SENSORs in sequences of equilibria and kinematics, several at once, and on values that are not coordinates:
// against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <regex>

#include <fmt/format.h>

#include "support.h"

using namespace trammel_test;

namespace sensor_values_test {
namespace {

/// A slide along z that is at z = TIME: pulled by a spring (equilibria), or by a MOTION.
Outcome slide(const Folder& f, const std::string& analysis, const std::string& more) {
  f.write("slide.adm",
          "slide\nPART/1, GROUND\nMARKER/12, PART=1\nPART/2, MASS=1, CM=2, IP=1,1,1\nMARKER/2, PART=2\n"
          "JOINT/1, TRANSLATIONAL, I=2, J=12\n" +
              std::string(analysis == "STATICS"
                              ? "SFORCE/1, TRANSLATION, ACTIONONLY, I=2, J=12, FUNCTION=100*(TIME-DZ(2,12))\n"
                              : "MOTION/1, JOINT=1, TRANSLATION, FUNCTION=TIME\n") +
              more + "END\n");
  const std::string simulate = "SIMULATE/" + analysis + ", END=1, STEPS=4\n";
  f.write("job.acf", "slide\njob\n" + simulate + (more.find("RETURN") == std::string::npos ? "" : simulate));
  return run(f, {"run", "job.acf"});
}

/// The first time at which each sensor, from 1 on, has become active; NaN: never.
std::vector<double> first_times(const std::string& text, int sensors) {
  std::vector<double> times(sensors, NAN);
  const std::regex line("Sensor/([0-9]+) has become active at time = ([-+.0-9e]+)\\.\n");
  for (std::sregex_iterator at(text.begin(), text.end(), line), end; at != end; ++at) {
    double& t = times[std::stoi((*at)[1]) - 1];
    if (std::isnan(t)) t = std::stod((*at)[2]);
  }
  return times;
}

/// EVALUATE holds its value in every analysis, and sensors at one time act together: both at 0.55.
TEST(SensorValues, hold_and_act_together_in_all_analyses) {
  for (const std::string analysis : {"STATICS", "KINEMATICS", "DYNAMICS"})
    for (const std::string compare : {"EQ", "GE"})
      for (const std::string other : {"EVALUATE=9", "RETURN", "PRINT", "DT=0.1"})
        for (const bool swapped : {false, true}) {
          Folder f;
          const std::string at = "FUNCTION=TIME, VALUE=0.55, ERROR=1E-6, " + compare + ", ";
          const std::string a = "SENSOR/1, " + at + "EVALUATE=7\n", b = "SENSOR/2, " + at + other + "\n";
          const std::string second = other.substr(0, 8) == "EVALUATE" ? "SENVAL(2)" : "0";
          const Outcome o =
              slide(f, analysis, (swapped ? b + a : a + b) + "REQUEST/1, F2=SENVAL(1)\\F3=" + second + "\n");
          const std::string name = analysis + compare + other + (swapped ? " swapped" : "");
          ASSERT_EQ(o.code, 0) << name << o.err;
          for (double t : first_times(o.out, 2)) EXPECT_NEAR(t, 0.55, 1e-6) << name;
          const std::vector<double> t = f.channel("job.nc", "TIME"), z = f.channel("job.nc", "PART/2.Z"),
                                    one = f.channel("job.nc", "REQUEST/1.F2"),
                                    two = f.channel("job.nc", "REQUEST/1.F3");
          ASSERT_EQ(t.size(), other == "RETURN"   ? 9u
                              : other == "PRINT"  ? 6u
                              : other == "DT=0.1" ? 8u
                                                  : 5u)
              << name;
          for (std::size_t k = 0; k < t.size(); ++k) {
            // PRINT is of the state before EVALUATE, RETURN of the one after it.
            const bool after = t[k] > 0.55 + 1e-6 || (t[k] > 0.54 && other == "RETURN");
            EXPECT_NEAR(z[k], t[k], 1e-9) << name;
            EXPECT_EQ(one[k], after ? 7 : 0) << name << t[k];
            EXPECT_EQ(two[k], after && second != "0" ? 9 : 0) << name << t[k];
          }
        }
}

/// A force that reads SENVAL acts at once: in the record of the RETURN the equilibrium is the one with it.
TEST(SensorValues, equilibria_follow_them_at_once) {
  Folder f;
  const Outcome o = slide(f, "STATICS",
                          "SENSOR/1, FUNCTION=TIME, VALUE=0.5, ERROR=1E-6, EVALUATE=50, RETURN\n"
                          "SFORCE/2, TRANSLATION, ACTIONONLY, I=2, J=12, FUNCTION=SENVAL(1)\n");
  ASSERT_EQ(o.code, 0) << o.err;
  const std::vector<double> t = f.channel("job.nc", "TIME"), z = f.channel("job.nc", "PART/2.Z");
  for (std::size_t k = 0; k < t.size(); ++k)
    EXPECT_NEAR(z[k], t[k] + (k < 2 ? 0 : 0.5), 1e-9) << t[k];  // 50 N on 100 N/m
}

/// SENVAL is no state of the motion: LINEAR has the two of the slide on its spring alone.
TEST(SensorValues, are_no_states_of_linear_models) {
  Folder f;
  f.write("slide.adm",
          "slide\nPART/1, GROUND\nMARKER/12, PART=1\nPART/2, MASS=1, CM=2, IP=1,1,1\nMARKER/2, PART=2\n"
          "JOINT/1, TRANSLATIONAL, I=2, J=12\nSFORCE/1, TRANSLATION, ACTIONONLY, I=2, J=12, "
          "FUNCTION=-100*DZ(2,12)+SENVAL(1)\nSENSOR/1, FUNCTION=TIME, VALUE=0.5, EVALUATE=3\nEND\n");
  f.write("job.acf", "slide\njob\nSIMULATE/STATICS\nLINEAR/EIGENSOL\n");
  const Outcome o = run(f, {"run", "job.acf"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.out.find("LINEAR at time 0: 2 states, 1 mode"), std::string::npos) << o.out;
  EXPECT_EQ(o.out.find("nothing holds it"), std::string::npos) << o.out;
}

/// x = cos t. A VARIABLE, an acceleration and a reaction come to their values when the motion does, not when
/// straight lines over the steps do: the times are as exact as the motion, some 1e-5 s at these ERRORs.
TEST(SensorValues, of_variables_and_accelerations_have_the_times_of_the_motion) {
  const double third = std::numbers::pi / 3;
  const double expected[] = {third, third, std::numbers::pi / 18, std::numbers::pi / 6, third};
  for (const std::string integrator : {"GSTIFF, SI2, ERROR=1E-7", "GSTIFF, ERROR=1E-8", "WSTIFF, ERROR=1E-8",
                                       "RADAU, ERROR=1E-7", "ABAM, ERROR=1E-8", "RKF45, ERROR=1E-8"}) {
    Folder f;
    f.write(
        "swing.adm",
        "swing\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\n"
        "MARKER/1, PART=1\nMARKER/3, PART=1, REULER=90D,90D,0\nPART/2, QG=1,0,0, MASS=1, CM=2, IP=1,1,1\n"
        "MARKER/2, PART=2\nSFORCE/1, TRANSLATION, ACTIONONLY, I=2, J=3, FUNCTION=-DX(2)\n"
        "VARIABLE/1, FUNCTION=DX(2,1)\nVARIABLE/2, FUNCTION=SIN(3*TIME)\nDIFF/1, IC=0, FUNCTION=VARVAL(1)\n"
        "SENSOR/1, FUNCTION=DX(2,1), VALUE=0.5, ERROR=1E-7, PRINT\n"
        "SENSOR/2, FUNCTION=VARVAL(1), VALUE=0.5, ERROR=1E-7, PRINT\n"
        "SENSOR/3, FUNCTION=VARVAL(2), VALUE=0.5, ERROR=1E-7, PRINT\n"
        "SENSOR/4, FUNCTION=DIF(1), VALUE=0.5, ERROR=1E-7, PRINT\n"
        "SENSOR/5, FUNCTION=ACCX(2), VALUE=-0.5, ERROR=1E-7, PRINT\nINTEGRATOR/" +
            integrator + "\nEND\n");
    f.write("job.acf", "swing\njob\nSIMULATE/DYNAMIC, END=1.5, STEPS=5\n");
    const Outcome o = run(f, {"run", "job.acf"});
    ASSERT_EQ(o.code, 0) << o.err;
    const std::vector<double> times = first_times(o.out, 5);
    for (std::size_t k = 0; k < times.size(); ++k)
      EXPECT_NEAR(times[k], expected[k], 1e-5) << integrator << " SENSOR/" << k + 1;
  }
}

}  // namespace
}  // namespace sensor_values_test
