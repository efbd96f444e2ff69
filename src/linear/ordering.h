// Elimination order of the system matrix, computed from the graph of the mechanism.
#pragma once

#include <string>
#include <vector>

#include "linear/pattern.h"

namespace trammel {

enum class OrderingGoal {
  cpu_flops,      ///< smallest number of operations
  cpu_threads,    ///< the same, and halves side by side where two threads would have enough to do
  device_levels,  ///< a device: few levels, short longest path
};

/// Expected cost of an order, from the graph alone, with its blocks taken as dense.
struct OrderingCost {
  double flops = 0;         ///< multiply-adds x 2 of one LU
  double nonzeros = 0;      ///< nnz(L+U)
  double longest_path = 0;  ///< operations along the most expensive path to a root
  int levels = 0;           ///< height of the elimination tree, in vertices
  int largest = 0;          ///< unknowns of the largest front: a vertex and all it is still coupled to
  /// Modelled time of one factorization in nanoseconds, for comparing orders: one thread at 5 Gflop/s, or a
  /// device with 3 us per level, 40 Gflop/s along the longest path and 3 Tflop/s in all
  /// (planning figures of a data-centre device, not measured).
  double of(OrderingGoal goal) const;
};

/// An order that was considered.
struct OrderingCandidate {
  std::string method;  ///< "amd", "metis", "metis, multipliers last" (as `strict`)
  OrderingCost cost;
  bool taken = false;
};

/// A permutation of the unknowns and its expected cost.
struct EliminationOrder : OrderingCost {
  std::vector<int> unknowns;  ///< unknowns[k] is eliminated k-th
  std::string method;         ///< the candidate that was taken
  bool strict = true;         ///< every constraint comes after all its bodies
  std::vector<OrderingCandidate> candidates;
};

/// Late-lambda order: the multipliers of a constraint come after the unknowns of all its bodies except the
/// one body that alone connects that part of the mechanism with the rest (the parent in a tree): there the
/// rows of Phi on the bodies already eliminated keep full rank, so every pivot of
///     [ M  Phi^T ; Phi  0 ]
/// stays away from zero when M is positive definite and Phi has full row rank (docs/linear_algebra.md).
/// Bodies that are held by constraints only come just before their first constraint; the graph of the others
/// is ordered by minimum degree, from its ends inward and what is left by AMD, and by nested dissection
/// (METIS), and the cheaper order for the goal is taken; for cpu_flops METIS is skipped when there is no
/// fill. A vertex of hundreds of unknowns (a flexible body) costs no more than one of six. Deterministic,
/// about linear in vertices + edges. With `strict` constraints come after all their bodies without exception
/// (costs k^3 for a body with k constraint rows). Throws Failure(internal) when the vertices do not cover
/// 0..n-1 exactly once or an edge names a vertex that does not exist.
EliminationOrder order_unknowns(const MechanismGraph& graph, bool strict = false,
                                OrderingGoal goal = OrderingGoal::cpu_flops);

/// The solver that is faster with an order of this cost (measured from 10 to 100,000 unknowns,
/// docs/linear_algebra.md): "blocks" up to thirty operations per nonzero of the factors (rigid chains, loops,
/// trees, tracks, small nets); else "multifrontal".
const char* preferred_solver(const OrderingCost& cost);

/// Cost of eliminating the vertices of `graph` in the given order (a permutation), each block dense.
OrderingCost count_elimination(const MechanismGraph& graph, const std::vector<int>& vertex_order);

}  // namespace trammel
