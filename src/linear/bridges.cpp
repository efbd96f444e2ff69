#include "linear/bridges.h"

#include <algorithm>

#include "linear/graph.h"

namespace trammel {

namespace {

using Pair = std::pair<int, int>;

/// The bodies of each group of rows, sorted, counted from 1; 0 is ground, which a row on one body alone and
/// one that is not balanced reach.
std::vector<std::vector<int>> bodies_of_groups(const ConstraintRows& rows, int& bodies) {
  std::vector<std::vector<int>> out;
  bodies = 1;
  for (int i = 0; i < rows.rows(); ++i) {
    if (rows.group[i] >= static_cast<int>(out.size())) out.resize(rows.group[i] + 1);
    for (int k = rows.row_start[i]; k < rows.row_start[i + 1]; ++k) {
      std::vector<int>& group = out[rows.group[i]];
      const int body = rows.body[rows.column[k]] + 1;
      if (group.empty() || group.back() != body) group.push_back(body);
      bodies = std::max(bodies, body + 1);
    }
    if (!rows.balanced[i]) out[rows.group[i]].push_back(0);
  }
  for (std::vector<int>& group : out) {
    std::sort(group.begin(), group.end());
    group.erase(std::unique(group.begin(), group.end()), group.end());
    if (group.size() == 1) group.insert(group.begin(), 0);
  }
  return out;
}

/// Depth first: `low` is the earliest vertex that a subtree reaches by another edge than that to its parent.
std::vector<Pair> bridges_of(const Adjacency& graph) {
  const int n = graph.size();
  std::vector<int> number(n, -1), low(n, 0), parent(n, -1), next(graph.start.begin(), graph.start.end() - 1);
  std::vector<Pair> out;
  int count = 0;
  for (int root = 0; root < n; ++root) {
    if (number[root] >= 0) continue;
    number[root] = low[root] = count++;
    for (int v = root; v >= 0;) {
      if (next[v] < graph.start[v + 1]) {
        const int w = graph.neighbour[next[v]++];
        if (number[w] < 0) {
          parent[w] = v;
          number[w] = low[w] = count++;
          v = w;
        } else if (w != parent[v]) {
          low[v] = std::min(low[v], number[w]);
        }
        continue;
      }
      const int p = parent[v];
      if (p >= 0) {
        low[p] = std::min(low[p], low[v]);
        if (low[v] > number[p]) out.push_back({std::min(p, v), std::max(p, v)});
      }
      v = p;
    }
  }
  return out;
}

}  // namespace

std::vector<int> pairs_on_bridges(const ConstraintRows& rows) {
  std::vector<int> out(rows.rows(), -1);
  if (rows.body.empty() || rows.balanced.empty()) return out;
  int bodies = 0;
  const std::vector<std::vector<int>> groups = bodies_of_groups(rows, bodies);
  std::vector<Pair> edges;
  for (const std::vector<int>& group : groups)
    for (std::size_t a = 0; a < group.size(); ++a)
      for (std::size_t b = a + 1; b < group.size(); ++b) edges.push_back({group[a], group[b]});
  std::vector<std::pair<Pair, int>> number;  // of the bridges, by ascending pairs
  for (const Pair& bridge : bridges_of(make_adjacency(bodies, edges)))
    number.emplace_back(bridge, static_cast<int>(number.size()));
  std::sort(number.begin(), number.end());
  for (int i = 0; i < rows.rows(); ++i) {
    const std::vector<int>& group = groups[rows.group[i]];
    if (group.size() != 2 || !rows.balanced[i]) continue;
    const std::pair<Pair, int> wanted{{group[0], group[1]}, 0};
    const auto found = std::lower_bound(number.begin(), number.end(), wanted);
    if (found != number.end() && found->first == wanted.first) out[i] = found->second;
  }
  return out;
}

}  // namespace trammel
