// Kernels of reductions of plain vectors (device_api/reduce.h).
#pragma once

#include "device_api/terms.h"

namespace trammel {

/// The sum of x_i over tile t.
struct SumTiles {
  static constexpr const char* name = "sum_tiles";
  static constexpr int threads = 256;
  static constexpr std::size_t memory = TileSum<1>::memory;
  const double* x;
  int n;
  double* sum;
  template <class Group>
  TRAMMEL_HD void operator()(int t, const Group& group) const {
    const int begin = t * reduction_tile, left = n - begin;
    TileSum<1>::join(group, x + begin, left < reduction_tile ? left : reduction_tile, sum + t);
  }
};

/// The largest |x_i| over part p, found in any order.
struct LargestOfParts {
  static constexpr const char* name = "largest_of_parts";
  static constexpr int threads = 256;
  static constexpr int part = 2048;  ///< values
  static constexpr int parts(int n) { return (n + part - 1) / part; }
  /// Of what threads have found, not in the order of places.
  struct Found {
    static constexpr bool is_largest = true;
    Place at;
  };
  static constexpr std::size_t memory = threads * sizeof(Found);
  const double* x;
  int n;
  Place* largest;

  template <class Group>
  TRAMMEL_HD void operator()(int p, const Group& group) const {
    const int begin = p * part, end = n - begin < part ? n : begin + part;
    if constexpr (is_alone<Group>) {
      Place most{-1, -1};
      for (int i = begin; i < end; ++i) most = larger(most, {std::fabs(x[i]), i});
      largest[p] = most;
    } else {
      const Found all = largest_of_threads<8>(group, largest_of_own(group, begin, end), group.shared());
      if (group.rank() == 0) largest[p] = all.at;
    }
  }

 private:
  /// Values that lie next to each other are read by different threads, each thread's all at once.
  template <class Group>
  TRAMMEL_HD Found largest_of_own(const Group& group, int begin, int end) const {
    constexpr int at_once = part / threads;
    Place mine{-1, -1};
    TRAMMEL_ROLLED
    for (int first = begin + group.rank(); first < end; first += at_once * group.size()) {
      double next[at_once];
      int at[at_once];
      TRAMMEL_UNROLLED(at_once)
      for (int k = 0; k < at_once; ++k) {
        const int i = first + k * group.size();
        at[k] = i < end ? i : end - 1;
        next[k] = x[at[k]];
      }
      TRAMMEL_UNROLLED(at_once)
      for (int k = 0; k < at_once; ++k) mine = larger(mine, {std::fabs(next[k]), at[k]});
    }
    return {mine};
  }
};
TRAMMEL_HD inline LargestOfParts::Found join(const LargestOfParts::Found& a, const LargestOfParts::Found& b) {
  return {larger_in_any_order(a.at, b.at)};
}

}  // namespace trammel
