// Sparsity pattern of the system matrix, and the mechanism's graph that it comes from.
#pragma once

#include <utility>
#include <vector>

namespace trammel {

/// Compressed columns, rows sorted within a column, no duplicates, 0-based.
struct SparsePattern {
  int n = 0;
  std::vector<int> column_start;  ///< n + 1
  std::vector<int> row;           ///< nonzeros
  int nonzeros() const { return static_cast<int>(row.size()); }
};

/// A vertex of the mechanism's graph owns unknowns [first, first + count).
enum class VertexKind {
  body,        ///< generalized coordinates of one body
  constraint,  ///< the multipliers of one joint, motion or general constraint
  scalar,      ///< states: VARIABLE, DIFF, force outputs
};
struct GraphVertex {
  VertexKind kind = VertexKind::body;
  int first = 0;
  int count = 0;
  int translations = 3;  ///< of a body: unknowns that are lengths; behind them are angles; or `neither`
  static constexpr int neither = -3;  ///< modal coordinates: like no unknown of rigid bodies
  /// Unknowns of bodies that are alike have the same number: 0 to 2 of translations, from 3 on of angles.
  int slot(int k) const { return k < translations ? k : 3 + k - translations; }
};
struct MechanismGraph {
  std::vector<GraphVertex> vertices;       ///< cover every unknown exactly once
  std::vector<std::pair<int, int>> edges;  ///< vertices whose unknowns share a matrix block
};

}  // namespace trammel
