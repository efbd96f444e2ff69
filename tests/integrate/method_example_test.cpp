// The method that docs/add_method.md shows, compiled from that page, against its own recursion for one
// unknown.
#include <gtest/gtest.h>

#include "../support/deck.h"
#include "integrate/methods/list.h"

namespace trammel {

IntegrationMethod euler_method();  // of the page

namespace {

using namespace test;

/// 2 ẍ + 0.8 ẋ + 50 (x − 1.5) = 0 on the x axis from 2 at rest, and ẏ = −3 y from 1.
TEST(MethodExample, of_the_documents_follows_its_formulas) {
  const Model model = compile_text(
      "PART/1, GROUND\nMARKER/11, PART = 1\nPART/2, MASS = 2, CM = 21, IP = 1, 1, 1, QG = 2, 0, 0\n"
      "MARKER/21, PART = 2\nSPRINGDAMPER/1, TRANSLATION, I = 21, J = 11, K = 50, C = 0.8, LENGTH = 1.5\n"
      "DIFF/1, IC = 1, FUNCTION = -3*DIF(1)\n");
  Assembler assembler(model);
  GuardedSystem system;
  system.analyze(assembler.pattern(), assembler.graph());
  State state(model);
  state.q[0] = 2;
  state.a[0] = -12.5;
  state.s[0] = 1;
  state.sdot[0] = -3;
  IntegratorOptions options;
  options.error = 1e-10;
  options.pattern = "T";
  options.hinit = options.hmin = options.hmax = 0.01;
  const std::unique_ptr<Integrator> integrator =
      euler_method().make(model, std::make_shared<HostEquations>(model, assembler, system), options);
  integrator->start(state);
  double x = 2, v = 0, y = 1;
  const double h = 0.01, m = 2, c = 0.8, k = 50;
  for (int i = 0; i < 50; ++i) {
    const double before = v;
    integrator->step_exactly(state, h);
    // m (v' − v)/h + c v' + k (x + h v' − 1.5) = 0
    v = (m * v / h - k * (x - 1.5)) / (m / h + c + k * h);
    x += h * v;
    y /= 1 + 3 * h;
    // The corrector ends below a thousandth of ERROR; fifty steps hand that on.
    ASSERT_NEAR(state.q[0], x, 1e-11) << i;
    ASSERT_NEAR(state.v[0], v, 1e-9) << i;
    ASSERT_NEAR(state.s[0], y, 1e-11) << i;
    ASSERT_NEAR(integrator->error_estimate()[0], h * (v - before) / 2, 1e-11) << i;  // ½ h² q̈
  }
}

}  // namespace
}  // namespace trammel
