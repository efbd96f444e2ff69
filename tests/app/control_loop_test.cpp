// Control loops as thousands of SIMULATE commands with what drives a mechanism given anew before each. A cart
// with a pendulum, against its two equations of motion; what a change finds must be what these say with the
// new force.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "../support/random.h"
#include "control_loop.h"
#include "support.h"

using namespace trammel_test;

namespace control_loop_test {
namespace {

/// A cart slides along X; a pendulum turns about Z at a pin on the cart. Gravity along −Y.
struct CartPendulum {
  double cart = 2, bob = 1;             ///< masses [kg]
  double length = 0.5, inertia = 0.02;  ///< pin to centre of mass [m]; about the centre of mass [kg m²]
  double gravity = 9.81;                ///< [m/s²]
  double pin_x = 0.15, pin_y = 0.2;     ///< pin, from the centre of mass of the cart [m]
  double angle0 = 0.3;                  ///< of the pendulum from hanging straight, at time 0 [rad]
};

struct CartState {
  double x = 0, angle = 0, v = 0, rate = 0;
};

struct CartAcceleration {
  double cart = 0, angle = 0;
};

struct CartReactions {
  double pin_x = 0, pin_y = 0;      ///< on the pendulum
  double slide_y = 0, slide_t = 0;  ///< on the cart: force, moment about its centre of mass
};

/// With θ from hanging straight, the centre of mass of the pendulum is at (x + a + l sin θ, b − l cos θ), (a,
/// b) the pin in the cart. T = ½ M ẋ² + ½ m (ẋ² + 2 l ẋ θ̇ cos θ + l² θ̇²) + ½ J θ̇², V = −m g l cos θ;
/// Lagrange's equations:
///   (M + m) ẍ + m l cos θ θ̈ = F + m l θ̇² sin θ
///   m l cos θ ẍ + (J + m l²) θ̈ = −m g l sin θ
CartAcceleration acceleration(const CartPendulum& p, const CartState& s, double force) {
  const double ml = p.bob * p.length, c = std::cos(s.angle), sine = std::sin(s.angle);
  const double a11 = p.cart + p.bob, a12 = ml * c, a22 = p.inertia + ml * p.length;
  const double f1 = force + ml * s.rate * s.rate * sine, f2 = -ml * p.gravity * sine;
  const double det = a11 * a22 - a12 * a12;
  return {(a22 * f1 - a12 * f2) / det, (a11 * f2 - a12 * f1) / det};
}

/// Newton's law for the pendulum, m (r̈ − g) = R, and the balance of the cart: force along Y, moment about Z.
/// What drives the cart acts along X through its centre of mass.
CartReactions reactions(const CartPendulum& p, const CartState& s, const CartAcceleration& a) {
  const double c = std::cos(s.angle), sine = std::sin(s.angle), l = p.length;
  CartReactions r;
  r.pin_x = p.bob * (a.cart + l * (a.angle * c - s.rate * s.rate * sine));
  r.pin_y = p.bob * (l * (a.angle * sine + s.rate * s.rate * c) + p.gravity);
  r.slide_y = p.cart * p.gravity + r.pin_y;
  r.slide_t = p.pin_x * r.pin_y - p.pin_y * r.pin_x;
  return r;
}

/// Classical Runge-Kutta steps with the force held.
CartState after(const CartPendulum& p, CartState s, double force, double time, int steps) {
  const double h = time / steps;
  const auto moved = [](const CartState& q, double by, const CartState& rate, const CartAcceleration& a) {
    return CartState{q.x + by * rate.v, q.angle + by * rate.rate, q.v + by * a.cart, q.rate + by * a.angle};
  };
  for (int k = 0; k < steps; ++k) {
    const CartAcceleration a1 = acceleration(p, s, force);
    const CartState s2 = moved(s, h / 2, s, a1);
    const CartAcceleration a2 = acceleration(p, s2, force);
    const CartState s3 = moved(s, h / 2, s2, a2);
    const CartAcceleration a3 = acceleration(p, s3, force);
    const CartState s4 = moved(s, h, s3, a3);
    const CartAcceleration a4 = acceleration(p, s4, force);
    s = CartState{s.x + h / 6 * (s.v + 2 * s2.v + 2 * s3.v + s4.v),
                  s.angle + h / 6 * (s.rate + 2 * s2.rate + 2 * s3.rate + s4.rate),
                  s.v + h / 6 * (a1.cart + 2 * a2.cart + 2 * a3.cart + a4.cart),
                  s.rate + h / 6 * (a1.angle + 2 * a2.angle + 2 * a3.angle + a4.angle)};
  }
  return s;
}

/// Energy of the pendulum against a cart that stands still; 0 where it hangs at rest.
double swing_energy(const CartPendulum& p, const CartState& s) {
  return 0.5 * (p.inertia + p.bob * p.length * p.length) * s.rate * s.rate +
         p.bob * p.gravity * p.length * (1 - std::cos(s.angle));
}

std::string deck(const CartPendulum& p, double error, const std::string& drive) {
  return fmt::format(
      "cart with a pendulum\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
      "PART/1, GROUND\nMARKER/10, PART=1, ZP=1,0,0, XP=0,0,1\n"
      "PART/2, MASS={}, CM=20, IP=0.1,0.1,0.1\nMARKER/20, PART=2\nMARKER/21, PART=2, ZP=1,0,0, XP=0,0,1\n"
      "MARKER/22, PART=2, QP={},{},0\n"
      "PART/3, MASS={}, CM=30, IP=0.03,0.04,{}, QG={:.17g},{:.17g},0, REULER={:.17g},0,0\n"
      "MARKER/30, PART=3\nMARKER/31, PART=3, QP=0,{},0\n"
      "JOINT/1, TRANSLATIONAL, I=21, J=10\nJOINT/2, REVOLUTE, I=31, J=22\n{}"
      "REQUEST/1, F2=AZ(31,22)\nACCGRAV/JGRAV={}\nINTEGRATOR/HHT, ERROR={:g}\nEND\n",
      p.cart, p.pin_x, p.pin_y, p.bob, p.inertia, p.pin_x + p.length * std::sin(p.angle0),
      p.pin_y - p.length * std::cos(p.angle0), p.angle0, p.length, drive, -p.gravity, error);
}

struct Records {
  Records(const Folder& f, const std::string& driver) {
    const auto read = [&](const char* name) { return f.channel("job.nc", name); };
    time = read("TIME"), x = read("PART/2.X"), v = read("PART/2.VX"), a = read("PART/2.ACCX");
    angle = read("REQUEST/1.F2"), rate = read("PART/3.WZ"), angle_a = read("PART/3.WDZ");
    bob_x = read("PART/3.X"), bob_y = read("PART/3.Y"), bob_vx = read("PART/3.VX"),
    bob_vy = read("PART/3.VY");
    pin_x = read("JOINT/2.FX"), pin_y = read("JOINT/2.FY");
    drive = f.channel("job.nc", driver + "/1.FX");
    slide_x = read("JOINT/1.FX"), slide_y = read("JOINT/1.FY"), slide_t = read("JOINT/1.TZ");
  }
  CartState state(std::size_t k) const { return {x[k], angle[k], v[k], rate[k]}; }
  /// Generalised momenta of x and θ by the velocities of both bodies, whether or not these fit at the pin:
  /// what impulses of the joints do not change.
  std::pair<double, double> momenta(const CartPendulum& p, std::size_t k) const {
    const double c = std::cos(angle[k]), sine = std::sin(angle[k]);
    return {p.cart * v[k] + p.bob * bob_vx[k],
            p.bob * p.length * (c * bob_vx[k] + sine * bob_vy[k]) + p.inertia * rate[k]};
  }
  std::vector<double> time, x, v, a, angle, rate, angle_a, bob_x, bob_y, bob_vx, bob_vy, pin_x, pin_y,
      slide_x, slide_y, slide_t, drive;
};

constexpr int commands = 2000;
constexpr double interval = 0.005;

/// Forces of a controller that swings the pendulum up and keeps the cart near 0, and disturbances up to 5 N.
struct SwingUp {
  explicit SwingUp(const CartPendulum& p) : truth{{0, p.angle0, 0, 0}} {
    trammel::test::Random random(7);
    while (force.size() < commands) {
      const CartState& s = truth.back();
      const double missing = 1.8 * p.bob * p.gravity * p.length - swing_energy(p, s);
      const double pump = -2.4 * missing * s.rate * std::cos(s.angle);
      force.push_back(std::clamp(pump, -12.0, 12.0) - 8 * s.x - 6 * s.v + random.uniform(-5, 5));
      truth.push_back(after(p, s, force.back(), interval, 10));
    }
  }

  std::function<std::string(int)> changes() const {
    return [this](int k) { return fmt::format("VARIABLE/1, FUNCTION={:.17g}\n", force[k]); };
  }

  /// How much small changes of the start grow: the largest ratio of a change in x or θ to it.
  double growth(const CartPendulum& p) const {
    constexpr double change = 1e-6;
    double largest = 1;
    for (double CartState::*of : {&CartState::x, &CartState::angle, &CartState::v, &CartState::rate}) {
      CartState s = truth[0];
      s.*of += change;
      for (int k = 0; k < commands; ++k) {
        s = after(p, s, force[k], interval, 2);
        const double away =
            std::max(std::fabs(s.x - truth[k + 1].x), std::fabs(s.angle - truth[k + 1].angle));
        largest = std::max(largest, away / change);
      }
    }
    return largest;
  }

  std::vector<double> force;
  std::vector<CartState> truth;  ///< at the start of each command, and at the end
};

Records run_commands(const CartPendulum& p, double error, const std::string& drive,
                     const std::function<std::string(int)>& change, int count = commands) {
  Folder f;
  f.write("cart.adm", deck(p, error, drive));
  f.write("job.acf", "cart\njob\n" + loop(count, interval, change));
  const Outcome o = run(f, {"run", "job.acf"});
  if (o.code != 0) throw std::runtime_error(o.err);
  return Records(f, drive.starts_with("MOTION") ? "MOTION" : "SFORCE");
}

constexpr const char* driven_by_variable =
    "VARIABLE/1, FUNCTION=0\nSFORCE/1, TRANSLATION, ACTIONONLY, I=20, J=10, FUNCTION=VARVAL(1)\n";

/// A bound of the error in x and θ, from the derivatives of the motion: no error of a step takes another
/// back, and each grows as small changes of the start do.
double expected_error(const CartPendulum& p, const SwingUp& loop, double error) {
  StepErrors sum(error, interval, 12);
  for (int k = 0; k < commands; ++k) {
    CartAcceleration a[3];
    for (int part = 0; part < 3; ++part)
      a[part] =
          acceleration(p, after(p, loop.truth[k], loop.force[k], 0.5 * part * interval, 2), loop.force[k]);
    sum.add({{a[0].cart, a[0].angle}, {a[1].cart, a[1].angle}, {a[2].cart, a[2].angle}});
  }
  return loop.growth(p) * sum.of_velocity();
}

TEST(ControlLoop, a_cart_swings_its_pendulum_as_the_equations_say) {
  const CartPendulum p;
  const SwingUp of(p);
  double widest = 0;
  for (const CartState& s : of.truth) widest = std::max(widest, std::fabs(s.angle));
  ASSERT_GT(widest, 1.8);
  double before = 0;
  for (const double error : {1e-8, 1e-10}) {
    const Records r = run_commands(p, error, driven_by_variable, of.changes());
    ASSERT_EQ(r.time.size(), 2u * commands);
    double place = 0, velocity = 0, acceleration_begin = 0;
    for (int k = 0; k < commands; ++k) {
      const CartState& s = of.truth[k + 1];
      const std::size_t end = 2 * k + 1;
      ASSERT_NEAR(r.time[end], (k + 1) * interval, 1e-12);
      place = std::max({place, std::fabs(r.x[end] - s.x), std::fabs(r.angle[end] - s.angle)});
      velocity = std::max({velocity, std::fabs(r.v[end] - s.v), std::fabs(r.rate[end] - s.rate)});
    }
    const CartAcceleration a = acceleration(p, of.truth[commands - 1], of.force.back());
    acceleration_begin =
        std::max(std::fabs(r.a[2 * commands - 2] - a.cart), std::fabs(r.angle_a[2 * commands - 2] - a.angle));
    const double expected = expected_error(p, of, error);
    EXPECT_LE(place, expected) << error;
    // The forces change as fast as the state: √(g/l) and the rates, below 10 1/s.
    EXPECT_LE(velocity, 10 * expected) << error;
    EXPECT_LE(acceleration_begin, 100 * expected) << error;
    // Of second order: a hundredth of ERROR, 100^⅔ = 21 times less; half of it is left to chance.
    if (before > 0) {
      EXPECT_LE(place, before / 10) << error;
    }
    before = place;
  }
}

TEST(ControlLoop, each_change_finds_what_the_equations_say_with_the_new_force) {
  const CartPendulum p;
  const SwingUp of(p);
  const Records r = run_commands(p, 1e-5, driven_by_variable, of.changes());
  for (int k = 0; k < commands; ++k) {
    const std::size_t at = 2 * k;
    const CartAcceleration a = acceleration(p, r.state(at), of.force[k]);
    const CartReactions joint = reactions(p, r.state(at), a);
    // Both solve the same equations at the same state: rounding of forces up to 50 N, 200 rad/s².
    constexpr double rounding = 1e-11;
    ASSERT_NEAR(r.drive[at], of.force[k], rounding) << k;
    ASSERT_NEAR(r.a[at], a.cart, rounding) << k;
    ASSERT_NEAR(r.angle_a[at], a.angle, rounding) << k;
    ASSERT_NEAR(r.pin_x[at], joint.pin_x, rounding) << k;
    ASSERT_NEAR(r.pin_y[at], joint.pin_y, rounding) << k;
    ASSERT_NEAR(r.slide_x[at], 0, rounding) << k;
    ASSERT_NEAR(r.slide_y[at], joint.slide_y, rounding) << k;
    ASSERT_NEAR(r.slide_t[at], joint.slide_t, rounding) << k;
    // The velocities fit at the pin, and only impulses of the joints have made them so: what the change finds
    // is the motion before it. Positions hold to the corrector's tolerance, 0.001 ERROR.
    const double c = std::cos(r.angle[at]), sine = std::sin(r.angle[at]);
    ASSERT_NEAR(r.bob_vx[at], r.v[at] + p.length * c * r.rate[at], rounding) << k;
    ASSERT_NEAR(r.bob_vy[at], p.length * sine * r.rate[at], rounding) << k;
    if (k == 0) continue;
    ASSERT_NEAR(r.x[at], r.x[at - 1], 1e-8) << k;
    ASSERT_NEAR(r.angle[at], r.angle[at - 1], 1e-8) << k;
    const auto now = r.momenta(p, at), then = r.momenta(p, at - 1);
    ASSERT_NEAR(now.first, then.first, 1e-8) << k;
    ASSERT_NEAR(now.second, then.second, 1e-8) << k;
  }
}

/// The cart is moved: in each command with another acceleration, at some with another speed at once, and
/// half-way the pendulum gets another mass.
TEST(ControlLoop, motions_and_masses_given_anew) {
  constexpr int count = 100;
  CartPendulum p;
  trammel::test::Random random(3);
  std::vector<double> x{0}, v{0}, a;
  const auto jumps = [](int k) { return k > 0 && k % 20 == 10; };
  for (int k = 0; k < count; ++k) {
    if (jumps(k)) v[k] += random.uniform(-1, 1);
    a.push_back(random.uniform(-8, 8));
    x.push_back(x[k] + interval * v[k] + 0.5 * interval * interval * a[k]);
    v.push_back(v[k] + interval * a[k]);
  }
  const Records r = run_commands(
      p, 1e-6, "MOTION/1, JOINT=1, TRANSLATION, FUNCTION=0\n",
      [&](int k) {
        const std::string mass = k == count / 2 ? "PART/3, MASS=1.7\n" : "";
        return mass +
               fmt::format(
                   "MOTION/1, FUNCTION={:.17g}+({:.17g})*(TIME-{:.17g})\n, +({:.17g})*(TIME-{:.17g})**2\n",
                   x[k], v[k], k * interval, 0.5 * a[k], k * interval);
      },
      count);
  for (int k = 0; k < count; ++k) {
    const std::size_t at = 2 * k;
    if (k == count / 2) p.bob = 1.7;
    constexpr double rounding = 1e-9;  // of products of the time and powers of 1/interval, in φ̈
    ASSERT_NEAR(r.x[at], x[k], rounding) << k;
    ASSERT_NEAR(r.v[at], v[k], rounding) << k;
    ASSERT_NEAR(r.a[at], a[k], rounding) << k;
    const double c = std::cos(r.angle[at]), sine = std::sin(r.angle[at]), ml = p.bob * p.length,
                 about_pin = p.inertia + ml * p.length;
    const CartAcceleration both{a[k], -(ml * p.gravity * sine + ml * c * a[k]) / about_pin};
    const CartReactions joint = reactions(p, r.state(at), both);
    ASSERT_NEAR(r.angle_a[at], both.angle, rounding) << k;
    ASSERT_NEAR(r.pin_x[at], joint.pin_x, rounding) << k;
    ASSERT_NEAR(r.pin_y[at], joint.pin_y, rounding) << k;
    ASSERT_NEAR(r.drive[at], p.cart * a[k] + joint.pin_x, rounding) << k;
    ASSERT_NEAR(r.slide_y[at], joint.slide_y, rounding) << k;
    ASSERT_NEAR(r.slide_t[at], joint.slide_t, rounding) << k;
    // A speed that changes at once acts on the pendulum by an impulse at the pin, about which it has no
    // moment.
    if (jumps(k)) {
      ASSERT_NEAR(r.momenta(p, at).second, r.momenta(p, at - 1).second, 1e-8) << k;
    }
  }
}

}  // namespace
}  // namespace control_loop_test
