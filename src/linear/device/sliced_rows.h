// The rows of a matrix for a warp whose threads take a row each: in slices of 32 rows, where the k-th entries
// of all rows stand side by side, so that threads read neighbours.
#pragma once

#include <algorithm>
#include <vector>

#include "base/hd.h"
#include "base/unroll.h"
#include "linear/device/pivots.h"
#include "linear/row_view.h"

namespace trammel {

inline constexpr int rows_of_slice = 32;

/// Entry k of row i is number begin[i / 32] + 32 k + i mod 32. Rows that have fewer entries than others of
/// their slice leave numbers without meaning.
struct SlicedRows {
  std::vector<int> begin;   ///< per slice
  std::vector<int> count;   ///< per row: its entries
  std::vector<int> column;  ///< per number, 0 where it has no meaning
  std::vector<int> place;   ///< for each value by columns, its number
};

inline SlicedRows in_slices(const SparsePattern& pattern) {
  const RowView rows = by_rows(pattern);
  SlicedRows out;
  std::vector<int> number(rows.column.size());  // of each entry by rows
  int size = 0;
  for (int first = 0; first < pattern.n; first += rows_of_slice) {
    out.begin.push_back(size);
    int most = 0;
    for (int i = first; i < std::min(first + rows_of_slice, pattern.n); ++i) {
      const int count = rows.start[i + 1] - rows.start[i];
      for (int k = 0; k < count; ++k) number[rows.start[i] + k] = size + rows_of_slice * k + i - first;
      out.count.push_back(count);
      most = std::max(most, count);
    }
    size += rows_of_slice * most;
  }
  out.column.resize(size);
  for (std::size_t k = 0; k < number.size(); ++k) out.column[number[k]] = rows.column[k];
  out.place.reserve(rows.place.size());
  for (const int by_row : rows.place) out.place.push_back(number[by_row]);
  return out;
}

/// SystemResidual (linear/device/vectors.h) of such rows, with the same operations. Item: a row.
struct SlicedResidual {
  const int *begin, *count, *column;  ///< SlicedRows
  const double *value, *y, *c;
  double *r, *w;
  TRAMMEL_HD void operator()(int i) const {
    double rest = c[i], size = magnitude(rest);
    const int first = begin[i / rows_of_slice] + i % rows_of_slice, end = first + rows_of_slice * count[i];
    TRAMMEL_UNROLLED(4)
    for (int k = first; k < end; k += rows_of_slice) {
      const double term = value[k] * y[column[k]];
      rest -= term;
      size += magnitude(term);
    }
    r[i] = rest;
    w[i] = size;
  }
};

}  // namespace trammel
