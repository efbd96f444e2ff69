// Elimination order of the system matrix, from the graph of the mechanism.
#pragma once

#include <string>
#include <vector>

#include "linear/pattern.h"

namespace trammel {

/// A permutation of the unknowns and what it is expected to cost.
struct EliminationOrder {
  std::vector<int> unknowns;  ///< unknowns[k] is eliminated as k-th
  double flops = 0;           ///< modelled multiply-adds x 2 of one LU, graph blocks taken as dense
  double nonzeros = 0;        ///< modelled nnz(L+U), graph blocks taken as dense
  int levels = 0;             ///< height of the elimination tree of the graph, in vertices
  std::string method;         ///< "amd" or "metis": which candidate was taken
  bool strict = true;         ///< no constraint comes before one of its bodies
};

/// Late-lambda order: the multipliers of a constraint come after the unknowns of every body they hold,
/// except the one body through which alone that part of the mechanism hangs on the rest (a parent in a
/// tree): there the rows of Phi on the bodies already eliminated keep full rank, so every pivot of
///     [ M  Phi^T ; Phi  0 ]
/// stays away from zero when M is positive definite and Phi has full row rank (docs/linear_algebra.md).
/// Bodies held by constraints alone come just before their first constraint; the graph of the others is
/// ordered by minimum degree (AMD) and by nested dissection (METIS), and the cheaper order is taken.
/// Deterministic. Cost: about linear in vertices + edges. Throws Failure(internal) when the vertices do
/// not cover 0..n-1 exactly once or an edge names a vertex that does not exist. With `strict` there is no
/// exception: constraints come after all their bodies (costs k^3 for a body with k constraint rows).
EliminationOrder order_unknowns(const MechanismGraph& graph, bool strict = false);

/// order_unknowns(graph).unknowns
std::vector<int> elimination_order(const MechanismGraph& graph);

/// Model of the cost of eliminating the vertices of `graph` in the order given (a permutation of its
/// vertices), each block dense: fills flops, nonzeros and levels of `order`.
void count_elimination(const MechanismGraph& graph, const std::vector<int>& vertex_order,
                       EliminationOrder& order);

}  // namespace trammel
