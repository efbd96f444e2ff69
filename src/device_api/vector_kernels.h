// Kernels on plain vectors, and what their sums and maxima are on every machine.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "base/hd.h"

namespace trammel {

/// x_i = value.
struct FillValues {
  static constexpr const char* name = "fill_values";
  double* x;
  double value;
  TRAMMEL_HD void operator()(int i) const { x[i] = value; }
};

/// z_i = x_i + factor y_i.
struct Triad {
  static constexpr const char* name = "triad";
  const double* x;
  const double* y;
  double* z;
  double factor;
  TRAMMEL_HD void operator()(int i) const { z[i] = x[i] + factor * y[i]; }
};

/// y_i = x_i of several arrays, one after the other.
struct CopyArrays {
  static constexpr const char* name = "copy_arrays";
  static constexpr int most = 8;
  struct Array {
    const double* from;
    double* to;
    int first;  ///< its first value among those of all
  };
  Array array[most];
  int arrays;
  TRAMMEL_HD void operator()(int i) const {
    int k = 0;
    while (k + 1 < arrays && i >= array[k + 1].first) ++k;
    array[k].to[i - array[k].first] = array[k].from[i - array[k].first];
  }
};

/// Number of values that are joined in order.
inline constexpr int reduction_chunk = 64;
TRAMMEL_HD constexpr int reduction_chunks(int n) {
  return (n + reduction_chunk - 1) / reduction_chunk;
}

/// A value and its index; −1: none.
struct Place {
  double value;
  int index;
};

/// The larger value, the first of equal ones; NaN counts as larger than every number.
TRAMMEL_HD inline Place larger(const Place& a, const Place& b) {
  if (!(b.value <= a.value)) [[unlikely]]
    if (a.value == a.value) return b;
  return a;
}

/// The same of places that stand in any order: that of the lower index where values are equal.
TRAMMEL_HD inline Place larger_in_any_order(const Place& a, const Place& b) {
  const bool after = b.index > a.index, same = b.value == a.value, number = a.value == a.value;
  const bool other = number ? !(b.value <= a.value) || (same && !after) : b.value != b.value && !after;
  return {other ? b.value : a.value, other ? b.index : a.index};
}

/// The larger of |x_i|, begin <= i < end: magnitudes compare as the integers that their bits are, those of
/// NaN above all others. Several at a time, where there are enough.
inline Place largest_magnitude(const double* x, int begin, int end) {
  constexpr std::int64_t infinity = 0x7ff0000000000000, no_sign = 0x7fffffffffffffff;
  constexpr int few = 16;
  const auto bits = [&](int i) { return std::bit_cast<std::int64_t>(x[i]) & no_sign; };
  std::int64_t most = -1;
  int at = -1;
  if (end - begin <= few) {
    for (int i = begin; i < end; ++i) {
      const std::int64_t now = bits(i) > infinity ? infinity + 1 : bits(i);
      at = now > most ? i : at;
      most = now > most ? now : most;
    }
    return {at < 0 ? -1.0 : std::fabs(x[at]), at};
  }
  for (int i = begin; i < end; ++i) most = bits(i) > most ? bits(i) : most;
  most = most > infinity ? infinity + 1 : most;
  for (int i = begin; i < end; ++i)
    if (bits(i) >= most) return {std::fabs(x[i]), i};
  return {-1, -1};
}

}  // namespace trammel
