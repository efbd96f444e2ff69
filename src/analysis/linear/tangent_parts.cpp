#include "analysis/linear/tangent_parts.h"

namespace trammel {

/// The tangent is linear in its coefficients. K is the tangent with c = 1 alone. M and C come from tangents
/// without K, not as small differences of large sums: what these share with the tangent of all coefficients
/// zero, columns of multipliers and VARIABLEs, is subtracted. Rows that are linear in velocities have ∂ψ/∂q̇ +
/// ∂ψ/∂q c/b in the tangent, and ∂ψ/∂q̇ where b is zero.
TangentValues tangent_values(const Model& model, Assembler& assembler, const State& state,
                             const AnalysisPoint& point) {
  const SparsePattern& pattern = assembler.pattern();
  std::vector<double> r(pattern.n);
  assembler.evaluate_equations(state, point);
  assembler.residual(state, {.a = 0, .b = 0, .c = 1, .state = 1, .rate = 0}, r);
  const auto tangent = [&](const Coefficients& c) {
    std::vector<double> values(pattern.nonzeros());
    assembler.tangent(state, c, values);
    return values;
  };
  const auto less = [](std::vector<double> a, const std::vector<double>& b) {
    for (std::size_t k = 0; k < a.size(); ++k) a[k] -= b[k];
    return a;
  };
  const std::vector<double> rest = tangent({.a = 0, .b = 0, .c = 0, .state = 0, .rate = 0});
  TangentValues out;
  out.K = tangent({.a = 0, .b = 0, .c = 1, .state = 1, .rate = 0});
  out.M = less(tangent({.a = 1, .b = 0, .c = 0, .state = 0, .rate = 0}), rest);
  out.C = less(tangent({.a = 0, .b = 1, .c = 0, .state = 0, .rate = 1}), rest);
  std::vector<unsigned char> of_velocities(pattern.n, 0);
  bool any = false;
  for (const GeneralConstraint& g : model.general_constraints)
    any = (of_velocities[model.coordinates + g.row] = g.pfaffian && !assembler.masked(g.row)) || any;
  if (!any) return out;
  const std::vector<double> both = tangent({.a = 0, .b = 1, .c = 1, .state = 1, .rate = 0});
  for (std::size_t k = 0; k < both.size(); ++k)
    if (of_velocities[pattern.row[k]]) {
      out.C[k] = out.K[k];
      out.K[k] = both[k] - out.C[k];
    }
  return out;
}

TangentParts tangent_parts(const Model& model, Assembler& assembler, const State& state,
                           const AnalysisPoint& point) {
  const SparsePattern& pattern = assembler.pattern();
  const TangentValues values = tangent_values(model, assembler, state, point);
  const auto full = [&](const std::vector<double>& of) {
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(pattern.n, pattern.n);
    for (int column = 0; column < pattern.n; ++column)
      for (int k = pattern.column_start[column]; k < pattern.column_start[column + 1]; ++k)
        out(pattern.row[k], column) = of[k];
    return out;
  };
  return {full(values.M), full(values.C), full(values.K)};
}

}  // namespace trammel
