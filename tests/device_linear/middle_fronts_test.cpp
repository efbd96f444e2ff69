// Fronts that a block takes: 256 threads, eight warps that find out from each other what a device's do, have
// the bits of one thread and of the loops of dense.h.
#include <algorithm>
#include <barrier>
#include <cmath>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "../support/random.h"
#include "device_api/kernel.h"
#include "linear/device/middle_fronts.h"

namespace trammel::middle_fronts_test {
namespace {

using test::Random;

/// What the threads of a block have in common.
struct Block {
  static constexpr int threads = middle_threads, warp = 32;
  std::barrier<> all{threads};
  std::vector<std::unique_ptr<std::barrier<>>> warps;
  std::vector<unsigned> number = std::vector<unsigned>(threads);
  std::vector<PivotCandidate> candidate = std::vector<PivotCandidate>(threads);
  Block() {
    for (int k = 0; k < threads / warp; ++k) warps.push_back(std::make_unique<std::barrier<>>(warp));
  }
};

/// A thread of a block, with the interface of BlockGroup (cuda/launch.h).
class BlockThread {
 public:
  static constexpr bool thread_per_lane = true;
  BlockThread(int rank, void* shared, Block& block) : rank_(rank), shared_(shared), block_(block) {}
  int rank() const { return rank_; }
  int size() const { return Block::threads; }
  void sync() const { block_.all.arrive_and_wait(); }
  void* shared() const { return shared_; }
  int parts() const { return Block::threads / Block::warp; }
  int part() const { return rank_ / Block::warp; }
  bool is_first_of_part() const { return rank_ % Block::warp == 0; }
  unsigned largest_of_part(unsigned x) const {
    return joined(block_.number, x, [](unsigned a, unsigned b) { return std::max(a, b); });
  }
  PivotCandidate better_of_part(const PivotCandidate& x) const {
    return joined(block_.candidate, x, [](const auto& a, const auto& b) { return better(a, b); });
  }
  unsigned largest_of_parts(const unsigned* x) const {
    const int lane = rank_ % Block::warp;
    return largest_of_part(lane < parts() ? x[lane] : 0);
  }

 private:
  template <class T, class Join>
  T joined(std::vector<T>& room, const T& mine, const Join& join) const {
    std::barrier<>& warp = *block_.warps[part()];
    const int first = part() * Block::warp;
    room[rank_] = mine;
    warp.arrive_and_wait();
    T all = room[first];
    for (int k = 1; k < Block::warp; ++k) all = join(all, room[first + k]);
    warp.arrive_and_wait();
    return all;
  }

  int rank_;
  void* shared_;
  Block& block_;
};

/// A front without children, and what its elimination leaves.
struct MiddleCase {
  int p, r;
  std::vector<double> value;
  MiddleCase(int pivots, int border, Random& random)
      : p(pivots), r(border), value(pivots * pivots + 2 * pivots * border) {
    for (double& x : value) x = random.uniform(-1, 1);
    for (int i = 0; i < p; i += 3) value[i + i * p] = 0;  // a multiplier's row
  }

  struct Result {
    std::vector<double> factor, block, inverse;
    std::vector<int> permutation;
    bool operator==(const Result&) const = default;
  };
  Result eliminated(double tolerance, bool threads) const {
    Result out{std::vector<double>(value.size()), std::vector<double>(r * r), std::vector<double>(p),
               std::vector<int>(p)};
    std::vector<FrontEntry> entry;
    for (int k = 0; k < static_cast<int>(value.size()); ++k) entry.push_back({k, k});
    const DeviceFront front{0, 0, 0, p, r, 0, 0, 0, 0, static_cast<int>(entry.size())};
    const int list = 0;
    FrontArrays a{};
    a.front = &front;
    a.entry = entry.data();
    a.value = value.data();
    a.tolerance = tolerance;
    a.factor = out.factor.data();
    a.block = out.block.data();
    a.inverse = out.inverse.data();
    a.permutation = out.permutation.data();
    const FactorMiddleFronts kernel{a, &list};
    std::vector<double> shared(middle_memory(p, r) / sizeof(double), NAN);
    if (!threads) {
      kernel(0, SerialGroup(shared.data()));
      return out;
    }
    Block block;
    std::vector<std::jthread> all;
    for (int k = 0; k < Block::threads; ++k)
      all.emplace_back([&, k] { kernel(0, BlockThread(k, shared.data(), block)); });
    all.clear();
    return out;
  }
  /// By panels of one column, lines and products (dense.h).
  Result by_loops(double tolerance) const {
    Result out{value, std::vector<double>(r * r), std::vector<double>(p), std::vector<int>(p)};
    std::vector<int> exchange(p), row(PivotSearch::parts);
    std::vector<double> largest(PivotSearch::parts);
    double* d = out.factor.data();
    eliminate_front<1, 4>(
        SerialGroup(nullptr),
        {p, r, d, d + p * p, d + p * p + p * r, out.block.data(), out.inverse.data(), exchange.data()},
        tolerance, {largest.data(), row.data()});
    for (int k = 0; k < p; ++k) out.permutation[k] = k;
    for (int k = 0; k < p; ++k) std::swap(out.permutation[k], out.permutation[exchange[k]]);
    return out;
  }
};

TEST(MiddleFronts, have_the_bits_of_loops_and_of_one_thread) {
  Random random(23);
  for (const auto& [p, r] : {std::pair{1, 70}, {20, 50}, {33, 40}, {64, 64}, {90, 0}, {100, 10}})
    for (const double tolerance : {0.0, 0.01, 1.0}) {
      const MiddleCase front(p, r, random);
      const MiddleCase::Result expected = front.by_loops(tolerance);
      EXPECT_TRUE(front.eliminated(tolerance, false) == expected) << p << " " << r << " " << tolerance;
      EXPECT_TRUE(front.eliminated(tolerance, true) == expected) << p << " " << r << " " << tolerance;
    }
}

}  // namespace
}  // namespace trammel::middle_fronts_test
