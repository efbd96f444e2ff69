// Which thread works on which subtrees of an elimination.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/thread_pool.h"

namespace trammel {

class SubtreeShares {
 public:
  /// Gives subtrees, of modelled nanoseconds `work` in a factorization, to the threads of a pool (null: one
  /// thread): the largest first, each to the thread with the least work so far.
  void divide(std::span<const double> work, std::shared_ptr<ThreadPool> pool);

  int threads() const { return pool_ ? pool_->threads() : 1; }
  /// What is done with subtrees, as a part of the work that divide() was told. Of a chain of 1,000 links,
  /// with one thread, half a solution takes 72 us beside a factorization's 460.
  static constexpr double factorization = 1, half_a_solution = 1.0 / 6;

  /// f(subtree, thread) for all, those of one thread in ascending order; f does `part_of_work`.
  template <class F>
  void for_each(double part_of_work, F&& f) const {
    const auto part = [&](int thread) {
      for (int k : of_thread_[thread]) f(k, thread);
    };
    if (several_)
      pool_->run(threads(), part,
                 part_of_work * work_ns_ < worth_waking_ns ? Sleepers::leave : Sleepers::wake);
    else
      for (int thread = 0; thread < static_cast<int>(of_thread_.size()); ++thread) part(thread);
  }

 private:
  std::shared_ptr<ThreadPool> pool_;
  std::vector<std::vector<int>> of_thread_;
  bool several_ = false;  ///< more than one thread has work
  double work_ns_ = 0;    ///< of all subtrees
};

}  // namespace trammel
