// A rotor that a MOTION turns at constant speed and nothing loads: all its forces are rounding.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "../support/simulate.h"

namespace trammel::free_rotor_test {
namespace {

using namespace test;

/// Inertias of 1 and 2 kg m², on a revolute joint whose axis has these angles, turned by `speed` t.
std::string rotor(double speed, const std::string& axes, const std::string& integrator) {
  return fmt::format(
      "rotor\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\n"
      "MARKER/1, PART=1, REULER={0}\nPART/2, MASS=1, IP=1,1,2, CM=20\nMARKER/20, PART=2, REULER={0}\n"
      "JOINT/1, REVOLUTE, I=20, J=1\nMOTION/1, JOINT=1, ROTATION, FUNCTION={1}*TIME\n"
      "REQUEST/1, F1=MOTION(1,0,5,0)\\F2=WDTM(20)\\F3=WM(20)\\\nINTEGRATOR/{2}\nEND\n",
      axes, speed, integrator);
}

/// Where the corrector took rounding of the angle, which grows from turn to turn, for what it had to mend,
/// steps became shorter until the accelerations of a rotor at 1,500 rpm were 3·10⁹ rad/s², or ended.
TEST(FreeRotor, needs_no_torque_however_far_it_has_turned) {
  for (const char* integrator : {"HHT", "HHT, ERROR=1E-7", "GSTIFF", "GSTIFF, ERROR=1E-5", "WSTIFF",
                                 "GSTIFF, SI2, ERROR=1E-6", "RADAU"})
    for (const char* axes : {"0, 0, 0", "0.5, 0.9, 0.3"})
      for (const double speed : {33.3, 157.08, 911.7}) {
        SCOPED_TRACE(fmt::format("{} {} {}", integrator, axes, speed));
        Recording r(rotor(speed, axes, integrator));
        ASSERT_NO_THROW(r.simulation->run(dynamics_analysis, {3.5, 350}));
        // Three steps in a turn at least, and as many as outputs.
        EXPECT_LT(r.simulation->counters().steps, 2 * std::max(350.0, 3.5 * speed / 2));
        // Rounding of an angle of 3,200 rad, 2e-13, over β h² with h = 2e-3 and β = 0.3, is 2e-7 rad/s²; I3
        // and HHT add up some of it.
        const double rounding = 2.2e-16 * 3.5 * speed / (0.3 * 4e-6);
        for (std::size_t k = 0; k < r.values.size(); ++k) {
          EXPECT_NEAR(r.at(k, "REQUEST/1", "F1"), 0, 2 * 50 * rounding) << k;
          EXPECT_NEAR(r.at(k, "REQUEST/1", "F2"), 0, 50 * rounding) << k;
          EXPECT_NEAR(r.at(k, "REQUEST/1", "F3"), speed, 1e-9 * speed) << k;
        }
      }
}

/// The deck with one text in the place of another.
std::string replaced(std::string deck, const std::string& from, const std::string& to) {
  return deck.replace(deck.find(from), from.size(), to);
}

/// Beyond 2^14 rad, 104 s at 1,500 rpm, where the spacing of numbers doubles: parts in space and in a plane.
TEST(FreeRotor, turns_on_beyond_the_spacing_of_its_angle) {
  for (const char* integrator : {"HHT", "GSTIFF", "WSTIFF", "GSTIFF, SI2"})
    for (const char* part : {"CM=20", "CM=20, PLANAR"}) {
      SCOPED_TRACE(fmt::format("{} {}", integrator, part));
      Recording r(replaced(rotor(3000, "0, 0, 0", integrator), "CM=20", part));
      ASSERT_NO_THROW(r.simulation->run(dynamics_analysis, {12, 20}));
      EXPECT_LT(r.simulation->counters().steps, 1.1 * 4 * 36000 / 6.28);  // four in a turn
      for (std::size_t k = 0; k < r.values.size(); ++k) {
        // What the corrector leaves, 10 u 36,000 = 4e-11 rad, over 0.3 h² with steps of 1/2,000 s is 5e-4
        // rad/s², of which HHT adds up some: 4e-3 N m, root mean square, and in 80 records three times that.
        EXPECT_NEAR(r.at(k, "REQUEST/1", "F1"), 0, 2 * 20 * 5e-4) << k;
        EXPECT_NEAR(r.at(k, "REQUEST/1", "F3"), 3000, 1e-6 * 3000) << k;
      }
    }
}

/// The same of a rotor whose mass is off its axis.
TEST(FreeRotor, turns_on_where_its_bearing_bears_a_force) {
  const std::string centred = rotor(600, "0, 0, 0", "HHT");
  Recording r(
      replaced(replaced(centred, "CM=20", "CM=21"), "JOINT/1", "MARKER/21, PART=2, QP=0.1,0,0\nJOINT/1"));
  ASSERT_NO_THROW(r.simulation->run(dynamics_analysis, {60, 20}));
  for (std::size_t k = 0; k < r.values.size(); ++k)
    EXPECT_NEAR(r.at(k, "REQUEST/1", "F3"), 600, 1e-6 * 600) << k;
}

}  // namespace
}  // namespace trammel::free_rotor_test
