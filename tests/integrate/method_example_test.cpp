// The method that docs/add_method.md shows, compiled from that page, against its own recursion for one
// unknown.
#include <gtest/gtest.h>

#include "../support/oscillator.h"
#include "integrate/methods/list.h"

namespace trammel {

IntegrationMethod euler_method();  // of the page
}  // namespace trammel

namespace trammel::method_example_test {
namespace {

using namespace test;

TEST(MethodExample, of_the_documents_follows_its_formulas) {
  Oscillator o;
  const double h = 0.01, m = 2, c = 0.8, k = 50;
  State& state = o.state;
  const auto integrator = euler_method().make(o.model, o.equations(), Oscillator::fixed_steps(h, 1e-10));
  integrator->start(state);
  double x = 2, v = 0, y = 1;
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
}  // namespace trammel::method_example_test
