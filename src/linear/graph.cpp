#include "linear/graph.h"

#include <algorithm>

#include "base/buckets.h"

namespace trammel {

Adjacency make_adjacency(int n, const std::vector<std::pair<int, int>>& edges) {
  // Two bucket passes, by one end and then by the other, leave every list sorted.
  const Buckets<int> other = in_buckets<int>(n, [&](auto put) {
    for (const auto& [a, b] : edges) {
      if (a != b) put(a, b), put(b, a);
    }
  });
  const Buckets<int> sorted = in_buckets<int>(n, [&](auto put) {
    for (int v = 0; v < n; ++v) {
      for (int k = other.start[v]; k < other.start[v + 1]; ++k) put(other.item[k], v);
    }
  });
  Adjacency adjacency;
  adjacency.start.assign(n + 1, 0);
  adjacency.neighbour.reserve(sorted.item.size());
  for (int v = 0; v < n; ++v) {
    for (int k = sorted.start[v]; k < sorted.start[v + 1]; ++k) {
      if (k == sorted.start[v] || sorted.item[k] != sorted.item[k - 1])
        adjacency.neighbour.push_back(sorted.item[k]);
    }
    adjacency.start[v + 1] = static_cast<int>(adjacency.neighbour.size());
  }
  return adjacency;
}

namespace {

/// The graph of bodies and constraints only, plus a last vertex for ground.
Adjacency joint_graph(const MechanismGraph& graph, const Adjacency& adjacency) {
  const int n = adjacency.size();
  std::vector<std::pair<int, int>> edges;
  for (int c = 0; c < n; ++c) {
    if (graph.vertices[c].kind != VertexKind::constraint) continue;
    int bodies = 0;
    for (int k = adjacency.start[c]; k < adjacency.start[c + 1]; ++k) {
      const int b = adjacency.neighbour[k];
      if (graph.vertices[b].kind == VertexKind::body) edges.emplace_back(c, b), ++bodies;
    }
    if (bodies < 2) edges.emplace_back(c, n);
  }
  return make_adjacency(n + 1, edges);
}

/// State of a depth-first search (Tarjan's low points).
struct Search {
  std::vector<int> parent, found, low, preorder, next;

  void run(const Adjacency& g, int root) {
    std::vector<int> stack{root};
    enter(g, root, -1);
    while (!stack.empty()) {
      const int v = stack.back();
      if (next[v] == g.start[v + 1]) {
        stack.pop_back();
        if (parent[v] >= 0) low[parent[v]] = std::min(low[parent[v]], low[v]);
        continue;
      }
      const int u = g.neighbour[next[v]++];
      if (found[u] < 0) {
        enter(g, u, v);
        stack.push_back(u);
      } else if (u != parent[v]) {
        low[v] = std::min(low[v], found[u]);
      }
    }
  }

 private:
  void enter(const Adjacency& g, int v, int from) {
    parent[v] = from;
    found[v] = low[v] = static_cast<int>(preorder.size());
    next[v] = g.start[v];
    preorder.push_back(v);
  }
};

}  // namespace

std::vector<int> preceded_body(const MechanismGraph& graph, const Adjacency& adjacency) {
  const Adjacency joints = joint_graph(graph, adjacency);
  const int n = adjacency.size();
  Search search;
  search.parent.assign(n + 1, -1);
  search.found.assign(n + 1, -1);
  search.low.assign(n + 1, 0);
  search.next.assign(n + 1, 0);
  search.preorder.reserve(n + 1);
  search.run(joints, n);
  std::vector<int> roots;
  for (int v = 0; v < n; ++v) {
    if (graph.vertices[v].kind == VertexKind::body) roots.push_back(v);
  }
  std::stable_sort(roots.begin(), roots.end(),
                   [&](int a, int b) { return joints.degree(a) > joints.degree(b); });
  for (int v : roots) {
    if (search.found[v] < 0) search.run(joints, v);
  }

  std::vector<int> block_root(n + 1, -1), body(n, -1);
  for (int v : search.preorder) {
    const int p = search.parent[v];
    if (p < 0) continue;
    block_root[v] = search.low[v] >= search.found[p] ? p : block_root[p];
    const int r = block_root[v];
    if (v == n || graph.vertices[v].kind != VertexKind::constraint) continue;
    if (r < 0 || r == n || graph.vertices[r].kind != VertexKind::body) continue;
    const auto begin = adjacency.neighbour.begin() + adjacency.start[v];
    const auto end = adjacency.neighbour.begin() + adjacency.start[v + 1];
    if (std::binary_search(begin, end, r)) body[v] = r;
  }
  return body;
}

}  // namespace trammel
