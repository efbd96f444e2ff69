#include "assemble/structure.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "base/buckets.h"

namespace trammel {

Structure::Structure(const Couplings& couplings) : item_start_(couplings.item_start) {
  pattern_.n = couplings.unknowns;
  graph_.vertices = couplings.vertices;
  make_pattern(couplings.entries);
  make_edges();
}

namespace {

/// The entries by column, those of a column by row, equal ones in their sequence: two passes of a counting
/// sort.
std::vector<int> by_column_and_row(int n, const std::vector<std::pair<int, int>>& entries) {
  const Buckets<int> by_row = in_buckets<int>(n, [&](auto put) {
    for (std::size_t k = 0; k < entries.size(); ++k) put(entries[k].second, static_cast<int>(k));
  });
  return in_buckets<int>(n,
                         [&](auto put) {
                           for (const int k : by_row.item) put(entries[k].first, k);
                         })
      .item;
}

}  // namespace

/// The pattern, and the slot of each entry: that of a matrix value, or one of those that are added up.
void Structure::make_pattern(const std::vector<std::pair<int, int>>& entries) {
  const std::vector<int> order = by_column_and_row(pattern_.n, entries);
  pattern_.column_start.assign(pattern_.n + 1, 0);
  pattern_.row.reserve(entries.size());
  std::vector<int> value_start;  // first of the entries that make a value, in `order`
  for (std::size_t k = 0; k < order.size(); ++k) {
    const auto& entry = entries[order[k]];
    if (k > 0 && entry == entries[order[k - 1]]) continue;
    pattern_.row.push_back(entry.second);
    ++pattern_.column_start[entry.first + 1];
    value_start.push_back(static_cast<int>(k));
  }
  value_start.push_back(static_cast<int>(order.size()));
  pattern_.row.shrink_to_fit();
  std::partial_sum(pattern_.column_start.begin(), pattern_.column_start.end(), pattern_.column_start.begin());
  place_.resize(entries.size());
  slots_ = pattern_.nonzeros();
  for (int value = 0; value < pattern_.nonzeros(); ++value) {
    const int first = value_start[value], last = value_start[value + 1];
    if (last == first + 1) {
      place_[order[first]] = value;
      continue;
    }
    shared_.push_back({value, slots_, slots_ + last - first});
    for (int k = first; k < last; ++k) place_[order[k]] = slots_++;
  }
}

/// Edges between vertices whose unknowns have entries of the matrix in common.
void Structure::make_edges() {
  std::vector<int> vertex(pattern_.n);
  for (std::size_t v = 0; v < graph_.vertices.size(); ++v)
    std::fill_n(vertex.begin() + graph_.vertices[v].first, graph_.vertices[v].count, static_cast<int>(v));
  std::vector<std::pair<int, int>> edges;
  std::vector<int> beside(graph_.vertices.size(), -1);  // last vertex found to have an edge to this one
  for (int v = 0; v < static_cast<int>(graph_.vertices.size()); ++v) {
    const int first = pattern_.column_start[graph_.vertices[v].first],
              end = pattern_.column_start[graph_.vertices[v].first + graph_.vertices[v].count];
    for (int k = first; k < end; ++k) {
      const int other = vertex[pattern_.row[k]];
      if (other == v || std::exchange(beside[other], v) == v) continue;
      edges.emplace_back(std::min(v, other), std::max(v, other));
    }
  }
  std::sort(edges.begin(), edges.end());
  std::unique_copy(edges.begin(), edges.end(), std::back_inserter(graph_.edges));
  graph_.edges.shrink_to_fit();
}

bool Structure::fits(const Couplings& couplings) const {
  const auto same_vertex = [](const GraphVertex& a, const GraphVertex& b) {
    return a.kind == b.kind && a.first == b.first && a.count == b.count;
  };
  if (couplings.unknowns != pattern_.n || couplings.entries.size() != place_.size() ||
      couplings.item_start != item_start_ ||
      !std::equal(graph_.vertices.begin(), graph_.vertices.end(), couplings.vertices.begin(),
                  couplings.vertices.end(), same_vertex))
    return false;
  std::vector<int> column(slots_), row(slots_);  // of each slot
  for (int j = 0; j < pattern_.n; ++j)
    for (int k = pattern_.column_start[j]; k < pattern_.column_start[j + 1]; ++k) {
      column[k] = j;
      row[k] = pattern_.row[k];
    }
  for (const SharedValue& v : shared_) {
    std::fill(column.begin() + v.first, column.begin() + v.last, column[v.value]);
    std::fill(row.begin() + v.first, row.begin() + v.last, row[v.value]);
  }
  for (std::size_t k = 0; k < place_.size(); ++k)
    if (couplings.entries[k] != std::pair(column[place_[k]], row[place_[k]])) return false;
  return true;
}

const EliminationOrder& Structure::order() const {
  std::call_once(ordered_, [this] { order_ = order_unknowns(graph_, false, OrderingGoal::cpu_threads); });
  return order_;
}

}  // namespace trammel
