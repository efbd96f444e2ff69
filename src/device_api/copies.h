// Copies from global to shared memory that a group of threads does not wait for one by one.
#pragma once

#include "base/hd.h"
#include "base/unroll.h"

namespace trammel {

/// *to = *from of a group that waits for its copies later (finish_copies()), all of them under way at once.
template <class Group, class T>
TRAMMEL_HD void start_copy(const Group& group, T* to, const T* from) {
  if constexpr (requires { group.start_copy(to, from); })
    group.start_copy(to, from);
  else
    *to = *from;
}
/// The same of n values, by all threads of the group. `passes`: how often the loop's body stands in the code.
template <int passes = 4, class Group, class T>
TRAMMEL_HD void start_copies(const Group& group, T* to, const T* from, int n) {
  TRAMMEL_UNROLLED(passes)
  for (int i = group.rank(); i < n; i += group.size()) start_copy(group, to + i, from + i);
}
/// The copies of a thread are there; others see them after sync().
template <class Group>
TRAMMEL_HD void finish_copies(const Group& group) {
  if constexpr (requires { group.finish_copies(); }) group.finish_copies();
}

}  // namespace trammel
