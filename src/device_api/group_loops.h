// Loops and reductions of one group of threads: Executor's interface inside a kernel.
#pragma once

#include "base/unroll.h"
#include "device_api/terms.h"

namespace trammel {

/// Result of a reduction, valid at once (cf. Reduced).
template <class Value>
struct GroupResult {
  Value value;
  TRAMMEL_HD const Value& operator*() const { return value; }
  TRAMMEL_HD const Value* operator->() const { return &value; }
};

/// Every thread of the group calls every function with the same arguments; on return the call's work is
/// complete for all threads.
template <class Group>
class GroupLoops {
 public:
  /// Largest number of terms of a reduction: two levels of chunks.
  static constexpr int most_terms = reduction_chunk * reduction_chunk;
  /// Shared memory for reductions, bytes.
  static constexpr std::size_t memory = 2 * reduction_chunk * sizeof(FourTotals);

  /// `scratch`: `memory` bytes of shared memory.
  TRAMMEL_HD GroupLoops(const Group& group, void* scratch) : group_(group), scratch_(scratch) {}
  TRAMMEL_HD const Group& group() const { return group_; }

  template <class Kernel>
  TRAMMEL_HD void operator()(const Kernel& kernel, int n) const {
    if constexpr (requires { Kernel::is_large; })
      loop_of_its_own(kernel, n);
    else
      loop(kernel, n);
  }
  TRAMMEL_HD void copy(double* to, const double* from, int n) const {
    TRAMMEL_ROLLED
    for (int i = group_.rank(); i < n; i += group_.size()) to[i] = from[i];
    group_.sync();
  }

  /// Joins term(i), i < n <= most_terms: sums by chunks in the order of Executor, maxima by a tree where
  /// threads of the group can read values of each other.
  template <class Term>
  TRAMMEL_CALLED GroupResult<typename Term::Value> reduce(const Term& term, int n) const {
    if constexpr (joins_in_registers<Group, typename Term::Value>)
      return {largest_of(term, n)};
    else
      return {in_chunks(term, n)};
  }
  TRAMMEL_HD void collect() const {}

 private:
  /// Each thread joins neighbouring terms, then threads join what neighbours have.
  template <class Term>
  TRAMMEL_HD typename Term::Value largest_of(const Term& term, int n) const {
    const auto mine = largest_of_own<1>(group_, term, 0, n);
    const auto all = largest_of_threads<1>(group_, mine, nullptr);
    group_.sync();
    return group_.of_first(all);
  }
  template <class Term>
  TRAMMEL_HD typename Term::Value in_chunks(const Term& term, int n) const {
    using Value = typename Term::Value;
    Value* terms = static_cast<Value*>(scratch_);
    Value* chunks = terms + reduction_chunk;
    const int count = reduction_chunks(n);
    TRAMMEL_ROLLED
    for (int c = 0; c < count; ++c) {
      const int begin = c * reduction_chunk, left = n - begin < reduction_chunk ? n - begin : reduction_chunk;
      join_chunk<1, 1>(group_, term, begin, left, terms, chunks + c);
      group_.sync();
    }
    const Value result = count == 1 ? chunks[0] : joined_in_order<1>(chunks, count);
    group_.sync();
    return result;
  }
  template <class Kernel>
  TRAMMEL_HD void loop(const Kernel& kernel, int n) const {
    TRAMMEL_ROLLED
    for (int i = group_.rank(); i < n; i += group_.size()) kernel(i);
    group_.sync();
  }
  /// operator() for large kernels, not inlined: time and memory of a device's compiler grow faster than the
  /// size of a function.
  template <class Kernel>
  TRAMMEL_CALLED void loop_of_its_own(const Kernel& kernel, int n) const {
    loop(kernel, n);
  }

  const Group& group_;
  void* scratch_;
};

}  // namespace trammel
