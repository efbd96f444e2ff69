// Lists by counting against a stable sort.
#include "base/buckets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

namespace trammel::test::buckets_test {
namespace {

TEST(Buckets, KeepTheOrderWithinEachList) {
  std::mt19937 random(7);
  for (const int lists : {1, 3, 17}) {
    std::vector<std::pair<int, int>> given;
    for (int k = 0; k < 200; ++k) given.emplace_back(static_cast<int>(random() % lists), k);
    const Buckets<int> found = in_buckets<int>(lists, [&](auto put) {
      for (const auto& [list, item] : given) put(list, item);
    });
    std::stable_sort(given.begin(), given.end(), [](auto a, auto b) { return a.first < b.first; });
    ASSERT_EQ(found.item.size(), given.size());
    ASSERT_EQ(found.start.size(), static_cast<std::size_t>(lists) + 1);
    for (int list = 0; list < lists; ++list)
      for (int k = found.start[list]; k < found.start[list + 1]; ++k) {
        EXPECT_EQ(given[k].first, list);
        EXPECT_EQ(given[k].second, found.item[k]);
      }
  }
}

TEST(Buckets, NothingInNoList) {
  const Buckets<int> none = in_buckets<int>(0, [](auto) {});
  EXPECT_EQ(none.start, std::vector<int>{0});
  EXPECT_TRUE(none.item.empty());
}

}  // namespace
}  // namespace trammel::test::buckets_test
