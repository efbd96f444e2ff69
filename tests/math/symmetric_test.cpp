// Eigenvalues of symmetric 3 × 3 matrices against matrices made with known ones.
#include "math/symmetric.h"

#include <gtest/gtest.h>

#include "../support/random.h"

namespace trammel::symmetric_test {
namespace {

TEST(Symmetric, eigenvalues_of_turned_diagonals) {
  // Distinct, equal pairs, of both signs, far apart in size, zero.
  const Vec3d sets[] = {{1, 2, 3},    {0, 1, 1},      {1, 1, 5}, {-4, 1, 6},
                        {-3, -2, -1}, {1e-9, 1, 1e9}, {7, 7, 7}, {}};
  test::Random random(1);
  for (const Vec3d& d : sets)
    for (int k = 0; k < 50; ++k) {
      const Mat3d r = random.rotation();
      const Vec3d found = eigenvalues(r * Mat3d::diagonal(d.x, d.y, d.z) * transpose(r));
      const double size = std::max(std::abs(d.x), std::abs(d.z));
      // Rounding of the products above and of a few rotations.
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(found[i], d[i], 20 * 2.2e-16 * size) << k;
    }
}

TEST(Symmetric, eigenvalues_of_a_diagonal_are_its_entries) {
  const Vec3d found = eigenvalues(Mat3d::diagonal(3, 1e-20, 2));
  EXPECT_EQ(found.x, 1e-20);
  EXPECT_EQ(found.y, 2);
  EXPECT_EQ(found.z, 3);
}

}  // namespace
}  // namespace trammel::symmetric_test
