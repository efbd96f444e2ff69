// Near balls against all pairs.
#include <gtest/gtest.h>

#include <random>

#include "geometry/near_balls.h"

namespace trammel::near_balls_test {
namespace {

TEST(NearBalls, are_those_that_all_pairs_give) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  for (const int count : {0, 1, 2, 50, 700}) {
    std::vector<BoundingBall> balls;
    for (int k = 0; k < count; ++k) {
      // Sizes over four powers of ten, some in the same place, some without end.
      const double size = k % 97 == 5 ? HUGE_VAL : 0.05 * std::pow(10.0, -4 * unit(random));
      const Vec3d place{unit(random), unit(random), unit(random)};
      balls.push_back({k % 10 == 3 && k > 10 ? balls[k / 2].center : place, size});
    }
    const auto wanted = [](int a, int b) { return (a + b) % 5 > 0; };
    const Neighbours found = near_balls(balls, wanted);
    ASSERT_EQ(found.start.size(), balls.size() + 1);
    long pairs = 0;
    for (int a = 0; a < count; ++a) {
      std::vector<int> expected;
      for (int b = 0; b < count; ++b)
        if (b != a && wanted(a, b) &&
            norm(balls[a].center - balls[b].center) <= balls[a].radius + balls[b].radius)
          expected.push_back(b);
      pairs += static_cast<long>(expected.size());
      const auto of = found.of(a);
      EXPECT_EQ(std::vector<int>(of.begin(), of.end()), expected) << a << " of " << count;
    }
    // A pair has one number, by which both of its balls find it.
    std::vector<std::pair<int, int>> numbered(found.size() / 2, {-1, -1});
    for (int a = 0; a < count; ++a)
      for (int k = found.start[a]; k < found.start[a + 1]; ++k) {
        auto& [low, high] = numbered.at(found.pair[k]);
        (a < found.other[k] ? low : high) = a;
      }
    for (const auto& [low, high] : numbered) EXPECT_TRUE(low >= 0 && high > low) << count;
    if (count == 700) {
      EXPECT_GT(pairs, 5000);
    }
  }
}

/// A box of balls side by side, eight times and sixty-four times as many on as much room each: what is looked
/// at for a ball stays the same but for the share of those at the walls.
TEST(NearBalls, are_found_in_time_that_grows_with_their_number) {
  const auto looks_for_each = [](int side) {
    std::vector<BoundingBall> balls;
    for (int k = 0; k < side * side * side; ++k)
      balls.push_back({{1.0 * (k % side), 1.0 * (k / side % side), 1.0 * (k / side / side)}, 0.6});
    balls.push_back({{0, 0, -1}, HUGE_VAL});  // the floor
    long looks = 0;
    near_balls(
        balls, [](int, int) { return true; }, &looks);
    return static_cast<double>(looks) / static_cast<double>(balls.size());
  };
  const double few = looks_for_each(8);
  EXPECT_LT(looks_for_each(16), 1.5 * few);
  EXPECT_LT(looks_for_each(32), 1.5 * few);
  EXPECT_LT(few, 60);  // neighbours and their likes of the tree's leaves; all would be 512
}

}  // namespace
}  // namespace trammel::near_balls_test
