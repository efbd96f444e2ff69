#pragma once

#include <utility>
#include <vector>

#include "base/buckets.h"
#include "linear/pattern.h"

namespace trammel {

/// A pattern by rows: columns of each row, ascending, and for each value by columns its index by rows.
struct RowView {
  std::vector<int> start, column, place;
};
/// From columns that begin at column_start (n + 1 entries) in the list `row`.
inline RowView by_rows(const std::vector<int>& column_start, const std::vector<int>& row) {
  struct Entry {
    int column, source;
  };
  const int n = static_cast<int>(column_start.size()) - 1;
  auto entries = in_buckets<Entry>(n, [&](auto put) {
    for (int j = 0; j < n; ++j)
      for (int k = column_start[j]; k < column_start[j + 1]; ++k) put(row[k], Entry{j, k});
  });
  RowView rows{std::move(entries.start), std::vector<int>(row.size()), std::vector<int>(row.size())};
  for (int at = 0; at < rows.start[n]; ++at) {
    rows.column[at] = entries.item[at].column;
    rows.place[entries.item[at].source] = at;
  }
  return rows;
}
inline RowView by_rows(const SparsePattern& a) {
  return by_rows(a.column_start, a.row);
}

}  // namespace trammel
