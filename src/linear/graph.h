// Adjacency of the mechanism's graph and the block structure that decides how early a constraint may go.
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

/// For every constraint vertex the body it may precede, or -1. Root the graph of bodies and constraints
/// at ground (constraints with a single body are taken to hang on ground; a part without ground is rooted
/// at its body of highest degree) and split it into biconnected blocks: a constraint may precede the body
/// that is the root of its block. Force couplings play no part: only the rank of Phi matters here.
std::vector<int> preceded_body(const MechanismGraph& graph, const Adjacency& adjacency);

}  // namespace trammel
