// Adjacency of the mechanism's graph; how early a constraint may be eliminated, from its biconnected blocks.
#pragma once

#include <utility>
#include <vector>

#include "linear/pattern.h"

namespace trammel {

/// Undirected graph: neighbours of v are neighbour[start[v] .. start[v+1]), sorted, no duplicates or loops.
struct Adjacency {
  std::vector<int> start{0};
  std::vector<int> neighbour;
  int size() const { return static_cast<int>(start.size()) - 1; }
  int degree(int v) const { return start[v + 1] - start[v]; }
};

/// Adjacency of `n` vertices; edges may repeat, in either direction; loops are left out. O(n + edges).
Adjacency make_adjacency(int n, const std::vector<std::pair<int, int>>& edges);

/// For every constraint vertex the body it may precede in the elimination order, or -1. The graph of bodies
/// and constraints, rooted at ground (a constraint on one body is attached to ground; a component without
/// ground is rooted at its body of highest degree), is split into biconnected blocks: a constraint may
/// precede the body that is the root of its block. Force couplings are ignored: only the rank of Phi matters.
std::vector<int> preceded_body(const MechanismGraph& graph, const Adjacency& adjacency);

}  // namespace trammel
