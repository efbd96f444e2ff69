// Friction of a thread: FRICTION is not for a SCREW joint; what theory.md, 4a, gives in its place is held
// against the textbook's lead screw.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/simulate.h"

namespace trammel::screw_friction_test {
namespace {

using namespace test;

constexpr double g = 9.81, m = 3, inertia = 0.002, r = 0.01, pitch = 0.008;
const double t = pitch / (2 * M_PI * r);  // tangent of the lead angle, 0.127

constexpr double full = 1e-4;  // rad/s, from which on the thread slides

/// A screw that stands on end in a nut on ground and goes down by its own weight. The friction μ N of the
/// thread is along it: a torque about its axis and a force along it, which read the reaction F = N cos λ.
std::string screw(double mu, const std::string& start, const std::string& more) {
  return fmt::format(
             "thread\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nACCGRAV/KGRAV=-{}\n"
             "PART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS={}, IP=0.01,0.01,{}, CM=20{}\n"
             "MARKER/20, PART=2\nMARKER/2, PART=2\n"
             "JOINT/1, CYLINDRICAL, I=2, J=1\nJOINT/2, SCREW, I=2, J=1, PITCH={}\n",
             g, m, inertia, start, pitch) +
         fmt::format(
             "VARIABLE/1, FUNCTION={:.17g}*ABS(JOINT(2,0,4,1))*STEP(WZ(2,1,1),-{},-1,{},1)\n"
             "SFORCE/1, ROTATIONAL, I=2, J=1, FUNCTION=-VARVAL(1)*{}\n"
             "SFORCE/2, TRANSLATIONAL, I=22, J=11, FUNCTION=VARVAL(1)*{:.17g}\n"
             "MARKER/22, PART=2\nMARKER/11, PART=1, QP=0,0,-100\n",
             mu, full, full, r, -t) +
         more + "INTEGRATOR/GSTIFF, SI2, ERROR=1E-8\nEND\n";
}

/// Below the tangent of the lead angle it runs down: θ̈ = −W r K/(I + m r² t K), K = (t − μ)/(1 + μ t).
TEST(Thread, a_screw_runs_down_as_its_lead_angle_and_friction_say) {
  for (const double mu : {0.0, 0.05, 0.12}) {
    Recording run(screw(mu, ", WZ=-0.001, VZ=" + fmt::format("{:.17g}", -0.001 * r * t), ""));
    run.simulation->run(dynamics_analysis, {0.5, 10});
    const double K = (t - mu) / (1 + mu * t), a = -m * g * r * K / (inertia + m * r * r * t * K);
    for (const std::size_t n : {4u, 10u}) {
      EXPECT_NEAR(run.at(n, "PART/2", "WZ"), -0.001 + a * run.time[n], 1e-7 * (1 + std::fabs(a))) << mu;
      EXPECT_NEAR(run.at(n, "PART/2", "VZ"), run.at(n, "PART/2", "WZ") * r * t, 1e-12) << mu;
    }
  }
}

/// Above it it locks: what is left is the creep of the law at rest, at which μ STEP bears the weight.
TEST(Thread, a_screw_locks_itself_where_friction_is_above_its_lead_angle) {
  for (const double mu : {0.13, 0.2, 0.5}) {
    Recording run(screw(mu, "", ""));
    run.simulation->run(dynamics_analysis, {1, 10});
    double low = 0, high = 1;  // of ω as a share of `full`: (3 u − u³)/2 = t/μ
    for (int k = 0; k < 60; ++k) {
      const double u = (low + high) / 2;
      (u * (3 - u * u) / 2 < t / mu ? low : high) = u;
    }
    EXPECT_NEAR(run.at(10, "PART/2", "WZ"), -low * full, 1e-3 * full) << mu;
    EXPECT_GT(run.at(10, "PART/2", "Z"), -full * r * t) << mu;
  }
}

/// Driven upwards: the torque W r (t + μ)/(1 − μ t), the efficiency t (1 − μ t)/(t + μ); downwards
/// W r (μ − t)/(1 + μ t).
TEST(Thread, a_screw_takes_the_torque_of_the_textbook) {
  for (const double mu : {0.0, 0.1, 0.3}) {
    for (const double speed : {20.0, -20.0}) {
      const std::string start = fmt::format(", WZ={}, VZ={:.17g}", speed, speed * r * t);
      Recording run(
          screw(mu, start, fmt::format("MOTION/1, JOINT=1, ROTATIONAL, FUNCTION={}*TIME\n", speed)));
      run.simulation->run(kinematics_analysis, {0.5, 5});
      const double up = m * g * r * (t + mu) / (1 - mu * t), down = m * g * r * (mu - t) / (1 + mu * t);
      const double torque = run.at(5, "MOTION/1", "TZ");
      EXPECT_NEAR(torque, speed > 0 ? up : -down, 1e-10) << mu;
      if (speed < 0) continue;
      EXPECT_NEAR(m * g * r * t / torque, t * (1 - mu * t) / (t + mu), 1e-9) << mu;
    }
  }
}

}  // namespace
}  // namespace trammel::screw_friction_test
