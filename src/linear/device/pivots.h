// The choice of pivots within a front by a group of threads.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "base/hd.h"
#include "base/unroll.h"

namespace trammel {

TRAMMEL_HD inline double magnitude(double x) {
  return std::fabs(x);
}
/// The upper half of |x| as an integer: of two numbers that of the larger one is not smaller.
TRAMMEL_HD inline unsigned upper_half(double x) {
  std::uint64_t bits;
  std::memcpy(&bits, &x, sizeof x);
  return static_cast<unsigned>(bits >> 32) & 0x7fffffffu;
}
TRAMMEL_HD inline int smaller(int a, int b) {
  return a < b ? a : b;
}
TRAMMEL_HD inline bool is_finite(double x) {
  return upper_half(x) < 0x7ff00000u;
}
TRAMMEL_HD inline void exchange_values(double& a, double& b) {
  const double kept = a;
  a = b;
  b = kept;
}

/// 1 / pivot, 0 for one that is zero or not finite; without branches.
TRAMMEL_HD inline double reciprocal_of_pivot(double pivot) {
  const bool usable = (pivot != 0) & is_finite(pivot);
  const double reciprocal = 1 / (usable ? pivot : 1);
  return usable ? reciprocal : 0;
}

/// 1 / x to the bit, without branches, of numbers in the middle of the range (has_quick_reciprocal()). What a
/// device's compiler makes of a division branches to others, and what follows waits for that: these are its
/// steps there.
TRAMMEL_HD inline double quick_reciprocal(double x) {
#if defined(__CUDA_ARCH__)
  double start;  // 20 bits, then 60, then rounded
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(start) : "d"(x));
  start = __hiloint2double(__double2hiint(start), __double2hiint(x) + 0x300402);
  const double error = __fma_rn(-x, start, 1.0);
  const double near = __fma_rn(start, __fma_rn(error, error, error), start);
  return __fma_rn(near, __fma_rn(-x, near, 1.0), near);
#else
  return 1 / x;
#endif
}
/// Whether |x| is at least 2^-1022, and smaller than 2^1022.
TRAMMEL_HD inline bool has_quick_reciprocal(double x) {
  return upper_half(x) - 0x00100000u < 0x7fd00000u - 0x00100000u;
}

/// The size of an entry of a column and its row.
struct PivotCandidate {
  double size;
  int row;
};
/// The larger entry, of equal ones that of the lower row; without branches.
TRAMMEL_HD inline PivotCandidate better(const PivotCandidate& a, const PivotCandidate& b) {
  const bool other = (b.size > a.size) | ((b.size == a.size) & (b.row < a.row));
  return {other ? b.size : a.size, other ? b.row : a.row};
}

/// Scratch of choose_pivot(): the largest entry of each part of a column, in a fixed number of parts.
struct PivotSearch {
  static constexpr int parts = 16;
  double* largest;  ///< parts
  int* row;         ///< parts
};

/// The largest entry of rows [k, rows) of a column, 0 in row `rows` where none is larger; NaN is ignored.
/// Entries are `step` doubles apart. All threads return the same. A group that has its own way to compare
/// what its threads found, `better_of`, needs no scratch.
template <class Group>
TRAMMEL_HD PivotCandidate largest_entry(const Group& group, const double* column, int step, int k, int rows,
                                        const PivotSearch& search) {
  constexpr bool by_group = requires(PivotCandidate c) {
    group.better_of(c);
  };
  const auto largest_of = [&](int begin, int stride) {
    PivotCandidate most{0, rows};
    TRAMMEL_ROLLED
    for (int i = begin; i < rows; i += stride) {
      const double size = magnitude(column[i * step]);
      const bool larger = size > most.size;
      most = {larger ? size : most.size, larger ? i : most.row};
    }
    return most;
  };
  if constexpr (by_group) {
    return group.better_of(largest_of(k + group.rank(), group.size()));
  } else {
    constexpr int parts = PivotSearch::parts;
    for (int q = group.rank(); q < parts; q += group.size()) {
      const PivotCandidate most = largest_of(k + q, parts);
      search.largest[q] = most.size;
      search.row[q] = most.row;
    }
    group.sync();
    PivotCandidate found[parts];
    TRAMMEL_UNROLLED(16)
    for (int q = 0; q < parts; ++q) found[q] = {search.largest[q], search.row[q]};
    TRAMMEL_UNROLLED(4)
    for (int half = parts / 2; half > 0; half /= 2) TRAMMEL_UNROLLED(8)
    for (int q = 0; q < half; ++q) found[q] = better(found[q], found[q + half]);
    return found[0];
  }
}

/// Row of the pivot of column k: k itself while |a_kk| is at least `tolerance` times the largest entry on and
/// below it, else the first row with that entry. All threads return the same row.
template <class Group>
TRAMMEL_HD int choose_pivot(const Group& group, const double* column, int step, int k, int rows,
                            double tolerance, const PivotSearch& search) {
  const PivotCandidate largest = largest_entry(group, column, step, k, rows, search);
  return magnitude(column[k * step]) >= tolerance * largest.size || largest.row == rows ? k : largest.row;
}

}  // namespace trammel
