// Radau IIA: its numbers, measured orders, stiff models, the error that ERROR asks for, states, failures.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <utility>
#include <vector>

#include "analysis/dense_output.h"
#include "integrate/methods/radau_formulas.h"
#include "measured_motions.h"

namespace trammel::radau_test {
namespace {

using namespace test;

// ---- the formulas

/// Collocation, C(3) and B(5), and A T = T Λ⁻¹ (Hairer and Wanner, IV.5 and IV.8), to rounding.
TEST(Radau, numbers_satisfy_the_conditions_of_order) {
  using namespace radau;
  constexpr double rounding = 3e-14;  // of Λ, whose entries are up to 4, by T, up to 1
  for (int power = 1; power <= 5; ++power) {
    for (int i = 0; i < stages; ++i) {
      double sum = 0;
      for (int j = 0; j < stages; ++j) sum += radau::a[i][j] * std::pow(c[j], power - 1);
      if (power <= 3 || i == 2) {
        EXPECT_NEAR(sum, std::pow(c[i], power) / power, rounding) << power << i;
      }
    }
    // ŷ − y is exact to order 3: ẏ_n + Σ e_i ∫ = 0 for ẏ = t^{k−1}, k ≤ 3, and not for k = 4.
    double embedded = power == 1;
    for (int j = 0; j < stages; ++j) embedded += e[j] * std::pow(c[j], power) / power;
    EXPECT_EQ(std::abs(embedded) < rounding, power <= 3) << power << " " << embedded;
  }
  // In constrained directions h² A² ρ d²q̈/dt² is what A² leaves of d⁴q/dt⁴ = d²q̈/dt²: ρ = (0, 0, −0.1125).
  for (int i = 0; i < stages; ++i) {
    double left = std::pow(c[i], 4) / 24, by_rho = 0;
    for (int j = 0; j < stages; ++j) {
      left -= radau::a[i][j] * std::pow(c[j], 3) / 6;
      by_rho += radau::a[i][j] * radau::a[j][2] * -0.1125;
    }
    EXPECT_NEAR(by_rho, left, rounding) << i;
  }
  const double lambda[stages][stages] = {{gamma, 0, 0}, {0, alpha, -beta}, {0, beta, alpha}};
  for (int i = 0; i < stages; ++i)
    for (int j = 0; j < stages; ++j) {
      double product = 0, unit = 0;  // A T Λ and T T⁻¹
      for (int k = 0; k < stages; ++k) {
        unit += T[i][k] * inverse_T[k][j];
        for (int l = 0; l < stages; ++l) product += radau::a[i][k] * T[k][l] * lambda[l][j];
      }
      EXPECT_NEAR(product, T[i][j], rounding) << i << j;
      EXPECT_NEAR(unit, i == j, rounding) << i << j;
    }
}

TEST(Radau, is_of_order_5_without_constraints) {
  const auto coarse = error_of_oscillator("RADAU", 0.05), fine = error_of_oscillator("RADAU", 0.025);
  // The next term of the error changes the order by h ω ~ 0.1.
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(order_of(coarse[k], fine[k]), 5, 0.2) << k;
}

/// Positions and, brought onto φ̇ = 0 and φ̈ = 0 at the end of each step, velocities, accelerations, reactions;
/// the formulas alone have 5, 3, 2 and 2.
TEST(Radau, is_of_order_5_with_constraints) {
  const auto run = [](double h) {
    return error_of_rod(fmt::format("RADAU, ERROR=1E-11, MAXIT=40, HINIT={0}, HMIN={0}", h), h);
  };
  const RodError coarse = run(0.05), fine = run(0.025);
  EXPECT_EQ(fine.steps, 80);
  // Largest errors of 20 outputs, h ω ~ 0.2.
  EXPECT_NEAR(order_of(coarse.angle, fine.angle), 5, 0.4);
  EXPECT_NEAR(order_of(coarse.rate, fine.rate), 5, 0.4);
  EXPECT_NEAR(order_of(coarse.acceleration, fine.acceleration), 5, 0.4);
  EXPECT_NEAR(order_of(coarse.reaction, fine.reaction), 5, 0.4);
}

/// Largest errors inside of steps of h of the swinging rod, 1 s, as a sensor sees the state there: position
/// and velocity of its middle, acceleration, and the reaction against it.
struct ErrorInside {
  double position = 0, velocity = 0, acceleration = 0, reaction = 0;
};

ErrorInside error_inside_steps(double h) {
  Recording r(rod(fmt::format("RADAU, ERROR=1E-11, MAXIT=40, HINIT={0}, HMIN={0}", h), h));
  Session& session = *r.simulation;
  session.initialize();
  State state = session.motion();
  const Model& model = session.model();
  const auto integrator = session.systems().make_integrator(with_output_step(session.settings(), 1));
  integrator->start(state);
  ErrorInside e;
  double phi = 0, w = 0, at = 0;
  const double k = -0.75 * 9.81;
  const auto turn_to = [&](double t) {  // Runge's and Kutta's, with an error below 1e-13
    const int steps = 200;
    const double d = (t - at) / steps;
    for (int i = 0; i < steps; ++i) {
      const double k1 = w, l1 = k * std::cos(phi), k2 = w + d / 2 * l1, l2 = k * std::cos(phi + d / 2 * k1),
                   k3 = w + d / 2 * l2, l3 = k * std::cos(phi + d / 2 * k2), k4 = w + d * l3,
                   l4 = k * std::cos(phi + d * k3);
      phi += d / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      w += d / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
    }
    at = t;
  };
  const auto worse = [](double& worst, double error) { worst = std::max(worst, std::abs(error)); };
  for (int n = 0; n < std::lround(1 / h); ++n) {
    integrator->step_exactly(state, h);
    for (const double u : {0.2, 0.4, 0.6, 0.8}) {
      turn_to((n + u) * h);
      const State inside = state_inside_step(model, integrator->step_start(), state, at);
      const double ax = -std::sin(phi) * k * std::cos(phi) - std::cos(phi) * w * w;
      worse(e.position, inside.q[0] - std::cos(phi));
      worse(e.velocity, inside.v[0] + std::sin(phi) * w);
      worse(e.acceleration, inside.a[0] - ax);
      // m ẍ + λ = 0 of the row along x
      worse(e.reaction, std::abs(inside.lambda[0]) - std::abs(ax));
    }
    turn_to((n + 1) * h);
  }
  return e;
}

/// Quintic Hermite polynomials of positions and velocities are of order 5, where those of collocation are of
/// order 4 and 3; accelerations of order 4 are the second derivative of the quintic one; reactions of order 3
/// go through the stages and both ends. Linear ones were of order 2.
TEST(Radau, inside_of_steps) {
  const ErrorInside coarse = error_inside_steps(0.05), fine = error_inside_steps(0.025);
  // h ω ~ 0.2; the errors of Hermite's polynomials of order 6 and 5 are below those of the steps.
  EXPECT_NEAR(order_of(coarse.position, fine.position), 5, 0.5);
  EXPECT_NEAR(order_of(coarse.velocity, fine.velocity), 5, 0.5);
  EXPECT_NEAR(order_of(coarse.acceleration, fine.acceleration), 4, 0.4);
  EXPECT_NEAR(order_of(coarse.reaction, fine.reaction), 3, 0.4);
  RecordProperty("reaction", fmt::format("{:.3g} {:.3g}", coarse.reaction, fine.reaction));
}

// ---- stiffness

/// ẍ = −10⁸ (x − cos t) − 2·10⁴ (ẋ + sin t) − cos t, which cos t satisfies, and ẏ = −10⁸ (y − cos t) − sin t
/// (Prothero and Robinson): h |λ| is 10³ and 10⁷. An explicit method would need steps of 1e-8.
TEST(Radau, follows_the_slow_motion_of_a_stiff_model) {
  Recording r(
      "stiff\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/10, PART=1\n"
      "PART/2, MASS=1, CM=20, IP=1, 1, 1, QG=1, 0, 0\nMARKER/20, PART=2\n"
      "SFORCE/1, TRANSLATION, I=20, J=10, FUNCTION=-1E8*(DX(20)-COS(TIME))-2E4*(VX(20)+SIN(TIME))-COS(TIME)\n"
      "DIFF/1, IC=1, FUNCTION=-1E8*(DIF(1)-COS(TIME))-SIN(TIME)\nREQUEST/1, F2=DIF(1)\n"
      "INTEGRATOR/RADAU, ERROR=1E-6, HMAX=0.1, HINIT=0.1, HMIN=0.1\nEND\n");
  r.simulation->run(dynamics_analysis, {1.5, 15});
  EXPECT_EQ(r.simulation->counters().steps, 15);
  for (std::size_t k = 0; k < r.time.size(); ++k) {
    // Order 3 of the stages bounds what stiffness leaves of order 5: h⁴/4! = 4e-6, divided by h|λ|.
    EXPECT_NEAR(r.at(k, "PART/2", "X"), std::cos(r.time[k]), 1e-7) << r.time[k];
    EXPECT_NEAR(r.at(k, "REQUEST/1", "F2"), std::cos(r.time[k]), 1e-7) << r.time[k];
  }
}

/// Stiff modes that the motion begins with are gone after a few steps, however long: R(∞) = 0. A mass on a
/// spring and damper with λ = −10⁴ (double) is let go 1 from rest; a step multiplies by |R(−10³)| < 10⁻².
TEST(Radau, damps_what_it_does_not_resolve) {
  Recording r(
      "let go\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/10, PART=1\n"
      "PART/2, MASS=1, CM=20, IP=1, 1, 1, QG=2, 0, 0\nMARKER/20, PART=2\n"
      "SFORCE/1, TRANSLATION, I=20, J=10, FUNCTION=-1E8*(DX(20)-1)-2E4*VX(20)\nINTEGRATOR/RADAU, ERROR=1E-6, "
      "HMAX=0.1, HINIT=0.1, HMIN=0.1\nEND\n");
  r.simulation->run(dynamics_analysis, {1, 10});
  for (std::size_t k = 1; k < r.time.size(); ++k)
    EXPECT_LT(std::abs(r.at(k, "PART/2", "X") - 1), std::max(1e-8, std::pow(10, -2.0 * k))) << k;
}

/// How far a state is at most from 1 + v/10, which it follows at a rate λ, v the velocity of a pendulum that
/// falls from the horizontal: |a|/(10 λ) < 3/λ if all is exact.
double lag_behind_pendulum(const std::string& integrator, double lambda, int outputs) {
  Recording r(
      fmt::format("lag\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nACCGRAV/JGRAV=-9.81\n"
                  "PART/1, GROUND\nMARKER/10, PART=1\nPART/2, MASS=1, CM=20, IP=0.1, 0.1, 0.1, QG=1,0,0\n"
                  "MARKER/20, PART=2\nMARKER/21, PART=2, QP=-1,0,0\nJOINT/1, REVOLUTE, I=21, J=10\n"
                  "DIFF/1, IC=1, FUNCTION=-{:e}*(DIF(1)-1-VX(20)/10)\nREQUEST/1, F2=DIF(1)-1-VX(20)/10\n"
                  "INTEGRATOR/{}\nEND\n",
                  lambda, integrator));
  r.simulation->run(dynamics_analysis, {2, outputs});
  double most = 0;
  for (std::size_t k = 0; k < r.time.size(); ++k) most = std::max(most, std::abs(r.at(k, "REQUEST/1", "F2")));
  return most;
}

/// The end of a step, or a stage, may have a velocity off by 0.15 √ERROR of 4.4 m/s; the state follows a
/// tenth of it.
double lag_allowed(double error, double lambda) {
  return 0.1 * 0.15 * std::sqrt(error) * 4.4 + 3 / lambda;
}

/// Hermite's cubic would take the rate of the state for what it is, in which an error δ of the state is λ δ:
/// it had errors of 0.1 to 1000 here.
TEST(Radau, stiff_states_inside_of_steps) {
  for (const double lambda : {1e6, 1e8})
    for (const double error : {1e-5, 1e-7})
      for (const int outputs : {10, 137})
        EXPECT_LT(
            lag_behind_pendulum(fmt::format("RADAU, ERROR={:e}, INTERPOLATE=ON", error), lambda, outputs),
            lag_allowed(error, lambda))
            << lambda << " " << error << " " << outputs;
}

/// What the corrector leaves of φ is taken away at the end of a step. The next one had taken it for a
/// velocity, and the more so the shorter it was: the state had an error that no step was short enough for.
TEST(Radau, stiff_states_that_read_velocities) {
  for (const double lambda : {1e6, 1e8})
    for (const int outputs : {10, 37, 50, 100, 200})
      EXPECT_LT(lag_behind_pendulum("RADAU, ERROR=1E-3", lambda, outputs), lag_allowed(1e-3, lambda))
          << lambda << " " << outputs;
}

/// The turn φ of a rigid pendulum from the horizontal, φ̈ = −k cos φ, and its rate.
struct PendulumTurn {
  double phi = 0, w = 0;
  /// By Runge's and Kutta's steps of a ten-thousandth of a second: below 1e-12.
  void go_on(double k, double time) {
    const int steps = static_cast<int>(std::lround(time * 1e4));
    const double d = time / steps;
    for (int i = 0; i < steps; ++i) {
      const double k1 = w, l1 = -k * std::cos(phi), k2 = w + d / 2 * l1, l2 = -k * std::cos(phi + d / 2 * k1),
                   k3 = w + d / 2 * l2, l3 = -k * std::cos(phi + d / 2 * k2), k4 = w + d * l3,
                   l4 = -k * std::cos(phi + d * k3);
      phi += d / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      w += d / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
    }
  }
};

/// A body on a bushing of 1E8 N/m at the end of a pendulum, with a state as above: its acceleration is that
/// of both as one rigid body, φ̈ (2 + 0.02) = −2 g cos φ, since what the bushing gives way is g/1E8 and gone
/// after half a second (C/2 = 50 1/s). Moved onto φ = 0 in the norm of the mass matrix, steps had ends in
/// which it erred by half its size.
TEST(Radau, the_end_of_a_step_keeps_stiff_forces) {
  Recording r(
      "stiff\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nACCGRAV/JGRAV=-9.81\n"
      "PART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=20, IP=0.01, 0.01, 0.01, QG=1,0,0\n"
      "MARKER/20, PART=2\nMARKER/21, PART=2, QP=-1,0,0\nJOINT/1, REVOLUTE, I=21, J=1\n"
      "PART/3, MASS=1, CM=30, IP=0.01, 0.01, 0.01, QG=1,0,0\nMARKER/30, PART=3\n"
      "BUSHING/1, I=30, J=20, K=1E8, 1E8, 1E8, KT=1E8, 1E8, 1E8, C=1E2, 1E2, 1E2, CT=1E2, 1E2, 1E2\n"
      "DIFF/1, IC=0, FUNCTION=-1E6*(DIF(1)-VX(20)/10)\nINTEGRATOR/RADAU, ERROR=1E-4\nEND\n");
  r.simulation->run(dynamics_analysis, {3, 150});
  const double k = 2 * 9.81 / 2.02;
  PendulumTurn turn;
  for (std::size_t n = 1; n < r.time.size(); ++n) {
    turn.go_on(k, r.time[n] - r.time[n - 1]);
    if (r.time[n] < 0.5) continue;
    const double s = std::sin(turn.phi), c = std::cos(turn.phi), alpha = -k * c, w2 = turn.w * turn.w;
    // The estimate of velocities allows 0.15 √ERROR in a step of 20 ms, 0.08 m/s²; several steps add up.
    EXPECT_NEAR(r.at(n, "PART/3", "ACCX"), -alpha * s - w2 * c, 0.5) << r.time[n];
    EXPECT_NEAR(r.at(n, "PART/3", "ACCY"), alpha * c - w2 * s, 0.5) << r.time[n];
  }
}

// ---- the error that ERROR asks for

TEST(Radau, error_follows_the_tolerance) {
  double before = 1e9;
  for (int digits = 3; digits <= 10; ++digits) {
    const RodError e = error_of_rod(fmt::format("RADAU, ERROR=1E-{}", digits), 2);
    const double error = std::pow(10, -digits);
    EXPECT_LT(e.angle, 2 * before) << digits;  // at 1E-5 steps are refused that make it as right as 1E-6 does
    EXPECT_LT(e.angle, 100 * error) << digits;  // local errors of some twenty to a hundred steps
    EXPECT_LT(e.reaction, 1000 * error) << digits;
    before = e.angle;
  }
}

/// Loops of seven bodies magnify local errors by some 10.
TEST(Radau, follows_the_squeezing_mechanism) {
  double before = 1e9;
  for (int digits = 3; digits <= 10; ++digits) {
    const SqueezingError e =
        error_of_squeezing(TRAMMEL_SOURCE_DIR "/models", fmt::format("RADAU, ERROR=1E-{}", digits));
    // Local errors are ERROR ~ h⁶ and the global one h⁵: their ratio grows by 1.5 a digit.
    EXPECT_LT(e.angle, 10 * std::pow(1.5, digits - 3) * std::pow(10, -digits)) << digits;
    EXPECT_LT(e.angle, 2 * before) << digits;  // errors of both signs: two of eight happen to be small
    EXPECT_LT(e.steps, 56 * std::pow(1.6, digits - 3)) << digits;  // order 5 or more: 10^{1/6} = 1.5 a digit
    before = e.angle;
  }
}

/// States alone decide the step: ẏ = −3 y + sin 20 t has y = (20/409 + 1) e^{−3t} + (3 sin 20t − 20 cos
/// 20t)/409.
TEST(Radau, controls_the_error_of_states) {
  double before = 1e9;
  long steps = 0;
  for (int digits = 3; digits <= 10; ++digits) {
    Recording r(
        fmt::format("states\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, "
                    "GROUND\nMARKER/10, PART=1\n"
                    "DIFF/1, IC=1, FUNCTION=-3*DIF(1)+VARVAL(1)\nVARIABLE/1, FUNCTION=SIN(20*TIME)\n"
                    "REQUEST/1, F2=DIF(1)\\F3=VARVAL(1)\nINTEGRATOR/RADAU, ERROR=1E-{}, HMAX=2\nEND\n",
                    digits));
    r.simulation->run(dynamics_analysis, {2, 1});
    const double t = 2, s = std::sin(20 * t), c = std::cos(20 * t);
    const double error =
        std::abs(r.at(1, "REQUEST/1", "F2") - (429.0 / 409 * std::exp(-3 * t) + (3 * s - 20 * c) / 409));
    EXPECT_LT(error, 10 * std::pow(10, -digits)) << digits;
    EXPECT_LT(error, 3 * before) << digits;  // one of them may be small by chance
    EXPECT_NEAR(r.at(1, "REQUEST/1", "F3"), s, 1e-14);
    EXPECT_GT(r.simulation->counters().steps, steps);
    steps = r.simulation->counters().steps;
    before = error;
  }
}

/// A ball falls by 0.5 on a stop, k g^1.5 + STEP(g, 0, 0, d, c) ġ ≥ 0, and flies up again: its height then,
/// by steps of Runge-Kutta through the contact; the last one is cut where it ends.
double height_after_bounce(double t_end) {
  constexpr double m = 2, gravity = 9.81, k = 1e6, c = 100, d = 1e-3, h = 5e-8;
  const auto a = [&](double g, double rate) {
    const double x = std::min(1.0, g / d);
    return gravity - (g > 0 ? std::max(0.0, k * std::pow(g, 1.5) + c * x * x * (3 - 2 * x) * rate) / m : 0.0);
  };
  double t = std::sqrt(2 * 0.5 / gravity), g = 0, v = gravity * t;
  const auto step = [&](double s) {
    const double v1 = a(g, v), g2 = v + s / 2 * v1, v2 = a(g + s / 2 * v, g2), g3 = v + s / 2 * v2,
                 v3 = a(g + s / 2 * g2, g3), g4 = v + s * v3, v4 = a(g + s * g3, g4);
    g += s / 6 * (v + 2 * g2 + 2 * g3 + g4);
    v += s / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    t += s;
  };
  do step(h);
  while (g > 0);
  const double flight = t_end - t;
  return -g - v * flight - 0.5 * gravity * flight * flight;
}

// What velocities err by in the short time of a contact counts as long as the ball flies. The bound is what
// they may err by in a step over its beginning, 0.15 ERROR^(1/2) (docs/theory.md).
TEST(Radau, a_bounce_is_as_accurate_as_asked_for) {
  const double expected = height_after_bounce(0.6);
  for (const double error : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    Recording r(fmt::format(
        "bounce\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nACCGRAV/KGRAV=-9.81\n"
        "PART/1, GROUND\nMARKER/1, PART=1\nGRAPHICS/1, PLANE, RM=1\n"
        "PART/2, MASS=2, IP=0.008, 0.008, 0.008, CM=20, QG=0,0,0.6\nMARKER/20, PART=2\n"
        "GRAPHICS/2, ELLIPSOID, CM=20, XSCALE=0.2, YSCALE=0.2, ZSCALE=0.2\n"
        "CONTACT/1, IGEOM=2, JGEOM=1, IMPACT, STIFFNESS=1E6, EXPONENT=1.5, DAMPING=100, DMAX=1E-3\n"
        "INTEGRATOR/RADAU, ERROR={}\nEND\n",
        error));
    r.simulation->run(dynamics_analysis, {0.6, 1});
    const double z = r.at(r.time.size() - 1, "PART/2", "Z") - 0.1;
    EXPECT_LT(std::abs(z - expected), 0.15 * std::sqrt(error)) << error << ": " << z - expected;
  }
}

/// A DIFF integrates the reaction of a pendulum: ∫ F_z dt = m ż + m g t. The formulas conserve momentum in
/// the stages; the impulses that bring velocities onto φ̇ = 0 reach the DIFF as well, so that it has their
/// order, 5.
TEST(Radau, integrals_of_reactions_take_the_impulses) {
  const auto error = [](double h) {
    Recording r(fmt::format(
        "pendulum\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/10, "
        "PART=1, "
        "REULER=180D, 90D, 180D\nPART/2, MASS=1, CM=20, IP=1, 1, 1\nMARKER/20, PART=2, QP=1, 0, 0, "
        "REULER=180D, "
        "90D, 180D\nMARKER/21, PART=2, REULER=180D, 90D, 180D\nJOINT/1, REVOLUTE, I=21, J=10\n"
        "ACCGRAV/KGRAV=-9.80665\nDIFF/1, IC=0, FUNCTION=JOINT(1,0,4,0)\nREQUEST/1, F2=DIF(1)/F3=VZ(20)\n"
        "INTEGRATOR/RADAU, ERROR=1E-11, MAXIT=40, HINIT={0}, HMIN={0}, HMAX={0}\nEND\n",
        h));
    r.simulation->run(dynamics_analysis, {1, 1});
    return std::abs(r.at(1, "REQUEST/1", "F2") - r.at(1, "REQUEST/1", "F3") - 9.80665);
  };
  for (const double h : {0.1, 0.05}) EXPECT_LT(error(h), 1e-12) << h;  // rounding of 10; 1e-2 without them
}

// ---- what steps share with those of other methods

/// A free asymmetric body tumbles; its angles are re-based with the stages that the next step begins with.
/// Angular momentum in space is constant.
TEST(Radau, stages_survive_rebasing) {
  Recording r(tumbling_body("RADAU, ERROR=1E-8"));
  r.simulation->run(dynamics_analysis, {20, 20});
  EXPECT_GT(r.simulation->counters().rebases, 5);
  // Predictions in a wrong basis would cost iterations: five of three evaluations, and seven for the rest.
  const StepCounters& counters = r.simulation->counters();
  EXPECT_LT(counters.evaluations, 22 * (counters.steps + counters.rejected_error));
  const auto momentum = [&](std::size_t k) { return momentum_of_tumbling(r, k); };
  for (std::size_t k = 1; k < r.time.size(); ++k)  // some hundred steps at 1e-8
    EXPECT_LT(norm(momentum(k) - momentum(0)), 1e-5 * norm(momentum(0))) << r.time[k];
}

// ---- motions that constraints give, of which no error of the formulas tells

/// A slide driven by sin(6.3 t), outputs 1 s apart, and a mass of 100 that a damper of 1 couples to it.
TEST(Radau, resolves_a_driven_motion_whatever_the_outputs) {
  constexpr double w = 6.3, mass = 100, tau = mass / 1;
  for (const char* error : {"1E-3", "1E-6", "1E-10"}) {
    Recording r(fmt::format(
        "driven\nUNITS/SYSTEM=MKS\nINTEGRATOR/RADAU, ERROR={}\nPART/1,GROUND\nMARKER/10,PART=1\n"
        "PART/2,MASS=1,CM=20,IP=1,1,1\nMARKER/20,PART=2\nPART/3,MASS=100,CM=30,IP=1,1,1\nMARKER/30,PART=3\n"
        "JOINT/1,TRANSLATIONAL,I=20,J=10\nJOINT/2,TRANSLATIONAL,I=30,J=10\n"
        "MOTION/1,JOINT=1,TRANSLATION,FUNCTION=SIN(6.3*TIME)\n"
        "SFORCE/1,TRANSLATION,ACTIONONLY,I=30,J=10,FUNCTION=VZ(20,10)-VZ(30,10)\n"
        "REQUEST/1,F2=VZ(20,10)\\F3=ACCZ(20,10)\\F4=VZ(30,10)\nEND\n",
        error));
    r.simulation->run(dynamics_analysis, {20, 20});
    for (std::size_t k = 0; k < r.values.size(); ++k) {
      const double t = r.time[k];
      // What phi' = 0 and phi'' = 0 give is exact to rounding, some 1e-14 of each in steps that take it up
      // anew.
      EXPECT_NEAR(r.at(k, "REQUEST/1", "F2"), w * std::cos(w * t), 1e-9) << error << ", t = " << t;
      EXPECT_NEAR(r.at(k, "REQUEST/1", "F3"), -w * w * std::sin(w * t), 1e-8) << error << ", t = " << t;
      // τ v̇ + v = w cos w t from rest: w/(1 + (wτ)²) (cos w t + wτ sin w t − exp(−t/τ))
      const double v =
          w / (1 + w * tau * w * tau) * (std::cos(w * t) + w * tau * std::sin(w * t) - std::exp(-t / tau));
      // Velocities may err by 0.15 sqrt(ERROR) beside 1 or more (theory.md, RADAU).
      EXPECT_NEAR(r.at(k, "REQUEST/1", "F4"), v, 0.15 * std::sqrt(std::stod(error)))
          << error << ", t = " << t;
    }
    EXPECT_LT(r.steps.size(), 600u) << error;
  }
}

/// A crank drives a slide in a plane through a rod, on joints of which one row is redundant; which one must
/// change as the crank turns. θ = 8 t − sin 8 t, x = r cos θ + √(l² − r² sin² θ).
TEST(Radau, goes_on_where_other_rows_become_redundant) {
  Recording r(
      "press\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n"
      "MARKER/2, PART=1, REULER=90D,90D,0D\n"
      "PART/2, MASS=2, CM=20, IP=0.01,0.02,0.02, QG=0.1,0,0\nMARKER/20, PART=2\n"
      "MARKER/21, PART=2, QP=-0.1,0,0\nMARKER/22, PART=2, QP=0.1,0,0\n"
      "PART/3, MASS=3, CM=30, IP=0.01,0.08,0.08, QG=0.45,0,0\nMARKER/30, PART=3\n"
      "MARKER/31, PART=3, QP=-0.25,0,0\nMARKER/32, PART=3, QP=0.25,0,0\n"
      "PART/4, MASS=4, CM=40, IP=0.02,0.02,0.02, QG=0.7,0,0\nMARKER/40, PART=4\n"
      "MARKER/41, PART=4, REULER=90D,90D,0D\n"
      "JOINT/1, REVOLUTE, I=21, J=1\nJOINT/2, REVOLUTE, I=31, J=22\nJOINT/3, SPHERICAL, I=32, J=40\n"
      "JOINT/4, TRANSLATIONAL, I=41, J=2\n"
      "MOTION/1, JOINT=1, ROTATION, FUNCTION=8*TIME-SIN(8*TIME)\nACCGRAV/JGRAV=-9.81\n"
      "INTEGRATOR/RADAU, ERROR=1E-8\nEND\n");
  r.simulation->run(dynamics_analysis, {2, 100});
  ASSERT_EQ(r.time.size(), 101u);
  EXPECT_GE(r.warnings.size(), 3u);  // of rows that took the place of others
  for (std::size_t k = 0; k < r.time.size(); ++k) {
    const double t = r.time[k], angle = 8 * t - std::sin(8 * t);
    const double x = 0.2 * std::cos(angle) + std::sqrt(0.25 - 0.04 * std::pow(std::sin(angle), 2));
    EXPECT_NEAR(r.at(k, "PART/4", "X"), x, 1e-10) << t;  // a constraint: rounding
  }
}

/// A body on an elastic rope that is taut for some 0.8 s of a minute: its force is central, so that the
/// angular momentum stays 360. Its energy, 22.5, is as right as velocities are behind ten corners of the
/// force: it loses up to 6.7 at 1E-5.
TEST(Radau, meets_forces_that_stiffen) {
  for (const auto& [error, allowed] : {std::pair{"1E-5", 9.0}, std::pair{"1E-7", 1.5}})
    for (const int steps : {1, 10, 40}) {
      Recording r(
          fmt::format("rope\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\n"
                      "MARKER/10, PART=1\nPART/2, QG=0,0,60, MASS=1, CM=20, IP=1, 1, 1, VZ=-3, VX=6\n"
                      "MARKER/20, PART=2\nSFORCE/1, TRANSLATION, I=20, J=10, "
                      "FUNCTION=-MAX(0,500*(DM(20,10)-110))\nREQUEST/1, "
                      "F2=VX(20,10)*DZ(20,10)-VZ(20,10)*DX(20,10)\\F3=0.5*VM(20,10)**2+"
                      "250*MAX(0,DM(20,10)-110)**2\nINTEGRATOR/RADAU, ERROR={}\nEND\n",
                      error));
      r.simulation->run(dynamics_analysis, {600, steps});
      EXPECT_NEAR(r.at(steps, "REQUEST/1", "F2"), 360, 1) << error << " " << steps;
      EXPECT_NEAR(r.at(steps, "REQUEST/1", "F3"), 22.5, allowed) << error << " " << steps;
    }
}

std::string failure_of(const std::string& deck) {
  Recording r(deck);
  try {
    r.simulation->run(dynamics_analysis, {1, 10});
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::solver);
    return failure.what();
  }
  return "none";
}

/// One iteration of the corrector is not enough for a step of 0.1, and no other step is allowed.
TEST(Radau, a_failure_names_equation_and_variable) {
  const std::string text = failure_of(rod("RADAU, ERROR=1E-9, MAXIT=1, HINIT=0.1, HMIN=0.1"));
  EXPECT_NE(text.find("the corrector cannot go on from time 0: step 0.1"), std::string::npos) << text;
  EXPECT_TRUE(std::regex_search(text, std::regex("Largest residual [0-9.e-]+ in (PART/2|JOINT/1) .*; largest "
                                                 "correction [0-9.e-]+ in (PART/2|JOINT/1) .*iteration 1")))
      << text;
}

/// A MOTION pulls the end of a rod of 2 m along y by 3 t: at t = 2/3 it has come as far as it can.
TEST(Radau, names_what_is_singular) {
  const std::string text = failure_of(
      "reach\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/10, PART=1\n"
      "PART/2, MASS=1, CM=20, IP=1, 1, 1, QG=1, 0, 0\nMARKER/20, PART=2\nMARKER/21, PART=2, QP=-1, 0, 0\n"
      "MARKER/22, PART=2, QP=1, 0, 0\nJOINT/1, REVOLUTE, I=21, J=10\n"
      "MOTION/1, I=22, J=10, Y, FUNCTION=3*TIME\nINTEGRATOR/RADAU, ERROR=1E-6\nEND\n");
  EXPECT_NE(text.find("time 0.66666"), std::string::npos) << text;
  EXPECT_NE(text.find("JOINT/1, MOTION/1 depend on each other"), std::string::npos) << text;
}

}  // namespace
}  // namespace trammel::radau_test
