#include "linear/ordering.h"

#include <algorithm>
#include <mutex>
#include <numeric>

#include <amd.h>
#include <metis.h>

#include "base/diagnostics.h"
#include "linear/graph.h"
#include "linear/host/elimination_tree.h"

namespace trammel {
namespace {

/// A body with more constraints than this is not contracted: its clique would have degree^2 edges.
constexpr int kLargestClique = 24;

int count_unknowns(const MechanismGraph& graph) {
  int n = 0;
  for (const GraphVertex& v : graph.vertices) n += v.count;
  std::vector<char> seen(n, 0);
  for (const GraphVertex& v : graph.vertices) {
    for (int i = v.first; i < v.first + v.count; ++i) {
      if (i < 0 || i >= n || seen[i]) {
        fail(ExitCode::internal, "elimination order: unknown {} of {} is covered twice or out of range", i,
             n);
      }
      seen[i] = 1;
    }
  }
  const int size = static_cast<int>(graph.vertices.size());
  for (const auto& [a, b] : graph.edges) {
    if (a < 0 || b < 0 || a >= size || b >= size) {
      fail(ExitCode::internal, "elimination order: edge ({}, {}) in a graph of {} vertices", a, b, size);
    }
  }
  return n;
}

/// The graph that is ordered: constraints, bodies with couplings, scalars. The other vertices of the
/// mechanism are contracted into these.
struct Quotient {
  std::vector<std::vector<int>> members;  ///< vertices of the mechanism, in elimination order
  std::vector<int> of;  ///< vertex of the quotient; -1: placed just before its first constraint
  Adjacency graph;
  std::vector<idx_t> weight;
};

bool is_constraint(const MechanismGraph& graph, int v) {
  return graph.vertices[v].kind == VertexKind::constraint;
}

/// Calls f(u) for the neighbours u of constraint c that must be eliminated before it.
template <class F>
void for_required(const MechanismGraph& graph, const Adjacency& adjacency, const std::vector<int>& exempt,
                  int c, F f) {
  for (int k = adjacency.start[c]; k < adjacency.start[c + 1]; ++k) {
    const int u = adjacency.neighbour[k];
    if (!is_constraint(graph, u) && u != exempt[c]) f(u);
  }
}

/// Which bodies stay vertices of the quotient: those with couplings other than constraints, those that may
/// come after some of their constraints, and those with very many constraints.
std::vector<char> staying(const MechanismGraph& graph, const Adjacency& adjacency,
                          const std::vector<int>& exempt) {
  const int n = adjacency.size();
  std::vector<char> stays(n, 0);
  for (int v = 0; v < n; ++v) {
    if (graph.vertices[v].kind != VertexKind::body) {
      stays[v] = 1;
      if (exempt[v] >= 0) stays[exempt[v]] = 1;
      continue;
    }
    if (adjacency.degree(v) > kLargestClique || adjacency.degree(v) == 0) stays[v] = 1;
    for (int k = adjacency.start[v]; k < adjacency.start[v + 1]; ++k) {
      if (!is_constraint(graph, adjacency.neighbour[k])) stays[v] = 1;
    }
  }
  return stays;
}

Quotient make_quotient(const MechanismGraph& graph, const Adjacency& adjacency,
                       const std::vector<int>& exempt) {
  const int n = adjacency.size();
  const std::vector<char> stays = staying(graph, adjacency, exempt);
  Quotient q;
  q.of.assign(n, -1);
  const auto add = [&](int v) {
    q.of[v] = static_cast<int>(q.members.size());
    q.members.push_back({v});
  };
  for (int v = 0; v < n; ++v) {
    if (stays[v] && !is_constraint(graph, v)) add(v);
  }
  // A constraint that requires one other vertex only is eliminated together with it.
  for (int c = 0; c < n; ++c) {
    if (!is_constraint(graph, c)) continue;
    int required = 0, host = -1;
    for_required(graph, adjacency, exempt, c, [&](int u) { ++required, host = u; });
    if (required == 1 && q.of[host] >= 0) {
      q.of[c] = q.of[host];
      q.members[q.of[host]].push_back(c);
    } else {
      add(c);
    }
  }
  std::vector<std::pair<int, int>> edges;
  for (int v = 0; v < n; ++v) {
    const int* begin = adjacency.neighbour.data() + adjacency.start[v];
    const int* end = adjacency.neighbour.data() + adjacency.start[v + 1];
    for (const int* a = begin; a != end; ++a) {
      if (q.of[v] >= 0) {
        if (q.of[*a] >= 0 && v < *a) edges.emplace_back(q.of[v], q.of[*a]);
      } else {
        for (const int* b = a + 1; b != end; ++b) edges.emplace_back(q.of[*a], q.of[*b]);
      }
    }
  }
  q.graph = make_adjacency(static_cast<int>(q.members.size()), edges);
  for (const std::vector<int>& group : q.members) {
    idx_t weight = 0;
    for (int v : group) weight += graph.vertices[v].count;
    q.weight.push_back(weight);
  }
  return q;
}

std::vector<int> amd_order_of(const Adjacency& graph) {
  std::vector<int> order(graph.size());
  std::iota(order.begin(), order.end(), 0);
  if (graph.neighbour.empty()) return order;
  double control[AMD_CONTROL], info[AMD_INFO];
  amd_defaults(control);
  const int status =
      amd_order(graph.size(), graph.start.data(), graph.neighbour.data(), order.data(), control, info);
  if (status < AMD_OK) fail(ExitCode::internal, "elimination order: AMD failed with status {}", status);
  return order;
}

/// Vertices that have, one after the other, at most one neighbour left, from all ends of the graph at a time:
/// a chain ends in its middle, and its halves can be eliminated side by side. All vertices of a forest.
std::vector<int> ends_first(const Adjacency& graph) {
  const int n = graph.size();
  std::vector<int> degree(n), order;
  order.reserve(n);
  for (int v = 0; v < n; ++v) {
    degree[v] = graph.degree(v);
    if (degree[v] <= 1) order.push_back(v);
  }
  for (std::size_t k = 0; k < order.size(); ++k) {
    const int v = order[k];
    degree[v] = -1;
    for (int e = graph.start[v]; e < graph.start[v + 1]; ++e)
      if (int& d = degree[graph.neighbour[e]]; d >= 0 && --d == 1) order.push_back(graph.neighbour[e]);
  }
  return order;
}

/// The ends first, and the rest, in which everything is part of a loop, by minimum degree.
std::vector<int> minimum_degree_order(const Adjacency& graph) {
  constexpr int kEnd = -1;
  const int n = graph.size();
  std::vector<int> order = ends_first(graph), number(n, 0), rest;
  for (const int v : order) number[v] = kEnd;
  for (int v = 0; v < n; ++v) {
    if (number[v] == kEnd) continue;
    number[v] = static_cast<int>(rest.size());
    rest.push_back(v);
  }
  std::vector<std::pair<int, int>> edges;
  for (const int v : rest)
    for (int e = graph.start[v]; e < graph.start[v + 1]; ++e)
      if (const int w = graph.neighbour[e]; v < w && number[w] != kEnd)
        edges.emplace_back(number[v], number[w]);
  for (const int k : amd_order_of(make_adjacency(static_cast<int>(rest.size()), edges)))
    order.push_back(rest[k]);
  return order;
}

std::vector<int> metis_order_of(const Adjacency& graph, std::vector<idx_t> weight) {
  idx_t n = graph.size();
  std::vector<idx_t> start(graph.start.begin(), graph.start.end());
  std::vector<idx_t> neighbour(graph.neighbour.begin(), graph.neighbour.end());
  std::vector<idx_t> order(n), position(n);
  for (idx_t& w : weight) w = std::max<idx_t>(w, 1);
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_NUMBERING] = 0;
  options[METIS_OPTION_SEED] = 1;
  // METIS uses the random numbers of the C library, which all threads share: serialized, so that orders do
  // not depend on other threads.
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  const int status =
      METIS_NodeND(&n, start.data(), neighbour.data(), weight.data(), options, order.data(), position.data());
  if (status != METIS_OK) fail(ExitCode::internal, "elimination order: METIS failed with status {}", status);
  return {order.begin(), order.end()};
}

/// Expands an order of the quotient's vertices to the mechanism's: constraints wait for what they require,
/// bodies that are no vertices come just before their first constraint.
std::vector<int> expand(const MechanismGraph& graph, const Adjacency& adjacency,
                        const std::vector<int>& exempt, const Quotient& q, const std::vector<int>& order) {
  const int n = adjacency.size(), nq = q.graph.size();
  std::vector<int> position(nq);
  for (int k = 0; k < nq; ++k) position[order[k]] = k;
  // A quotient vertex led by a constraint waits until the last vertex that it requires has been placed.
  std::vector<int> wait(nq);
  for (int g = 0; g < nq; ++g) {
    wait[g] = position[g];
    if (is_constraint(graph, q.members[g][0])) {
      for_required(graph, adjacency, exempt, q.members[g][0], [&](int u) {
        if (q.of[u] >= 0) wait[g] = std::max(wait[g], position[q.of[u]]);
      });
    }
  }
  std::vector<int> sequence(order);
  std::stable_sort(sequence.begin(), sequence.end(), [&](int a, int b) {
    return wait[a] != wait[b] ? wait[a] < wait[b] : (wait[a] > position[a]) < (wait[b] > position[b]);
  });
  std::vector<int> vertices;
  vertices.reserve(n);
  std::vector<char> placed(n, 0);
  const auto place = [&](int v) {
    if (!placed[v]) vertices.push_back(v), placed[v] = 1;
  };
  for (int g : sequence) {
    for (int v : q.members[g]) {
      if (is_constraint(graph, v)) {
        for_required(graph, adjacency, exempt, v, [&](int u) {
          if (q.of[u] < 0) place(u);
        });
      }
      place(v);
    }
  }
  if (static_cast<int>(vertices.size()) != n) {
    fail(ExitCode::internal, "elimination order: {} of {} vertices placed", vertices.size(), n);
  }
  return vertices;
}

}  // namespace

double OrderingCost::of(OrderingGoal goal) const {
  constexpr double kThread = 5, kDevicePath = 40, kDevice = 3000, kLevel = 3000;  // flop/ns, ns
  switch (goal) {
    case OrderingGoal::cpu_flops:
    case OrderingGoal::cpu_threads:
      return flops / kThread;
    case OrderingGoal::device_levels:
      return kLevel * levels + longest_path / kDevicePath + flops / kDevice;
  }
  return flops;
}

OrderingCost count_elimination(const MechanismGraph& graph, const std::vector<int>& vertex_order) {
  OrderingCost order;
  const int n = static_cast<int>(graph.vertices.size());
  const Adjacency adjacency = make_adjacency(n, graph.edges);
  std::vector<int> position(n), height(n, 1);
  std::vector<double> below(n, 0);
  for (int k = 0; k < n; ++k) position[vertex_order[k]] = k;
  const auto for_earlier = [&](int k, auto f) {
    const int v = vertex_order[k];
    for (int e = adjacency.start[v]; e < adjacency.start[v + 1]; ++e) {
      if (const int i = position[adjacency.neighbour[e]]; i < k) f(i);
    }
  };
  const std::vector<int> parent = elimination_tree(n, for_earlier);
  for_entries_of_factor(parent, for_earlier,
                        [&](int k, int i) { below[i] += graph.vertices[vertex_order[k]].count; });
  std::vector<double> path(n, 0);
  for (int k = 0; k < n; ++k) {
    const double w = graph.vertices[vertex_order[k]].count, c = below[k];
    const double flops = 2.0 / 3.0 * w * w * w + 2 * w * w * c + 2 * w * c * c;
    path[k] += flops;
    order.flops += flops;
    order.nonzeros += w * w + 2 * w * c;
    order.levels = std::max(order.levels, height[k]);
    order.largest = std::max(order.largest, static_cast<int>(w + c));
    order.longest_path = std::max(order.longest_path, path[k]);
    if (const int p = parent[k]; p >= 0) {
      height[p] = std::max(height[p], height[k] + 1);
      path[p] = std::max(path[p], path[k]);
    }
  }
  return order;
}

EliminationOrder order_unknowns(const MechanismGraph& graph, bool strict, OrderingGoal goal) {
  const int n = count_unknowns(graph);
  const Adjacency adjacency = make_adjacency(static_cast<int>(graph.vertices.size()), graph.edges);
  const std::vector<int> none(adjacency.size(), -1);
  const std::vector<int> exempt = strict ? none : preceded_body(graph, adjacency);
  const Quotient q = make_quotient(graph, adjacency, exempt);

  EliminationOrder best;
  std::vector<int> vertices;
  int taken = 0;
  const auto look_at = [&](const char* method, const std::vector<int>& waiving, const Quotient& quotient,
                           const std::vector<int>& order, const auto& better) {
    std::vector<int> candidate = expand(graph, adjacency, waiving, quotient, order);
    const OrderingCost cost = count_elimination(graph, candidate);
    if (best.candidates.empty() || better(cost)) {
      taken = static_cast<int>(best.candidates.size());
      static_cast<OrderingCost&>(best) = cost;
      vertices = std::move(candidate);
      best.strict = std::all_of(waiving.begin(), waiving.end(), [](int b) { return b < 0; });
    }
    best.candidates.push_back({method, cost});
  };
  const auto cheaper = [&](const OrderingCost& cost) { return cost.of(goal) < best.of(goal); };
  look_at("amd", exempt, q, amd_order_of(q.graph), cheaper);
  double without_fill = 0;
  for (const GraphVertex& v : graph.vertices) without_fill += 1.0 * v.count * v.count;
  for (int v = 0; v < adjacency.size(); ++v) {
    for (int k = adjacency.start[v]; k < adjacency.start[v + 1]; ++k) {
      without_fill += 1.0 * graph.vertices[v].count * graph.vertices[adjacency.neighbour[k]].count;
    }
  }
  // An order without fill cannot be improved noticeably: enough for the processor.
  const bool settled = goal != OrderingGoal::device_levels && best.nonzeros <= 1.01 * without_fill;
  const auto dissected = [](const Quotient& quotient) {
    return metis_order_of(quotient.graph, quotient.weight);
  };
  if (!settled && !q.graph.neighbour.empty()) look_at("metis", exempt, q, dissected(q), cheaper);
  // In the strict order bodies are not vertices of the quotient: only joints can separate chains and trees.
  if (goal == OrderingGoal::device_levels && exempt != none) {
    const Quotient late = make_quotient(graph, adjacency, none);
    if (!late.graph.neighbour.empty())
      look_at("metis, multipliers last", none, late, dissected(late), cheaper);
  }
  // Operations of two subtrees that are each worth a thread (FrontCost::least_subtree, 5 a nanosecond). What
  // a longest path saves must be worth what the order costs one thread: measured for chains of ball joints,
  // which take a fifth more operations by vertices, and no more time as fronts.
  constexpr double kForTwoThreads = 1e6;
  if (goal == OrderingGoal::cpu_threads && !strict && best.flops >= kForTwoThreads)
    look_at("from its ends", exempt, q, minimum_degree_order(q.graph), [&](const OrderingCost& cost) {
      return cost.longest_path <= 0.75 * best.longest_path && cost.flops <= 1.25 * best.flops;
    });
  best.candidates[taken].taken = true;
  best.method = best.candidates[taken].method;
  best.unknowns.reserve(n);
  for (int v : vertices) {
    const GraphVertex& vertex = graph.vertices[v];
    for (int i = 0; i < vertex.count; ++i) best.unknowns.push_back(vertex.first + i);
  }
  return best;
}

const char* preferred_solver(const OrderingCost& cost) {
  constexpr double kSmallFronts = 30;  // operations for each nonzero
  return cost.flops <= kSmallFronts * cost.nonzeros ? "blocks" : "multifrontal";
}

}  // namespace trammel
