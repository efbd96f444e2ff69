// What is coupled with what in the equations of a model: pattern of the matrix, graph of the mechanism, order
// of elimination, and where each entry of the tangent goes. Never changed: one serves the processor, devices
// and all variants of a model whose couplings are the same.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "assemble/view.h"
#include "linear/ordering.h"
#include "linear/pattern.h"

namespace trammel {

/// The entries that the tangent writes, in the order of writing, and the blocks of unknowns.
struct Couplings {
  int unknowns = 0;
  std::vector<std::pair<int, int>> entries;  ///< (column, row)
  std::vector<int> item_start;               ///< first entry of each element of the pools, and the end
  std::vector<GraphVertex> vertices;         ///< bodies, constraint elements, scalars
};

/// Every entry has a slot of its own. An entry that alone makes a matrix value has the slot of that value
/// (the first nonzeros() slots are values); entries that make a value together have slots behind these, which
/// are added up.
class Structure {
 public:
  explicit Structure(const Couplings& couplings);
  Structure(const Structure&) = delete;
  Structure& operator=(const Structure&) = delete;

  /// Whether these couplings have the same structure.
  bool fits(const Couplings& couplings) const;

  const SparsePattern& pattern() const { return pattern_; }
  const MechanismGraph& graph() const { return graph_; }
  /// Order of elimination for the processor; found when it is first asked for.
  const EliminationOrder& order() const;
  const std::vector<int>& item_start() const { return item_start_; }
  /// Slot of every entry, in the order of writing.
  const std::vector<int>& place() const { return place_; }
  const std::vector<SharedValue>& shared() const { return shared_; }
  int slots() const { return slots_; }

 private:
  void make_pattern(const std::vector<std::pair<int, int>>& entries);
  void make_edges();

  SparsePattern pattern_;
  MechanismGraph graph_;
  std::vector<int> item_start_, place_;
  std::vector<SharedValue> shared_;
  int slots_ = 0;
  mutable std::once_flag ordered_;
  mutable EliminationOrder order_;
};

}  // namespace trammel
