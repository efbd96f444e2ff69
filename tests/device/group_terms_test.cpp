// Reductions by groups of threads as devices have them, of threads of the processor: a warp, which reads
// registers of its threads, and a block. Against loops over the terms in the stated order, bit by bit.
#include <atomic>
#include <barrier>
#include <cmath>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "device_api/joined_terms.h"
#include "device_api/reduction_kernels.h"

namespace trammel::group_terms_test {
namespace {

struct Team {
  explicit Team(int n) : size(n), barrier(n), exchange(n * sizeof(FourTotals)) {}
  int size;
  std::barrier<> barrier;
  std::vector<unsigned char> exchange;  ///< where threads of a warp leave what others read
  alignas(16) unsigned char shared[1 << 16];
};

/// A block, whose copies from global memory are asynchronous: here they wait until finish_copies().
class Block {
 public:
  Block(int rank, Team& team) : rank_(rank), team_(team) {}
  int rank() const { return rank_; }
  int size() const { return team_.size; }
  void sync() const { team_.barrier.arrive_and_wait(); }
  void* shared() const { return team_.shared; }
  void start_copy(double* to, const double* from) const { copies_.emplace_back(to, from); }
  void finish_copies() const {
    for (const auto& [to, from] : copies_) *to = *from;
    copies_.clear();
  }

 protected:
  int rank_;
  Team& team_;

 private:
  mutable std::vector<std::pair<double*, const double*>> copies_;
};

class Warp : public Block {
 public:
  using Block::Block;
  template <class T>
  T down(const T& x, int by) const {
    return of(x, rank_ + by < team_.size ? rank_ + by : rank_);
  }
  template <class T>
  T of_first(const T& x) const {
    return of(x, 0);
  }

 private:
  template <class T>
  T of(const T& x, int rank) const {
    static_assert(sizeof(T) <= sizeof(FourTotals));
    T out;
    std::memcpy(team_.exchange.data() + rank_ * sizeof(T), &x, sizeof x);
    sync();
    std::memcpy(&out, team_.exchange.data() + rank * sizeof(T), sizeof out);
    sync();
    return out;
  }
};

/// Items 0..items-1 of the kernel, one after the other.
template <class Group, class Kernel>
void run(const Kernel& kernel, int items, int threads) {
  Team team(threads);
  std::vector<std::thread> running;
  for (int rank = 0; rank < threads; ++rank)
    running.emplace_back([&, rank] {
      for (int i = 0; i < items; ++i) {
        kernel(i, Group(rank, team));
        team.barrier.arrive_and_wait();
      }
    });
  for (std::thread& t : running) t.join();
}

/// Terms that are not equal in any order of joining, and of whose maxima some are equal, some NaN.
double value(int i) {
  if (i % 41 == 40) return std::numeric_limits<double>::quiet_NaN();
  return i % 7 == 3 ? 2.0 : std::sin(1.0 + i) / (1 + i % 5);
}
double number(int i) {
  return std::sin(1.0 + i) / (1 + i % 7);
}
template <class V>
V term_value(int i);
template <>
Total term_value(int i) {
  return {number(i)};
}
template <>
FourTotals term_value(int i) {
  return {{number(i), 3 * number(i + 1), -number(2 * i), 1e8 * number(i)}};
}
template <>
FourLargest term_value(int i) {
  return {{std::fabs(number(i)), std::fabs(value(i)), 2.0, std::fabs(number(3 * i))}};
}
template <>
Largest term_value(int i) {
  return size_of(value(i + 7), i);
}

/// Counts how often each term is computed.
template <class V>
struct CountedTerm {
  using Value = V;
  static constexpr const char* name = "counted_term";
  std::atomic<int>* times;
  TRAMMEL_HD V operator()(int i) const {
    times[i].fetch_add(1, std::memory_order_relaxed);
    return term_value<V>(i);
  }
};
struct ReadTerms;
template <class V>
struct ReadTerm {
  using Value = V;
  using Family = ReadTerms;
  static constexpr const char* name = "read_term";
  int offset;  ///< such that terms of one type differ
  TRAMMEL_HD V operator()(int i) const { return term_value<V>(i + offset); }
};
struct ReadTerms
    : TermFamily<ReadTerm<Total>, ReadTerm<FourTotals>, ReadTerm<FourLargest>, ReadTerm<Largest>> {
  static constexpr const char* name = "join_read_terms";
};

/// The terms from `begin` on, chunks of them in order, chunks of the results, and so on.
template <class V>
V by_levels(int begin, int n) {
  std::vector<V> x;
  for (int i = 0; i < n; ++i) x.push_back(term_value<V>(begin + i));
  do {
    std::vector<V> next;
    for (std::size_t c = 0; c < x.size(); c += reduction_chunk) {
      V sum = V::none();
      for (std::size_t i = c; i < std::min(x.size(), c + reduction_chunk); ++i) sum = join(sum, x[i]);
      next.push_back(sum);
    }
    x = next;
  } while (x.size() > 1);
  return x[0];
}

/// Bits of a NaN may differ.
void expect_bits(const double* x, const double* y, int n) {
  for (int k = 0; k < n; ++k)
    if (std::isnan(y[k]))
      EXPECT_TRUE(std::isnan(x[k]));
    else
      EXPECT_EQ(std::memcmp(x + k, y + k, sizeof(double)), 0) << x[k] << " " << y[k];
}
void expect_same(const Total& x, const Total& y) {
  expect_bits(&x.x, &y.x, 1);
}
void expect_same(const FourTotals& x, const FourTotals& y) {
  expect_bits(x.x, y.x, 4);
}
void expect_same(const FourLargest& x, const FourLargest& y) {
  expect_bits(x.x, y.x, 4);
}
void expect_same(const Largest& x, const Largest& y) {
  expect_bits(&x.at.value, &y.at.value, 1);
  EXPECT_EQ(x.at.index, y.at.index);
}

template <class V>
class GroupTerms : public testing::Test {};
using AllValues = testing::Types<Total, FourTotals, FourLargest, Largest>;
TYPED_TEST_SUITE(GroupTerms, AllValues);

constexpr int sizes[] = {1, 2, 31, 32, 33, 39, 63, 64, 65, 127, 129, 200};

TYPED_TEST(GroupTerms, chunks_are_those_of_one_thread_and_each_term_is_computed_once) {
  for (const int n : sizes) {
    SCOPED_TRACE(n);
    const int chunks = reduction_chunks(n);
    const auto check = [&]<class Group>(int threads) {
      std::vector<std::atomic<int>> times(n);
      std::vector<TypeParam> out(chunks);
      run<Group>(JoinTerms<CountedTerm<TypeParam>>{{times.data()}, n, out.data()}, chunks, threads);
      for (const auto& t : times) EXPECT_EQ(t, 1);
      for (int c = 0; c < chunks; ++c)
        expect_same(out[c], by_levels<TypeParam>(c * reduction_chunk,
                                                 std::min(n - c * reduction_chunk, reduction_chunk)));
    };
    check.template operator()<Warp>(32);
    check.template operator()<Block>(3);
  }
}

TYPED_TEST(GroupTerms, several_reductions_share_launches) {
  const int n[] = {200, 1, 64, 65, 129};
  JoinFamily<ReadTerms> join{};
  std::vector<std::vector<TypeParam>> out;
  int chunks = 0;
  for (const int size : n) {
    auto& item = join.item[join.items];
    item = {ReadTerms::kind<ReadTerm<TypeParam>>(),
            chunks,
            size,
            out.emplace_back(reduction_chunks(size)).data(),
            {}};
    const ReadTerm<TypeParam> term{join.items++};
    std::memcpy(item.term, &term, sizeof term);
    chunks += reduction_chunks(size);
  }
  run<Warp>(join, chunks, 32);
  for (int k = 0; k < join.items; ++k)
    for (std::size_t c = 0; c < out[k].size(); ++c) {
      const int begin = static_cast<int>(c) * reduction_chunk;
      expect_same(out[k][c], by_levels<TypeParam>(k + begin, std::min(n[k] - begin, reduction_chunk)));
    }
}

// Of sums tiles of 4096, more than one of them, and tiles that are not full.
TYPED_TEST(GroupTerms, results_of_chunks_are_finished_in_the_stated_order) {
  for (const int n : {2, 63, 64, 65, 257, 1025, 4096, 4097, 20'000}) {
    SCOPED_TRACE(n);
    std::vector<TypeParam> x(2 * n);
    for (int i = 0; i < n; ++i) x[i] = term_value<TypeParam>(i);
    for (const int threads : {256, 5}) {
      TypeParam result = TypeParam::none();
      FinishReductions finish{};
      finish.item[0] = {FinishReductions::Values::kind<TypeParam>(), n, x.data(), &result};
      run<Block>(finish, 1, threads);
      expect_same(result, by_levels<TypeParam>(0, n));
    }
  }
}

TEST(GroupsOfVectors, find_the_first_of_the_largest_in_each_part) {
  constexpr int part = LargestOfParts::part, n = 2 * part + 700;
  std::vector<double> x(n);
  for (int i = 0; i < n; ++i) x[i] = number(i);
  const auto check = [&] {
    for (const int threads : {256, 3}) {
      std::vector<Place> found(LargestOfParts::parts(n));
      run<Block>(LargestOfParts{x.data(), n, found.data()}, static_cast<int>(found.size()), threads);
      for (int p = 0; p < static_cast<int>(found.size()); ++p) {
        Place most{-1, -1};
        for (int i = p * part; i < std::min(n, (p + 1) * part); ++i)
          most = larger(most, {std::fabs(x[i]), i});
        expect_same(Largest{found[p]}, Largest{most});
      }
    }
  };
  check();
  for (const int i : {2047, 300, 1, 257, 2048 + 255, 2048 + 512, n - 1, n - 300}) x[i] = i % 2 ? 5 : -5;
  check();
  for (const int i : {1900, 1200, 700, n - 2, n - 258}) x[i] = std::numeric_limits<double>::quiet_NaN();
  check();
}

TEST(GroupsOfVectors, sum_tiles_in_the_stated_order) {
  for (const int n : {1, 64, 65, 4095, 2 * 4096 + 70}) {
    std::vector<double> x(n), sums(reduction_tiles(n));
    for (int i = 0; i < n; ++i) x[i] = number(i);
    for (const int threads : {256, 3}) {
      run<Block>(SumTiles{x.data(), n, sums.data()}, static_cast<int>(sums.size()), threads);
      for (int t = 0; t < static_cast<int>(sums.size()); ++t)
        expect_same(Total{sums[t]}, by_levels<Total>(t * 4096, std::min(n - t * 4096, 4096)));
    }
  }
}

}  // namespace
}  // namespace trammel::group_terms_test
