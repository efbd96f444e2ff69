// Definitions of the kernels of the factorization by blocks; included by kernel_set.inl after
// block_diagonal.inl, once per instruction set.

/// LU of a pivots block with exchanges of rows, which V follows.
inline __attribute__((noinline)) DensePivots factor_exchanging(double* d, int p, double* v, int ldb,
                                                               double tolerance, int* exchange,
                                                               double* inverse) {
  const DensePivots found = factor(d, padded(p), p, tolerance, exchange, inverse);
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

/// L <- L (diag(pivots) U)^-1 for one register of rows of a border, and to the factors, whose columns are `ld`
/// apart. Lanes beyond the border are written over there by what comes next.
template <class Vec, int P>
inline __attribute__((always_inline)) void left_border_rows(double* l, int ldb, const Diagonal<P>& d,
                                                            double* lower, int ld) {
  Vec z[P];
  TRAMMEL_UNROLL
  for (int j = 0; j < P; ++j) {
    load(z[j], l + static_cast<long>(j) * ldb);
    TRAMMEL_UNROLL
    for (int k = 0; k < j; ++k) z[j] -= z[k] * d.a[j][k];
    const Vec scaled = z[j] * d.inverse[j];
    store(l + static_cast<long>(j) * ldb, scaled);
    store(lower + static_cast<long>(j) * ld, scaled);
  }
}

/// V <- V L_D^-T.
template <class Vec, int P>
inline __attribute__((always_inline)) void upper_border_rows(double* v, int ldb, const Diagonal<P>& d) {
  Vec w[P];
  TRAMMEL_UNROLL
  for (int j = 0; j < P; ++j) {
    load(w[j], v + static_cast<long>(j) * ldb);
    TRAMMEL_UNROLL
    for (int k = 0; k < j; ++k) w[j] -= w[k] * d.a[k][j];
    store(v + static_cast<long>(j) * ldb, w[j]);
  }
}

/// Both.
template <class Vec, int P>
inline __attribute__((always_inline)) void border_rows(double* l, double* v, int ldb, const Diagonal<P>& d,
                                                       double* lower, int ld) {
  left_border_rows<Vec, P>(l, ldb, d, lower, ld);
  upper_border_rows<Vec, P>(v, ldb, d);
}

/// T -= X Y^T for a register of rows of T, `rows` of them, and Columns columns.
template <class Vec, int Columns>
inline __attribute__((always_inline)) void update_rows(double* t, long ld, const double* x, const double* y,
                                                       long ldb, int rows, int p) {
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
inline __attribute__((always_inline)) void update_columns(double* t, long ld, const double* x,
                                                          const double* y, long ldb, int rows, int p) {
  int i = 0;
  if constexpr (TRAMMEL_WIDE > kRowGroup) {
    for (; i + kRowGroup < rows; i += TRAMMEL_WIDE)
      update_rows<Wide, Columns>(t + i, ld, x + i, y, ldb, rows - i, p);
  }
  for (; i < rows; i += kRowGroup) update_rows<Group, Columns>(t + i, ld, x + i, y, ldb, rows - i, p);
}

inline __attribute__((always_inline)) void update_block(const BlockUpdate& u, double* work, const double* d,
                                                        long ldb, int p) {
  double* t = work + u.target;
  const double *x = d + u.x, *y = d + u.y;
  int j = 0;
  for (; j + 6 <= u.columns; j += 6)
    update_columns<6>(t + j * static_cast<long>(u.ld), u.ld, x, y + j, ldb, u.rows, p);
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
  double* d = numbers.work + front.work;
  const int r = front.border, ldb = padded(r);
  double *l = d + padded(P) * P, *v = l + static_cast<long>(ldb) * P;
  double* inverse = numbers.inverse + front.slot;
  Diagonal<P> diagonal;
  diagonal.take(d);
  numbers.exchanged[f] = false;
  if (!diagonal.eliminate(1 / tolerance)) {
    const DensePivots found =
        factor_exchanging(d, P, v, ldb, tolerance, numbers.exchange + front.slot, inverse);
    numbers.exchanged[f] = found.off_diagonal > 0;
    all.off_diagonal += found.off_diagonal;
    all.singular |= found.singular;
    diagonal.take(d);
    for (int k = 0; k < P; ++k) {
      diagonal.inverse[k] = inverse[k];
      for (int j = k + 1; j < P; ++j) diagonal.a[j][k] *= inverse[k];
    }
  }
  double *lower = numbers.lower + front.lower, *upper = numbers.upper + front.upper;
  diagonal.put(lower, upper, inverse);
  lower += kTriangle<P>;
  upper += kTriangle<P>;
  // From the last rows on: each register of rows writes over the lanes that the one behind it has in excess.
  int i = ldb;
  if (TRAMMEL_WIDE > kRowGroup && ldb % TRAMMEL_WIDE != 0) {
    i -= kRowGroup;
    border_rows<Group, P>(l + i, v + i, ldb, diagonal, lower + i, r);
  }
  for (i -= TRAMMEL_WIDE; i >= 0; i -= TRAMMEL_WIDE)
    border_rows<Wide, P>(l + i, v + i, ldb, diagonal, lower + i, r);
  for (i = 0; i < r; ++i) {
    TRAMMEL_UNROLL
    for (int j = 0; j < P; ++j) *upper++ = v[i + static_cast<long>(j) * ldb];
  }
  const int end = s.front[f + 1].updates;
  for (int u = front.updates; u < end; ++u) update_block(s.update[u], numbers.work, d, ldb, P);
}

/// Adds a contribution block to the later fronts. `below`, `beside`: offsets of L and V.
inline void add_contribution(const BlockSchedule& s, double* work, int f, const double* c, long ldb,
                             long below, long beside) {
  for (int k = s.front[f].updates; k < s.front[f + 1].updates; ++k) {
    const BlockUpdate& u = s.update[k];
    double* t = work + u.target;
    const bool mirrored = u.x >= beside;  // X from V: the block of U = V^T
    const double* from =
        c + (mirrored ? (u.y - below) + (u.x - beside) * ldb : (u.x - below) + (u.y - beside) * ldb);
    const long row = mirrored ? ldb : 1, column = mirrored ? 1 : ldb;
    for (int j = 0; j < u.columns; ++j)
      for (int i = 0; i < u.rows; ++i) t[i + j * static_cast<long>(u.ld)] += from[i * row + j * column];
  }
}

/// Eliminates the pivots of a front of any size; its contribution block is computed as a whole.
inline __attribute__((noinline)) void eliminate_large(const BlockSchedule& s, const BlockNumbers& numbers,
                                                      int f, double tolerance, DensePivots& all) {
  const BlockFront& front = s.front[f];
  const int p = front.pivots, ld = padded(p), ldb = padded(front.border);
  double* d = numbers.work + front.work;
  double* inverse = numbers.inverse + front.slot;
  double *l = d + static_cast<long>(ld) * p, *v = l + static_cast<long>(ldb) * p;
  const DensePivots found =
      factor_exchanging(d, p, v, ldb, tolerance, numbers.exchange + front.slot, inverse);
  numbers.exchanged[f] = found.off_diagonal > 0;
  all.off_diagonal += found.off_diagonal;
  all.singular |= found.singular;
  if (front.border > 0) {
    solve_lower(v, ldb, d, ld, ldb, p);
    solve_upper(l, ldb, d, ld, inverse, ldb, p);
    __builtin_memset(numbers.block, 0, sizeof(double) * ldb * front.border);
    subtract_product(numbers.block, ldb, l, ldb, v, ldb, 1, ldb, front.border, p);
    add_contribution(s, numbers.work, f, numbers.block, ldb, l - d, v - d);
  }
  __builtin_memcpy(numbers.lower + front.lower, d, sizeof(double) * (ld + ldb) * p);
  __builtin_memcpy(numbers.upper + front.upper, v, sizeof(double) * ldb * p);
}

/// Sets a front in the work area to its matrix values.
inline __attribute__((always_inline)) void set_values(const BlockSchedule& s, double* work, int c,
                                                      const double* values) {
  const BlockClear& clear = s.clear[c];
  double* to = work + clear.work;
  const Group zero = {};
  for (int i = 0; i < clear.size; i += kRowGroup) store(to + i, zero);
  const BlockValue *value = s.value + clear.values, *end = s.value + s.clear[c + 1].values;
  for (; value != end; ++value) {
    __builtin_prefetch(values + value[kValuesAhead].source);
    to[value->target] = values[value->source];
  }
}

#define TRAMMEL_SMALL_FRONT(P, f, ...) \
  case P:                              \
    f<P>(__VA_ARGS__);                 \
    break;
#define TRAMMEL_SMALL_FRONTS(f, ...)         \
  TRAMMEL_SMALL_FRONT(1, f, __VA_ARGS__)   \
  TRAMMEL_SMALL_FRONT(2, f, __VA_ARGS__)   \
  TRAMMEL_SMALL_FRONT(3, f, __VA_ARGS__)   \
  TRAMMEL_SMALL_FRONT(4, f, __VA_ARGS__)   \
  TRAMMEL_SMALL_FRONT(5, f, __VA_ARGS__)   \
  TRAMMEL_SMALL_FRONT(6, f, __VA_ARGS__)   \
  TRAMMEL_SMALL_FRONT(7, f, __VA_ARGS__)   \
  TRAMMEL_SMALL_FRONT(8, f, __VA_ARGS__)   \
  TRAMMEL_SMALL_FRONT(9, f, __VA_ARGS__)   \
  TRAMMEL_SMALL_FRONT(10, f, __VA_ARGS__)  \
  TRAMMEL_SMALL_FRONT(11, f, __VA_ARGS__)  \
  TRAMMEL_SMALL_FRONT(12, f, __VA_ARGS__)  \
  TRAMMEL_SMALL_FRONT(13, f, __VA_ARGS__)  \
  TRAMMEL_SMALL_FRONT(14, f, __VA_ARGS__)  \
  TRAMMEL_SMALL_FRONT(15, f, __VA_ARGS__)  \
  TRAMMEL_SMALL_FRONT(16, f, __VA_ARGS__) 

DensePivots eliminate_blocks(const BlockSchedule& s, int begin, int end, const BlockNumbers& numbers,
                             const double* values, double tolerance) {
  DensePivots all;
  for (int f = begin; f < end; ++f) {
    const BlockFront& front = s.front[f];
    const int clears = s.front[f + 1].clears;
    for (int c = front.clears; c < clears; ++c) set_values(s, numbers.work, c, values);
    switch (front.pivots) {
      case 0:
        add_contribution(s, numbers.work, f, numbers.contribution + front.lower, padded(front.border), 0,
                         front.border);
        break;
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

template <int P>
struct RegisterOf {
  using Vec = Wide;
};
template <int P>
requires(P <= kRowGroup) struct RegisterOf<P> {
  using Vec = Group;
};

/// Fetches the lines of `length` doubles into the cache; the address may lie outside of any array.
inline __attribute__((always_inline)) void fetch(const double* from, long length) {
  constexpr long line = 64 / sizeof(double);
  for (long i = 0; i < length; i += line) __builtin_prefetch(from + i);
}

/// x <- L_D^-1 P x; the border's right-hand side -= L x; then x <- diag(pivots)^-1 x.
template <int P>
inline void forward_small(const BlockSchedule& s, const BlockNumbers& numbers, int f, double* y) {
  const BlockFront& front = s.front[f];
  const int ldb = front.border;
  const double *d = numbers.lower + front.lower, *l = d + kTriangle<P>;
  if (s.ahead) fetch(d + s.ahead, kTriangle<P> + ldb * P);
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
    for (int k = 0; k < j; ++k) x[j] -= d[in_triangle<P>(j, k)] * x[k];
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
  // Registers of a row of V; lanes beyond the pivots mean nothing.
  using Vec = typename RegisterOf<P>::Vec;
  constexpr int lanes = sizeof(Vec) / sizeof(double), parts = (P + lanes - 1) / lanes;
  const BlockFront& front = s.front[f];
  const double *d = numbers.upper + front.upper, *v = d + kTriangle<P>;
  if (s.ahead) fetch(d - s.ahead, kTriangle<P> + front.border * P);
  double* mine = y + front.slot;
  Vec sum[parts] = {};
  const int end = s.front[f + 1].segments;
  for (int k = front.segments; k < end; ++k) {
    const BlockSegment& at = s.segment[k];
    const double *right = y + at.slot, *left = v + static_cast<long>(at.offset) * P;
    for (int i = 0; i < at.length; ++i, left += P) {
      TRAMMEL_UNROLL
      for (int j = 0; j < parts; ++j) {
        Vec row;
        load(row, left + j * lanes);
        sum[j] += row * right[i];
      }
    }
  }
  double x[parts * lanes];
  TRAMMEL_UNROLL
  for (int j = 0; j < parts; ++j) {
    Vec inverse, own;
    load(inverse, numbers.inverse + front.slot + j * lanes);
    load(own, mine + j * lanes);
    store(x + j * lanes, own - sum[j] * inverse);
  }
  TRAMMEL_UNROLL
  for (int j = P - 1; j >= 0; --j) {
    TRAMMEL_UNROLL
    for (int k = P - 1; k > j; --k) x[j] -= d[in_triangle<P>(k, j)] * x[k];
    mine[j] = x[j];
  }
}

inline __attribute__((noinline)) void forward_large(const BlockSchedule& s, const BlockNumbers& numbers,
                                                    int f, double* y) {
  const BlockFront& front = s.front[f];
  const int p = front.pivots, ld = padded(p), ldb = padded(front.border);
  const double* d = numbers.lower + front.lower;
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

inline __attribute__((noinline)) void backward_large(const BlockSchedule& s, const BlockNumbers& numbers,
                                                     int f, double* y) {
  const BlockFront& front = s.front[f];
  const int p = front.pivots, ld = padded(p), ldb = padded(front.border);
  const double *d = numbers.lower + front.lower, *v = numbers.upper + front.upper;
  double *mine = y + front.slot, *x = numbers.x, *w = numbers.w;
  for (int k = 0; k < ld; ++k) x[k] = k < p ? mine[k] : 0.0;
  for (int k = front.segments; k < s.front[f + 1].segments; ++k) {
    const BlockSegment& at = s.segment[k];
    for (int i = 0; i < at.length; ++i) w[at.offset + i] = y[at.slot + i];
  }
  for (int i = front.border; i < ldb; ++i) w[i] = 0;
  backward(d, ld, v, ldb, numbers.inverse + front.slot, ldb, p, x, w);
  for (int k = 0; k < p; ++k) mine[k] = x[k];
}

/// The sums of a subtree for rows above it are added to these.
inline void forward_contribution(const BlockSchedule& s, int f, double* y) {
  const double* mine = y + s.front[f].slot;
  for (int k = s.front[f].segments; k < s.front[f + 1].segments; ++k) {
    const BlockSegment& at = s.segment[k];
    for (int i = 0; i < at.length; ++i) y[at.slot + i] += mine[at.offset + i];
  }
}

/// A subtree takes the solution of the rows above it.
inline void backward_contribution(const BlockSchedule& s, int f, double* y) {
  double* mine = y + s.front[f].slot;
  for (int k = s.front[f].segments; k < s.front[f + 1].segments; ++k) {
    const BlockSegment& at = s.segment[k];
    for (int i = 0; i < at.length; ++i) mine[at.offset + i] = y[at.slot + i];
  }
}

void forward_blocks(const BlockSchedule& s, int begin, int end, const BlockNumbers& numbers, double* y) {
  for (int f = begin; f < end; ++f) {
    switch (s.front[f].pivots) {
      case 0:
        forward_contribution(s, f, y);
        break;
        TRAMMEL_SMALL_FRONTS(forward_small, s, numbers, f, y)
      default:
        forward_large(s, numbers, f, y);
    }
  }
}

void backward_blocks(const BlockSchedule& s, int begin, int end, const BlockNumbers& numbers, double* y) {
  for (int f = end - 1; f >= begin; --f) {
    switch (s.front[f].pivots) {
      case 0:
        backward_contribution(s, f, y);
        break;
        TRAMMEL_SMALL_FRONTS(backward_small, s, numbers, f, y)
      default:
        backward_large(s, numbers, f, y);
    }
  }
}
#undef TRAMMEL_SMALL_FRONT
#undef TRAMMEL_SMALL_FRONTS
