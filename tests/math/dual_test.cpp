// Dual numbers: every function and operator against central differences, nested ones for second derivatives.
#include "math/dual.h"

#include <gtest/gtest.h>

#include <array>

#include "../support/random.h"

namespace trammel::dual_test {
namespace {

using test::derivative;
using D1 = Dual<double, 1>;
using D2 = Dual<D1, 1>;

/// Fourth-order differences with h = 1e-3 relative to O(1) functions: h^4 f'''''/30 < 1e-10 here
/// (f''''' < 3e3 at the points used), rounding 1e-13.
constexpr double difference_tolerance = 1e-9;

struct Unary {
  const char* name;
  double (*plain)(double);
  D1 (*first)(const D1&);
  D2 (*second)(const D2&);
  double low, high;
};

/// For the plain numbers; dual numbers find their own functions by argument.
#define STANDARD_NAMES                                                                                   \
  using std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp, std::fabs, std::log; \
  using std::pow, std::sin, std::sinh, std::sqrt, std::tan, std::tanh;

#define UNARY(text, expression, low, high)                                     \
  Unary {                                                                      \
    text, [](double x) -> double { STANDARD_NAMES return expression; },        \
        [](const D1& x) -> D1 { STANDARD_NAMES return expression; },           \
        [](const D2& x) -> D2 { STANDARD_NAMES return expression; }, low, high \
  }

const Unary unary[] = {
    UNARY("sin", sin(x), -3, 3),
    UNARY("cos", cos(x), -3, 3),
    UNARY("tan", tan(x), -1.1, 1.1),
    UNARY("asin", asin(x), -0.8, 0.8),
    UNARY("acos", acos(x), -0.8, 0.8),
    UNARY("atan", atan(x), -3, 3),
    UNARY("sinh", sinh(x), -2, 2),
    UNARY("cosh", cosh(x), -2, 2),
    UNARY("tanh", tanh(x), -2, 2),
    UNARY("exp", exp(x), -2, 2),
    UNARY("log", log(x), 0.5, 3),
    UNARY("sqrt", sqrt(x), 0.5, 3),
    UNARY("fabs left", fabs(x), -3, -0.1),
    UNARY("fabs right", fabs(x), 0.1, 3),
    UNARY("pow 3", pow(x, 3.0), -2, 2),
    UNARY("pow 2.5", pow(x, 2.5), 0.5, 2),
    UNARY("pow -1.5", pow(x, -1.5), 0.5, 2),
    UNARY("pow 0", pow(x, 0.0), -2, 2),
    UNARY("pow 1", pow(x, 1.0), -2, 2),
    UNARY("minus", -x, -2, 2),
    UNARY("plus number", x + 2.0, -2, 2),
    UNARY("number plus", 2.0 + x, -2, 2),
    UNARY("minus number", x - 2.0, -2, 2),
    UNARY("number minus", 2.0 - x, -2, 2),
    UNARY("times number", x * 3.0, -2, 2),
    UNARY("number times", 3.0 * x, -2, 2),
    UNARY("over number", x / 3.0, -2, 2),
    UNARY("number over", 3.0 / x, 0.6, 2),
    UNARY("composition", exp(sin(x) * x) / (1.5 + cos(x)), -2, 2),
};

TEST(Dual, functions_of_one_argument) {
  test::Random random(1);
  for (const Unary& f : unary)
    for (int n = 0; n < 20; ++n) {
      const double x = random.uniform(f.low, f.high);
      const D1 first = f.first(D1::variable(x, 0));
      const D2 second = f.second(D2::variable(D1::variable(x, 0), 0));
      EXPECT_DOUBLE_EQ(first.v, f.plain(x)) << f.name;
      EXPECT_DOUBLE_EQ(second.v.v, f.plain(x)) << f.name;
      const double expected = derivative([&](double h) { return f.plain(x + h); });
      EXPECT_NEAR(first.d[0], expected, difference_tolerance * (1 + std::fabs(expected)))
          << f.name << " " << x;
      // Both ways of a nested number carry the same first derivative.
      EXPECT_DOUBLE_EQ(second.v.d[0], first.d[0]) << f.name;
      EXPECT_NEAR(second.d[0].v, first.d[0], 1e-15 * (1 + std::fabs(first.d[0]))) << f.name;
      const double curvature = derivative([&](double h) { return f.first(D1::variable(x + h, 0)).d[0]; });
      EXPECT_NEAR(second.d[0].d[0], curvature, difference_tolerance * (1 + std::fabs(curvature)))
          << f.name << " " << x;
    }
}

struct Binary {
  const char* name;
  double (*plain)(double, double);
  Dual<double, 2> (*first)(const Dual<double, 2>&, const Dual<double, 2>&);
  Dual<Dual<double, 2>, 2> (*second)(const Dual<Dual<double, 2>, 2>&, const Dual<Dual<double, 2>, 2>&);
};

#define BINARY(text, expression)                                                    \
  Binary {                                                                          \
    text, [](double x, double y) -> double { STANDARD_NAMES return expression; },   \
        [](const Dual<double, 2>& x, const Dual<double, 2>& y) -> Dual<double, 2> { \
          STANDARD_NAMES return expression;                                         \
        },                                                                          \
        [](const Dual<Dual<double, 2>, 2>& x,                                       \
           const Dual<Dual<double, 2>, 2>& y) -> Dual<Dual<double, 2>, 2> {         \
          STANDARD_NAMES return expression;                                         \
        }                                                                           \
  }

template <class T>
T compound(const T& x, const T& y) {
  T s = x;
  s += y;
  s *= x;
  s -= y;
  return s;
}

const Binary binary[] = {
    BINARY("sum", x + y),
    BINARY("difference", x - y),
    BINARY("product", x* y),
    BINARY("quotient", x / y),
    BINARY("atan2", atan2(x, y)),
    BINARY("compound", compound(x, y)),
    BINARY("mixed", sin(x* y) / (2.0 + cos(x) * y)),
};

TEST(Dual, functions_of_two_arguments_with_mixed_second_derivatives) {
  using F = Dual<double, 2>;
  using S = Dual<F, 2>;
  test::Random random(2);
  for (const Binary& f : binary)
    for (int n = 0; n < 20; ++n) {
      double p[2] = {random.uniform(-2, 2), random.uniform(0.6, 2) * (n % 2 ? 1 : -1)};
      const auto at = [&](int k, double h) {
        double x[2] = {p[0], p[1]};
        x[k] += h;
        return std::array<double, 2>{x[0], x[1]};
      };
      const F first = f.first(F::variable(p[0], 0), F::variable(p[1], 1));
      const S second = f.second(S::variable(F::variable(p[0], 0), 0), S::variable(F::variable(p[1], 1), 1));
      EXPECT_NEAR(first.v, f.plain(p[0], p[1]), 1e-15 * (1 + std::fabs(first.v))) << f.name;
      for (int k = 0; k < 2; ++k) {
        const double expected = derivative([&](double h) { return f.plain(at(k, h)[0], at(k, h)[1]); });
        EXPECT_NEAR(first.d[k], expected, difference_tolerance * (1 + std::fabs(expected))) << f.name;
        for (int l = 0; l < 2; ++l) {
          const double curvature = derivative([&](double h) {
            return f.first(F::variable(at(k, h)[0], 0), F::variable(at(k, h)[1], 1)).d[l];
          });
          EXPECT_NEAR(second.d[k].d[l], curvature, difference_tolerance * (1 + std::fabs(curvature)))
              << f.name;
          EXPECT_NEAR(second.d[k].d[l], second.d[l].d[k], 1e-13 * (1 + std::fabs(curvature))) << f.name;
        }
      }
    }
}

TEST(Dual, comparisons_and_value_look_at_the_number_only) {
  D2 a(1.0), b(2.0);
  a.d[0].v = 100;
  EXPECT_TRUE(a < b);
  EXPECT_FALSE(b < a);
  EXPECT_TRUE(a < 1.5);
  EXPECT_FALSE(a > 1.5);
  EXPECT_EQ(value_of(a), 1.0);
  EXPECT_EQ(value_of(7.5), 7.5);
}

}  // namespace
}  // namespace trammel::dual_test
