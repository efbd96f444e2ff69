// Loops over index ranges with the threads of a pool. The bits do not depend on the number of threads: items
// are independent, and sums are taken over chunks whose bounds depend on the range alone.
#pragma once

#include <algorithm>

#include "base/thread_pool.h"

namespace trammel {

class Parallel {
 public:
  /// Without a pool loops run in the calling thread.
  explicit Parallel(ThreadPool* pool = nullptr) : pool_(pool) {}
  int threads() const { return pool_ ? pool_->threads() : 1; }

  /// Calls body(begin, end, lane) for ranges that cover [0, n), at most once per lane in [0, threads()). No
  /// range is shorter than `grain` items, which take some 10 us, unless there is only one; threads that sleep
  /// are woken for many of them.
  template <class Body>
  void operator()(int n, int grain, Body&& body) const {
    if (n < 2 * grain || !pool_) {
      if (n > 0) body(0, n, 0);
      return;
    }
    const int lanes = std::min(threads(), n / grain);
    pool_->run(
        lanes,
        [&](int lane) {
          const Slice slice = slice_of(n, lanes, lane);
          body(slice.begin, slice.end, lane);
        },
        n / grain * grain_ns < worth_waking_ns ? Sleepers::leave : Sleepers::wake);
  }

  /// Joins part(begin, end) over chunks of [0, n), in order; at most 64 chunks of at least `grain` items.
  template <class Part, class Join>
  auto joined(int n, int grain, Part&& part, Join&& join) const {
    constexpr int most_chunks = 64;
    const int chunks = std::clamp(n / grain, 1, most_chunks);
    if (chunks == 1) return part(0, n);
    decltype(part(0, n)) parts[most_chunks];
    (*this)(chunks, 1, [&](int begin, int end, int) {
      for (int c = begin; c < end; ++c) {
        const Slice slice = slice_of(n, chunks, c);
        parts[c] = part(slice.begin, slice.end);
      }
    });
    for (int c = 1; c < chunks; ++c) parts[0] = join(parts[0], parts[c]);
    return parts[0];
  }
  /// Σ part(begin, end), the same way.
  template <class Part>
  double sum(int n, int grain, Part&& part) const {
    return joined(n, grain, part, [](double a, double b) { return a + b; });
  }

 private:
  static constexpr double grain_ns = 10e3;
  ThreadPool* pool_;
};

}  // namespace trammel
