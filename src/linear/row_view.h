// A pattern by rows.
#pragma once

#include <vector>

#include "linear/pattern.h"

namespace trammel {

/// Rows of a pattern: their columns, and of each value, counted by columns, its place among those by rows.
struct RowView {
  std::vector<int> start, column, place;
};
inline RowView by_rows(const SparsePattern& a) {
  RowView rows{std::vector<int>(a.n + 1, 0), std::vector<int>(a.row.size()), std::vector<int>(a.row.size())};
  for (int i : a.row) ++rows.start[i + 1];
  for (int i = 0; i < a.n; ++i) rows.start[i + 1] += rows.start[i];
  std::vector<int> next(rows.start.begin(), rows.start.end() - 1);
  for (int j = 0; j < a.n; ++j)
    for (int k = a.column_start[j]; k < a.column_start[j + 1]; ++k) {
      rows.place[k] = next[a.row[k]]++;
      rows.column[rows.place[k]] = j;
    }
  return rows;
}

}  // namespace trammel
