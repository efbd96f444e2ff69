// The tangent of a model against differences of its residual.
#pragma once

#include <gtest/gtest.h>

#include "random_model.h"

namespace trammel::test {

inline void check_tangent(const Model& model, std::uint32_t seed, bool masks, double h = 1e-3) {
  Random random(seed);
  State state = random_state(model, random);
  for (unsigned char& d : state.dropped) d = masks && random.uniform(0, 1) < 0.4;
  const Coefficients c = random_coefficients(random);
  Assembler assembler(model);
  assembler.evaluate(state, in_dynamics);
  assembler.current_angles(state, state.angle);  // angles are continued from the present turn

  assembler.evaluate(state, in_dynamics);
  std::vector<double> values(assembler.pattern().nonzeros());
  assembler.tangent(state, c, values);
  const Dense tangent = dense(assembler.pattern(), values);

  const int n = model.unknowns();
  Dense difference(n, std::vector<double>(n));
  for (int column = 0; column < n; ++column) {
    const Vector d = derivative(
        [&](double x) {
          const State moved = along(model, state, c, column, x);
          Vector r{std::vector<double>(n)};
          assembler.evaluate(moved, in_dynamics);
          assembler.residual(moved, c, r.x);
          return r;
        },
        h);
    for (int row = 0; row < n; ++row) difference[row][column] = d.x[row];
  }
  // h^4 f^(5)/30 with h of 1e-3: entries and their fifth derivatives are of size 1 to 1e3 together, so the
  // difference is exact to about 1e-9 of the row's size.
  for (int row = 0; row < n; ++row) {
    double size = 1;
    for (double x : difference[row]) size = std::max(size, std::fabs(x));
    for (int column = 0; column < n; ++column)
      EXPECT_NEAR(tangent[row][column], difference[row][column], 2e-8 * size)
          << "d(" << model.equation_name(row) << ")/d(" << model.unknown_name(column) << ") [" << row << ", "
          << column << "]";
  }
}

}  // namespace trammel::test
