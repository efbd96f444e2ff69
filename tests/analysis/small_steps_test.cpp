// Steps far below what ERROR asks for: accelerations and reactions without noise of the corrector.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "../support/simulate.h"

namespace trammel::small_steps_test {
namespace {

using namespace test;

/// A rod of 4 m turns about a global Y axis at its end and slides along it: the plane motion has no angular
/// acceleration about X and Z, and the joint no torque about X.
std::string rod(const std::string& integrator) {
  return "rod\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/10, PART=1\n"
         "MARKER/11, PART=1, REULER=180D, 90D, 180D\n"
         "PART/2, MASS=1, CM=20, IP=0.04, 0.1, 0.1\nMARKER/20, PART=2, QP=2, 0, 0, REULER=180D, 90D, 180D\n"
         "MARKER/21, PART=2, REULER=180D, 90D, 180D\nJOINT/1, CYLINDRICAL, I=11, J=21\n"
         "ACCGRAV/KGRAV=-9.80665\n" +
         integrator + "\nEND\n";
}

void expect_no_noise(const std::string& integrator) {
  Recording r(rod(integrator));
  r.simulation->run(dynamics_analysis, {1.5, 150});
  for (std::size_t k = 0; k < r.values.size(); ++k) {
    // A thousandth of a rad/s², beside accelerations of 5: what ADAMS gives at the same HMAX, too.
    EXPECT_NEAR(r.at(k, "PART/2", "WDX"), 0, 1e-3) << integrator << ", t = " << r.time[k];
    EXPECT_NEAR(r.at(k, "PART/2", "WDZ"), 0, 1e-3) << integrator << ", t = " << r.time[k];
    EXPECT_NEAR(r.at(k, "JOINT/1", "TX"), 0, 1e-3) << integrator << ", t = " << r.time[k];
  }
}

TEST(SmallSteps, leave_no_noise_in_accelerations) {
  expect_no_noise("INTEGRATOR/GSTIFF, ERROR=1E-4, HMAX=1E-5");
  expect_no_noise("INTEGRATOR/HHT, ERROR=1E-3, HMAX=1E-5");
  expect_no_noise("INTEGRATOR/RADAU, ERROR=1E-3, HMAX=1E-4");
  expect_no_noise("INTEGRATOR/RKF45, ERROR=1E-3, HMAX=1E-4");
  expect_no_noise("INTEGRATOR/ABAM, ERROR=1E-3, HMAX=1E-4");
}

/// Two links that swing down, each on a revolute joint; `beside` may have states that nothing of them reads.
std::string links(const std::string& beside, const std::string& integrator) {
  return "links\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\n"
         "MARKER/12, PART=1, REULER=0D, -90D, 0D\n"
         "PART/2, QG=0.05, 0, 0, MASS=0.1, CM=20, IP=5E-6, 8.58E-5, 8.58E-5\nMARKER/20, PART=2\n"
         "MARKER/21, PART=2, QP=-0.05, 0, 0, REULER=0D, -90D, 0D\n"
         "MARKER/22, PART=2, QP=0.05, 0, 0, REULER=0D, -90D, 0D\n"
         "PART/3, QG=0.15, 0, 0, MASS=0.1, CM=30, IP=5E-6, 8.58E-5, 8.58E-5\nMARKER/30, PART=3\n"
         "MARKER/31, PART=3, QP=-0.05, 0, 0, REULER=0D, -90D, 0D\n"
         "JOINT/1, REVOLUTE, I=21, J=12\nJOINT/2, REVOLUTE, I=31, J=22\nACCGRAV/KGRAV=-9.80665\n" +
         beside + integrator + "\nEND\n";
}

/// The links beside an oscillator of so many cycles/s, whose steps are far smaller than ERROR asks for their
/// motion.
std::string links_beside_oscillator(double frequency, const std::string& integrator) {
  return links(fmt::format("DIFF/1, IC=1, FUNCTION=DIF(2)\nDIFF/2, IC=0, FUNCTION={}*DIF(1)\n",
                           -std::pow(2 * M_PI * frequency, 2)),
               integrator);
}

/// RADAU on the links alone is the reference.
TEST(SmallSteps, that_states_ask_for_leave_no_noise_in_accelerations) {
  Recording right(links("", "INTEGRATOR/RADAU, ERROR=1E-10"));
  right.simulation->run(dynamics_analysis, {0.5, 100});
  for (const double frequency : {20, 40, 60}) {
    Recording r(links_beside_oscillator(frequency, "INTEGRATOR/HHT, ERROR=1E-6"));
    r.simulation->run(dynamics_analysis, {0.5, 100});
    // A fortieth of 4e-3, which this ERROR leaves in the links' own steps.
    for (const char* part : {"PART/2", "PART/3"})
      for (const char* component : {"ACCX", "ACCZ", "WDY"})
        EXPECT_LT(relative_difference(r, right, part, component), 1e-4)
            << frequency << " " << part << " " << component;
    for (const char* joint : {"JOINT/1", "JOINT/2"})
      for (const char* component : {"FX", "FZ"})
        EXPECT_LT(relative_difference(r, right, joint, component), 1e-4)
            << frequency << " " << joint << " " << component;
  }
}

/// A step that ERROR rejected just before an output leaves no short remainder, which would amplify errors in
/// positions by 1/h² in accelerations.
TEST(SmallSteps, are_none_that_remain_after_a_rejected_one) {
  Recording r(links_beside_oscillator(60, "INTEGRATOR/HHT, ERROR=1E-5"));
  r.simulation->run(dynamics_analysis, {0.5, 100});
  EXPECT_GT(r.simulation->counters().rejected_error, 100);
  for (std::size_t k = 10; k < r.steps.size(); ++k)
    EXPECT_GT(r.steps[k].h, 0.4 * r.steps[k - 1].h) << r.steps[k].t;
}

/// 1000 fixed steps to an output leave a remainder of rounding, which is no step of its own.
TEST(SmallSteps, of_fixed_size_do_not_end_in_a_remainder) {
  expect_no_noise("INTEGRATOR/HHT, ERROR=1E-6, HMAX=1E-5, HMIN=1E-5, HINIT=1E-5");
  Recording r(rod("INTEGRATOR/HHT, ERROR=1E-6, HMAX=1E-5, HMIN=1E-5, HINIT=1E-5"));
  r.simulation->run(dynamics_analysis, {1.5, 150});
  EXPECT_EQ(r.simulation->counters().steps, 150000);
}

/// Two links on a spring-damper of 8E5 N/m and 4E4 N s/m: no ERROR and no HINIT ends the run.
void expect_end_at_rounding(const char* method) {
  for (const double error : {1e-3, 1e-6, 1e-9, 1e-11, 1e-12})
    for (const double hinit : {1e-2, 1e-4, 1e-6, 1e-8}) {
      Recording r(
          "governor\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/10, "
          "PART=1\n"
          "MARKER/11, PART=1, QP=0, -0.1, 0\nPART/2, MASS=10, CM=20, IP=0.6, 0.6, 0.1, QG=0.5, 0, "
          "0\nMARKER/20, PART=2\n"
          "MARKER/21, PART=2, QP=-0.5, 0, 0\nMARKER/22, PART=2, QP=0.5, 0, 0\n"
          "PART/3, MASS=2, CM=30, IP=0.1, 0.1, 0.1, QG=1.5, 0, 0\nMARKER/30, PART=3\nMARKER/31, PART=3, "
          "QP=-0.5, 0, 0\n"
          "JOINT/1, REVOLUTE, I=21, J=10\nJOINT/2, REVOLUTE, I=31, J=22\n"
          "SPRINGDAMPER/1, TRANSLATION, I=30, J=11, K=8E5, C=4E4, LENGTH=1.5\nACCGRAV/JGRAV=-9.81\n" +
          fmt::format("INTEGRATOR/{}, ERROR={:g}, HINIT={:g}\nEND\n", method, error, hinit));
      EXPECT_NO_THROW(r.simulation->run(dynamics_analysis, {std::min(1.0, 30 * std::cbrt(error)), 3}))
          << method << " " << error << " " << hinit;
    }
}

TEST(SmallSteps, tight_tolerances_end_at_rounding) {
  expect_end_at_rounding("HHT");
  expect_end_at_rounding("RADAU");
  expect_end_at_rounding("RKF45");
  expect_end_at_rounding("ABAM");
}

/// A pendulum of 10 t ten metres from the origin, whose DIFF integrates the reaction less a constant:
/// rounding of the reaction, 1/h², is above what ERROR allows below some step. The runs end, and the integral
/// is that of the momentum theorem: ∫ F_z dt = m ż + m g t.
TEST(SmallSteps, of_states_that_integrate_a_reaction_end_at_rounding) {
  const double mass = 1e4, gravity = 9.80665, constant = 98000, end = 0.2;
  for (const double error : {1e-9, 1e-10, 1e-11, 1e-12, 1e-13})
    for (const double hinit : {1e-4, 1e-8}) {
      Recording r(fmt::format(
          "pendulum\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\n"
          "MARKER/10, PART=1, QP=10, 4, 0, REULER=180D, 90D, 180D\n"
          "PART/2, MASS={0}, CM=20, IP={0}, {0}, {0}, QG=10, 4, 0\n"
          "MARKER/20, PART=2, QP=1, 0, 0, REULER=180D, 90D, 180D\nMARKER/21, PART=2, REULER=180D, 90D, 180D\n"
          "JOINT/1, REVOLUTE, I=21, J=10\nACCGRAV/KGRAV=-{1}\n"
          "DIFF/1, IC=0, FUNCTION=JOINT(1,0,4,0)-{2}\nREQUEST/1, F2=DIF(1)/F3=VZ(20)\n"
          "INTEGRATOR/HHT, ERROR={3:g}, HINIT={4:g}\nEND\n",
          mass, gravity, constant, error, hinit));
      ASSERT_NO_THROW(r.simulation->run(dynamics_analysis, {end, 4})) << error << " " << hinit;
      for (std::size_t k = 0; k < r.values.size(); ++k) {
        const double t = r.time[k];
        const double impulse = mass * (r.at(k, "REQUEST/1", "F3") + gravity * t) - constant * t;
        // A method of second order with a local error of 1e-9 has a global one of 1e-6, its ⅔ power: 1e-2 N s
        // beside momenta of 1e4 N s. A tenth of that.
        EXPECT_NEAR(r.at(k, "REQUEST/1", "F2"), impulse, 1e-3) << error << " " << hinit << ", t = " << t;
      }
    }
}

}  // namespace
}  // namespace trammel::small_steps_test
