// Definitions of the dense kernels; included by kernel_set.inl once per instruction set, in a namespace of
// its own, with TRAMMEL_WIDE (doubles per register) and TRAMMEL_TILE (registers of rows in a tile).

typedef double Group __attribute__((vector_size(8 * kRowGroup)));
typedef double Wide __attribute__((vector_size(8 * TRAMMEL_WIDE)));

/// Loads and stores that need no alignment.
template <class Vec>
inline __attribute__((always_inline)) void load(Vec& v, const double* at) {
  __builtin_memcpy(&v, at, sizeof v);
}
template <class Vec>
inline __attribute__((always_inline)) void store(double* at, const Vec& v) {
  __builtin_memcpy(at, &v, sizeof v);
}
/// target -= left * right
template <class Vec>
inline __attribute__((always_inline)) void subtract(double* target, const double* left, double right) {
  Vec sum, product;
  load(sum, target);
  load(product, left);
  sum -= product * right;
  store(target, sum);
}

#define TRAMMEL_UNROLL _Pragma("GCC unroll 16")

/// C -= A B for Registers registers (Vec) of rows and Columns columns; all of C is held in registers.
template <class Vec, int Registers, int Columns>
inline __attribute__((always_inline)) void tile(double* c, int ldc, const double* a, int lda, const double* b,
                                                int b_row, int b_column, int depth) {
  constexpr int kLength = sizeof(Vec) / sizeof(double);
  Vec sum[Registers][Columns];
  TRAMMEL_UNROLL
  for (int j = 0; j < Columns; ++j) {
    TRAMMEL_UNROLL
    for (int i = 0; i < Registers; ++i) load(sum[i][j], c + i * kLength + static_cast<long>(j) * ldc);
  }
  const long column = b_column;
  for (int k = 0; k < depth; ++k) {
    Vec left[Registers];
    TRAMMEL_UNROLL
    for (int i = 0; i < Registers; ++i) load(left[i], a + i * kLength);
    TRAMMEL_UNROLL
    for (int j = 0; j < Columns; ++j) {
      const double right = b[j * column];
      TRAMMEL_UNROLL
      for (int i = 0; i < Registers; ++i) sum[i][j] -= left[i] * right;
    }
    a += lda;
    b += b_row;
  }
  TRAMMEL_UNROLL
  for (int j = 0; j < Columns; ++j) {
    TRAMMEL_UNROLL
    for (int i = 0; i < Registers; ++i) store(c + i * kLength + static_cast<long>(j) * ldc, sum[i][j]);
  }
}

/// C -= A B for all rows of a strip of Columns columns.
template <int Columns>
void strip(double* c, int ldc, const double* a, int lda, const double* b, int b_row, int b_column, int m,
           int depth) {
  int i = 0;
  for (; i + TRAMMEL_TILE * TRAMMEL_WIDE <= m; i += TRAMMEL_TILE * TRAMMEL_WIDE)
    tile<Wide, TRAMMEL_TILE, Columns>(c + i, ldc, a + i, lda, b, b_row, b_column, depth);
  if constexpr (TRAMMEL_TILE > 2) {
    for (; i + 2 * TRAMMEL_WIDE <= m; i += 2 * TRAMMEL_WIDE)
      tile<Wide, 2, Columns>(c + i, ldc, a + i, lda, b, b_row, b_column, depth);
  }
  if constexpr (TRAMMEL_TILE > 1) {
    for (; i + TRAMMEL_WIDE <= m; i += TRAMMEL_WIDE)
      tile<Wide, 1, Columns>(c + i, ldc, a + i, lda, b, b_row, b_column, depth);
  }
  for (; i < m; i += kRowGroup) tile<Group, 1, Columns>(c + i, ldc, a + i, lda, b, b_row, b_column, depth);
}

void subtract_product(double* c, int ldc, const double* a, int lda, const double* b, int b_row, int b_column,
                      int m, int n, int depth) {
  constexpr int kColumns = TRAMMEL_COLUMNS;
  for (int j = 0; j < n;) {
    // Avoid a strip of one column after full ones.
    const int left = n - j;
    const int columns = left <= kColumns ? left : left < 2 * kColumns ? (left + 1) / 2 : kColumns;
    double* cj = c + static_cast<long>(j) * ldc;
    const double* bj = b + static_cast<long>(j) * b_column;
    switch (columns) {
      case 1:
        strip<1>(cj, ldc, a, lda, bj, b_row, b_column, m, depth);
        break;
      case 2:
        strip<2>(cj, ldc, a, lda, bj, b_row, b_column, m, depth);
        break;
      case 3:
        strip<3>(cj, ldc, a, lda, bj, b_row, b_column, m, depth);
        break;
      case 4:
        strip<4>(cj, ldc, a, lda, bj, b_row, b_column, m, depth);
        break;
#if TRAMMEL_COLUMNS > 4
      case 5:
        strip<5>(cj, ldc, a, lda, bj, b_row, b_column, m, depth);
        break;
      case 6:
        strip<6>(cj, ldc, a, lda, bj, b_row, b_column, m, depth);
        break;
      case 7:
        strip<7>(cj, ldc, a, lda, bj, b_row, b_column, m, depth);
        break;
      case 8:
        strip<8>(cj, ldc, a, lda, bj, b_row, b_column, m, depth);
        break;
#endif
    }
    j += columns;
  }
}

/// A <- A T^-1 for one register of rows; T(k, j) = t[k t_row + j t_column]; null `inverse`: unit diagonal.
template <class Vec, int N>
inline __attribute__((always_inline)) void right_solve_rows(double* a, int lda, const double* t, int t_row,
                                                            int t_column, const double* inverse) {
  Vec v[N];
  TRAMMEL_UNROLL
  for (int j = 0; j < N; ++j) {
    load(v[j], a + static_cast<long>(j) * lda);
    TRAMMEL_UNROLL
    for (int k = 0; k < j; ++k)
      v[j] -= v[k] * t[static_cast<long>(k) * t_row + static_cast<long>(j) * t_column];
    if (inverse) v[j] *= inverse[j];
    store(a + static_cast<long>(j) * lda, v[j]);
  }
}

template <int N>
void right_solve_small(double* a, int lda, const double* t, int t_row, int t_column, const double* inverse,
                       int m) {
  int i = 0;
  if constexpr (TRAMMEL_WIDE > kRowGroup) {
    for (; i + TRAMMEL_WIDE <= m; i += TRAMMEL_WIDE)
      right_solve_rows<Wide, N>(a + i, lda, t, t_row, t_column, inverse);
  }
  for (; i < m; i += kRowGroup) right_solve_rows<Group, N>(a + i, lda, t, t_row, t_column, inverse);
}

constexpr int kBase = 8;  ///< widest block handled without recursion
constexpr int half_of(int n) {
  return (n / 2 + kBase - 1) / kBase * kBase;
}

/// A <- A T^-1, T upper triangular n x n given by strides. By halves [A1 A2] [T11 T12; 0 T22]^-1: A1 <- A1
/// T11^-1, then A2 <- (A2 - A1 T12) T22^-1.
void right_solve(double* a, int lda, const double* t, int t_row, int t_column, const double* inverse, int m,
                 int n) {
  switch (n) {
    case 0:
      return;
    case 1:
      return right_solve_small<1>(a, lda, t, t_row, t_column, inverse, m);
    case 2:
      return right_solve_small<2>(a, lda, t, t_row, t_column, inverse, m);
    case 3:
      return right_solve_small<3>(a, lda, t, t_row, t_column, inverse, m);
    case 4:
      return right_solve_small<4>(a, lda, t, t_row, t_column, inverse, m);
    case 5:
      return right_solve_small<5>(a, lda, t, t_row, t_column, inverse, m);
    case 6:
      return right_solve_small<6>(a, lda, t, t_row, t_column, inverse, m);
    case 7:
      return right_solve_small<7>(a, lda, t, t_row, t_column, inverse, m);
    case 8:
      return right_solve_small<8>(a, lda, t, t_row, t_column, inverse, m);
  }
  const int h = half_of(n);
  const double* right = t + static_cast<long>(h) * t_column;
  double* a2 = a + static_cast<long>(h) * lda;
  right_solve(a, lda, t, t_row, t_column, inverse, m, h);
  subtract_product(a2, lda, a, lda, right, t_row, t_column, m, n - h, h);
  right_solve(a2, lda, right + static_cast<long>(h) * t_row, t_row, t_column, inverse ? inverse + h : inverse,
              m, n - h);
}

void solve_lower(double* v, int ldv, const double* d, int ldd, int m, int n) {
  right_solve(v, ldv, d, ldd, 1, nullptr, m, n);
}

void solve_upper(double* a, int lda, const double* d, int ldd, const double* inverse, int m, int n) {
  right_solve(a, lda, d, 1, ldd, inverse, m, n);
}

/// X <- X U^-T: like right_solve(), from the last column to the first.
void solve_upper_transposed(double* x, int ldx, const double* d, int ldd, const double* inverse, int m,
                            int n) {
  if (n > kBase) {
    const int h = half_of(n);
    const double* right = d + static_cast<long>(h) * ldd;
    double* x2 = x + static_cast<long>(h) * ldx;
    solve_upper_transposed(x2, ldx, right + h, ldd, inverse + h, m, n - h);
    subtract_product(x, ldx, x2, ldx, right, ldd, 1, m, h, n - h);
    return solve_upper_transposed(x, ldx, d, ldd, inverse, m, h);
  }
  for (int i = 0; i < m; i += kRowGroup) {
    for (int j = n - 1; j >= 0; --j) {
      double* xj = x + i + static_cast<long>(j) * ldx;
      Group sum, xk;
      load(sum, xj);
      for (int k = n - 1; k > j; --k) {
        load(xk, x + i + static_cast<long>(k) * ldx);
        sum -= xk * d[j + static_cast<long>(k) * ldd];
      }
      sum *= inverse[j];
      store(xj, sum);
    }
  }
}

/// X <- L^-1 X for Columns columns of X, L unit lower triangular (kBase x kBase). `masked` is L with zeros on
/// and above the diagonal, so that whole registers can be subtracted.
template <int Columns>
inline __attribute__((always_inline)) void left_solve_columns(const double (*masked)[kBase], double* x,
                                                              int ldx) {
  constexpr int kParts = kBase / TRAMMEL_WIDE;
  Wide v[Columns][kParts];
  for (int j = 0; j < Columns; ++j)
    for (int i = 0; i < kParts; ++i) load(v[j][i], x + i * TRAMMEL_WIDE + static_cast<long>(j) * ldx);
  TRAMMEL_UNROLL
  for (int k = 0; k + 1 < kBase; ++k) {
    TRAMMEL_UNROLL
    for (int j = 0; j < Columns; ++j) {
      const double right = v[j][k / TRAMMEL_WIDE][k % TRAMMEL_WIDE];
      TRAMMEL_UNROLL
      for (int i = 0; i < kParts; ++i) {
        Wide left;
        load(left, masked[k] + i * TRAMMEL_WIDE);
        v[j][i] -= left * right;
      }
    }
  }
  for (int j = 0; j < Columns; ++j)
    for (int i = 0; i < kParts; ++i) store(x + i * TRAMMEL_WIDE + static_cast<long>(j) * ldx, v[j][i]);
}

/// X <- L^-1 X, L unit lower triangular of order n, a multiple of kBase; X n x columns.
void left_solve(const double* l, int ldl, double* x, int ldx, int n, int columns) {
  if (n > kBase) {
    const int h = half_of(n);
    left_solve(l, ldl, x, ldx, h, columns);
    subtract_product(x + h, ldx, l + h, ldl, x, 1, ldx, n - h, columns, h);
    return left_solve(l + h + static_cast<long>(h) * ldl, ldl, x + h, ldx, n - h, columns);
  }
  double masked[kBase][kBase] = {};
  for (int k = 0; k < kBase; ++k)
    for (int i = k + 1; i < kBase; ++i) masked[k][i] = l[i + static_cast<long>(k) * ldl];
  int j = 0;
  for (; j + 4 <= columns; j += 4) left_solve_columns<4>(masked, x + static_cast<long>(j) * ldx, ldx);
  for (; j < columns; ++j) left_solve_columns<1>(masked, x + static_cast<long>(j) * ldx, ldx);
}

/// Largest magnitude of rows [first, n) of a column; rows between n and the padding are zero. NaN is ignored.
inline double largest_of(const double* column, int first, int n) {
  double largest = 0;
  const int aligned = padded(first), end = padded(n);
  for (int i = first; i < aligned && i < n; ++i) {
    const double size = __builtin_fabs(column[i]);
    if (size > largest) largest = size;
  }
  Group most = {};
  for (int i = aligned; i < end; i += kRowGroup) {
    Group v;
    load(v, column + i);
    const Group size = v < 0.0 ? -v : v;
    most = size > most ? size : most;
  }
  for (int i = 0; i < kRowGroup; ++i)
    if (most[i] > largest) largest = most[i];
  return largest;
}

/// The diagonal block that is eliminated, and its results.
struct Elimination {
  double* d;
  int ld, n;
  double tolerance;
  int* exchange;
  double* inverse;
  DensePivots result;
};

/// Chooses the pivot of column k among the rows from k on and exchanges it with row k.
inline void choose_pivot(Elimination& e, int k) {
  const double* column = e.d + static_cast<long>(k) * e.ld;
  const double largest = largest_of(column, k, e.n);
  int row = k;
  if (!(__builtin_fabs(column[k]) >= e.tolerance * largest)) {
    for (row = k; row < e.n && __builtin_fabs(column[row]) != largest;) ++row;
    if (row == e.n) row = k;
  }
  e.exchange[k] = row;
  if (row != k) {
    ++e.result.off_diagonal;
    for (int j = 0; j < e.n; ++j) {
      double* at = e.d + static_cast<long>(j) * e.ld;
      const double kept = at[k];
      at[k] = at[row];
      at[row] = kept;
    }
  }
  const double pivot = column[k];
  const bool good = pivot != 0 && pivot - pivot == 0;
  e.result.singular |= !good;
  e.inverse[k] = good ? 1 / pivot : 0;
}

/// Eliminates columns [first, first + width), width <= kBase, in the rows from `first` on.
void factor_columns(Elimination& e, int first, int width) {
  const int end = padded(e.n);
  for (int k = first; k < first + width; ++k) {
    choose_pivot(e, k);
    double* column = e.d + static_cast<long>(k) * e.ld;
    const double inverse = e.inverse[k];
    // In the pivot's own group of rows, those up to the pivot stay unchanged.
    const int group = k / kRowGroup * kRowGroup;
    Group head = {};
    for (int i = k + 1; i < group + kRowGroup; ++i) head[i - group] = column[i] *= inverse;
    for (int i = group + kRowGroup; i < end; i += kRowGroup) {
      Group v;
      load(v, column + i);
      v *= inverse;
      store(column + i, v);
    }
    for (int j = k + 1; j < first + width; ++j) {
      double* target = e.d + static_cast<long>(j) * e.ld;
      const double right = target[k];
      Group top;
      load(top, target + group);
      top -= head * right;
      store(target + group, top);
      int i = group + kRowGroup;
      for (; i + TRAMMEL_WIDE <= end; i += TRAMMEL_WIDE) subtract<Wide>(target + i, column + i, right);
      for (; i < end; i += kRowGroup) subtract<Group>(target + i, column + i, right);
    }
  }
}

/// LU by halves of columns: left half, U12 <- L11^-1 A12, A22 <- A22 - L21 U12, right half.
void factor_range(Elimination& e, int first, int width) {
  if (width <= kBase) return factor_columns(e, first, width);
  const int h = half_of(width), middle = first + h;
  factor_range(e, first, h);
  const double* left = e.d + static_cast<long>(first) * e.ld;
  double* right = e.d + static_cast<long>(middle) * e.ld;
  left_solve(left + first, e.ld, right + first, e.ld, h, width - h);
  subtract_product(right + middle, e.ld, left + middle, e.ld, right + first, 1, e.ld, padded(e.n) - middle,
                   width - h, h);
  factor_range(e, middle, width - h);
}

DensePivots factor(double* d, int ld, int n, double tolerance, int* exchange, double* inverse) {
  Elimination e{d, ld, n, tolerance, exchange, inverse, {}};
  factor_range(e, 0, n);
  return e.result;
}

/// c -= A x for one register of rows and Depth columns of A; with Fresh, c = -A x.
template <class Vec, int Depth, bool Fresh>
inline __attribute__((always_inline)) void subtract_row(double* c, const double* a, int lda,
                                                        const double* right) {
  Vec sum = {};
  if constexpr (!Fresh) load(sum, c);
  TRAMMEL_UNROLL
  for (int k = 0; k < Depth; ++k) {
    Vec left;
    load(left, a + static_cast<long>(k) * lda);
    sum -= left * right[k];
  }
  store(c, sum);
}

/// subtract_row() for m rows; x may lie in c.
template <int Depth, bool Fresh>
inline __attribute__((always_inline)) void subtract_columns(double* c, const double* a, int lda,
                                                            const double* x, int m) {
  double right[Depth];
  TRAMMEL_UNROLL
  for (int k = 0; k < Depth; ++k) right[k] = x[k];
  int i = 0;
  if constexpr (TRAMMEL_WIDE > kRowGroup) {
    for (; i + TRAMMEL_WIDE <= m; i += TRAMMEL_WIDE)
      subtract_row<Wide, Depth, Fresh>(c + i, a + i, lda, right);
  }
  for (; i < m; i += kRowGroup) subtract_row<Group, Depth, Fresh>(c + i, a + i, lda, right);
}

/// subtract_columns() with Depth = columns <= kRowGroup.
template <bool Fresh>
inline void subtract_some(double* c, const double* a, int lda, const double* x, int m, int columns) {
  switch (columns) {
    case 1:
      return subtract_columns<1, Fresh>(c, a, lda, x, m);
    case 2:
      return subtract_columns<2, Fresh>(c, a, lda, x, m);
    case 3:
      return subtract_columns<3, Fresh>(c, a, lda, x, m);
    default:
      return subtract_columns<4, Fresh>(c, a, lda, x, m);
  }
}

/// Four pivots at a time: their triangle in registers, then the rows below and the border.
void forward(const double* d, int ldd, const double* l, int ld, int m, int n, double* x, double* w) {
  const long step = ldd;
  const int end = padded(n);
  for (int g = 0; g < n; g += kRowGroup) {
    const int count = n - g < kRowGroup ? n - g : kRowGroup;
    const double* t = d + g + g * step;
    if (count == kRowGroup) {
      const double x0 = x[g], x1 = x[g + 1] - t[1] * x0;
      const double x2 = x[g + 2] - t[2] * x0 - t[2 + step] * x1;
      const double x3 = x[g + 3] - t[3] * x0 - t[3 + step] * x1 - t[3 + 2 * step] * x2;
      x[g + 1] = x1, x[g + 2] = x2, x[g + 3] = x3;
    } else {
      for (int k = 0; k < count; ++k)
        for (int i = k + 1; i < count; ++i) x[g + i] -= t[i + k * step] * x[g + k];
    }
    if (g + kRowGroup < end)
      subtract_some<false>(x + g + kRowGroup, t + kRowGroup, ldd, x + g, end - g - kRowGroup, count);
    const double* border = l + g * static_cast<long>(ld);
    if (g == 0) {
      subtract_some<true>(w, border, ld, x, m, count);
    } else {
      subtract_some<false>(w, border, ld, x + g, m, count);
    }
  }
}

/// x_j -= v_j . w for Columns columns v_j.
template <int Columns>
inline __attribute__((always_inline)) void subtract_dots(double* x, const double* v, int ld, const double* w,
                                                         int m) {
  Group sum[Columns] = {};
  for (int i = 0; i < m; i += kRowGroup) {
    Group wi;
    load(wi, w + i);
    TRAMMEL_UNROLL
    for (int j = 0; j < Columns; ++j) {
      Group vi;
      load(vi, v + i + static_cast<long>(j) * ld);
      sum[j] += vi * wi;
    }
  }
  TRAMMEL_UNROLL
  for (int j = 0; j < Columns; ++j) x[j] -= (sum[j][0] + sum[j][1]) + (sum[j][2] + sum[j][3]);
}

void backward(const double* d, int ldd, const double* v, int ld, const double* inverse, int m, int n,
              double* x, const double* w) {
  int j = 0;
  if (m > 0) {
    for (; j + 4 <= n; j += 4) subtract_dots<4>(x + j, v + static_cast<long>(j) * ld, ld, w, m);
    for (; j < n; ++j) subtract_dots<1>(x + j, v + static_cast<long>(j) * ld, ld, w, m);
  }
  const long step = ldd;
  for (int g = (n - 1) / kRowGroup * kRowGroup; g >= 0; g -= kRowGroup) {
    const int count = n - g < kRowGroup ? n - g : kRowGroup;
    const double *t = d + g + g * step, *r = inverse + g;
    if (count == kRowGroup) {
      const double x3 = x[g + 3] * r[3], x2 = (x[g + 2] - t[2 + 3 * step] * x3) * r[2];
      const double x1 = (x[g + 1] - t[1 + 3 * step] * x3 - t[1 + 2 * step] * x2) * r[1];
      x[g] = (x[g] - t[3 * step] * x3 - t[2 * step] * x2 - t[step] * x1) * r[0];
      x[g + 1] = x1, x[g + 2] = x2, x[g + 3] = x3;
    } else {
      for (int k = count - 1; k >= 0; --k) {
        x[g + k] *= r[k];
        for (int i = 0; i < k; ++i) x[g + i] -= t[i + k * step] * x[g + k];
      }
    }
    if (g > 0) subtract_some<false>(x, d + g * step, ldd, x + g, g, count);
  }
}
