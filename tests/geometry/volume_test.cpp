// Volumes and inertias of shapes against those of fine meshes, by extrapolation.
#include "geometry/volume.h"

#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "geometry/mesh_shapes.h"
#include "placements.h"

namespace trammel::volume_test {
namespace {

/// Meshes with their corners on the surface are off by the square of their sides; two give the limit up to
/// the fourth power, three up to the sixth.
MeshMass limit_of_meshes(const Shape& shape) {
  const auto at = [&](int sides) { return mesh_mass(tessellate(shape, sides)); };
  const MeshMass m[3] = {at(40), at(80), at(160)};
  const auto limit = [](auto a, auto b, auto c) {
    const auto ab = (1.0 / 3) * (4.0 * b - a), bc = (1.0 / 3) * (4.0 * c - b);
    return (1.0 / 15) * (16.0 * bc - ab);
  };
  return {limit(m[0].volume, m[1].volume, m[2].volume), limit(m[0].centroid, m[1].centroid, m[2].centroid),
          limit(m[0].inertia, m[1].inertia, m[2].inertia)};
}

TEST(Volume, is_the_limit_of_meshes) {
  for (const Shape& shape :
       {Shape{ShapeKind::ball, {0.7}}, Shape{ShapeKind::ellipsoid, {0.5, 1.5, 0.9}},
        Shape{ShapeKind::box, {0.4, 0.9, 1.3}}, Shape{ShapeKind::frustum, {1.2, 0.5, 0.5}},
        Shape{ShapeKind::frustum, {1.2, 0.9, 0.3}}, Shape{ShapeKind::frustum, {0.6, 0, 0.8}},
        Shape{ShapeKind::torus, {1.1, 0.3}}}) {
    const MeshMass exact = shape_mass(shape), near = limit_of_meshes(shape);
    constexpr double rest = 3e-8;  // some tenths of (2π/40)⁶/64, which is left
    EXPECT_NEAR(near.volume / exact.volume, 1, rest) << static_cast<int>(shape.kind);
    EXPECT_LT(norm(near.centroid - exact.centroid), rest);
    for (int k = 0; k < 9; ++k)
      EXPECT_NEAR(near.inertia.m[k], exact.inertia.m[k], rest * exact.inertia(2, 2)) << k;
  }
  EXPECT_EQ(shape_mass({ShapeKind::ball, {0}}).volume, 0);
  EXPECT_THROW(shape_mass({ShapeKind::half_space}), Failure);
}

/// Two halves of a box, placed anywhere, are the box.
TEST(Volume, of_halves_is_that_of_the_whole) {
  Placements random;
  for (int n = 0; n < 20; ++n) {
    const Vec3d r = random.vector(2);
    const Mat3d A = random.turn();
    const auto half = [&](double side) {
      return placed_mass(shape_mass({ShapeKind::box, {0.4, 0.9, 0.65}}), r + A * Vec3d{0, 0, 0.65 * side}, A);
    };
    const MeshMass sum = sum_of(half(1), half(-1)),
                   whole = placed_mass(shape_mass({ShapeKind::box, {0.4, 0.9, 1.3}}), r, A);
    EXPECT_NEAR(sum.volume, whole.volume, 1e-14);
    EXPECT_LT(norm(sum.centroid - whole.centroid), 1e-14);
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(sum.inertia.m[k], whole.inertia.m[k], 1e-13);
  }
}

}  // namespace
}  // namespace trammel::volume_test
