#include "linear/host/subtree_shares.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace trammel {

void SubtreeShares::divide(std::span<const double> work, std::shared_ptr<ThreadPool> pool) {
  pool_ = std::move(pool);
  of_thread_.assign(threads(), {});
  std::vector<int> sequence(work.size());
  std::iota(sequence.begin(), sequence.end(), 0);
  std::stable_sort(sequence.begin(), sequence.end(), [&](int a, int b) { return work[a] > work[b]; });
  std::vector<double> sum(threads(), 0);
  for (const int k : sequence) {
    const auto least = std::min_element(sum.begin(), sum.end()) - sum.begin();
    sum[least] += work[k];
    of_thread_[least].push_back(k);
  }
  for (std::vector<int>& list : of_thread_) std::sort(list.begin(), list.end());
  work_ns_ = std::reduce(sum.begin(), sum.end());
  several_ = std::count_if(sum.begin(), sum.end(), [](double w) { return w > 0; }) > 1;
}

}  // namespace trammel
