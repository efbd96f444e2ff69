// Elimination order of the system matrix, from the graph of the mechanism.
#pragma once

#include <string>
#include <vector>

#include "linear/pattern.h"

namespace trammel {

/// What an order is chosen for.
enum class OrderingGoal {
  cpu_flops,      ///< one thread: fewest operations
  cpu_threads,    ///< several threads: operations, but none of the ways through the tree too long
  device_levels,  ///< a device: few levels, short longest way
};

/// What an order is expected to cost, from the graph alone, its blocks taken as dense.
struct OrderingCost {
  double flops = 0;         ///< multiply-adds x 2 of one LU
  double nonzeros = 0;      ///< nnz(L+U)
  double longest_path = 0;  ///< flops along the dearest way from a leaf of the elimination tree to its root
  int levels = 0;           ///< height of the elimination tree, in vertices
  int largest = 0;          ///< unknowns of the largest front: those of a vertex and all it still couples
  /// Time in nanoseconds of one factorization, for comparing orders: one thread at 5 Gflop/s, two at that
  /// speed, or a device with 3 us per level, 40 Gflop/s along the longest way and 3 Tflop/s in all (planning
  /// figures of a data-centre device, not measured).
  double of(OrderingGoal goal) const;
};

/// An order that was looked at.
struct OrderingCandidate {
  std::string method;  ///< "amd", "metis", "metis, multipliers last" (as `strict`)
  OrderingCost cost;
  bool taken = false;
};

/// A permutation of the unknowns and what it is expected to cost.
struct EliminationOrder : OrderingCost {
  std::vector<int> unknowns;                  ///< unknowns[k] is eliminated as k-th
  std::string method;                         ///< which candidate was taken
  bool strict = true;                         ///< no constraint comes before one of its bodies
  std::vector<OrderingCandidate> candidates;  ///< all that were looked at
};

/// Late-lambda order: the multipliers of a constraint come after the unknowns of every body they hold,
/// except the one body through which alone that part of the mechanism hangs on the rest (a parent in a
/// tree): there the rows of Phi on the bodies already eliminated keep full rank, so every pivot of
///     [ M  Phi^T ; Phi  0 ]
/// stays away from zero when M is positive definite and Phi has full row rank (docs/linear_algebra.md).
/// Bodies held by constraints alone come just before their first constraint; the graph of the others is
/// ordered by minimum degree (AMD) and by nested dissection (METIS), and the order that is cheaper for the
/// goal is taken; for cpu_flops METIS is not asked when AMD leaves no fill. A vertex of hundreds of unknowns
/// (a body with modes) costs no more than one of six. Deterministic. Cost: about linear in vertices + edges.
/// Throws Failure(internal) when the vertices do not cover 0..n-1 exactly once or an edge names a vertex that
/// does not exist. With `strict` there is no exception: constraints come after all their bodies (costs k^3
/// for a body with k constraint rows).
EliminationOrder order_unknowns(const MechanismGraph& graph, bool strict = false,
                                OrderingGoal goal = OrderingGoal::cpu_flops);

/// The solver that is faster with an order of this cost on one thread: "klu" while there are at most ten
/// operations per nonzero of the factors (rigid chains, loops and trees, where they differ by 20 % at most),
/// else "multifrontal" (by 1.3 to 8 times). Measured from 50 to 100,000 unknowns (docs/linear_algebra.md).
const char* preferred_solver(const OrderingCost& cost);

/// Model of the cost of eliminating the vertices of `graph` in the order given (a permutation of its
/// vertices), each block dense.
OrderingCost count_elimination(const MechanismGraph& graph, const std::vector<int>& vertex_order);

}  // namespace trammel
