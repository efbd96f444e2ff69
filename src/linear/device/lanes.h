// What threads of a device do together beside waiting for each other, and how groups without that do the
// same.
#pragma once

#include <cstdint>
#include <cstring>

#include "base/hd.h"
#include "linear/device/pivots.h"

namespace trammel {

/// Lanes: threads that keep numbers in registers. A device has a thread for each; a group of fewer threads,
/// as the processor's, runs them one after the other, with the same operations. What `count` lanes of a group
/// keep. On a device the group has as many threads, and a state lies in registers as long as its arrays are
/// indexed by constants.
template <class Group, class State, int count>
class Lanes {
 public:
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

// ---- copies

/// *to = *from of a group that waits for its copies later (finish_copies()), all of them under way at once.
template <class Group>
TRAMMEL_HD void start_copy(const Group& group, double* to, const double* from) {
  if constexpr (requires { group.start_copy(to, from); })
    group.start_copy(to, from);
  else
    *to = *from;
}
/// The copies of a thread are there; others see them after sync().
template <class Group>
TRAMMEL_HD void finish_copies(const Group& group) {
  if constexpr (requires { group.finish_copies(); }) group.finish_copies();
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

/// The best of what the threads of a group have; all return the same. Waits for all threads once.
template <class Group>
TRAMMEL_HD PivotCandidate best_of_group(const Group& group, PivotCandidate mine, const PivotSearch& search) {
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

}  // namespace trammel
