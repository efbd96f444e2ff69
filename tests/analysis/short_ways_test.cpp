// Outputs, breaks, events and ends that are much nearer to each other than a step is long: no step is as
// short as that, since velocities and reactions of it would be rounding, and what the corrector leaves, over
// its size.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../support/simulate.h"

namespace trammel::short_ways_test {
namespace {

using namespace test;

constexpr double mass = 2, inertia = 0.1, gravity = 9.81;

/// A pendulum of length 1 that is released from the horizontal, with a torque of time.
std::string pendulum(const std::string& integrator, const std::string& torque, const std::string& more = "") {
  return fmt::format(
      "pendulum\nUNITS/SYSTEM=MKS\nINTEGRATOR/{}\nACCGRAV/JGRAV=-{}\nPART/1,GROUND\nMARKER/1,PART=1\n"
      "PART/2,MASS={},CM=20,IP={},{},{},QG=1,0,0\nMARKER/20,PART=2\nMARKER/21,PART=2,QP=-1,0,0\n"
      "JOINT/1,REVOLUTE,I=21,J=1\nSFORCE/1,ROTATION,I=20,J=1,FUNCTION={}\n{}END\n",
      integrator, gravity, mass, inertia, inertia, inertia, torque, more);
}

struct Motion {
  double angle = 0, speed = 0;
};
using Torque = std::function<double(double)>;

/// (I + m) φ̈ = −m g cos φ + T(t)
double acceleration(const Motion& m, double torque) {
  return (torque - mass * gravity * std::cos(m.angle)) / (inertia + mass);
}
/// The classical method of Runge and Kutta in steps of 10⁻⁴ s, which end at `jump`; the torque is that inside
/// of each step.
void advance(Motion& m, double from, double to, double jump, const Torque& torque) {
  for (double t = from; t < to;) {
    const double end = t < jump && jump < to ? jump : to, count = std::ceil((end - t) / 1e-4),
                 h = (end - t) / count;
    const double begin = t;
    for (int k = 0; k < count; ++k) {
      const double now = begin + k * h, inside = 1e-9 * h;
      const auto rate = [&](const Motion& x, double at) {
        return Motion{x.speed, acceleration(x, torque(at))};
      };
      const auto moved = [&](const Motion& r, double by) {
        return Motion{m.angle + by * r.angle, m.speed + by * r.speed};
      };
      const Motion a = rate(m, now + inside), b = rate(moved(a, h / 2), now + h / 2),
                   c = rate(moved(b, h / 2), now + h / 2), d = rate(moved(c, h), now + h - inside);
      m.angle += h / 6 * (a.angle + 2 * b.angle + 2 * c.angle + d.angle);
      m.speed += h / 6 * (a.speed + 2 * b.speed + 2 * c.speed + d.speed);
    }
    t = end;
  }
}

struct Method {
  const char* name;
  double of_speed, of_acceleration;  ///< rad/s and m/s², what they may be wrong by
};
/// Without anything close to an output these are wrong by a quarter of that, I3 and HHT in accelerations by a
/// half.
const Method methods[] = {{"GSTIFF,SI2,ERROR=1E-5", 2e-3, 4e-2}, {"GSTIFF,SI1,ERROR=1E-4", 1e-3, 2e-2},
                          {"GSTIFF,ERROR=1E-5", 1e-2, 0.6},      {"WSTIFF,ERROR=1E-5", 1e-2, 0.6},
                          {"HHT,ERROR=1E-5", 1e-2, 0.6},         {"RADAU,ERROR=1E-6", 1e-4, 1e-3},
                          {"ABAM,ERROR=1E-6", 1e-4, 1e-3},       {"RKF45,ERROR=1E-6", 1e-4, 1e-3},
                          {"NEWMARK,HINIT=1E-3", 2e-2, 0.6}};

/// All records against the pendulum's equation; at a jump itself, either side of it.
void expect_right(const Recording& r, const Method& method, const std::string& what, const Torque& torque,
                  double jump) {
  Motion m;
  for (std::size_t n = 0; n < r.time.size(); ++n) {
    if (n > 0) advance(m, r.time[n - 1], r.time[n], jump, torque);
    EXPECT_NEAR(r.at(n, "PART/2", "WZ"), m.speed, method.of_speed) << what << " at " << r.time[n];
    if (std::fabs(r.time[n] - jump) < 1e-12) continue;
    const double of_x =
        -std::sin(m.angle) * acceleration(m, torque(r.time[n])) - std::cos(m.angle) * m.speed * m.speed;
    EXPECT_NEAR(r.at(n, "PART/2", "ACCX"), of_x, method.of_acceleration) << what << " at " << r.time[n];
  }
}

std::vector<double> distances() {
  std::vector<double> all{0};
  for (int k = 2; k <= 15; ++k)
    for (const int sign : {1, -1}) all.push_back(sign * std::pow(10, -k));
  return all;
}

TEST(ShortWays, breaks_beside_outputs) {
  for (const Method& method : methods)
    for (const double d : distances()) {
      const double jump = 0.3 + d;
      const auto what = [&](const char* law) { return fmt::format("{} {} {}", method.name, law, d); };
      Recording by_if(pendulum(method.name, fmt::format("IF(TIME-{}:0,1,1)", jump)));
      by_if.simulation->run(dynamics_analysis, {0.6, 20});
      expect_right(
          by_if, method, what("IF"), [jump](double t) { return t < jump ? 0 : 1; }, jump);
      Recording by_step(pendulum(method.name, fmt::format("STEP(TIME,0,0,{},1)", jump)));
      by_step.simulation->run(dynamics_analysis, {0.6, 20});
      const auto step = [jump](double t) { return t < jump ? (3 - 2 * t / jump) * t * t / jump / jump : 1; };
      expect_right(by_step, method, what("STEP"), step, jump);
    }
}

TEST(ShortWays, breaks_beside_each_other_and_the_end) {
  for (const Method& method : methods)
    for (const double d : distances()) {
      if (d <= 0) continue;
      // The first jump would matter, the second does not.
      Recording two(
          pendulum(method.name, fmt::format("IF(TIME-0.31:0,1,1)+IF(TIME-{}:0,1E-9,1E-9)", 0.31 + d)));
      two.simulation->run(dynamics_analysis, {0.6, 20});
      const Torque one = [](double t) { return t < 0.31 ? 0 : 1; };
      expect_right(two, method, fmt::format("{} two {}", method.name, d), one, 0.31);
      Recording end(pendulum(method.name, "IF(TIME-0.31:0,1,1)"));
      end.simulation->run(dynamics_analysis, {0.31 + d, 1});
      end.simulation->run(dynamics_analysis, {0.6, 10});
      expect_right(end, method, fmt::format("{} end {}", method.name, d), one, 0.31);
    }
}

TEST(ShortWays, last_output_steps_that_are_short) {
  for (const Method& method : methods)
    for (const double d : distances()) {
      if (d == 0) continue;
      Recording r(pendulum(method.name, "0"));
      r.simulation->run(dynamics_analysis, {0.6 + d, d > 0 ? 21 : 20, 0.03});
      EXPECT_EQ(r.time.back(), 0.6 + d);
      expect_right(
          r, method, fmt::format("{} rest {}", method.name, d), [](double) { return 0; }, HUGE_VAL);
    }
}

/// Simulations that go on with outputs a thousand times nearer to each other, or with one alone.
TEST(ShortWays, outputs_far_nearer_than_steps_before) {
  for (const Method& method : methods) {
    Recording r(pendulum(method.name, "0"));
    r.simulation->run(dynamics_analysis, {0.6, 20});
    r.simulation->run(dynamics_analysis, {0.6 + 1e-6, 1});
    r.simulation->run(dynamics_analysis, {0.6 + 4e-6, 3});
    r.simulation->run(dynamics_analysis, {0.9, 10});
    r.simulation->run(dynamics_analysis, {0.9002, 20});
    r.simulation->run(dynamics_analysis, {1.2, 10});
    ASSERT_EQ(r.time.size(), 70u);  // each begins with the end of the one before
    expect_right(
        r, method, fmt::format("{} near", method.name), [](double) { return 0; }, HUGE_VAL);
  }
}

/// A state that reads a reaction integrates all that is wrong with it; and a friction that reads one.
TEST(ShortWays, outputs_far_nearer_with_states_of_reactions) {
  for (const Method& method : methods)
    for (const int outputs : {1, 100}) {
      Recording r(pendulum(method.name, "0",
                           "DIFF/1,IC=0,FUNCTION=ACCX(20)-DIF(1)\nFRICTION/1,JOINT=1,"
                           "MU_STATIC=1E-9,MU_DYNAMIC=1E-9,PIN_RADIUS=.05\n"));
      r.simulation->run(dynamics_analysis, {0.6, 20});
      for (const double later : {1e-8, 2e-8, 1e-6, 1e-4, 2e-4})
        r.simulation->run(dynamics_analysis, {0.6 + later, outputs});
      r.simulation->run(dynamics_analysis, {0.9, 10});
      expect_right(
          r, method, fmt::format("{} states {}", method.name, outputs), [](double) { return 0; }, HUGE_VAL);
    }
}

/// Sensors at times that are those of outputs, as texts give both.
TEST(ShortWays, sensors_that_act_at_outputs) {
  for (const Method& method : methods)
    for (const char* action : {"RESTART", "EVALUATE=1", "CODGEN"})
      for (int k = 1; k < 20; ++k) {
        Recording r(pendulum(method.name, "0",
                             fmt::format("SENSOR/1,FUNCTION=TIME,VALUE={:.3f},GE,{}\n", 0.025 * k, action)));
        r.simulation->run(dynamics_analysis, {0.5, 20});
        ASSERT_EQ(r.time.size(), 21u);
        expect_right(
            r, method, fmt::format("{} {} {}", method.name, action, k), [](double) { return 0; }, HUGE_VAL);
      }
}

/// A sensor that acts shortly before the end, or an output.
TEST(ShortWays, sensors_that_act_beside_outputs_and_the_end) {
  for (const Method& method : methods)
    for (const double d : distances())
      for (const double time : {0.3, 0.6}) {
        if (time == 0.6 && d > 0) continue;
        Recording r(pendulum(method.name, "0",
                             fmt::format("SENSOR/1,FUNCTION=TIME,VALUE={},GE,RESTART\n", time + d)));
        r.simulation->run(dynamics_analysis, {0.6, 20});
        ASSERT_EQ(r.time.size(), 21u);
        expect_right(
            r, method, fmt::format("{} {} {}", method.name, time, d), [](double) { return 0; }, HUGE_VAL);
      }
}

/// What a DELAY looks back at where the integrator begins behind a short way and behind a sensor; 10⁻⁹ Nm are
/// no torque.
TEST(ShortWays, with_delays) {
  const std::string seen = "VARIABLE/9,FUNCTION=WZ(20)\nREQUEST/1,F2=DELAY(VARVAL(9),0.05,0)\n";
  for (const Method& method : methods)
    for (const double d : {1e-5, 2e-7, 1e-10}) {
      const std::string behind = fmt::format("IF(TIME-{}:0,1E-9,1E-9)", 0.3 + d);
      for (const bool sensor : {false, true}) {
        const std::string before = fmt::format("IF(TIME-{}:0,1E-9,1E-9)+", 0.3 - d),
                          event = "SENSOR/1,FUNCTION=TIME,VALUE=0.3,GE,RESTART,ERROR=1E-9\n";
        Recording r(pendulum(method.name, (sensor ? "" : before) + behind + "+0*DELAY(VARVAL(9),0.05,0)",
                             seen + (sensor ? event : "")));
        r.simulation->run(dynamics_analysis, {0.6, 60});
        ASSERT_EQ(r.time.size(), 61u);
        expect_right(
            r, method, fmt::format("{} delay {}", method.name, d), [](double) { return 0; }, HUGE_VAL);
        for (std::size_t n = 5; n < r.time.size(); ++n)
          EXPECT_NEAR(r.at(n, "REQUEST/1", "F2"), r.at(n - 5, "PART/2", "WZ"), method.of_speed) << r.time[n];
      }
    }
}

/// A state with an eigenvalue of −10⁸ 1/s follows what it reads; interpolated by its rates it would not.
TEST(ShortWays, with_stiff_states) {
  for (const Method& method : methods) {
    if (std::string(method.name).starts_with("ABAM") || std::string(method.name).starts_with("RKF45"))
      continue;
    Recording r(pendulum(method.name, "IF(TIME-0.301:0,1,1)",
                         "DIFF/1,IC=0,FUNCTION=-1E8*(DIF(1)-WZ(20))\nREQUEST/1,F2=DIF(1)\n"));
    r.simulation->run(dynamics_analysis, {0.6, 20});
    for (std::size_t n = 0; n < r.time.size(); ++n)
      EXPECT_NEAR(r.at(n, "REQUEST/1", "F2"), r.at(n, "PART/2", "WZ"), 1e-4) << method.name << r.time[n];
  }
}

/// A pendulum of inertia I on a cart that a MOTION moves by its acceleration a(t), STEPs:
///   (I + m l²) θ¨ = −m l (a cos θ + g sin θ).
/// A step that begins at a break moves places by as much as ERROR, which is no velocity inside of it.
TEST(ShortWays, outputs_just_behind_a_break_have_its_velocities) {
  constexpr double I = 0.001, m = 0.7, l = 0.5;
  const auto step = [](double t, double begin, double end) {
    const double u = std::clamp((t - begin) / (end - begin), 0.0, 1.0);
    return u * u * (3 - 2 * u);
  };
  const auto rate = [&](double t, const Motion& x) {
    const double a = 0.8 * step(t, 0.2, 0.5) - 1.1 * step(t, 0.7, 0.9);
    return Motion{x.speed, -m * l * (a * std::cos(x.angle) + gravity * std::sin(x.angle)) / (I + m * l * l)};
  };
  for (const char* integrator : {"GSTIFF,SI2,ERROR=1E-6", "WSTIFF,SI2,ERROR=1E-6", "GSTIFF,SI1,ERROR=1E-6",
                                 "GSTIFF,SI2,ERROR=1E-6,INTERPOLATE=ON"})
    for (const double behind : {1e-5, 1e-4, 6e-4, 3e-3}) {
      const double end = 2 * (0.9 + behind);  // the tenth of twenty outputs
      Recording r(fmt::format(
          "cart\nUNITS/SYSTEM=MKS\nINTEGRATOR/{}\nACCGRAV/JGRAV=-{}\nPART/1,GROUND\n"
          "MARKER/1,PART=1\nMARKER/2,PART=1,REULER=90D,90D,0\nPART/"
          "2,MASS=2,CM=20,IP=1,1,1,QG=0.1,0,0\nMARKER/20,PART=2\n"
          "MARKER/21,PART=2,REULER=90D,90D,0\nPART/3,QG=0.1,-{},0,MASS={},CM=30,IP={},{},{},VM=1,VX=0.2\n"
          "MARKER/30,PART=3\nMARKER/31,PART=3,QP=0,{},0\nJOINT/1,TRANSLATIONAL,I=21,J=2\n"
          "JOINT/2,REVOLUTE,I=31,J=20\nMOTION/1,JOINT=1,ACCELERATION,ICDISP=0.1,ICVEL=0.2\n"
          ",FUNCTION=0.8*STEP(TIME,.2,0,.5,1)-1.1*STEP(TIME,.7,0,.9,1)\nEND\n",
          integrator, gravity, l, m, I, I, I, l));
      r.simulation->run(dynamics_analysis, {end, 20});
      const std::size_t record = r.values.size() - 11;
      ASSERT_NEAR(r.time[record], 0.9 + behind, 1e-12);
      Motion x;
      constexpr int n = 20'000;
      const double h = r.time[record] / n;
      for (int k = 0; k < n; ++k) {
        const auto at = [&](double part, const Motion& d) {
          return rate((k + part) * h, {x.angle + part * h * d.angle, x.speed + part * h * d.speed});
        };
        const Motion k1 = at(0, {}), k2 = at(0.5, k1), k3 = at(0.5, k2), k4 = at(1, k3);
        x.angle += h / 6 * (k1.angle + 2 * k2.angle + 2 * k3.angle + k4.angle);
        x.speed += h / 6 * (k1.speed + 2 * k2.speed + 2 * k3.speed + k4.speed);
      }
      EXPECT_NEAR(r.at(record, "PART/3", "WZ"), x.speed, 1e-4) << integrator << " " << behind;  // 100 ERROR
    }
}

}  // namespace
}  // namespace trammel::short_ways_test
