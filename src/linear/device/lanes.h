// What threads of a device do together beside waiting for each other, and how groups without that do the
// same.
#pragma once

#include <cstdint>
#include <cstring>

#include "base/hd.h"
#include "device_api/copies.h"
#include "linear/device/pivots.h"

namespace trammel {

/// Lanes: threads that keep numbers in registers. A device has a thread for each; a group of fewer threads,
/// as the processor's, runs them one after the other, with the same operations. What `count` lanes of a group
/// keep. On a device the group has as many threads, and a state lies in registers as long as its arrays are
/// indexed by constants.
template <class Group, class State, int count>
class Lanes {
 public:
  /// f(lane, state) for all lanes, in one piece of code: on a device none waits for a branch of others.
  template <class F>
  TRAMMEL_HD void all(const Group& group, const F& f) {
    if constexpr (thread_each)
      f(group.rank(), state_[0]);
    else
      each(group, count, f);
  }
  /// f(lane, state) for the lanes below n; lanes see what others have done after the group's sync().
  template <class F>
  TRAMMEL_HD void each(const Group& group, int n, const F& f) {
    if constexpr (thread_each) {
      if (group.rank() < n) f(group.rank(), state_[0]);
    } else {
      State* state = state_;
      for (int lane = group.rank(); lane < n; lane += group.size()) f(lane, *state++);
    }
  }

 private:
  static constexpr bool thread_each = requires { Group::thread_per_lane; };
  State state_[thread_each ? 1 : count];
};

/// What 32 lanes keep that read numbers of each other: the first warp of a device's group, the first thread
/// of other groups.
template <class Group, class State>
class FirstWarp {
 public:
  static constexpr int lanes = 32;
  TRAMMEL_HD bool is_here(const Group& group) const { return group.rank() < (thread_each ? lanes : 1); }
  template <class F>
  TRAMMEL_HD void each(const Group& group, const F& f) {
    if constexpr (thread_each) {
      f(group.rank(), state_[0]);
    } else {
      for (int lane = 0; lane < lanes; ++lane) f(lane, state_[lane]);
    }
  }
  /// The number that f gives for the state of lane k.
  template <class F>
  TRAMMEL_HD double of_lane([[maybe_unused]] const Group& group, int k, const F& f) const {
    if constexpr (thread_each)
      return group.of_lane(f(state_[0]), k);
    else
      return f(state_[k]);
  }

 private:
  static constexpr bool thread_each = requires { Group::thread_per_lane; };
  State state_[thread_each ? 1 : lanes];
};

// ---- numbers that are read before they are needed

/// Up to `most` numbers on their way from memory, all at once.
template <int most>
class ReadAhead {
 public:
  /// x_k = from[k step] for k < n, of which there is one at least; without branches, so that none is waited
  /// for.
  TRAMMEL_HD void read(int n, const double* from, int step) {
    TRAMMEL_UNROLLED(32)
    for (int k = 0; k < most; ++k) {
      x_[k] = *from;
      from += k + 1 < n ? step : 0;
    }
  }
  /// sum <- sum - x_k y[k step] for k < n, ascending; or, `plus`, sum + x_k y[k step].
  template <bool plus = false>
  TRAMMEL_HD double subtract(double sum, int n, const double* y, int step) const {
    TRAMMEL_UNROLLED(32)
    for (int k = 0; k < most; ++k) {
      const double next = std::fma(plus ? x_[k] : -x_[k], *y, sum);
      sum = k < n ? next : sum;
      y += k + 1 < n ? step : 0;
    }
    return sum;
  }

 private:
  double x_[most];
};

/// sum <- sum - x[k x_step] y[k y_step] for k < n, ascending; or, `plus`, the sum of both. `most` of x are
/// read at a time; few of them by less code.
template <int most, bool plus = false>
TRAMMEL_HD double subtract_terms(double sum, int n, const double* x, int x_step, const double* y,
                                 int y_step) {
  if constexpr (most <= 4) {
    TRAMMEL_UNROLLED(most)
    for (int k = 0; k < n; ++k, x += x_step, y += y_step) sum = std::fma(plus ? *x : -*x, *y, sum);
    return sum;
  } else {
    ReadAhead<most> ahead;
    TRAMMEL_ROLLED
    for (; n >= most; n -= most, x += static_cast<std::int64_t>(most) * x_step, y += most * y_step) {
      ahead.read(most, x, x_step);
      sum = ahead.template subtract<plus>(sum, most, y, y_step);
    }
    if (n == 0) return sum;
    ahead.read(n, x, x_step);
    return ahead.template subtract<plus>(sum, n, y, y_step);
  }
}

// ---- the largest entry of a column, of which each lane has one

/// Room for a number from each part of a group: warps of a device, threads of other groups.
inline constexpr int most_parts = PivotSearch::parts;

/// The largest number with that upper half of its bits (upper_half()); not a number where one with it is
/// infinite or not a number.
TRAMMEL_HD inline double largest_with(unsigned upper) {
  const std::uint64_t bits = static_cast<std::uint64_t>(upper) << 32 | 0xffffffffu;
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

/// Leaves the largest of what the threads of each part have in `largest`.
template <class Group>
TRAMMEL_HD void leave_largest(const Group& group, unsigned mine, unsigned* largest) {
  if constexpr (requires { group.largest_of_part(mine); }) {
    const unsigned found = group.largest_of_part(mine);
    if (group.is_first_of_part()) largest[group.part()] = found;
  } else {
    largest[group.rank()] = mine;
  }
}
/// The largest of what leave_largest() has left, after sync().
template <class Group>
TRAMMEL_HD unsigned largest_left(const Group& group, const unsigned* largest) {
  if constexpr (requires { group.largest_of_parts(largest); }) {
    return group.largest_of_parts(largest);
  } else {
    unsigned most = 0;
    for (int k = 0; k < group.size(); ++k) most = largest[k] > most ? largest[k] : most;
    return most;
  }
}
/// The largest of what the threads of a group have, in two parts, between which they sync(): what the first
/// returns is for the second. A warp's threads know it without memory.
template <class Group>
TRAMMEL_HD unsigned start_largest(const Group& group, unsigned mine, unsigned* largest) {
  if constexpr (requires { group.largest_of(mine); })
    return group.largest_of(mine);
  else
    leave_largest(group, mine, largest);
  return 0;
}
template <class Group>
TRAMMEL_HD unsigned finish_largest(const Group& group, unsigned started, const unsigned* largest) {
  if constexpr (requires { group.largest_of(started); })
    return started;
  else
    return largest_left(group, largest);
}

/// The best of what the threads of a group have; all return the same. Waits for all threads once.
template <class Group>
TRAMMEL_HD PivotCandidate best_of_group(const Group& group, PivotCandidate mine, const PivotSearch& search) {
  if constexpr (requires { group.better_of(mine); }) {
    mine = group.better_of(mine);
    group.sync();
    return mine;
  } else {
    int part = group.rank(), parts = group.size();
    bool leaves = true;
    if constexpr (requires { group.better_of_part(mine); }) {
      mine = group.better_of_part(mine);
      part = group.part();
      parts = group.parts();
      leaves = group.is_first_of_part();
    }
    if (leaves) {
      search.largest[part] = mine.size;
      search.row[part] = mine.row;
    }
    group.sync();
    PivotCandidate best{search.largest[0], search.row[0]};
    TRAMMEL_ROLLED
    for (int k = 1; k < parts; ++k) best = better(best, {search.largest[k], search.row[k]});
    return best;
  }
}

}  // namespace trammel
