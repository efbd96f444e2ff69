#include "linear/host/ldl.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/diagnostics.h"
#include "linear/host/elimination_tree.h"

namespace trammel {

void UpLookingLdl::analyze(UpperTriangle pattern) {
  upper_ = std::move(pattern);
  const int n = upper_.n;
  const auto for_rows = [&](int k, auto f) {
    for (int p = upper_.start[k]; p < upper_.start[k + 1]; ++p) f(upper_.entry[p].row);
  };
  parent_ = elimination_tree(n, for_rows);
  std::vector<long> size(n, 0);
  for_entries_of_factor(parent_, for_rows, [&](int, int i) { ++size[i]; });
  first_.assign(n, 0);
  long total = 0;
  for (int k = 0; k < n; ++k) first_[k] = static_cast<int>(total), total += size[k];
  if (total > 2000000000L) fail(ExitCode::solver, "rank of the constraints: {} entries in the factor", total);
  count_.assign(n, 0);
  index_.assign(total, 0);
  value_.assign(total, 0.0);
  pivot_.assign(n, 0.0);
  work_.assign(n, 0.0);
  entry_.assign(n, 0.0);
  row_.assign(n, 0);
  path_.assign(n, 0);
  kept_.assign(n, 0);
  mark_.assign(n, 0);
}

UpLookingLdl::PivotValue UpLookingLdl::eliminate_row(int k, double diagonal,
                                                     const std::vector<double>& values, bool store) {
  // Pattern of the row: the paths in the elimination tree from its entries up to k, in topological order.
  int top = upper_.n;
  mark_[k] = ++last_mark_;
  for (int p = upper_.start[k]; p < upper_.start[k + 1]; ++p) {
    const auto [row, source] = upper_.entry[p];
    work_[row] += values[source];
    int length = 0;
    for (int i = row; mark_[i] != last_mark_; i = parent_[i]) path_[length++] = i, mark_[i] = last_mark_;
    while (length > 0) row_[--top] = path_[--length];
  }
  row_count_ = 0;
  PivotValue pivot{diagonal, std::fabs(diagonal)};
  for (; top < upper_.n; ++top) {
    const int i = row_[top];
    const double y = std::exchange(work_[i], 0.0);
    if (!kept_[i]) continue;
    const int end = first_[i] + count_[i];
    for (int p = first_[i]; p < end; ++p) {
      if (index_[p] >= k) break;  // entries added later, when a row is recomputed
      work_[index_[p]] -= value_[p] * y;
    }
    const double l = y / pivot_[i];
    pivot.value -= l * y;
    pivot.formed_from += std::fabs(l * y);
    if (store) {
      index_[end] = k;
      value_[end] = l;
      ++count_[i];
    } else {
      row_[row_count_] = i;
      entry_[row_count_++] = l;
    }
  }
  return pivot;
}

void UpLookingLdl::forget_rows() {
  std::fill(count_.begin(), count_.end(), 0);
  std::fill(mark_.begin(), mark_.end(), 0);
  last_mark_ = factored_ = collected_ = 0;
}

void UpLookingLdl::solve(std::vector<double>& x) const {
  const int n = upper_.n;
  for (int k = 0; k < n; ++k) {
    if (!kept_[k]) {
      x[k] = 0;
      continue;
    }
    for (int p = first_[k]; p < first_[k] + count_[k]; ++p) x[index_[p]] -= value_[p] * x[k];
  }
  for (int k = n - 1; k >= 0; --k) {
    if (!kept_[k]) continue;
    double sum = x[k] / pivot_[k];
    for (int p = first_[k]; p < first_[k] + count_[k]; ++p) sum -= value_[p] * x[index_[p]];
    x[k] = sum;
  }
}

/// The rows of L that are factored.
void UpLookingLdl::collect_rows() {
  if (collected_ == factored_) return;
  collected_ = factored_;
  rows_ = in_buckets<RowEntry>(upper_.n, [&](auto put) {
    for (int i = 0; i < factored_; ++i)
      for (int p = first_[i]; p < first_[i] + count_[i]; ++p) put(index_[p], RowEntry{i, p});
  });
}

std::span<const int> UpLookingLdl::combination(int k, const std::vector<double>& values,
                                               std::vector<double>& z) {
  // Row k of L from the rows before: L D l = A_{<k,k}; then L^T z = l, from the last row that is not zero on.
  eliminate_row(k, 0.0, values, false);
  collect_rows();
  int* const waiting = path_.data();  // a heap, the last row on top
  int count = 0, found = 0;
  double largest = 0;
  ++last_mark_;
  const auto add = [&](int i, double change) {
    if (mark_[i] != last_mark_) {
      mark_[i] = last_mark_;
      z[i] = 0;
      waiting[count++] = i;
      std::push_heap(waiting, waiting + count);
    }
    z[i] += change;
  };
  for (int e = 0; e < row_count_; ++e) add(row_[e], entry_[e]);
  while (count > 0) {
    std::pop_heap(waiting, waiting + count);
    const int p = waiting[--count];
    largest = std::max(largest, std::fabs(z[p]));
    if (std::fabs(z[p]) <= 1e-14 * largest) continue;
    row_[found++] = p;
    for (int e = rows_.start[p]; e < rows_.start[p + 1]; ++e)
      add(rows_.item[e].column, -value_[rows_.item[e].place] * z[p]);
  }
  return {row_.data(), static_cast<std::size_t>(found)};
}

}  // namespace trammel
