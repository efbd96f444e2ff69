#include "assemble/structure.h"

#include <algorithm>
#include <numeric>

namespace trammel {

Structure::Structure(const Couplings& couplings) : item_start_(couplings.item_start) {
  pattern_.n = couplings.unknowns;
  graph_.vertices = couplings.vertices;
  make_pattern(couplings.entries);
  make_edges();
}

/// The pattern, and the slot of each entry: that of a matrix value, or one of those that are added up.
void Structure::make_pattern(const std::vector<std::pair<int, int>>& entries) {
  std::vector<int> order(entries.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return entries[a] < entries[b]; });
  pattern_.column_start.assign(pattern_.n + 1, 0);
  std::vector<int> value_start;  // first of the entries that make a value, in `order`
  for (std::size_t k = 0; k < order.size(); ++k) {
    const auto& entry = entries[order[k]];
    if (k > 0 && entry == entries[order[k - 1]]) continue;
    pattern_.row.push_back(entry.second);
    ++pattern_.column_start[entry.first + 1];
    value_start.push_back(static_cast<int>(k));
  }
  value_start.push_back(static_cast<int>(order.size()));
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
  for (int column = 0; column < pattern_.n; ++column)
    for (int k = pattern_.column_start[column]; k < pattern_.column_start[column + 1]; ++k) {
      const int a = vertex[column], b = vertex[pattern_.row[k]];
      if (a != b) graph_.edges.emplace_back(std::min(a, b), std::max(a, b));
    }
  std::sort(graph_.edges.begin(), graph_.edges.end());
  graph_.edges.erase(std::unique(graph_.edges.begin(), graph_.edges.end()), graph_.edges.end());
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
