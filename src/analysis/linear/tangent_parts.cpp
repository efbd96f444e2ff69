#include "analysis/linear/tangent_parts.h"

namespace trammel {

/// The tangent is linear in its coefficients: its parts are differences.
TangentParts tangent_parts(Assembler& assembler, const State& state, const AnalysisPoint& point) {
  const SparsePattern& pattern = assembler.pattern();
  std::vector<double> values(pattern.nonzeros()), r(pattern.n);
  assembler.evaluate_equations(state, point);
  assembler.residual(state, {.a = 0, .b = 0, .c = 1, .state = 1, .rate = 0}, r);
  const auto tangent = [&](const Coefficients& c) {
    assembler.tangent(state, c, values);
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(pattern.n, pattern.n);
    for (int column = 0; column < pattern.n; ++column)
      for (int k = pattern.column_start[column]; k < pattern.column_start[column + 1]; ++k)
        out(pattern.row[k], column) = values[k];
    return out;
  };
  TangentParts out;
  out.K = tangent({.a = 0, .b = 0, .c = 1, .state = 1, .rate = 0});
  out.M = tangent({.a = 1, .b = 0, .c = 1, .state = 1, .rate = 0}) - out.K;
  out.C = tangent({.a = 0, .b = 1, .c = 1, .state = 1, .rate = 1}) - out.K;
  return out;
}

}  // namespace trammel
