// The pivots block of a small front; included by kernel_set.inl after dense_kernels.inl, once per instruction
// set.

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

/// Sets v from lane `length` on to the lanes of w; where `length` is negative, all.
template <class Vec>
inline __attribute__((always_inline)) void join_lanes(Vec& v, const Vec& w, int length) {
  using Mask = typename LanesOf<Vec>::Mask;
  const int lanes = sizeof(Vec) / sizeof(double);
  Mask mask;
  __builtin_memcpy(&mask, kLaneMask + 8 - (length < 0 ? 0 : length < lanes ? length : lanes), sizeof mask);
  v = (Vec)(((Mask)v & mask) | ((Mask)w & ~mask));
}
/// Sets v to zero from lane `length` on.
template <class Vec>
inline __attribute__((always_inline)) void keep_lanes(Vec& v, int length) {
  join_lanes(v, Vec{}, length);
}

/// Pivots block of a small front in registers or on the stack: D = L diag(1 / inverse) U, a[j][i] = D(i, j),
/// L and U with unit diagonal.
template <int P>
struct Diagonal {
  /// Of ten pivots and more, only a part of which has a place in registers, columns are whole registers.
  static constexpr bool by_columns = P > 9;
  static constexpr int parts = by_columns ? (P + TRAMMEL_WIDE - 1) / TRAMMEL_WIDE : 0,
                       rows = by_columns ? parts * TRAMMEL_WIDE : P;
  double a[P][rows], inverse[rows];

  inline __attribute__((always_inline)) void take(const double* d) {
    TRAMMEL_UNROLL
    for (int j = 0; j < P; ++j) {
      TRAMMEL_UNROLL
      for (int i = 0; i < rows; ++i) a[j][i] = i < padded(P) ? d[i + j * padded(P)] : 0.0;
    }
  }

  /// Eliminates with the diagonal as pivots. False unless that is right in every column: no entry of L above
  /// `limit`, all pivots finite and not zero.
  inline __attribute__((always_inline)) bool eliminate(double limit) {
    if constexpr (by_columns) return eliminate_columns(limit);
    double largest = 0, check = 0;
    TRAMMEL_UNROLL
    for (int k = 0; k < P; ++k) {
      inverse[k] = 1 / a[k][k];
      check += a[k][k] * inverse[k];  // NaN where a pivot is zero or not finite
      TRAMMEL_UNROLL
      for (int i = k + 1; i < P; ++i) {
        a[k][i] *= inverse[k];
        const double size = __builtin_fabs(a[k][i]);
        largest = size > largest ? size : largest;
      }
      TRAMMEL_UNROLL
      for (int j = k + 1; j < P; ++j) {
        TRAMMEL_UNROLL
        for (int i = k + 1; i < P; ++i) a[j][i] -= a[k][i] * a[j][k];
        a[j][k] *= inverse[k];
      }
    }
    return largest <= limit && check - check == 0;
  }

  /// The same operations, a register of rows at a time.
  inline __attribute__((always_inline)) bool eliminate_columns(double limit) {
    Wide column[P][parts], largest = {};
    TRAMMEL_UNROLL
    for (int j = 0; j < P; ++j) {
      TRAMMEL_UNROLL
      for (int i = 0; i < parts; ++i) load(column[j][i], a[j] + i * TRAMMEL_WIDE);
    }
    double check = 0;
    TRAMMEL_UNROLL
    for (int k = 0; k < P; ++k) {
      const int own = k / TRAMMEL_WIDE, lane = k % TRAMMEL_WIDE;
      const double pivot = column[k][own][lane];
      inverse[k] = 1 / pivot;
      check += pivot * inverse[k];  // NaN where a pivot is zero or not finite
      Wide below[parts];
      TRAMMEL_UNROLL
      for (int i = own; i < parts; ++i) {
        const int above = k + 1 - i * TRAMMEL_WIDE;
        below[i] = Wide{};
        join_lanes(below[i], column[k][i] * inverse[k], above);
        join_lanes(column[k][i], below[i], above);
        const Wide size = below[i] < 0.0 ? -below[i] : below[i];
        largest = size > largest ? size : largest;
      }
      TRAMMEL_UNROLL
      for (int j = k + 1; j < P; ++j) {
        const double right = column[j][own][lane];
        TRAMMEL_UNROLL
        for (int i = own; i < parts; ++i) column[j][i] -= below[i] * right;
      }
    }
    TRAMMEL_UNROLL
    for (int j = 0; j < P; ++j) {
      TRAMMEL_UNROLL
      for (int i = 0; i < parts; ++i) {
        Wide scaled;
        load(scaled, inverse + i * TRAMMEL_WIDE);
        scaled *= column[j][i];
        join_lanes(scaled, column[j][i], j - i * TRAMMEL_WIDE);
        store(a[j] + i * TRAMMEL_WIDE, scaled);
      }
    }
    double most = 0;
    TRAMMEL_UNROLL
    for (int i = 0; i < TRAMMEL_WIDE; ++i) most = largest[i] > most ? largest[i] : most;
    return most <= limit && check - check == 0;
  }

  inline __attribute__((always_inline)) void put(double* lower, double* upper, double* inverses) const {
    TRAMMEL_UNROLL
    for (int k = 0; k < P; ++k) {
      inverses[k] = inverse[k];
      TRAMMEL_UNROLL
      for (int i = k + 1; i < P; ++i) *lower++ = a[k][i], *upper++ = a[i][k];
    }
  }
};
template <int P>
constexpr int kTriangle = P*(P - 1) / 2;
/// Place of entry (i, k) of L_D, or (k, i) of U_D, i > k.
template <int P>
constexpr int in_triangle(int i, int k) {
  return k * (2 * P - k - 1) / 2 + i - k - 1;
}
