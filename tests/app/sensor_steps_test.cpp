// SENSORs where steps are long compared to the course of what is watched: all that a closed form says is
// found.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "sensor_times.h"
#include "support.h"

using namespace trammel_test;

namespace sensor_steps_test {
namespace {

constexpr double speed = 10, phase = 2.1, value = 0.9;
/// Of times that are told with seven digits, up to 5 s.
constexpr double digits = 1e-6;

/// A balanced crank whose pin has the height sin(10 t + 2.1): it turns freely, so that nothing limits the
/// steps.
std::string crank(const std::string& more) {
  return "crank\nUNITS/SYSTEM=MKS\nPART/1,GROUND\nMARKER/10,PART=1\nPART/"
         "2,MASS=1,CM=20,IP=1,1,1,REULER=2.1,0,0,WZ=10\n"
         "MARKER/20,PART=2\nMARKER/21,PART=2,QP=1,0,0\nJOINT/1,REVOLUTE,I=20,J=10\n" +
         more + "END\n";
}

/// The times up to 5 s at which the pin comes to the value, going up, down, or either.
std::vector<double> crossings(bool up, bool down) {
  std::vector<double> times;
  const double rise = std::asin(value), fall = std::numbers::pi - rise;
  for (int turn = 0; turn < 10; ++turn)
    for (const auto& [angle, counts] : {std::pair{rise, up}, {fall, down}}) {
      const double t = (angle + 2 * std::numbers::pi * turn - phase) / speed;
      if (counts && t > 0 && t <= 5) times.push_back(t);
    }
  return times;
}

void expect_times(const std::vector<double>& found, const std::vector<double>& expected,
                  const std::string& of) {
  ASSERT_EQ(found.size(), expected.size()) << of;
  for (std::size_t k = 0; k < found.size(); ++k)
    EXPECT_NEAR(found[k], expected[k], digits) << of << ", " << k;
}

constexpr const char* methods[] = {"HHT", "GSTIFF,SI2", "WSTIFF,SI2", "ABAM", "RKF45", "RADAU"};
/// The last one gives steps of whole turns: the pin is at the same height at the ends of all of them.
constexpr const char* output_steps[] = {"0.5", "0.05", "0.62831853071795865"};

TEST(SensorSteps, all_crossings_are_found) {
  const std::string sensors =
      "SENSOR/1,FUNCTION=DY(21,10),VALUE=0.9,ERROR=1E-9,EQ,PRINT\nSENSOR/"
      "2,FUNCTION=DY(21,10),VALUE=0.9,ERROR=1E-9,GE,PRINT\n"
      "SENSOR/3,FUNCTION=DY(21,10),VALUE=0.9,ERROR=1E-9,LE,PRINT\n";
  for (const std::string method : methods)
    for (const std::string step : output_steps) {
      Folder f;
      f.write("crank.adm", crank(sensors + "INTEGRATOR/" + method + ",ERROR=1E-6\n"));
      const Outcome o = run(f, {"run", "crank.adm", "--end", "5", "--dtout", step});
      ASSERT_EQ(o.code, 0) << o.err;
      const std::string of = method + ", " + step;
      expect_times(times_told(o.out, 1), crossings(true, true), of + ", EQ");
      expect_times(times_told(o.out, 2), crossings(true, false), of + ", GE");
      expect_times(times_told(o.out, 3), crossings(false, true), of + ", LE");
    }
}

TEST(SensorSteps, halts_at_the_first_time) {
  for (const std::string method : methods) {
    Folder f;
    f.write("crank.adm", crank("SENSOR/1,FUNCTION=DY(21,10),VALUE=0.9,ERROR=1E-9,LE,HALT\nINTEGRATOR/" +
                               method + ",ERROR=1E-6\n"));
    const Outcome o = run(f, {"run", "crank.adm", "--end", "5", "--dtout", "0.5"});
    ASSERT_EQ(o.code, 0) << o.err;
    expect_times(times_told(o.out, 1), {crossings(false, true).front()}, method);
    EXPECT_NEAR(f.channel("crank.nc", "TIME").back(), crossings(false, true).front(), digits) << method;
  }
}

TEST(SensorSteps, in_kinematics) {
  Folder f;
  f.write("crank.adm", crank("MOTION/1,JOINT=1,FUNCTION=2.1+10*TIME\n"
                             "SENSOR/1,FUNCTION=DY(21,10),VALUE=0.9,ERROR=1E-9,EQ,PRINT\n"
                             "SENSOR/2,FUNCTION=DY(21,10),VALUE=0.9,ERROR=1E-9,LE,PRINT\n"));
  f.write("crank.acf", "crank\ncrank\nSIMULATE/KINEMATICS,END=5,DTOUT=0.5\nSTOP\n");
  const Outcome o = run(f, {"run", "crank.acf"});
  ASSERT_EQ(o.code, 0) << o.err;
  expect_times(times_told(o.out, 1), crossings(true, true), "EQ");
  expect_times(times_told(o.out, 2), crossings(false, true), "LE");
}

// z = −2 + 6.34429 t − 5 t²: two crossings of 0, 0.1 s apart, at 0.634429 ∓ √(0.634429² − 0.4).
TEST(SensorSteps, behind_one_that_has_just_acted) {
  const double middle = 0.634429, half = std::sqrt(middle * middle - 0.4);
  for (const std::string step : {"1", "0.1"}) {
    Folder f;
    f.write("ball.adm",
            "ball\nUNITS/SYSTEM=MKS\nPART/1,GROUND\nMARKER/10,PART=1\nACCGRAV/KGRAV=-10\n"
            "PART/2,MASS=1,CM=20,IP=1,1,1,QG=0,0,-2,VZ=6.34429\nMARKER/20,PART=2\n"
            "SENSOR/1,FUNCTION=DZ(20,10),VALUE=0,EQ,ERROR=1E-6,PRINT\nINTEGRATOR/GSTIFF,SI2,ERROR=1E-6\n");
    const Outcome o = run(f, {"run", "ball.adm", "--end", "2", "--dtout", step});
    ASSERT_EQ(o.code, 0) << o.err;
    expect_times(times_told(o.out, 1), {middle - half, middle + half}, step);
  }
}

// A VARIABLE, for which the equations are solved at each place that is looked at.
TEST(SensorSteps, of_a_variable) {
  Folder f;
  f.write("crank.adm",
          crank("VARIABLE/1,FUNCTION=DY(21,10)\nSENSOR/1,FUNCTION=VARVAL(1),VALUE=0.9,ERROR=1E-9,EQ,PRINT\n"
                "INTEGRATOR/GSTIFF,SI2,ERROR=1E-6\n"));
  const Outcome o = run(f, {"run", "crank.adm", "--end", "5", "--dtout", "0.5"});
  ASSERT_EQ(o.code, 0) << o.err;
  expect_times(times_told(o.out, 1), crossings(true, true), "VARVAL");
}

TEST(SensorSteps, more_than_can_be_followed_is_told) {
  Folder f;
  f.write("crank.adm", crank("SENSOR/1,FUNCTION=SIN(20000*TIME),VALUE=1.01,ERROR=1E-6,EQ,PRINT\nINTEGRATOR/"
                             "GSTIFF,SI2,ERROR=1E-6\n"));
  const Outcome o = run(f, {"run", "crank.adm", "--end", "5", "--dtout", "0.5"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_NE((o.out + o.err).find("SENSOR/1: its FUNCTION changes so often inside of a step"),
            std::string::npos)
      << o.out;
}

}  // namespace
}  // namespace sensor_steps_test
