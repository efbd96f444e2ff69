#include "analysis/linear/sparse_pencil.h"

#include <algorithm>
#include <cmath>

namespace trammel {

SparsePencil::SparsePencil(const Model& model, Assembler& assembler, const State& state)
    : pattern(assembler.pattern()) {
  std::vector<double> r(pattern.n);
  assembler.evaluate_equations(state, {AnalysisMode::linear, phase_dynamics});
  assembler.residual(state, {.a = 0, .b = 0, .c = 1, .state = 1, .rate = 0}, r);
  const auto tangent = [&](const Coefficients& c) {
    std::vector<double> values(pattern.nonzeros());
    assembler.tangent(state, c, values);
    for (std::size_t k = 0; k < K.size(); ++k) values[k] -= K[k];
    return values;
  };
  K = tangent({.a = 0, .b = 0, .c = 1, .state = 1, .rate = 0});
  M = tangent({.a = 1, .b = 0, .c = 1, .state = 1, .rate = 0});
  C = tangent({.a = 0, .b = 1, .c = 1, .state = 1, .rate = 1});
  std::vector<unsigned char> of_velocities(pattern.n, 0);
  for (const GeneralConstraint& g : model.general_constraints)
    of_velocities[model.coordinates + g.row] = g.pfaffian && !assembler.masked(g.row);
  for (std::size_t k = 0; k < K.size(); ++k)
    if (of_velocities[pattern.row[k]]) std::swap(K[k], C[k]);
}

std::vector<unsigned char> SparsePencil::moving() const {
  std::vector<unsigned char> out(pattern.n, 0);
  for (int column = 0; column < pattern.n; ++column)
    for (int k = pattern.column_start[column]; k < pattern.column_start[column + 1]; ++k)
      if (M[k] != 0 || C[k] != 0) out[column] = 1;
  return out;
}

double SparsePencil::frequency(int coordinates) const {
  double out = 0;
  for (int column = 0; column < coordinates; ++column)
    for (int k = pattern.column_start[column]; k < pattern.column_start[column + 1]; ++k)
      if (pattern.row[k] == column && M[k] > 0)
        out = std::max({out, std::sqrt(std::abs(K[k]) / M[k]), std::abs(C[k]) / M[k]});
  return out;
}

}  // namespace trammel
