// Assembly and elimination of a front by a warp, in shared memory: a thread takes a row of the whole front,
// and each pivot changes all that is right of and below it. The chains of operations are those of dense.h:
//     e <- e - l_ik u_kj,  k = 0, 1, ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "linear/device/fronts.h"
#include "linear/device/pivots.h"

namespace trammel {

/// A front of `size` rows and columns, by rows, pivots first; entry (i, j) at i * stride + j.
struct RowFront {
  int p, size, stride;
  double* a;
  double* inverse;   ///< p: 1 / u_kk, 0 for a pivot that is zero or not finite
  int* permutation;  ///< p: row of the front that became row k
};

/// Where an entry of a front stands by rows; `target` counts in D, L, V (FrontView).
inline int place_by_rows(int p, int r, int target) {
  const int stride = front_stride(p + r);
  if (target < p * p) return target % p * stride + target / p;
  target -= p * p;
  if (target < p * r) return (p + target % r) * stride + target / r;
  target -= p * r;
  return target / r * stride + p + target % r;
}
inline void place_entries_by_rows(const DeviceFront& f, std::vector<FrontEntry>& entry) {
  for (int e = f.entry_begin; e < f.entry_end; ++e)
    entry[e].target = place_by_rows(f.pivots, f.border, entry[e].target);
}

TRAMMEL_HD inline EntryPair less_multiple(const EntryPair& t, double factor, const EntryPair& u) {
  return {std::fma(-factor, u.x, t.x), std::fma(-factor, u.y, t.y)};
}

/// t_j <- t_j - factor u_j for columns [begin, end) of two rows, of which there is one at least, and for the
/// column of padding behind an odd number of columns.
TRAMMEL_HD inline void subtract_columns(double* row, const double* pivot_row, double factor, int begin,
                                        int end) {
  if (begin % 2 != 0) {
    row[begin] = std::fma(-factor, pivot_row[begin], row[begin]);
    ++begin;
  }
  EntryPair* t = reinterpret_cast<EntryPair*>(row + begin);
  const EntryPair* u = reinterpret_cast<const EntryPair*>(pivot_row + begin);
  int left = (end - begin + 1) / 2;
  TRAMMEL_ROLLED
  for (; left >= 4; left -= 4, t += 4, u += 4) {
    const EntryPair t0 = t[0], t1 = t[1], t2 = t[2], t3 = t[3];
    const EntryPair u0 = u[0], u1 = u[1], u2 = u[2], u3 = u[3];
    t[0] = less_multiple(t0, factor, u0);
    t[1] = less_multiple(t1, factor, u1);
    t[2] = less_multiple(t2, factor, u2);
    t[3] = less_multiple(t3, factor, u3);
  }
  TRAMMEL_ROLLED
  for (; left > 0; --left, ++t, ++u) *t = less_multiple(*t, factor, *u);
}

/// The elimination of the pivots of a front:
///     P D = L_D U_D,   V <- (P U)^T L_D^-T,   L <- L U_D^-1,   C <- C - L V^T.
template <class Group>
TRAMMEL_HD void eliminate_rows(const Group& group, const RowFront& f, double tolerance,
                               const PivotSearch& search) {
  TRAMMEL_ROLLED
  for (int k = 0; k < f.p; ++k) {
    double* const pivot_row = f.a + k * f.stride;
    const int row = choose_pivot(group, f.a + k, f.stride, k, f.p, tolerance, search);
    const double reciprocal = reciprocal_of_pivot(f.a[row * f.stride + k]);
    if (row != k) {
      group.sync();  // all have read the pivot
      TRAMMEL_ROLLED
      for (int j = group.rank(); j < f.size; j += group.size())
        exchange_values(pivot_row[j], f.a[row * f.stride + j]);
      if (group.rank() == 0) {
        const int kept = f.permutation[k];
        f.permutation[k] = f.permutation[row];
        f.permutation[row] = kept;
      }
      group.sync();
    }
    if (group.rank() == 0) f.inverse[k] = reciprocal;
    TRAMMEL_ROLLED
    for (int i = k + 1 + group.rank(); i < f.size; i += group.size()) {
      double* mine = f.a + i * f.stride;
      const double factor = mine[k] * reciprocal;
      mine[k] = factor;
      subtract_columns(mine, pivot_row, factor, k + 1, f.size);
    }
    group.sync();
  }
}

/// to_j = from_j for j < n, with steps from one to the next; four are read before the first is written.
TRAMMEL_HD inline void copy_steps(double* to, int to_step, const double* from, int from_step, int n) {
  TRAMMEL_ROLLED
  for (; n >= 4; n -= 4, to += 4 * static_cast<std::int64_t>(to_step), from += 4 * from_step) {
    const double x0 = from[0], x1 = from[from_step], x2 = from[2 * from_step], x3 = from[3 * from_step];
    to[0] = x0;
    to[to_step] = x1;
    to[2 * to_step] = x2;
    to[3 * to_step] = x3;
  }
  TRAMMEL_ROLLED
  for (; n > 0; --n, to += to_step, from += from_step) *to = *from;
}

/// Adds block_ij, an r x r block by columns, to entry (target_i, target_j) of a front that lies by rows at
/// `a`.
template <class Group>
TRAMMEL_HD void add_block_to_rows(const Group& group, double* a, int stride, int r, const double* block,
                                  const int* target) {
  TRAMMEL_ROLLED
  for (int i = group.rank(); i < r; i += group.size()) {
    double* row = a + target[i] * stride;
    const double* from = block + i;
    int j = 0;
    TRAMMEL_ROLLED
    for (; j + 4 <= r; j += 4, from += 4 * r) {
      double *t0 = row + target[j], *t1 = row + target[j + 1], *t2 = row + target[j + 2],
             *t3 = row + target[j + 3];
      const double x0 = *t0 + from[0], x1 = *t1 + from[r], x2 = *t2 + from[2 * r], x3 = *t3 + from[3 * r];
      *t0 = x0, *t1 = x1, *t2 = x2, *t3 = x3;
    }
    TRAMMEL_ROLLED
    for (; j < r; ++j, from += r) row[target[j]] += *from;
  }
}

/// Assembles a front from matrix values and contribution blocks, children in ascending order.
template <class Group>
TRAMMEL_HD void assemble_rows(const Group& group, const RowFront& f, const FrontArrays& a,
                              const DeviceFront& front) {
  EntryPair* pair = reinterpret_cast<EntryPair*>(f.a);
  TRAMMEL_UNROLLED(4)
  for (int i = group.rank(); i < f.size * f.stride / 2; i += group.size()) pair[i] = {0, 0};
  TRAMMEL_ROLLED
  for (int k = group.rank(); k < f.p; k += group.size()) f.permutation[k] = k;
  group.sync();
  TRAMMEL_UNROLLED(4)
  for (int e = front.entry_begin + group.rank(); e < front.entry_end; e += group.size())
    f.a[a.entry[e].target] = a.value[a.entry[e].source];
  group.sync();
  TRAMMEL_ROLLED
  for (int k = front.child_begin; k < front.child_end; ++k) {
    const FrontChild child = a.child[k];
    add_block_to_rows(group, f.a, f.stride, child.border, a.block + child.block, a.target + child.rows);
    group.sync();
  }
}

/// D, L, V to where factors lie (FrontView), and C.
template <class Group>
TRAMMEL_HD void store_rows(const Group& group, const RowFront& f, const FrontArrays& a,
                           const DeviceFront& front) {
  const int p = f.p, r = f.size - p;
  double* d = a.factor + front.factor;
  double *l = d + p * p, *v = l + p * r, *c = a.block + front.block;
  TRAMMEL_ROLLED
  for (int i = group.rank(); i < f.size; i += group.size()) {
    const double* row = f.a + i * f.stride;
    const bool inner = i < p;
    copy_steps(inner ? d + i : l + (i - p), inner ? p : r, row, 1, p);
    if (!inner) copy_steps(c + (i - p), r, row + p, 1, r);
  }
  TRAMMEL_ROLLED
  for (int j = group.rank(); j < r; j += group.size()) copy_steps(v + j, r, f.a + p + j, f.stride, p);
  TRAMMEL_ROLLED
  for (int k = group.rank(); k < p; k += group.size()) {
    a.inverse[front.first + k] = f.inverse[k];
    a.permutation[front.first + k] = f.permutation[k];
  }
}

/// Assembles and eliminates a front, then stores its factors and contribution block. The targets of
/// FrontArrays::entry are places by rows (place_entries_by_rows()).
template <class Group>
TRAMMEL_HD void factor_rows(const Group& group, const FrontArrays& a, const DeviceFront& front) {
  const int p = front.pivots, size = p + front.border, stride = front_stride(size);
  double* entries = static_cast<double*>(group.shared());
  double* inverse = entries + size * stride;
  int* permutation = reinterpret_cast<int*>(inverse + p + PivotSearch::parts);
  const RowFront f{p, size, stride, entries, inverse, permutation};
  assemble_rows(group, f, a, front);
  eliminate_rows(group, f, a.tolerance, {inverse + p, permutation + p});
  store_rows(group, f, a, front);
}

}  // namespace trammel
