// The smaller and the larger of two numbers, powers of two, and sorting without memory of its own: on the
// processor and on a device.
#pragma once

#include <cmath>

#include "base/hd.h"

namespace trammel {

template <class T>
TRAMMEL_HD constexpr T smaller(T a, T b) {
  return b < a ? b : a;
}
template <class T>
TRAMMEL_HD constexpr T larger(T a, T b) {
  return a < b ? b : a;
}

/// The least power of two that is not less than x > 0.
TRAMMEL_HD inline double power_of_two(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);  // from ½ on
  return std::ldexp(1.0, fraction == 0.5 ? exponent - 1 : exponent);
}

namespace detail {

/// Lists up to this length are sorted by insertion.
inline constexpr int short_list = 16;

template <class T>
TRAMMEL_HD void exchange(T& a, T& b) {
  const T kept = a;
  a = b;
  b = kept;
}

template <class T, class Less>
TRAMMEL_HD void insertion_sort(T* list, int count, const Less& less) {
  for (int k = 1; k < count; ++k) {
    const T moved = list[k];
    int at = k;
    for (; at > 0 && less(moved, list[at - 1]); --at) list[at] = list[at - 1];
    list[at] = moved;
  }
}

template <class T, class Less>
TRAMMEL_HD void heap_sort(T* list, int count, const Less& less) {
  const auto sink = [&](int at, int end) {
    const T moved = list[at];
    for (int child = 2 * at + 1; child < end; child = 2 * at + 1) {
      if (child + 1 < end && less(list[child], list[child + 1])) ++child;
      if (!less(moved, list[child])) break;
      list[at] = list[child];
      at = child;
    }
    list[at] = moved;
  };
  for (int k = count / 2 - 1; k >= 0; --k) sink(k, count);
  for (int end = count - 1; end > 0; --end) {
    exchange(list[0], list[end]);
    sink(0, end);
  }
}

/// Divides a list of three elements or more into two that are not empty, of which the first goes before the
/// second; returns where the second begins.
template <class T, class Less>
TRAMMEL_HD int divide(T* list, int count, const Less& less) {
  T &first = list[0], &middle = list[count / 2], &last = list[count - 1];
  if (less(middle, first)) exchange(middle, first);
  if (less(last, middle)) exchange(last, middle);
  if (less(middle, first)) exchange(middle, first);
  const T pivot = middle;
  for (int low = 1, high = count - 2;; ++low, --high) {
    while (low < count - 1 && less(list[low], pivot)) ++low;
    while (high > 0 && less(pivot, list[high])) --high;
    if (low >= high) return low;
    exchange(list[low], list[high]);
  }
}

}  // namespace detail

/// Sorts by less(a, b). Quicksort, and a heap where that divides badly: n log n at worst. Lists of no more
/// than detail::short_list elements keep the order of equal ones.
template <class T, class Less>
TRAMMEL_HD void sort(T* list, int count, const Less& less) {
  struct Part {
    int first, count, divisions;
  };
  Part open[32];  // the larger part waits: no more than the logarithm of `count` wait
  int divisions = 0, waiting = 0;
  for (int n = count; n > 1; n /= 2) divisions += 2;
  Part part{0, count, divisions};
  while (true) {
    if (part.count > detail::short_list && part.divisions > 0) {
      const int first = detail::divide(list + part.first, part.count, less);
      const Part low{part.first, first, part.divisions - 1},
          high{part.first + first, part.count - first, part.divisions - 1};
      const bool low_waits = low.count > high.count;
      open[waiting++] = low_waits ? low : high;
      part = low_waits ? high : low;
      continue;
    }
    if (part.count > detail::short_list)
      detail::heap_sort(list + part.first, part.count, less);
    else
      detail::insertion_sort(list + part.first, part.count, less);
    if (waiting == 0) return;
    part = open[--waiting];
  }
}

}  // namespace trammel
