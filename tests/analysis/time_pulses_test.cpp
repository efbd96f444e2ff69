// Functions of TIME that are quiet for long and then come and go within less than an output step: all of them
// are met, however far apart outputs are.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../support/simulate.h"

namespace trammel::time_pulses_test {
namespace {

using namespace test;

/// A mass of 1 kg on a slide, pushed by a function of time for 10 s.
std::string pushed(const std::string& integrator, const std::string& force) {
  return fmt::format(
      "pulses\nUNITS/SYSTEM=MKS\nINTEGRATOR/{}\nPART/1,GROUND\nMARKER/1,PART=1\nPART/"
      "2,MASS=1,CM=20,IP=1,1,1\n"
      "MARKER/20,PART=2\nJOINT/1,TRANSLATIONAL,I=20,J=1\nVARIABLE/1,FUNCTION=SIN(10*TIME)\n"
      "VARIABLE/2,FUNCTION=EXP(-((TIME-7.3)/0.05)**2)\nVARIABLE/3,FUNCTION=STEP(VARVAL(2),0.1,0,0.9,1)\n"
      "SPLINE/1,X=0,3,5,6,6.01,6.02,6.03,7,8,10,Y=0,0,0,0,1,1,0,0,0,0\n"
      "SFORCE/1,TRANSLATION,ACTIONONLY,I=20,J=1,FUNCTION={}\nEND\n",
      integrator, force);
}

double step(double x, double x0, double x1) {
  const double u = std::clamp((x - x0) / (x1 - x0), 0.0, 1.0);
  return u * u * (3 - 2 * u);
}
double bump(double t) {
  return std::exp(-std::pow((t - 7.3) / 0.05, 2));
}

/// A force, also as f(t, v).
struct Pulse {
  const char* force;
  std::function<double(double, double)> f;
};
const Pulse pulses[] = {
    {"MAX(0,SIN(10*TIME)-0.8)", [](double t, double) { return std::max(0.0, std::sin(10 * t) - 0.8); }},
    {"IF(SIN(2.1+10*TIME)-0.99:0,0,1)",
     [](double t, double) { return std::sin(2.1 + 10 * t) > 0.99 ? 1.0 : 0.0; }},
    {"STEP(SIN(10*TIME),0.9,0,0.95,1)", [](double t, double) { return step(std::sin(10 * t), 0.9, 0.95); }},
    {"STEP(VARVAL(1),0.9,0,0.95,1)", [](double t, double) { return step(std::sin(10 * t), 0.9, 0.95); }},
    {"SIN(10*TIME)**20", [](double t, double) { return std::pow(std::sin(10 * t), 20); }},
    {"SIN(2*PI*TIME)**2", [](double t, double) { return std::pow(std::sin(2 * std::numbers::pi * t), 2); }},
    {"EXP(-((TIME-7.3)/0.05)**2)", [](double t, double) { return bump(t); }},
    {"VARVAL(3)", [](double t, double) { return step(bump(t), 0.1, 0.9); }},
    {"TANH((TIME-7.3)/0.01)-TANH((TIME-7.35)/0.01)",
     [](double t, double) { return std::tanh((t - 7.3) / 0.01) - std::tanh((t - 7.35) / 0.01); }},
    {"1/(1+((TIME-3)/0.02)**2)", [](double t, double) { return 1 / (1 + std::pow((t - 3) / 0.02, 2)); }},
    {"(TIME*(10-TIME)/25)**4000", [](double t, double) { return std::pow(t * (10 - t) / 25, 4000); }},
    {"AKISPL(TIME,0,1)",  // of Akima's slopes, which are 0 at these points
     [](double t, double) { return step(t, 6, 6.01) - step(t, 6.02, 6.03); }},
    // Of time and motion.
    {"STEP(VARVAL(1),0.9,0,0.95,1)*(2-VZ(20))",
     [](double t, double v) { return (2 - v) * step(std::sin(10 * t), 0.9, 0.95); }},
    {"IF(SIN(10*TIME)-0.99:0,0,1-0.5*VZ(20))",
     [](double t, double v) { return std::sin(10 * t) > 0.99 ? 1 - 0.5 * v : 0.0; }},
    {"MAX(0,SIN(10*TIME)-0.8-0.1*VZ(20))",
     [](double t, double v) { return std::max(0.0, std::sin(10 * t) - 0.8 - 0.1 * v); }},
    {"STEP(SIN(10*TIME)-0.01*VZ(20),0.9,0,0.95,1)",
     [](double t, double v) { return step(std::sin(10 * t) - 0.01 * v, 0.9, 0.95); }},
};

/// After 10 s, by the midpoint rule; two million steps, whose error at a jump is below 5e-6 of it.
double speed_of(const Pulse& p) {
  constexpr int n = 2'000'000;
  constexpr double h = 10.0 / n;
  double v = 0;
  for (int k = 0; k < n; ++k) v += h * p.f((k + 0.5) * h, v + 0.5 * h * p.f(k * h, v));
  return v;
}

/// `tolerance`, of the speed, beside local errors of some hundred steps: 0.2 % where speeds are controlled,
/// 0.5 % of RADAU, as for pulses in space (passed_pulses_test.cpp). HHT and I3 hold places to ERROR alone,
/// and what bends a force in a step to 0.5 % of its range.
struct Method {
  const char* integrator;
  double tolerance;
};
const Method methods[] = {{"HHT,ERROR=1E-6", 0.01},        {"RADAU,ERROR=1E-6", 5e-3},
                          {"GSTIFF,SI2,ERROR=1E-6", 2e-3}, {"WSTIFF,SI2,ERROR=1E-6", 2e-3},
                          {"ABAM,ERROR=1E-6", 2e-3},       {"RKF45,ERROR=1E-6", 2e-3},
                          {"GSTIFF,I3,ERROR=1E-6", 0.01}};

TEST(TimePulses, are_met_however_far_apart_outputs_are) {
  for (const Pulse& p : pulses) {
    const double speed = speed_of(p);
    for (const Method& m : methods)
      for (const int outputs : {1, 3, 10, 100}) {
        Recording r(pushed(m.integrator, p.force));
        r.simulation->run(dynamics_analysis, {10, outputs});
        EXPECT_NEAR(r.at(r.values.size() - 1, "PART/2", "VZ"), speed, m.tolerance * speed + 500e-6)
            << p.force << ", " << m.integrator << ", " << outputs << " outputs";
      }
  }
}

/// Pulses of 1 N s that last w and begin at 0.4371 s, by all ways of writing one.
std::vector<std::string> short_pulses(double w) {
  const double a = 0.4371, b = a + w / 2, c = a + w;
  return {
      fmt::format("IF(TIME-{1:.15g}:0,1,IF(TIME-{2:.15g}:1,1,0))/{0}", w, a, c),
      fmt::format("2/{0}*MAX(0,1-ABS(TIME-{1:.15g})*2/{0})", w, b),
      fmt::format("IF(TIME-{1:.15g}:0,0,2/{0}*MAX(0,1-(TIME-{1:.15g})/{0}))", w, a),
      fmt::format("2/{0}*(STEP(TIME,{1:.15g},0,{2:.15g},1)-STEP(TIME,{2:.15g},0,{3:.15g},1))", w, a, b, c),
      fmt::format("2/{0}*(HAVSIN(TIME,{1:.15g},0,{2:.15g},1)-HAVSIN(TIME,{2:.15g},0,{3:.15g},1))", w, a, b,
                  c),
      fmt::format("1.5/{0}*(STEP5(TIME,{1:.15g},0,{2:.15g},1)-STEP5(TIME,{3:.15g},0,{4:.15g},1))", w, a,
                  a + w / 3, a + 2 * w / 3, c),
      fmt::format("IF(TIME-{1:.15g}:0,0,IF(TIME-{2:.15g}:PI/2/{0}*SIN(PI*(TIME-{1:.15g})/{0}),0,0))", w, a,
                  c),
      fmt::format("IF(TIME-{1:.15g}:0,0,IF(TIME-{2:.15g}:2/{0}*(TIME-{1:.15g})/{0},0,0))", w, a, c),
      fmt::format("{}*EXP(-((TIME-{:.15g})/{})**2)", 4 / w / std::sqrt(std::numbers::pi), b, w / 4)};
}
double speed_after(const std::string& integrator, double mass, const std::string& start,
                   const std::string& force) {
  Recording r(fmt::format(
      "short pulse\nUNITS/SYSTEM=MKS\nINTEGRATOR/{0}\nPART/1,GROUND\nMARKER/1,PART=1\n"
      "PART/2,MASS={1},CM=20,IP={1},{1},{1}{2}\nMARKER/20,PART=2\nJOINT/1,TRANSLATIONAL,I=20,J=1\n"
      "SFORCE/1,TRANSLATION,ACTIONONLY,I=20,J=1,FUNCTION={3}\nEND\n",
      integrator, mass, start, force));
  r.simulation->run(dynamics_analysis, {1, 10});
  return r.at(r.values.size() - 1, "PART/2", "VZ");
}

// In 1e-5 s 1 N s moves 1 kg by 5e-6 m, less than ERROR: of positions alone nothing tells how many steps the
// pulse needs. A step in which the force is off a straight line by 0.5 % of its range errs by two thirds of
// that, over all of the pulse and as long again behind a peak; I3, whose steps are of order 2 there, has an
// error constant of 2/9 where the trapezoidal rule has 1/12, 2.7 times.
TEST(TimePulses, short_ones_keep_their_impulse) {
  const Method coarse[] = {{"HHT,ERROR=1E-3", 0.01},
                           {"HHT,ERROR=1E-5", 0.01},
                           {"GSTIFF,I3,ERROR=1E-3", 0.027},
                           {"GSTIFF,I3,ERROR=1E-5", 0.027}};
  for (const double w : {1e-1, 1e-3, 1e-5})
    for (const std::string& force : short_pulses(w))
      for (const Method& m : coarse)
        EXPECT_NEAR(speed_after(m.integrator, 1, "", force), 1, m.tolerance) << m.integrator << ", " << force;
}

// At order 1 a step takes the force that is there at its end: of a straight decline nothing, of a rise twice
// its impulse. So I3 begins by the trapezoidal rule where forces change in time, without constraints, too.
TEST(TimePulses, straight_ones_keep_their_impulse_on_free_bodies) {
  for (const char* integrator :
       {"GSTIFF,I3,ERROR=1E-3", "GSTIFF,I3,ERROR=1E-7", "WSTIFF,I3,ERROR=1E-5", "HHT,ERROR=1E-5"})
    for (const char* force :
         {"2000*MAX(0,1-TIME/1E-3)", "2000*DIM(1,TIME/1E-3)", "IF(TIME-1E-3:2E6*TIME,0,0)",
          "IF(TIME-0.3:0,0,2000*MAX(0,1-(TIME-0.3)/1E-3))"}) {
      Recording r(
          fmt::format("free\nUNITS/SYSTEM=MKS\nINTEGRATOR/{}\nPART/1,GROUND\nMARKER/1,PART=1\n"
                      "PART/2,MASS=1,CM=20,IP=1,1,1\nMARKER/20,PART=2\n"
                      "SFORCE/1,TRANSLATION,ACTIONONLY,I=20,J=1,FUNCTION={}\nEND\n",
                      integrator, force));
      r.simulation->run(dynamics_analysis, {1, 3});
      EXPECT_NEAR(r.at(r.values.size() - 1, "PART/2", "VZ"), 1, 0.01) << integrator << ", " << force;
    }
}

// A brake on a tonne: m v' = −m f(t) v, which leaves e^{−1} of the speed. Only with f times a speed has it
// the unit of a force, so that no impulse of f on its own may be let pass.
TEST(TimePulses, factors_of_the_motion_have_no_impulse) {
  for (const std::string& pulse : short_pulses(1e-3))
    for (const char* m : {"HHT,ERROR=1E-5", "GSTIFF,I3,ERROR=1E-5", "GSTIFF,SI2,ERROR=1E-4",
                          "WSTIFF,SI2,ERROR=1E-4", "RADAU,ERROR=1E-4", "ABAM,ERROR=1E-4", "RKF45,ERROR=1E-5"})
      EXPECT_NEAR(speed_after(m, 1000, ",VZ=1", "-1000*VZ(20,1)*(" + pulse + ")"), std::exp(-1.0),
                  std::string_view(m).find("I3") == std::string_view::npos ? 0.01 : 0.02)
          << m << ", " << pulse;
}

/// A mass of 1 kg on a spring and a damper, whose other end a MOTION u moves for a moment,
/// x'' = −100 (x − u) − 2 (x' − u'); by the midpoint rule. Without steps in the moment it would stay at rest.
TEST(TimePulses, motions_that_last_a_moment) {
  constexpr int n = 800'000;
  constexpr double h = 8.0 / n;
  double x = 0, v = 0;
  const auto pull = [](double t, double place, double speed) {
    const double u = 0.1 * bump(t), rate = -2 * (t - 7.3) / (0.05 * 0.05) * u;
    return -100 * (place - u) - 2 * (speed - rate);
  };
  for (int k = 0; k < n; ++k) {
    const double t = k * h, middle = v + 0.5 * h * pull(t, x, v);
    v += h * pull(t + 0.5 * h, x + 0.5 * h * v, middle);
    x += h * middle;
  }
  for (const Method& m : methods)
    for (const int outputs : {1, 2, 10}) {
      Recording r(fmt::format(
          "base\nUNITS/SYSTEM=MKS\nINTEGRATOR/{}\nPART/1,GROUND\nMARKER/1,PART=1\n"
          "PART/2,MASS=1,CM=20,IP=1,1,1\nMARKER/20,PART=2\nPART/3,MASS=1,CM=30,IP=1,1,1\nMARKER/30,PART=3\n"
          "JOINT/1,TRANSLATIONAL,I=20,J=1\nJOINT/2,TRANSLATIONAL,I=30,J=1\n"
          "MOTION/1,JOINT=1,TRANSLATION,FUNCTION=0.1*EXP(-((TIME-7.3)/0.05)**2)\n"
          "SFORCE/1,TRANSLATION,ACTIONONLY,I=30,J=1,FUNCTION=-100*(DZ(30,1)-DZ(20,1))-2*(VZ(30,1)-VZ(20,1))\n"
          "END\n",
          m.integrator));
      r.simulation->run(dynamics_analysis, {8, outputs});
      // Some hundred steps of ERROR.
      EXPECT_NEAR(r.at(r.values.size() - 1, "PART/3", "Z"), x, 200e-6) << m.integrator << " " << outputs;
    }
}

/// Steps of a fixed size stay as they are, and a warning names the function.
/// The slope of a table that rises from 0 to 1 in 0.03 s, as the velocity of a motion: it goes on to 1.
/// HHT, of order 2, is off by 1.1e-4, all others by less than 2e-5.
TEST(TimePulses, slopes_of_splines_are_met) {
  for (const Method& m : methods)
    for (const int outputs : {1, 4, 20}) {
      Recording r(fmt::format(
          "slope\nUNITS/SYSTEM=MKS\nINTEGRATOR/{}\nPART/1,GROUND\nMARKER/1,PART=1\nPART/"
          "2,MASS=1,CM=20,IP=1,1,1\n"
          "MARKER/20,PART=2\nJOINT/1,TRANSLATIONAL,I=20,J=1\nSPLINE/1,X=0,0.5,1.01,1.02,1.03,1.04,1.5,2"
          ",Y=0,0,0,0.3,0.7,1,1,1\nMOTION/1,VELOCITY,JOINT=1,TRANSLATION,FUNCTION=AKISPL(TIME,0,1,1)\nEND\n",
          m.integrator));
      r.simulation->run(dynamics_analysis, {2, outputs});
      EXPECT_NEAR(r.at(outputs, "PART/2", "Z"), 1, 2e-4) << m.integrator << outputs;
    }
}

TEST(TimePulses, fixed_steps_that_are_too_long_are_told) {
  const auto warnings = [](double step) {
    Recording r(pushed(fmt::format("NEWMARK,HINIT={0},HMAX={0},HMIN={0}", step), "SIN(10*TIME)**20"));
    r.simulation->run(dynamics_analysis, {1, 1});
    return r.warnings;
  };
  EXPECT_TRUE(warnings(0.005).empty());
  const std::vector<std::string> told = warnings(0.2);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].find("SFORCE/1 FUNCTION: steps of a fixed size, here 0.2,"), std::string::npos)
      << told[0];
}

/// F/(1 + ((t − 1)/w)²) with F = 20 N on a body of 1 kg that is free: after it Δv = F w (atan(1/w) + atan((t
/// − 1)/w)). Before such a pulse the points of an Adams method tell nothing of it: each order of
/// extrapolation leaves as much of it as the others do, whatever the small gains of high orders let them
/// believe.
TEST(TimePulses, orders_of_abam_that_do_not_converge_are_not_believed) {
  for (const double w : {1e-2, 2e-3, 5e-4})
    for (const double error : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7}) {
      Recording r(fmt::format(
          "pulse\nUNITS/SYSTEM=MKS\nINTEGRATOR/ABAM,ERROR={}\nPART/1,GROUND\nMARKER/1,PART=1\n"
          "PART/2,MASS=1,CM=20,IP=1,1,1\nMARKER/20,PART=2\nSFORCE/1,TRANSLATION,ACTIONONLY,I=20,J=1"
          ",FUNCTION=20/(1+((TIME-1)/{})**2)\nEND\n",
          error, w));
      r.simulation->run(dynamics_analysis, {2, 10});
      // some tens of steps of ERROR each, as of RKF45; by gains alone it was up to 1,700
      EXPECT_NEAR(r.at(10, "PART/2", "VZ"), 20 * w * 2 * std::atan(1 / w), 50 * error) << w << " " << error;
    }
}

/// VARIABLEs of which each reads the two before it, some 10^11 ways through them: each is followed once.
TEST(TimePulses, variables_that_read_others_take_no_time) {
  std::string deck = pushed("GSTIFF,SI2,ERROR=1E-6", "VARVAL(60)");
  std::string more = "VARIABLE/4,FUNCTION=SIN(10*TIME)\nVARIABLE/5,FUNCTION=SIN(10*TIME)\n";
  for (int k = 6; k <= 60; ++k)
    more += fmt::format("VARIABLE/{},FUNCTION=(VARVAL({})+VARVAL({}))/2\n", k, k - 1, k - 2);
  deck.insert(deck.find("SFORCE"), more);
  Recording r(deck);
  r.simulation->run(dynamics_analysis, {10, 10});
  EXPECT_NEAR(r.at(10, "PART/2", "VZ"), (1 - std::cos(100.0)) / 10, 1e-4);  // some hundred steps of ERROR
}

/// What the motion has no use for costs nothing: a force that is far below the least inertia times ERROR.
TEST(TimePulses, what_does_not_matter_ends_no_step) {
  const auto steps = [](const char* force) {
    Recording r(pushed("GSTIFF,SI2,ERROR=1E-3", force));
    r.simulation->run(dynamics_analysis, {10, 10});
    return r.simulation->counters().steps;
  };
  EXPECT_LE(steps("1E-6*SIN(300*TIME)"), steps("1E-6*TIME") + 2);
  EXPECT_GT(steps("10*SIN(300*TIME)"), 1000);  // 480 periods
}

}  // namespace
}  // namespace trammel::time_pulses_test
