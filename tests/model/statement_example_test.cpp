// The example of docs/add_statement.md, as it stands there: its rows against the transfer function of the
// filter.
#include <pages/add_statement.h>

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <map>
#include <string>

namespace trammel::statement_example_test {
namespace {

/// What the statement says, and what the deck gives it: two inputs.
struct Said {
  double real(std::string_view name, double) const { return name == "OMEGA" ? 20 : 0.5; }
};
struct Given {
  std::map<std::string, int> sizes;  ///< as the statement asks for them
  int states(int n) { return n; }
  int outputs(int n) { return n; }
  int inputs() const { return 2; }
  void size_must_be(std::string_view argument, int size, int wanted, std::string_view) {
    EXPECT_EQ(size, wanted);
    sizes[std::string(argument)] = wanted;
  }
};

using Complex = std::complex<double>;

/// Of x for u = 1 at input k and 0 at others: (s − A) x = B u of two states, Cramer's rule.
Complex output_of(const LinearSystem& system, int k, Complex s) {
  const auto entry = [&](int r, int c) {
    double sum = 0;
    for (const auto& [at, value] : system.rate[r].states) sum += at == c ? value : 0;
    return sum;
  };
  const auto input = [&](int r) {
    double sum = 0;
    for (const auto& [at, value] : system.rate[r].inputs) sum += at == k ? value : 0;
    return sum;
  };
  const int a = 2 * k, b = 2 * k + 1;
  const Complex determinant = (s - entry(a, a)) * (s - entry(b, b)) - entry(a, b) * entry(b, a);
  const Complex x = (input(a) * (s - entry(b, b)) + entry(a, b) * input(b)) / determinant;
  EXPECT_EQ(system.output[k].states, (LinearTerms{{a, 1.0}}));
  return x;
}

TEST(StatementExample, rows_are_those_of_the_transfer_function) {
  Given given;
  const LinearSystem system = FilterStatement::read(Said(), given);
  ASSERT_EQ(system.rate.size(), 4u);
  ASSERT_EQ(system.output.size(), 2u);
  EXPECT_EQ(given.sizes, (std::map<std::string, int>{{"X", 4}, {"Y", 2}}));
  for (int k = 0; k < 2; ++k)
    for (const double w : {0.0, 5.0, 20.0, 100.0}) {
      const Complex s(0, w), transfer = 400.0 / (s * s + 20.0 * s + 400.0);
      EXPECT_LT(std::abs(output_of(system, k, s) - transfer), 1e-14) << w;
    }
}

}  // namespace
}  // namespace trammel::statement_example_test
