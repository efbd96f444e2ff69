// Kinematics against closed forms: positions, velocities, accelerations and reactions.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "../support/simulate.h"
#include "math/rotation.h"

namespace trammel::kinematics_test {
namespace {

using namespace test;

constexpr double pi = std::numbers::pi;
constexpr const char* head =
    "title\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nACCGRAV/JGRAV=-9.81\n"
    "PART/1,GROUND\nMARKER/1,PART=1\n";
constexpr double g = 9.81;

/// Newton ends with a correction below the square root of rounding: positions are exact to rounding, and so
/// are the rest, but for the condition of the equations.
constexpr double rounding = 1e-12;

/// A crank of length r that turns by f(t), a rod of length l, a slider on the x axis.
struct SliderCrank {
  static constexpr double r = 1, l = 2.5, crank_mass = 3, rod_mass = 2, slider_mass = 1.5, rod_inertia = 0.4;
  static std::string deck(const std::string& function) {
    return std::string(head) +
           "PART/2,MASS=3,CM=20,IP=.1,.5,.5\nMARKER/20,PART=2,QP=0.5,0,0\nMARKER/21,PART=2\n"
           "MARKER/22,PART=2,QP=1,0,0\n"
           "PART/3,QG=1,0,0,MASS=2,CM=30,IP=.1,.4,.4\nMARKER/30,PART=3,QP=1.25,0,0\nMARKER/31,PART=3\n"
           "MARKER/32,PART=3,QP=2.5,0,0\n"
           "PART/4,QG=3.5,0,0,MASS=1.5,CM=40,IP=.1,.1,.1\nMARKER/40,PART=4\nMARKER/"
           "41,PART=4,REULER=90D,90D,0\n"
           "MARKER/3,PART=1,REULER=90D,90D,0\n"
           "JOINT/1,REVOLUTE,I=21,J=1\nJOINT/2,SPHERICAL,I=22,J=31\nJOINT/3,UNIVERSAL,I=33,J=42\n"
           "MARKER/33,PART=3,QP=2.5,0,0\nMARKER/42,PART=4,REULER=0,90D,0\n"
           "JOINT/4,TRANSLATIONAL,I=41,J=3\nMOTION/1,JOINT=1,ROT,FUNCTION=" +
           function + "\nEND\n";
  }
};

/// x(φ) of the slider and the angle β of the rod, with two derivatives in time; the motion's torque by power:
/// T φ̇ = d/dt of kinetic and potential energy.
struct CrankState {
  double x, v, a, torque;
  explicit CrankState(double p, double w, double e) {
    using C = SliderCrank;
    const double s = C::r / C::l * std::sin(p), c = std::sqrt(1 - s * s);
    const double b = std::asin(s);
    const double bd = C::r / C::l * std::cos(p) * w / c;
    const double bdd = (C::r / C::l * (std::cos(p) * e - std::sin(p) * w * w) + s * bd * bd) / c;
    x = C::r * std::cos(p) + C::l * std::cos(b);
    v = -C::r * std::sin(p) * w - C::l * std::sin(b) * bd;
    a = -C::r * (std::cos(p) * w * w + std::sin(p) * e) - C::l * (std::cos(b) * bd * bd + std::sin(b) * bdd);
    // Centre of the rod: crank pin + l/2 (cos β, −sin β).
    const double h = C::l / 2;
    const double vx = -C::r * std::sin(p) * w - h * std::sin(b) * bd;
    const double vy = C::r * std::cos(p) * w - h * std::cos(b) * bd;
    const double ax =
        -C::r * (std::cos(p) * w * w + std::sin(p) * e) - h * (std::cos(b) * bd * bd + std::sin(b) * bdd);
    const double ay =
        C::r * (-std::sin(p) * w * w + std::cos(p) * e) - h * (-std::sin(b) * bd * bd + std::cos(b) * bdd);
    const double power = (0.5 + C::crank_mass * 0.25) * w * e + C::crank_mass * g * 0.5 * std::cos(p) * w +
                         C::rod_mass * (vx * ax + vy * ay) + C::rod_inertia * bd * bdd +
                         C::rod_mass * g * vy + C::slider_mass * v * a;
    torque = power / w;
  }
};

TEST(KinematicAnalysis, slider_crank_follows_its_closed_form) {
  Recording r(SliderCrank::deck("0.3+2*TIME+0.25*TIME**2"));
  r.simulation->run(kinematics_analysis, {6, 60});
  ASSERT_EQ(r.time.size(), 61u);
  for (std::size_t k = 0; k < r.time.size(); ++k) {
    const double t = r.time[k];
    const CrankState exact(0.3 + 2 * t + 0.25 * t * t, 2 + 0.5 * t, 0.5);
    ASSERT_NEAR(r.at(k, "PART/4", "X"), exact.x, rounding) << t;
    // Velocities are up to 10 and accelerations up to 100 in these units.
    ASSERT_NEAR(r.at(k, "PART/4", "VX"), exact.v, 1e-11) << t;
    ASSERT_NEAR(r.at(k, "PART/4", "ACCX"), exact.a, 1e-10) << t;
    ASSERT_NEAR(r.at(k, "MOTION/1", "TZ"), exact.torque, 1e-9) << t;
    EXPECT_EQ(r.kinds[k], k == 0 ? StepKind::initial_conditions : StepKind::kinematics);
  }
}

TEST(KinematicAnalysis, steps_longer_than_a_half_turn_are_divided) {
  // 0.9 of a turn per output: the first guess is on the other side of the crank.
  Recording r(SliderCrank::deck("0.3+2*TIME"));
  const double step = 0.9 * pi;
  r.simulation->run(kinematics_analysis, {5 * step, 5});
  for (std::size_t k = 0; k < r.time.size(); ++k)
    EXPECT_NEAR(r.at(k, "PART/4", "X"), CrankState(0.3 + 2 * r.time[k], 2, 0).x, rounding);
}

TEST(KinematicAnalysis, four_bar_follows_its_closed_form) {
  // Ground 4, crank 1, coupler 3.5, rocker 3: the angle of the rocker from the triangle with the diagonal.
  const std::string deck =
      std::string(head) +
      "MARKER/2,PART=1,QP=4,0,0\n"
      "PART/2,MASS=1,CM=20,IP=.1,.1,.1\nMARKER/20,PART=2,QP=.5,0,0\nMARKER/21,PART=2\nMARKER/"
      "22,PART=2,QP=1,0,0\n"
      "PART/3,QG=0,1,0,MASS=1,CM=30,IP=.1,.1,.1\nMARKER/30,PART=3\nMARKER/31,PART=3\nMARKER/"
      "32,PART=3,QP=3.5,0,0\n"
      "PART/4,QG=4,0,0,REULER=100D,0,0,MASS=1,CM=40,IP=.1,.1,.1\nMARKER/40,PART=4\nMARKER/41,PART=4\n"
      "MARKER/42,PART=4,QP=3,0,0\n"
      "JOINT/1,REVOLUTE,I=21,J=1\nJOINT/2,REVOLUTE,I=31,J=22\nJOINT/3,SPHERICAL,I=32,J=42\n"
      "JOINT/4,REVOLUTE,I=41,J=2\nMOTION/1,JOINT=1,ROT,FUNCTION=1.5*TIME+90D\n"
      "REQUEST/1,F2=AZ(41,2)\nEND\n";
  Recording r(deck);
  r.simulation->run(kinematics_analysis, {10, 100});
  for (std::size_t k = 0; k < r.time.size(); ++k) {
    const double p = pi / 2 + 1.5 * r.time[k];
    const double dx = 4 - std::cos(p), dy = -std::sin(p), d2 = dx * dx + dy * dy, d = std::sqrt(d2);
    const double at_rocker = std::acos((9 + d2 - 3.5 * 3.5) / (2 * 3 * d));
    const double angle = std::atan2(-dy, -dx) - at_rocker;  // the crank's pin seen from the rocker's
    const double found = r.at(k, "REQUEST/1", "F2");
    EXPECT_NEAR(std::remainder(found - angle, 2 * pi), 0, rounding) << r.time[k];
  }
}

/// A platform on six legs of prescribed lengths.
struct Platform {
  static constexpr double mass = 40, inertia[3] = {2, 3, 4};
  static Vec3d base(int i) {
    const double a = (i / 2) * 2 * pi / 3 + (i % 2 ? 0.9 : 0.1);
    return {2 * std::cos(a), 0, 2 * std::sin(a)};
  }
  static Vec3d top(int i) {
    const double a = ((i + 1) / 2) * 2 * pi / 3 + (i % 2 ? -0.7 : -0.2);
    return {std::cos(a), 0, std::sin(a)};
  }
  static double length(int i, double t) { return norm(top(i) + Vec3d{0, 2, 0} - base(i)) + swing(i, t); }
  static double swing(int i, double t) { return 0.1 * (i + 1) / 6 * std::sin((1 + 0.2 * i) * t); }
  static double rate(int i, double t) {
    return 0.1 * (i + 1) / 6 * (1 + 0.2 * i) * std::cos((1 + 0.2 * i) * t);
  }
  static std::string deck() {
    std::string out = std::string(head) + "PART/2,QG=0,2,0,MASS=40,CM=20,IP=2,3,4\nMARKER/20,PART=2\n";
    for (int i = 0; i < 6; ++i) {
      const Vec3d b = base(i), p = top(i);
      out += fmt::format(
          "MARKER/{0},PART=1,QP={2:.17g},{3:.17g},{4:.17g}\nMARKER/"
          "{1},PART=2,QP={5:.17g},{6:.17g},{7:.17g}\n",
          100 + i, 200 + i, b.x, b.y, b.z, p.x, p.y, p.z);
      out += fmt::format("GCON/{},FUNCTION=DM({},{})-({:.17g}+{:.17g}*SIN({:.17g}*TIME)),I={}\n", i + 1,
                         100 + i, 200 + i, length(i, 0), 0.1 * (i + 1) / 6, 1 + 0.2 * i, 200 + i);
    }
    return out + "END\n";
  }
};

TEST(KinematicAnalysis, a_platform_on_six_legs_keeps_their_lengths_and_their_power) {
  Recording r(Platform::deck());
  r.simulation->run(kinematics_analysis, {5, 50});
  for (std::size_t k = 0; k < r.time.size(); ++k) {
    const double t = r.time[k];
    const Vec3d x = r.vector(k, "PART/2", "X", "Y", "Z"), v = r.vector(k, "PART/2", "VX", "VY", "VZ");
    const Vec3d a = r.vector(k, "PART/2", "ACCX", "ACCY", "ACCZ");
    const Vec3d w = r.vector(k, "PART/2", "WX", "WY", "WZ"), al = r.vector(k, "PART/2", "WDX", "WDY", "WDZ");
    const Mat3d A = rotation_313(r.vector(k, "PART/2", "PSI", "THETA", "PHI"));
    const Mat3d J = A * Mat3d::diagonal(2, 3, 4) * transpose(A);
    double power = 0;
    Vec3d force{};
    for (int i = 0; i < 6; ++i) {
      const Vec3d s = A * Platform::top(i), leg = x + s - Platform::base(i);
      EXPECT_NEAR(norm(leg), Platform::length(i, t), rounding) << t;
      EXPECT_NEAR(dot(leg, v + cross(w, s)) / norm(leg), Platform::rate(i, t), rounding) << t;
      const Vec3d f = r.vector(k, fmt::format("GCON/{}", i + 1), "FX", "FY", "FZ");
      force += f;
      power += dot(f, leg) / norm(leg) * Platform::rate(i, t);
    }
    // The momentum, and the power of the legs = d/dt of the energy.
    const Vec3d weight = Platform::mass * Vec3d{0, -g, 0};
    EXPECT_LT(norm(force + weight - Platform::mass * a), 1e-9) << t;
    EXPECT_NEAR(power, dot(Platform::mass * a - weight, v) + dot(w, J * al), 1e-9) << t;
  }
}

TEST(KinematicAnalysis, refuses_what_constraints_do_not_determine) {
  std::string deck = SliderCrank::deck("TIME");
  const auto message = [](const std::string& text) {
    Recording r(text);
    try {
      r.simulation->run(kinematics_analysis, {1, 10});
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code(), ExitCode::input);
      return std::string(failure.what());
    }
    return std::string();
  };
  EXPECT_EQ(message(deck), "");
  std::string free = deck;
  free.replace(free.find("MOTION/1"), free.find("\nEND") - free.find("MOTION/1"), "");
  EXPECT_NE(message(free).find("1 degree of freedom"), std::string::npos);
  std::string driven = deck;
  driven.insert(driven.find("END"), "DIFF/7,IC=1,FUNCTION=-DIF(7)\n");
  EXPECT_NE(message(driven).find("DIFF/7"), std::string::npos);
  std::string by_velocity = deck;
  by_velocity.replace(by_velocity.find("FUNCTION=TIME"), 13, "VELOCITY,FUNCTION=1");
  EXPECT_NE(message(by_velocity).find("MOTION/1"), std::string::npos);
}

TEST(KinematicAnalysis, a_position_that_cannot_be_reached_names_its_joints) {
  // The rod is shorter than the crank: it locks at sin φ = 1/2.
  std::string deck = SliderCrank::deck("0.1+TIME");
  for (const char* at : {"MARKER/32,PART=3,QP=2.5", "MARKER/33,PART=3,QP=2.5"})
    deck.replace(deck.find(at) + 20, 3, "0.5");
  deck.replace(deck.find("PART/4,QG=3.5"), 13, "PART/4,QG=1.5");
  Recording r(deck);
  try {
    r.simulation->run(kinematics_analysis, {1, 100});
    FAIL() << "it goes through";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::solver);
    const std::string text = failure.what();
    EXPECT_NE(text.find("JOINT/"), std::string::npos) << text;
  }
  // All positions up to the lock are there: sin(0.1 + t) = 0.5.
  EXPECT_NEAR(r.time.back(), 0.42, 1e-12);
}

/// A rod of 0.999 cranks locks from sin φ = 0.999 on, and fits again where the crank has gone on by 0.09 rad:
/// no step leads over that.
TEST(KinematicAnalysis, positions_beyond_a_lock_are_not_reached_in_one_step) {
  std::string deck = SliderCrank::deck("TIME");
  for (const char* at : {"MARKER/32,PART=3,QP=2.5", "MARKER/33,PART=3,QP=2.5"})
    deck.replace(deck.find(at) + 20, 3, "0.999");
  deck.replace(deck.find("PART/4,QG=3.5"), 13, "PART/4,QG=1.999");
  for (const int steps : {1, 2, 3, 5, 8, 20, 50}) {
    Recording r(deck);
    EXPECT_THROW(r.simulation->run(kinematics_analysis, {3, steps}), Failure) << steps;
    EXPECT_LT(r.time.back(), std::asin(0.999)) << steps;
  }
}

/// A slider that a motion moves, and what is recorded of it.
std::string moved_slider(const std::string& function, const std::string& more) {
  return "slider\nUNITS/SYSTEM=MKS\nPART/1,GROUND\nMARKER/1,PART=1\nPART/2,MASS=1,CM=2,IP=1,1,1\nMARKER/"
         "2,PART=2\n"
         "JOINT/1,TRANSLATIONAL,I=2,J=1\nMOTION/1,JOINT=1,FUNCTION=" +
         function + "\n" + more + "END\n";
}

// Steps to an output time are equal, which makes some a rounding longer than what was asked for: a jump ends
// the analysis whatever the interval.
TEST(KinematicAnalysis, a_motion_that_jumps_ends_it_for_any_interval) {
  for (const double end : {1.0, 1.37, 0.9, 2.2}) {
    for (const int steps : {1, 3, 4, 7}) {
      Recording r(moved_slider("IF(TIME:1,0,0.3+TIME)", ""));
      try {
        r.simulation->run(kinematics_analysis, {end, steps});
        ADD_FAILURE() << "it goes through, to " << end << " in " << steps;
      } catch (const Failure& failure) {
        EXPECT_EQ(failure.code(), ExitCode::solver);
        EXPECT_NE(std::string(failure.what()).find("positions jump"), std::string::npos) << failure.what();
      }
    }
  }
}

// MODE is 1 in kinematics, in the first record and for sensors, too.
TEST(KinematicAnalysis, expressions_know_it_from_the_beginning) {
  Recording r(moved_slider(
      "TIME", "REQUEST/1,F2=MODE\nSENSOR/1,FUNCTION=(MODE-1)*100+TIME,VALUE=0.53,ERROR=1E-6,GE,HALT\n"));
  EXPECT_EQ(r.simulation->run(kinematics_analysis, {1, 10}), AnalysisEnd::halted);
  for (std::size_t k = 0; k < r.values.size(); ++k) EXPECT_EQ(r.at(k, "REQUEST/1", "F2"), 1) << r.time[k];
  EXPECT_NEAR(r.time.back(), 0.53, 1e-9);
}

TEST(KinematicAnalysis, is_what_dynamics_finds_with_its_error) {
  const std::string deck = SliderCrank::deck("0.3+2*TIME");
  Recording exact(deck), stepped(deck);
  exact.simulation->run(kinematics_analysis, {3, 30});
  stepped.simulation->run(dynamics_analysis, {3, 30});
  for (const char* c : {"X", "VX", "ACCX"})
    EXPECT_NEAR(exact.at(30, "PART/4", c), stepped.at(30, "PART/4", c), 1e-5);  // ERROR = 1e-8, times 1e3
  // One analysis begins where another ended.
  stepped.simulation->run(kinematics_analysis, {4, 10});
  EXPECT_NEAR(stepped.at(stepped.time.size() - 1, "PART/4", "X"), CrankState(0.3 + 8, 2, 0).x, rounding);
}

}  // namespace
}  // namespace trammel::kinematics_test
