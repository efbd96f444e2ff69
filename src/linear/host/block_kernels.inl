// Definitions of the kernels of the factorization by blocks; included by dense_kernels.cpp after
// dense_kernels.inl, once per instruction set.

/// Zero in the lanes from `length` on: keep_lanes() reads it from kLaneMask + 8 - length.
constexpr long kLaneMask[16] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};
template <class Vec>
struct LanesOf;
template <>
struct LanesOf<Group> {
  typedef long Mask __attribute__((vector_size(8 * kRowGroup)));
};
#if TRAMMEL_WIDE > 4
template <>
struct LanesOf<Wide> {
  typedef long Mask __attribute__((vector_size(8 * TRAMMEL_WIDE)));
};
#endif

/// Sets v to zero from lane `length` on.
template <class Vec>
inline __attribute__((always_inline)) void keep_lanes(Vec& v, int length) {
  typename LanesOf<Vec>::Mask mask;
  const int lanes = sizeof(Vec) / sizeof(double);
  __builtin_memcpy(&mask, kLaneMask + 8 - (length < lanes ? length : lanes), sizeof mask);
  v = (Vec)((typename LanesOf<Vec>::Mask)v & mask);
}

/// D = L diag(pivots) U in place, L and U with unit diagonal, if the diagonal is the pivot in every column:
/// no entry of L above 1 / tolerance, all pivots finite and not zero. Else D is unchanged.
template <int P>
inline __attribute__((always_inline)) bool factor_diagonal(double* d, double* inverse, double limit) {
  constexpr int ld = padded(P);
  double a[P][P], r[P];
  TRAMMEL_UNROLL
  for (int j = 0; j < P; ++j) {
    TRAMMEL_UNROLL
    for (int i = 0; i < P; ++i) a[j][i] = d[i + j * ld];
  }
  double largest = 0, check = 0;
  TRAMMEL_UNROLL
  for (int k = 0; k < P; ++k) {
    r[k] = 1 / a[k][k];
    check += a[k][k] * r[k];  // NaN where a pivot is zero or not finite
    TRAMMEL_UNROLL
    for (int i = k + 1; i < P; ++i) {
      a[k][i] *= r[k];
      const double size = __builtin_fabs(a[k][i]);
      largest = size > largest ? size : largest;
    }
    TRAMMEL_UNROLL
    for (int j = k + 1; j < P; ++j) {
      TRAMMEL_UNROLL
      for (int i = k + 1; i < P; ++i) a[j][i] -= a[k][i] * a[j][k];
      a[j][k] *= r[k];
    }
  }
  if (!(largest <= limit && check - check == 0)) return false;
  TRAMMEL_UNROLL
  for (int j = 0; j < P; ++j) {
    inverse[j] = r[j];
    TRAMMEL_UNROLL
    for (int i = 0; i < P; ++i) d[i + j * ld] = a[j][i];
  }
  return true;
}

/// The same with exchanges of rows, which V follows.
inline __attribute__((noinline)) DensePivots factor_exchanging(double* d, int p, double* v, int ldb, double tolerance,
                                      int* exchange, double* inverse) {
  const int ld = padded(p);
  const DensePivots found = factor(d, ld, p, tolerance, exchange, inverse);
  for (int j = 0; j < p; ++j)
    for (int k = 0; k < j; ++k) d[k + j * ld] *= inverse[k];
  for (int k = 0; k < p; ++k) {
    if (exchange[k] == k) continue;
    double *a = v + static_cast<long>(k) * ldb, *b = v + static_cast<long>(exchange[k]) * ldb;
    for (int i = 0; i < ldb; ++i) {
      const double kept = a[i];
      a[i] = b[i];
      b[i] = kept;
    }
  }
  return found;
}

/// One register of rows of a border: L <- L (diag(pivots) U)^-1, V <- V L_D^-T.
template <class Vec, int P>
inline __attribute__((always_inline)) void border_rows(double* l, double* v, int ldb, const double* d,
                                                       const double* inverse) {
  constexpr int ld = padded(P);
  Vec z[P], w[P];
  TRAMMEL_UNROLL
  for (int j = 0; j < P; ++j) {
    load(z[j], l + static_cast<long>(j) * ldb);
    load(w[j], v + static_cast<long>(j) * ldb);
    TRAMMEL_UNROLL
    for (int k = 0; k < j; ++k) {
      z[j] -= z[k] * d[k + j * ld];
      w[j] -= w[k] * d[j + k * ld];
    }
    store(l + static_cast<long>(j) * ldb, z[j] * inverse[j]);
    store(v + static_cast<long>(j) * ldb, w[j]);
  }
}

/// T -= X Y^T for a register of rows of T, `rows` of them, and Columns columns.
template <class Vec, int Columns>
inline __attribute__((always_inline)) void update_rows(double* t, long ld, const double* x, const double* y, long ldb,
                                                       int rows, int p) {
  Vec sum[Columns] = {};
  for (int k = 0; k < p; ++k) {
    Vec left;
    load(left, x);
    TRAMMEL_UNROLL
    for (int j = 0; j < Columns; ++j) sum[j] += left * y[j];
    x += ldb;
    y += ldb;
  }
  TRAMMEL_UNROLL
  for (int j = 0; j < Columns; ++j) {
    Vec to;
    load(to, t + j * ld);
    keep_lanes(sum[j], rows);
    store(t + j * ld, to - sum[j]);
  }
}

template <int Columns>
inline __attribute__((always_inline)) void update_columns(double* t, long ld, const double* x, const double* y, long ldb,
                                                          int rows, int p) {
  int i = 0;
  if constexpr (TRAMMEL_WIDE > kRowGroup) {
    for (; i + kRowGroup < rows; i += TRAMMEL_WIDE)
      update_rows<Wide, Columns>(t + i, ld, x + i, y, ldb, rows - i, p);
  }
  for (; i < rows; i += kRowGroup) update_rows<Group, Columns>(t + i, ld, x + i, y, ldb, rows - i, p);
}

inline __attribute__((always_inline)) void update_block(const BlockUpdate& u, double* factors, const double* d, long ldb, int p) {
  double* t = factors + u.target;
  const double *x = d + u.x, *y = d + u.y;
  int j = 0;
  for (; j + 6 <= u.columns; j += 6) update_columns<6>(t + j * static_cast<long>(u.ld), u.ld, x, y + j, ldb, u.rows, p);
  t += j * static_cast<long>(u.ld);
  y += j;
  switch (u.columns - j) {
    case 5:
      return update_columns<5>(t, u.ld, x, y, ldb, u.rows, p);
    case 4:
      return update_columns<4>(t, u.ld, x, y, ldb, u.rows, p);
    case 3:
      return update_columns<3>(t, u.ld, x, y, ldb, u.rows, p);
    case 2:
      return update_columns<2>(t, u.ld, x, y, ldb, u.rows, p);
    case 1:
      return update_columns<1>(t, u.ld, x, y, ldb, u.rows, p);
  }
}

/// Eliminates the pivots of a small front.
template <int P>
inline void eliminate_small(const BlockSchedule& s, const BlockNumbers& numbers, int f, double tolerance,
                            DensePivots& all) {
  const BlockFront& front = s.front[f];
  double* d = numbers.factor + front.factor;
  double* inverse = numbers.inverse + front.slot;
  const int ldb = padded(front.border);
  double *l = d + padded(P) * P, *v = l + static_cast<long>(ldb) * P;
  const bool kept = factor_diagonal<P>(d, inverse, 1 / tolerance);
  numbers.exchanged[f] = false;
  if (!kept) {
    const DensePivots found = factor_exchanging(d, P, v, ldb, tolerance, numbers.exchange + front.slot, inverse);
    numbers.exchanged[f] = found.off_diagonal > 0;
    all.off_diagonal += found.off_diagonal;
    all.singular |= found.singular;
  }
  int i = 0;
  if constexpr (TRAMMEL_WIDE > kRowGroup) {
    for (; i + TRAMMEL_WIDE <= ldb; i += TRAMMEL_WIDE) border_rows<Wide, P>(l + i, v + i, ldb, d, inverse);
  }
  for (; i < ldb; i += kRowGroup) border_rows<Group, P>(l + i, v + i, ldb, d, inverse);
  for (int u = front.updates; u < s.front[f + 1].updates; ++u) update_block(s.update[u], numbers.factor, d, ldb, P);
}

/// Eliminates the pivots of a front of any size; its contribution block is computed as a whole.
inline __attribute__((noinline)) void eliminate_large(const BlockSchedule& s, const BlockNumbers& numbers, int f, double tolerance,
                     DensePivots& all) {
  const BlockFront& front = s.front[f];
  const int p = front.pivots, ld = padded(p), ldb = padded(front.border);
  double* d = numbers.factor + front.factor;
  double* inverse = numbers.inverse + front.slot;
  double *l = d + static_cast<long>(ld) * p, *v = l + static_cast<long>(ldb) * p;
  int* exchange = numbers.exchange + front.slot;
  const DensePivots found = factor(d, ld, p, tolerance, exchange, inverse);
  numbers.exchanged[f] = found.off_diagonal > 0;
  all.off_diagonal += found.off_diagonal;
  all.singular |= found.singular;
  if (front.border == 0) return;
  for (int k = 0; k < p && found.off_diagonal > 0; ++k) {
    if (exchange[k] == k) continue;
    double *a = v + static_cast<long>(k) * ldb, *b = v + static_cast<long>(exchange[k]) * ldb;
    for (int i = 0; i < ldb; ++i) {
      const double kept = a[i];
      a[i] = b[i];
      b[i] = kept;
    }
  }
  solve_lower(v, ldb, d, ld, ldb, p);
  solve_upper(l, ldb, d, ld, inverse, ldb, p);
  double* c = numbers.block;
  for (long i = 0; i < static_cast<long>(ldb) * front.border; ++i) c[i] = 0;
  subtract_product(c, ldb, l, ldb, v, ldb, 1, ldb, front.border, p);
  const long below = l - d, right = v - d;
  for (int k = front.updates; k < s.front[f + 1].updates; ++k) {
    const BlockUpdate& u = s.update[k];
    double* t = numbers.factor + u.target;
    const bool transposed = u.x >= right;
    const double* from = c + (transposed ? (u.y - below) + (u.x - right) * static_cast<long>(ldb)
                                         : (u.x - below) + (u.y - right) * static_cast<long>(ldb));
    const long row = transposed ? ldb : 1, column = transposed ? 1 : ldb;
    for (int j = 0; j < u.columns; ++j)
      for (int i = 0; i < u.rows; ++i) t[i + j * static_cast<long>(u.ld)] += from[i * row + j * column];
  }
}

inline __attribute__((always_inline)) void set_values(const BlockSchedule& s, const BlockNumbers& numbers, int c, const double* values) {
  const BlockClear& clear = s.clear[c];
  double* to = numbers.factor + clear.factor;
  const Group zero = {};
  for (int i = 0; i < clear.size; i += kRowGroup) store(to + i, zero);
  for (int k = clear.values; k < s.clear[c + 1].values; ++k) to[s.value[k].target] = values[s.value[k].source];
}

#define TRAMMEL_SMALL_FRONTS(f, ...) \
    case 1: f<1>(__VA_ARGS__); break; \
    case 2: f<2>(__VA_ARGS__); break; \
    case 3: f<3>(__VA_ARGS__); break; \
    case 4: f<4>(__VA_ARGS__); break; \
    case 5: f<5>(__VA_ARGS__); break; \
    case 6: f<6>(__VA_ARGS__); break; \
    case 7: f<7>(__VA_ARGS__); break; \
    case 8: f<8>(__VA_ARGS__); break; \
    case 9: f<9>(__VA_ARGS__); break; \
    case 10: f<10>(__VA_ARGS__); break; \
    case 11: f<11>(__VA_ARGS__); break; \
    case 12: f<12>(__VA_ARGS__); break;

DensePivots eliminate_blocks(const BlockSchedule& s, const BlockNumbers& numbers, const double* values,
                             double tolerance) {
  DensePivots all;
  for (int f = 0; f < s.fronts; ++f) {
    const int clears = s.front[f + 1].clears;
    for (int c = s.front[f].clears; c < clears; ++c) set_values(s, numbers, c, values);
    switch (s.front[f].pivots) {
      TRAMMEL_SMALL_FRONTS(eliminate_small, s, numbers, f, tolerance, all)
      default:
        eliminate_large(s, numbers, f, tolerance, all);
    }
  }
  return all;
}

/// y -= (L x) for one register of rows of a segment.
template <class Vec, int P>
inline __attribute__((always_inline)) void forward_rows(double* y, const double* l, long ldb, const double* x,
                                                        int rows) {
  Vec sum = {};
  TRAMMEL_UNROLL
  for (int k = 0; k < P; ++k) {
    Vec left;
    load(left, l + k * ldb);
    sum += left * x[k];
  }
  Vec to;
  load(to, y);
  keep_lanes(sum, rows);
  store(y, to - sum);
}

/// x <- L_D^-1 P x; the border's right-hand side -= L x; then x <- diag(pivots)^-1 x.
template <int P>
inline void forward_small(const BlockSchedule& s, const BlockNumbers& numbers, int f, double* y) {
  const BlockFront& front = s.front[f];
  constexpr int ld = padded(P);
  const int ldb = padded(front.border);
  const double *d = numbers.factor + front.factor, *l = d + ld * P;
  const double* inverse = numbers.inverse + front.slot;
  double* mine = y + front.slot;
  if (numbers.exchanged[f]) {
    const int* exchange = numbers.exchange + front.slot;
    for (int k = 0; k < P; ++k) {
      const double kept = mine[k];
      mine[k] = mine[exchange[k]];
      mine[exchange[k]] = kept;
    }
  }
  double x[P];
  TRAMMEL_UNROLL
  for (int j = 0; j < P; ++j) {
    x[j] = mine[j];
    TRAMMEL_UNROLL
    for (int k = 0; k < j; ++k) x[j] -= d[j + k * ld] * x[k];
    mine[j] = x[j] * inverse[j];
  }
  const int end = s.front[f + 1].segments;
  for (int k = front.segments; k < end; ++k) {
    const BlockSegment& at = s.segment[k];
    int i = 0;
    if constexpr (TRAMMEL_WIDE > kRowGroup) {
      for (; i + kRowGroup < at.length; i += TRAMMEL_WIDE)
        forward_rows<Wide, P>(y + at.slot + i, l + at.offset + i, ldb, x, at.length - i);
    }
    for (; i < at.length; i += kRowGroup)
      forward_rows<Group, P>(y + at.slot + i, l + at.offset + i, ldb, x, at.length - i);
  }
}

/// x <- U_D^-1 (x - diag(pivots)^-1 V^T y), y the border's solution.
template <int P>
inline void backward_small(const BlockSchedule& s, const BlockNumbers& numbers, int f, double* y) {
  const BlockFront& front = s.front[f];
  constexpr int ld = padded(P);
  const int ldb = padded(front.border);
  const double *d = numbers.factor + front.factor, *v = d + (ld + ldb) * P;
  const double* inverse = numbers.inverse + front.slot;
  double* mine = y + front.slot;
  double sum[P] = {};
  const int end = s.front[f + 1].segments;
  for (int k = front.segments; k < end; ++k) {
    const BlockSegment& at = s.segment[k];
    const double *right = y + at.slot, *left = v + at.offset;
    for (int i = 0; i < at.length; ++i) {
      TRAMMEL_UNROLL
      for (int j = 0; j < P; ++j) sum[j] += left[i + j * ldb] * right[i];
    }
  }
  double x[P];
  TRAMMEL_UNROLL
  for (int j = P - 1; j >= 0; --j) {
    x[j] = mine[j] - sum[j] * inverse[j];
    TRAMMEL_UNROLL
    for (int k = P - 1; k > j; --k) x[j] -= d[j + k * ld] * x[k];
    mine[j] = x[j];
  }
}

inline __attribute__((noinline)) void forward_large(const BlockSchedule& s, const BlockNumbers& numbers, int f, double* y) {
  const BlockFront& front = s.front[f];
  const int p = front.pivots, ld = padded(p), ldb = padded(front.border);
  const double* d = numbers.factor + front.factor;
  double *mine = y + front.slot, *x = numbers.x, *w = numbers.w;
  for (int k = 0; k < ld; ++k) x[k] = k < p ? mine[k] : 0.0;
  if (numbers.exchanged[f]) {
    const int* exchange = numbers.exchange + front.slot;
    for (int k = 0; k < p; ++k) {
      const double kept = x[k];
      x[k] = x[exchange[k]];
      x[exchange[k]] = kept;
    }
  }
  forward(d, ld, d + static_cast<long>(ld) * p, ldb, ldb, p, x, w);
  for (int k = 0; k < p; ++k) mine[k] = x[k];
  for (int k = front.segments; k < s.front[f + 1].segments; ++k) {
    const BlockSegment& at = s.segment[k];
    for (int i = 0; i < at.length; ++i) y[at.slot + i] += w[at.offset + i];
  }
}

inline __attribute__((noinline)) void backward_large(const BlockSchedule& s, const BlockNumbers& numbers, int f, double* y) {
  const BlockFront& front = s.front[f];
  const int p = front.pivots, ld = padded(p), ldb = padded(front.border);
  const double* d = numbers.factor + front.factor;
  double *mine = y + front.slot, *x = numbers.x, *w = numbers.w;
  for (int k = 0; k < ld; ++k) x[k] = k < p ? mine[k] : 0.0;
  for (int k = front.segments; k < s.front[f + 1].segments; ++k) {
    const BlockSegment& at = s.segment[k];
    for (int i = 0; i < at.length; ++i) w[at.offset + i] = y[at.slot + i];
  }
  for (int i = front.border; i < ldb; ++i) w[i] = 0;
  backward(d, ld, d + static_cast<long>(ld + ldb) * p, ldb, numbers.inverse + front.slot, ldb, p, x, w);
  for (int k = 0; k < p; ++k) mine[k] = x[k];
}

void solve_blocks(const BlockSchedule& s, const BlockNumbers& numbers, double* y) {
  for (int f = 0; f < s.fronts; ++f) {
    switch (s.front[f].pivots) {
      TRAMMEL_SMALL_FRONTS(forward_small, s, numbers, f, y)
      default:
        forward_large(s, numbers, f, y);
    }
  }
  for (int f = s.fronts - 1; f >= 0; --f) {
    switch (s.front[f].pivots) {
      TRAMMEL_SMALL_FRONTS(backward_small, s, numbers, f, y)
      default:
        backward_large(s, numbers, f, y);
    }
  }
}
#undef TRAMMEL_SMALL_FRONTS
