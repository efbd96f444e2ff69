// The HHT method against its own recursion written for one unknown, its order, its error estimate.
#include "integrate/integrator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "../support/deck.h"
#include "integrate/methods/list.h"
#include "integrate/orientation.h"

namespace trammel::hht_test {
namespace {

using namespace test;

/// A model with everything that steps it.
struct Stepper {
  Stepper(const std::string& deck, const IntegratorOptions& options)
      : model(compile_text(deck)), assembler(model), state(model) {
    system.analyze(assembler.pattern(), assembler.graph());
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      const Body& body = model.bodies[b];
      for (int k = 0; k < 3; ++k) state.q[body.first + k] = model.initial.bodies[b].position[k];
      if (body.turns())
        set_orientation(body, state, static_cast<int>(b), model.initial.bodies[b].orientation, {}, {});
    }
    integrator = make_integrator(model, assembler, system, options);
  }
  Model model;
  Assembler assembler;
  GuardedSystem system;
  State state;
  std::unique_ptr<Integrator> integrator;
};

/// m ẍ + c ẋ + k (x − L) = 0 on the x axis, and ẏ = −3 y.
constexpr double mass = 2, stiffness = 50, damping = 0.8, length = 1.5, decay = 3;
const char* oscillator =
    "PART/1, GROUND\nMARKER/11, PART = 1\nPART/2, MASS = 2, CM = 21, IP = 1, 1, 1, QG = 2, 0, 0\nMARKER/21, "
    "PART = 2\n"
    "SPRINGDAMPER/1, TRANSLATION, I = 21, J = 11, K = 50, C = 0.8, LENGTH = 1.5\nDIFF/1, IC = 1, FUNCTION = "
    "-3*DIF(1)\n";

double force(double x, double v) {
  return -stiffness * (x - length) - damping * v;
}

/// The recursion of the second-order form for these two scalar equations, solved by hand in each step.
struct Recursion {
  double alpha, beta;
  double x, v, a, aux, y, r, raux;  ///< x ẋ ẍ, auxiliary acceleration; y ẏ, auxiliary rate
  double h_before = 0;
  explicit Recursion(double alpha_, double x0, double v0, double y0)
      : alpha(alpha_),
        beta((1 - alpha) * (1 - alpha) / 4),
        x(x0),
        v(v0),
        a(force(x0, v0) / mass),
        aux(a),
        y(y0),
        r(-decay * y0),
        raux(r) {}
  double change = 0;  ///< auxiliary acceleration of the last step, new less old
  void step(double h) {
    const double ratio = h_before > 0 ? h / h_before : 1;
    // The first step starts from ẍ_0, which does not lag: v + h ẍ + γ(1+α) h² x⃛ needs γ(1+α) = ½.
    const double gamma = h_before > 0 ? 0.5 - alpha : 0.5 / (1 + alpha);
    const double an = a + ratio * (aux - a), rn = r + ratio * (raux - r);
    // aux' = (1+α) a' − α a;  x' = X + h²β(1+α) a', v' = V + hγ(1+α) a';  m a' = F(x', v')
    const double X = x + h * v + h * h * ((0.5 - beta) * an - beta * alpha * a);
    const double V = v + h * ((1 - gamma) * an - gamma * alpha * a);
    const double a1 = force(X, V) / (mass + (1 + alpha) * (stiffness * h * h * beta + damping * h * gamma));
    const double aux1 = (1 + alpha) * a1 - alpha * a;
    x = X + h * h * beta * (1 + alpha) * a1;
    v = V + h * gamma * (1 + alpha) * a1;
    change = aux1 - an;
    aux = aux1;
    a = a1;
    const double Y = y + h * ((1 - gamma) * rn - gamma * alpha * r);
    const double r1 = -decay * Y / (1 + decay * h * gamma * (1 + alpha));
    y = Y + h * gamma * (1 + alpha) * r1;
    raux = (1 + alpha) * r1 - alpha * r;
    r = r1;
    h_before = h;
  }
};

IntegratorOptions exact_newton(double alpha) {
  IntegratorOptions o;
  o.alpha = alpha;
  o.pattern = "T";  // a new Jacobian in every iteration: linear equations are solved to rounding
  return o;
}

void start_oscillator(Stepper& s, double v0) {
  s.state.v[0] = v0;
  s.state.a[0] = force(2, v0) / mass;
  s.state.s[0] = 1;
  s.state.sdot[0] = -decay;
  s.integrator->start(s.state);
}

void compare(const Stepper& s, const Recursion& r) {
  // 1e-13: rounding of 20 steps. Newton's matrix is exact for these equations.
  EXPECT_NEAR(s.state.q[0], r.x, 1e-13);
  EXPECT_NEAR(s.state.v[0], r.v, 1e-12);
  EXPECT_NEAR(s.state.a[0], r.a, 1e-11);
  EXPECT_NEAR(s.state.s[0], r.y, 1e-13);
  EXPECT_NEAR(s.state.sdot[0], r.r, 1e-12);
}

TEST(HhtSteps, equal_steps_are_the_recursion) {
  for (double alpha : {0.0, -0.05, -0.3}) {
    Stepper s(oscillator, exact_newton(alpha));
    start_oscillator(s, 0.4);
    Recursion r(alpha, 2, 0.4, 1);
    for (int n = 0; n < 20; ++n) {
      const StepResult result = s.integrator->step_exactly(s.state, 0.02);
      r.step(0.02);
      compare(s, r);
      EXPECT_NEAR(result.t, 0.02 * (n + 1), 1e-15);
      EXPECT_EQ(result.h, 0.02);
      // δ = |β + α/2 − 1/6| h² (a_{n+1} − a_n). The first step has a_0 = q̈_0, so a_1 − a_0 = (1+α) h q⃛, and
      // Taylor's formula gives δ = (β(1+α) − 1/6) h³ q⃛.
      const double constant =
          n == 0 ? (r.beta * (1 + alpha) - 1.0 / 6) / (1 + alpha) : r.beta + alpha / 2 - 1.0 / 6;
      EXPECT_NEAR(s.integrator->error_estimate()[0], std::fabs(constant) * 4e-4 * r.change, 1e-15);
    }
    EXPECT_EQ(s.integrator->counters().steps, 20);
  }
}

TEST(HhtSteps, auxiliary_accelerations_follow_a_change_of_step) {
  for (double alpha : {-0.05, -0.3}) {
    Stepper s(oscillator, exact_newton(alpha));
    start_oscillator(s, -0.7);
    Recursion r(alpha, 2, -0.7, 1);
    for (double h : {0.02, 0.02, 0.05, 0.01, 0.01, 0.013, 0.002, 0.03}) {
      s.integrator->step_exactly(s.state, h);
      r.step(h);
      compare(s, r);
    }
  }
}

TEST(HhtSteps, second_order_needs_the_rule_for_changed_steps) {
  // The recursion with steps h and 2h in turn, at three resolutions: the error falls by four.
  const auto error = [&](double h) {
    Recursion r(-0.3, 2, 0.4, 1);
    double t = 0;
    for (int n = 0; t < 1 - 1e-12; ++n) {
      r.step(n % 2 ? 2 * h : h);
      t += n % 2 ? 2 * h : h;
    }
    const double w = std::sqrt(stiffness / mass - damping * damping / (4 * mass * mass)),
                 d = damping / (2 * mass);
    const double exact =
        length + std::exp(-d * t) * (0.5 * std::cos(w * t) + (0.4 + d * 0.5) / w * std::sin(w * t));
    return std::fabs(r.x - exact);
  };
  const double coarse = error(1.0 / 300), fine = error(1.0 / 600);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
}

TEST(HhtSteps, error_estimate_is_the_local_error) {
  for (double alpha : {-0.05, -0.1, -0.3}) {
    Stepper s(oscillator, exact_newton(alpha));
    start_oscillator(s, 0.4);
    const double h = 0.01, d = damping / (2 * mass), w = std::sqrt(stiffness / mass - d * d);
    std::vector<double> ratio;
    for (int n = 0; n < 200; ++n) {
      const double x = s.state.q[0] - length, v = s.state.v[0];
      s.integrator->step_exactly(s.state, h);
      // exact solution through the numerical point
      const double exact =
          length + std::exp(-d * h) * (x * std::cos(w * h) + (v + d * x) / w * std::sin(w * h));
      if (n > 5) ratio.push_back(std::fabs(s.integrator->error_estimate()[0] / (s.state.q[0] - exact)));
    }
    std::nth_element(ratio.begin(), ratio.begin() + 97, ratio.end());
    EXPECT_GT(ratio[97], 0.8) << alpha;
    EXPECT_LT(ratio[97], 1.25) << alpha;
  }
}

/// A heavy asymmetric body that tumbles: M depends on the angles.
const char* top =
    "ACCGRAV/JGRAV=-9.81\nPART/1, GROUND\nMARKER/19, PART = 1, FLOATING\nPART/2, MASS = 1, CM = 21, IP = 1, "
    "2, 2.7\n"
    "MARKER/21, PART = 2\nMARKER/22, PART = 2, QP = 0.3, 0.1, 0.2\nVFORCE/1, I = 22, JFLOAT = 19\n, FX = "
    "3*SIN(2*TIME)\\\n, FY = 2\n";

/// A stepper at consistent accelerations: M q̈ = Q solved by one Newton step on the residual.
void start_top(Stepper& s) {
  set_orientation(s.model.bodies[0], s.state, 0, exponential({0.3, 0.8, -0.4}), {1.5, 0.7, 2.0}, {});
  s.assembler.evaluate(s.state, {AnalysisMode::dynamics, phase_acceleration});
  std::vector<double> r(6), matrix(s.assembler.pattern().nonzeros());
  const Coefficients c = Coefficients::of_accelerations();
  s.assembler.residual(s.state, c, r);
  s.assembler.tangent(s.state, c, matrix);
  ASSERT_TRUE(s.system.set_matrix(matrix.data()).ok());
  ASSERT_TRUE(s.system.solve(r.data(), r.data()).ok());
  for (int i = 0; i < 6; ++i) s.state.a[i] -= r[i];
  s.integrator->start(s.state);
}

Mat3d orientation_after(HhtForm form, double h, long* rebases = nullptr) {
  IntegratorOptions options;
  options.form = form;
  options.error = 1e-9;  // the corrector's tolerance is a thousandth of it
  Stepper s(top, options);
  start_top(s);
  const int steps = static_cast<int>(std::lround(2.0 / h));
  for (int n = 0; n < steps; ++n) s.integrator->step_exactly(s.state, h);
  s.assembler.evaluate(s.state, in_dynamics);
  if (rebases) *rebases = s.integrator->counters().rebases;
  return s.assembler.kinematics().body(0).A;
}

TEST(HhtOrder, the_second_order_form_is_and_equation_10_is_not) {
  long rebases = 0;
  const Mat3d reference = orientation_after(HhtForm::second_order, 1.0 / 8192, &rebases);
  EXPECT_GE(rebases, 1);  // the one at the start is not counted
  const auto order = [&](HhtForm form) {
    const double coarse = largest(orientation_after(form, 1.0 / 128) - reference);
    const double fine = largest(orientation_after(form, 1.0 / 256) - reference);
    return std::log2(coarse / fine);
  };
  EXPECT_NEAR(order(HhtForm::second_order), 2, 0.1);
  EXPECT_NEAR(order(HhtForm::equation_10), 1, 0.2);
}

/// Free tumbling through many re-basings: angular momentum in space and energy stay.
TEST(HhtRebase, does_not_disturb_a_torque_free_motion) {
  IntegratorOptions options;
  options.error = 1e-10;
  options.alpha = -0.05;
  options.hmax = 0.05;
  options.hinit = 1e-3;
  Stepper s("PART/1, GROUND\nPART/2, MASS = 1, CM = 21, IP = 1, 2, 2.7\nMARKER/21, PART = 2\n", options);
  start_top(s);
  const auto momentum = [&] {
    s.assembler.evaluate(s.state, in_dynamics);
    const BodyKinematics& k = s.assembler.kinematics().body(0);
    return k.A * s.model.bodies[0].inertia * transpose(k.A) * k.w;
  };
  const Vec3d before = momentum();
  const double energy = s.assembler.kinetic_energy();
  while (s.state.t < 10) s.integrator->step(s.state, 10 - s.state.t);
  EXPECT_GE(s.integrator->counters().rebases, 4);
  // Local error 1e-10 per step in angle over ~1e4 steps adds to some 1e-6; velocities are one order worse in
  // h.
  EXPECT_LT(norm(momentum() - before), 1e-5 * norm(before));
  EXPECT_NEAR(s.assembler.kinetic_energy(), energy, 1e-5 * energy);
}

}  // namespace
}  // namespace trammel::hht_test
