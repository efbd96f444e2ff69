// Dense elimination by a group of threads in a front that is too large for a warp, and in pieces of it; a
// warp's is in warp_front.h. Every entry is one chain of fused operations in ascending k,
//     e <- e - l_ik u_kj,  k = 0, 1, ...,
// so the bits do not depend on the number of threads, the width of panels or the tiling; they are those of
// the processor's kernels where these have fused multiply-add.
#pragma once

#include <cstdint>

#include "base/hd.h"
#include "linear/device/pivots.h"

namespace trammel {

/// Two neighbours, the first of them at an even place: read and written at once.
struct alignas(16) EntryPair {
  double x, y;
};

/// A front in memory: D p x p, L and V r x p, C r x r, by columns without padding; V = U^T of the border.
struct FrontView {
  int p, r;
  double *d, *l, *v, *c;
  double* inverse;  ///< p: 1 / u_kk, 0 for a pivot that is zero or not finite
  int* exchange;    ///< p: row exchanged with row k
};

/// t_j <- t_j - factor u_j for n columns of two rows, `step` doubles from column to column: four are read
/// before the first of them is written.
TRAMMEL_HD inline void subtract_row(double* t, const double* u, double factor, int n, int step) {
  int j = 0;
  TRAMMEL_ROLLED
  for (; j + 4 <= n; j += 4, t += 4 * step, u += 4 * step) {
    const double t0 = t[0], t1 = t[step], t2 = t[2 * step], t3 = t[3 * step];
    const double u0 = u[0], u1 = u[step], u2 = u[2 * step], u3 = u[3 * step];
    t[0] = std::fma(-factor, u0, t0);
    t[step] = std::fma(-factor, u1, t1);
    t[2 * step] = std::fma(-factor, u2, t2);
    t[3 * step] = std::fma(-factor, u3, t3);
  }
  TRAMMEL_ROLLED
  for (; j < n; ++j, t += step, u += step) *t = std::fma(-factor, *u, *t);
}

/// P A = L U in place for a panel A of rows x width with leading dimension `lda`; rows are exchanged within
/// the panel only. exchange and inverse: of the panel's columns; `exchange` counts rows from `first`.
template <class Group>
TRAMMEL_HD void factor_panel(const Group& group, double* a, int lda, int rows, int width, double tolerance,
                             int first, int* exchange, double* inverse, const PivotSearch& search) {
  TRAMMEL_ROLLED
  for (int k = 0; k < width; ++k) {
    double* column = a + static_cast<std::int64_t>(k) * lda;
    const int row = choose_pivot(group, column, 1, k, rows, tolerance, search);
    const double reciprocal = reciprocal_of_pivot(column[row]);
    if (row != k) {
      group.sync();  // all have read the pivot
      for (int j = group.rank(); j < width; j += group.size()) {
        double* other = a + static_cast<std::int64_t>(j) * lda;
        exchange_values(other[k], other[row]);
      }
      group.sync();
    }
    if (group.rank() == 0) {
      exchange[k] = first + row;
      inverse[k] = reciprocal;
    }
    TRAMMEL_ROLLED
    for (int i = k + 1 + group.rank(); i < rows; i += group.size()) {
      const double factor = column[i] * reciprocal;
      column[i] = factor;
      subtract_row(column + lda + i, column + lda + k, factor, width - k - 1, lda);
    }
    group.sync();
  }
}

/// Number of lines of the front outside the panel of `width` columns that this panel changes: columns of D,
/// rows of V, rows of L.
TRAMMEL_HD inline int lines_of(const FrontView& f, int width) {
  return f.p - width + 2 * f.r;
}

/// Row exchanges and u <- L^-1 u on the panel's part of a line x with stride `step`.
TRAMMEL_HD inline void solve_lower_line(const FrontView& f, int first, int end, double* x, std::int64_t step,
                                        bool solve) {
  for (int k = first; k < end; ++k)
    if (f.exchange[k] != k) exchange_values(x[k * step], x[f.exchange[k] * step]);
  for (int i = first + 1; solve && i < end; ++i) {
    double sum = x[i * step];
    for (int k = first; k < i; ++k)
      sum = std::fma(-f.d[i + static_cast<std::int64_t>(k) * f.p], x[k * step], sum);
    x[i * step] = sum;
  }
}

/// Applies a panel to one line: to a column of D, exchanges and, right of the panel, x <- L^-1 x; to a row of
/// V, both; to a row of L, x <- x U^-1.
TRAMMEL_HD inline void solve_line(const FrontView& f, int first, int width, int line) {
  const int end = first + width;
  if (line < f.p - width) {
    const int j = line < first ? line : line + width;
    return solve_lower_line(f, first, end, f.d + static_cast<std::int64_t>(j) * f.p, 1, j >= end);
  }
  line -= f.p - width;
  if (line < f.r) return solve_lower_line(f, first, end, f.v + line, f.r, true);
  double* x = f.l + (line - f.r);
  const std::int64_t step = f.r;
  for (int j = first; j < end; ++j) {
    const double* u = f.d + static_cast<std::int64_t>(j) * f.p;
    double sum = x[j * step];
    for (int k = first; k < j; ++k) sum = std::fma(-x[k * step], u[k], sum);
    x[j * step] = sum * f.inverse[j];
  }
}

/// C -= A B: C(i, j) = c[i + j ldc], A(i, k) = a[i + k lda], B(k, j) = b[k b_row + j b_column]. Indices are
/// int: a front has fewer than 2^31 entries.
struct FrontProduct {
  double* c;
  int ldc;
  const double* a;
  int lda;
  const double* b;
  int b_row, b_column;
  int m, n, depth;
};

/// C -= A B with all threads of a group: a thread takes Tile x Tile entries, its neighbours adjacent rows.
template <int Tile, class Group>
TRAMMEL_HD void subtract_product(const Group& group, const FrontProduct& x) {
  const int down = (x.m + Tile - 1) / Tile, across = (x.n + Tile - 1) / Tile;
  for (int t = group.rank(); t < down * across; t += group.size()) {
    const int i = t % down, j = t / down;
    const auto inside = [&](int u, int v) { return i + u * down < x.m && j + v * across < x.n; };
    const auto at = [&](int u, int v) { return x.c + (i + u * down + (j + v * across) * x.ldc); };
    // Offsets of rows of A and columns of B; beyond the end those of the last one (result unused).
    int left[Tile], right[Tile];
    double sum[Tile][Tile];
    for (int u = 0; u < Tile; ++u) {
      left[u] = smaller(i + u * down, x.m - 1);
      right[u] = smaller(j + u * across, x.n - 1) * x.b_column;
    }
    for (int u = 0; u < Tile; ++u)
      for (int v = 0; v < Tile; ++v) sum[u][v] = inside(u, v) ? *at(u, v) : 0;
    const double *a = x.a, *b = x.b;
    for (int k = 0; k < x.depth; ++k, a += x.lda, b += x.b_row) {
      double factor[Tile];
      for (int u = 0; u < Tile; ++u) factor[u] = a[left[u]];
      for (int v = 0; v < Tile; ++v) {
        const double other = b[right[v]];
        for (int u = 0; u < Tile; ++u) sum[u][v] = std::fma(-factor[u], other, sum[u][v]);
      }
    }
    for (int u = 0; u < Tile; ++u)
      for (int v = 0; v < Tile; ++v)
        if (inside(u, v)) *at(u, v) = sum[u][v];
  }
}

/// Parts of a front that are changed by products.
enum class FrontPart : int { d, l, v, c };

/// The product that the panel [first, end) subtracts from a part behind it; for C, the one of all pivots.
TRAMMEL_HD inline FrontProduct update_of(const FrontView& f, FrontPart part, int first, int end) {
  const int p = f.p, r = f.r, m = p - end, depth = end - first;
  const double* u = f.d + first + end * p;
  switch (part) {
    case FrontPart::d:
      return {f.d + end + end * p, p, f.d + end + first * p, p, u, 1, p, m, m, depth};
    case FrontPart::l:
      return {f.l + end * r, r, f.l + first * r, r, u, 1, p, r, m, depth};
    case FrontPart::v:
      return {f.v + end * r, r, f.v + first * r, r, f.d + end + first * p, p, 1, r, m, depth};
    default:
      return {f.c, r, f.l, r, f.v, r, 1, r, r, p};
  }
}

/// The tile of a product with rows from i and columns from j on, at most `size` of each.
TRAMMEL_HD inline FrontProduct tile_of(FrontProduct x, int i, int j, int size) {
  x.c += i + j * x.ldc;
  x.a += i;
  x.b += j * x.b_column;
  x.m = smaller(x.m - i, size);
  x.n = smaller(x.n - j, size);
  return x;
}

/// The whole elimination in one front:
///     P D = L_D U_D,   V <- (P U)^T L_D^-T,   L <- L U_D^-1,   C <- C - L V^T,
/// in panels of `Width` columns.
template <int Width, int Tile, class Group>
TRAMMEL_HD void eliminate_front(const Group& group, const FrontView& f, double tolerance,
                                const PivotSearch& search) {
  for (int first = 0; first < f.p; first += Width) {
    const int width = smaller(Width, f.p - first), end = first + width;
    factor_panel(group, f.d + first + static_cast<std::int64_t>(first) * f.p, f.p, f.p - first, width,
                 tolerance, first, f.exchange + first, f.inverse + first, search);
    for (int line = group.rank(); line < lines_of(f, width); line += group.size())
      solve_line(f, first, width, line);
    group.sync();
    if (end == f.p) break;
    subtract_product<Tile>(group, update_of(f, FrontPart::d, first, end));
    subtract_product<Tile>(group, update_of(f, FrontPart::l, first, end));
    subtract_product<Tile>(group, update_of(f, FrontPart::v, first, end));
    group.sync();
  }
  subtract_product<Tile>(group, update_of(f, FrontPart::c, 0, f.p));
  group.sync();
}

}  // namespace trammel
