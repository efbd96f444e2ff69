#include "linear/host/row_groups.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linear/host/dense_kernels.h"
#include "linear/row_view.h"

namespace trammel {
namespace {

/// Lengths of the groups, the last one first: the division with the least cost, by dynamic programming over
/// the rows. A group costs its columns and, for what it begins and ends with, some columns more (a guess:
/// only time and rounding depend on it).
std::vector<int> best_lengths(const RowView& rows, int n) {
  constexpr int columns_of_group = 3;
  std::vector<long> best(n + 1, 0);
  std::vector<int> length(n + 1, 0), mark(n, -1);
  for (int end = 1; end <= n; ++end) {
    long columns = columns_of_group;
    best[end] = -1;
    for (int begin = end - 1; begin >= std::max(0, end - kRowGroup); --begin) {
      for (int k = rows.start[begin]; k < rows.start[begin + 1]; ++k) {
        if (mark[rows.column[k]] == end) continue;
        mark[rows.column[k]] = end;
        ++columns;
      }
      if (best[end] >= 0 && best[begin] + columns >= best[end]) continue;
      best[end] = best[begin] + columns;
      length[end] = end - begin;
    }
  }
  std::vector<int> lengths;
  for (int end = n; end > 0; end -= length[end]) lengths.push_back(length[end]);
  return lengths;
}

}  // namespace

void RowGroups::analyze(const SparsePattern& pattern) {
  const RowView rows = by_rows(pattern);
  const std::vector<int> lengths = best_lengths(rows, pattern.n);
  Places places;
  std::vector<int> by_row(pattern.nonzeros());  // index in value_
  std::vector<int> place(pattern.n, -1);  // of a column in places.column, if it is one of the present group
  int row = 0;
  for (auto length = lengths.rbegin(); length != lengths.rend(); row += *length++) {
    const int first = static_cast<int>(places.column.size());
    places.group.push_back({row, *length, first});
    for (int i = row; i < row + *length; ++i)
      for (int k = rows.start[i]; k < rows.start[i + 1]; ++k) {
        int& at = place[rows.column[k]];
        if (at < first) {
          at = static_cast<int>(places.column.size());
          places.column.push_back(rows.column[k]);
        }
        by_row[k] = at * kRowGroup + i - row;
      }
  }
  places.group.push_back({row, 0, static_cast<int>(places.column.size())});
  places.target.resize(pattern.nonzeros());
  for (int k = 0; k < pattern.nonzeros(); ++k) places.target[k] = by_row[rows.place[k]];
  places_ = std::make_shared<Places>(std::move(places));
}

RowGroupTables RowGroups::tables() const {
  return {places_->group.data(), places_->column.data(), value_.data(), fetched_ahead(value_.size())};
}

void RowGroups::make_room() {
  value_.assign(places_->column.size() * kRowGroup, 0.0);
}

void RowGroups::take(const Parallel& parallel, const std::vector<double>& value) {
  constexpr int grain = 32768;  // shorter ranges are not worth another thread
  parallel(static_cast<int>(value.size()), grain, [&](int begin, int end, int) {
    for (int k = begin; k < end; ++k) value_[places_->target[k]] = value[k];
  });
}

}  // namespace trammel
