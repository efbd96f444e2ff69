// Searching for overlaps of meshes reuses its buffers.
#include <gtest/gtest.h>

#include "../linear/allocations.h"
#include "geometry/mesh_ball.h"
#include "geometry/mesh_overlap.h"
#include "geometry/mesh_shapes.h"

namespace trammel::test_mesh_overlaps {
namespace {

// The second time a pair is looked at, at the same poses or with less in common, nothing is allocated.
TEST(MeshOverlap, WarmCallsAllocateNothing) {
  if (!test::allocations_counted()) GTEST_SKIP() << "allocations cannot be counted here";
  const SolidMesh ball = make_solid(tessellate({ShapeKind::ball, {1}}, 32));
  const SolidMesh box = make_solid(tessellate({ShapeKind::box, {2, 2, 1}}, 3));
  MeshOverlaps<double> overlaps, cuts;
  MeshBallOverlaps<double> balls;
  const Mat3d on = Mat3d::identity();
  long before = 0;
  for (const double z : {1.5, 1.5, 1.7, 1.9, 2.5}) {
    const std::size_t found = overlaps.find(ball, {{0.1, 0.2, z}, on}, box, {{}, on}).size();
    EXPECT_EQ(found, z < 2 ? 1u : 0u);
    EXPECT_EQ(cuts.find_cut(ball, {{0.1, 0.2, z - 1}, on}, {{}, on}).size(), found);
    EXPECT_EQ(balls.find(1, {0.1, 0.2, z}, box, {{}, on}).size(), found);
    if (before == 0) before = test::allocation_count();
  }
  EXPECT_EQ(test::allocation_count(), before);
}

}  // namespace
}  // namespace trammel::test_mesh_overlaps
