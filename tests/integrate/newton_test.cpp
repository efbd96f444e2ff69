// Newton's iteration on equations whose roots are known.
#include "integrate/newton.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "../support/deck.h"
#include "assemble/assembler.h"

namespace trammel::newton_test {
namespace {

using namespace test;

/// x_i² = i + 2 for the three unknowns of a point mass, from x_i = 3.
struct Roots {
  Roots()
      : model(compile_text("PART/1, GROUND\nPOINT_MASS/2, MASS = 1, CM = 21\nMARKER/21, POINT_MASS = 2\n")),
        assembler(model),
        newton(model, system) {
    system.analyze(assembler.pattern(), assembler.graph());
    problem.what = "roots";
    problem.residual = [this](std::span<double> r) {
      for (int i = 0; i < 3; ++i) r[i] = x[i] * x[i] - (i + 2);
    };
    problem.tangent = [this](std::span<double> values) {
      const SparsePattern& p = assembler.pattern();
      for (int j = 0; j < p.n; ++j)
        for (int k = p.column_start[j]; k < p.column_start[j + 1]; ++k)
          values[k] = p.row[k] == j ? slope * x[j] : 0.0;
    };
    problem.apply = [this](std::span<const double> d) {
      double largest = 0;
      for (int i = 0; i < 3; ++i) x[i] += d[i], largest = std::max(largest, std::abs(d[i]));
      changes.push_back(largest);
      return largest;
    };
    problem.converged = [](const NewtonProgress& p) { return p.change < 1e-14; };
  }

  Model model;
  Assembler assembler;
  GuardedSystem system;
  Newton newton;
  NewtonProblem problem;
  double x[3] = {3, 3, 3}, slope = 2;
  std::vector<double> changes;
};

std::string message(Roots& roots) {
  try {
    roots.newton.solve(roots.problem);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::solver);
    return failure.what();
  }
  return "";
}

TEST(Newton, doubles_the_digits_with_each_iteration) {
  Roots roots;
  const int iterations = roots.newton.solve(roots.problem);
  EXPECT_EQ(iterations, static_cast<int>(roots.changes.size()));
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(roots.x[i], std::sqrt(i + 2.0), 1e-15);
  // e' = e²/(2x): the change is e − e', so that from e < 0.1 on the next is below e².
  int compared = 0;
  for (std::size_t k = 1; k < roots.changes.size(); ++k) {
    const double before = roots.changes[k - 1];
    if (before > 0.1 || before < 1e-7) continue;  // far away, or at rounding
    EXPECT_LT(roots.changes[k], before * before);
    ++compared;
  }
  EXPECT_GE(compared, 2);
}

TEST(Newton, does_nothing_where_the_residual_is_enough) {
  Roots roots;
  roots.problem.enough_residual = 10;
  EXPECT_EQ(roots.newton.solve(roots.problem), 0);
  EXPECT_EQ(roots.x[0], 3);
}

TEST(Newton, tells_what_it_cannot_solve) {
  Roots few;
  few.problem.maxit = 2;
  few.problem.when_not_converged = [](const NewtonProgress& p) { return p.iteration == 2 ? " here" : ""; };
  EXPECT_EQ(message(few), "roots do not converge in 2 iterations here");
  Roots singular;
  singular.slope = 0;
  EXPECT_NE(message(singular).find("roots: the equations are singular (equation POINT_MASS/2"),
            std::string::npos)
      << message(singular);
  Roots endless;  // as the derivative of a distance that is 0
  endless.slope = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(message(endless).find("roots: the derivative of POINT_MASS/2"), std::string::npos)
      << message(endless);
}

/// A residual without a value is not a small one.
TEST(Newton, takes_no_value_for_no_answer) {
  Roots roots;
  roots.problem.enough_residual = 10;
  roots.x[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(message(roots), "");
}

}  // namespace
}  // namespace trammel::newton_test
