// The linearised equations of a large model at rest, as sparse matrices of one pattern.
#pragma once

#include <complex>
#include <vector>

#include "analysis/linear/tangent_parts.h"

namespace trammel {

/// s² M + s C + K over all unknowns.
struct SparsePencil : TangentValues {
  const SparsePattern& pattern;

  SparsePencil(const Model& model, Assembler& assembler, const State& state,
               AnalysisPoint point = {AnalysisMode::linear, phase_dynamics})
      : TangentValues(tangent_values(model, assembler, state, point)), pattern(assembler.pattern()) {}

  /// Replaces the equations of these unknowns by δ = 0.
  void hold(const std::vector<int>& unknowns);

  /// The values of s² M + s C + K, in the order of the pattern.
  template <class T>
  std::vector<T> at(T s) const {
    std::vector<T> out(K.size());
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = s * (s * M[k] + C[k]) + K[k];
    return out;
  }
  /// y += A x, A the matrix with these values in the pattern.
  template <class Values, class X, class Y>
  void add_product(const Values& values, const X& x, Y& y) const {
    for (int column = 0; column < pattern.n; ++column)
      for (int k = pattern.column_start[column]; k < pattern.column_start[column + 1]; ++k)
        y[pattern.row[k]] += values[k] * x[column];
  }
  /// Per unknown: whether M or C has an entry in its column, so that it is a state.
  std::vector<unsigned char> moving() const;
  /// The largest √(k/m) and c/m of the diagonal entries of coordinates: a bound of the frequencies of each
  /// coordinate alone [rad/time].
  double frequency(int coordinates) const;
};

}  // namespace trammel
