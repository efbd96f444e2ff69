// Near balls against all pairs.
#include <gtest/gtest.h>

#include <random>

#include "geometry/near_balls.h"

namespace trammel {
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
    if (count == 700) {
      EXPECT_GT(pairs, 5000);
    }
  }
}

}  // namespace
}  // namespace trammel
