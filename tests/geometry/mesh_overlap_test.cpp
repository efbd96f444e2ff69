// Overlaps of meshes against closed forms and against intersections of half-spaces.
#include "geometry/mesh_overlap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "convex_overlap.h"
#include "geometry/mesh_shapes.h"
#include "placements.h"

namespace trammel::mesh_overlap_test {
namespace {

constexpr double pi = std::numbers::pi;

TriangleMesh box_mesh(double a, double b, double c) {
  return tessellate({ShapeKind::box, {a, b, c}}, 3);
}

TriangleMesh tetrahedron_mesh(Placements& random) {
  TriangleMesh mesh;
  Mat3d edges;
  do {
    mesh.vertices.clear();
    for (int k = 0; k < 4; ++k) mesh.vertices.push_back(random.vector(1));
    edges = Mat3d::from_columns(mesh.vertices[1] - mesh.vertices[0], mesh.vertices[2] - mesh.vertices[0],
                                mesh.vertices[3] - mesh.vertices[0]);
  } while (std::fabs(determinant(edges)) < 0.2);
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  if (determinant(edges) < 0)
    for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

void expect_near(const Vec3d& a, const Vec3d& b, double tolerance, const char* what, int placement) {
  for (int i = 0; i < 3; ++i) ASSERT_NEAR(a[i], b[i], tolerance) << what << " of placement " << placement;
}

/// One placement of two convex solids against the intersection of their half-spaces. Returns whether they
/// overlap.
bool compare(MeshOverlaps<double>& overlaps, const SolidMesh& I, const Pose<double>& at_I, const SolidMesh& J,
             const Pose<double>& at_J, int placement) {
  std::vector<HalfSpace> planes;
  add_planes(planes, I.mesh, at_I, 0);
  add_planes(planes, J.mesh, at_J, 1);
  const ConvexOverlap expected = convex_overlap(planes);
  const auto found = overlaps.find(I, at_I, J, at_J);
  EXPECT_TRUE(expected.volume > 0 || found.empty()) << placement;
  if (expected.volume < 1e-9) return false;  // where the oracle's own corners are uncertain
  EXPECT_EQ(found.size(), 1u) << placement;
  if (found.size() != 1) return false;
  // Both round at 1e-16; small overlaps magnify that in centroid and direction.
  const double tolerance = 1e-12 + 1e-13 / std::cbrt(expected.volume * expected.volume);
  EXPECT_NEAR(found[0].volume, expected.volume, 1e-12) << placement;
  [&] {
    expect_near(found[0].centroid, expected.centroid, tolerance, "centroid", placement);
    expect_near(found[0].incident.normal, expected.normal, 10 * tolerance, "normal", placement);
    ASSERT_NEAR(found[0].incident.depth, expected.depth, 100 * tolerance) << placement;
  }();
  return true;
}

TEST(MeshOverlap, RandomBoxes) {
  Placements random;
  MeshOverlaps<double> overlaps;
  const SolidMesh I = make_solid(box_mesh(1, 0.7, 0.5)), J = make_solid(box_mesh(0.6, 0.9, 0.8));
  int met = 0;
  for (int k = 0; k < 10000 && !HasFailure(); ++k)
    met += compare(overlaps, I, {random.vector(1), random.turn()}, J, {random.vector(1), random.turn()}, k);
  EXPECT_GT(met, 5000);
}

TEST(MeshOverlap, RandomTetrahedra) {
  Placements random;
  MeshOverlaps<double> overlaps;
  int met = 0;
  for (int k = 0; k < 10000 && !HasFailure(); ++k) {
    const SolidMesh I = make_solid(tetrahedron_mesh(random)), J = make_solid(tetrahedron_mesh(random));
    met +=
        compare(overlaps, I, {random.vector(0.5), random.turn()}, J, {random.vector(0.5), random.turn()}, k);
  }
  EXPECT_GT(met, 2500);
}

/// Boxes along common axes: low and high corners.
struct Bounds {
  Vec3d low, high;
};

/// The normal towards the first box and the depth along it through the middle of the overlap; a face in one
/// plane with one of the same sense of the other box belongs to the overlap's border as the face of box
/// `inner`. Depth 0: no normal.
std::pair<Vec3d, double> normal_and_depth(const Bounds (&box)[2], const Bounds& common, int inner) {
  Vec3d area;
  for (int i = 0; i < 3; ++i) {
    double section = 1;
    for (int j = 0; j < 3; ++j)
      if (j != i) section *= common.high[j] - common.low[j];
    const auto of_first = [&](double first, double second) {
      return first > second || (first == second && inner == 0);
    };
    area[i] = section * (of_first(box[0].low[i], box[1].low[i]) - of_first(-box[0].high[i], -box[1].high[i]));
  }
  if (norm(area) < 1e-12) return {};
  const Vec3d n = (1 / norm(area)) * area;
  double ways[2] = {HUGE_VAL, HUGE_VAL};
  for (int m = 0; m < 2; ++m)
    for (int i = 0; i < 3; ++i) {
      const double along = m == 1 ? n[i] : -n[i], middle = 0.5 * (common.low[i] + common.high[i]);
      if (along != 0)
        ways[m] = std::min(ways[m], ((along > 0 ? box[m].high[i] : box[m].low[i]) - middle) / along);
    }
  return {n, ways[0] + ways[1]};
}

// Boxes on a grid of halves, all turned together: faces, edges and corners coincide but for rounding.
TEST(MeshOverlap, CoincidentFaces) {
  Placements random;
  MeshOverlaps<double> overlaps, exchanged;
  int met = 0, touching = 0;
  for (int k = 0; k < 10000 && !HasFailure(); ++k) {
    Vec3d half[2], middle[2];
    for (int m = 0; m < 2; ++m)
      for (int i = 0; i < 3; ++i) {
        half[m][i] = 0.25 * random.whole(1, 4);
        middle[m][i] = 0.25 * random.whole(-4, 4);
      }
    double volume = 1, gap = -1;
    Vec3d centroid;
    Bounds box[2], common;
    for (int m = 0; m < 2; ++m) box[m] = {middle[m] - half[m], middle[m] + half[m]};
    for (int i = 0; i < 3; ++i) {
      const double low = common.low[i] = std::max(box[0].low[i], box[1].low[i]);
      const double high = common.high[i] = std::min(box[0].high[i], box[1].high[i]);
      volume *= std::max(0.0, high - low);
      gap = std::max(gap, low - high);
      centroid[i] = 0.5 * (low + high);
    }
    const Mat3d turn = k % 5 == 0 ? Mat3d::identity() : random.turn();
    const Vec3d shift = k % 5 == 0 ? Vec3d{} : random.vector(1);
    const SolidMesh I = make_solid(box_mesh(half[0].x, half[0].y, half[0].z)),
                    J = make_solid(box_mesh(half[1].x, half[1].y, half[1].z));
    const Pose<double> at_I{shift + turn * middle[0], turn}, at_J{shift + turn * middle[1], turn};
    const auto found = overlaps.find(I, at_I, J, at_J);
    ASSERT_EQ(found.size(), volume > 0 ? 1u : 0u) << k;
    met += volume > 0;
    touching += gap == 0;
    if (found.empty()) continue;
    // Edges in a face are taken as on one side: the lattice's 1e-11 of the size is the error.
    ASSERT_NEAR(found[0].volume, volume, 1e-10) << k;
    expect_near(found[0].centroid, shift + turn * centroid, 1e-9, "centroid", k);
    EXPECT_NEAR(norm(found[0].incident.normal), 1, 1e-14);
    EXPECT_GT(found[0].incident.depth, 0.2) << k;
    bool explained = false;
    for (int inner = 0; inner < 2; ++inner) {
      const auto [n, depth] = normal_and_depth(box, common, inner);
      // Where the areas cancel the normal is that between the middles.
      explained = explained || depth == 0 ||
                  (norm(found[0].incident.normal - turn * n) < 1e-8 &&
                   std::fabs(found[0].incident.depth - depth) < 1e-8);
    }
    EXPECT_TRUE(explained) << k;
    const auto back = exchanged.find(J, at_J, I, at_I);
    ASSERT_EQ(back.size(), 1u) << k;
    EXPECT_EQ(back[0].incident.depth, found[0].incident.depth) << k;
    expect_near(back[0].incident.point, found[0].incident.point, 0, "point", k);
    expect_near(back[0].incident.normal, -found[0].incident.normal, 0, "normal", k);
  }
  EXPECT_GT(met, 3000);
  EXPECT_GT(touching, 500);
}

// Two tetrahedra with a common face, on both sides of it or on one; and one with itself.
TEST(MeshOverlap, TetrahedraWithACommonFace) {
  Placements random;
  MeshOverlaps<double> overlaps, exchanged;
  int one_side = 0;
  for (int k = 0; k < 10000 && !HasFailure(); ++k) {
    const TriangleMesh first = tetrahedron_mesh(random);
    TriangleMesh second = first;
    const Vec3d& o = first.vertices[0];
    const Vec3d normal = cross(first.vertices[1] - o, first.vertices[2] - o);
    double height = 0;
    while (std::fabs(height) < 0.1) {
      second.vertices[3] = random.vector(1);
      height = dot(second.vertices[3] - o, normal) / norm(normal);
    }
    const bool same = height * dot(first.vertices[3] - o, normal) > 0;
    if (!same)
      for (auto& t : second.triangles) std::swap(t[1], t[2]);
    const Pose<double> at{random.vector(1), random.turn()};
    const SolidMesh I = make_solid(first), J = make_solid(second);
    const auto found = overlaps.find(I, at, J, at);
    ASSERT_EQ(found.size(), same ? 1u : 0u) << k;
    if (!same) continue;
    ++one_side;
    std::vector<HalfSpace> planes;
    add_planes(planes, first, at, 0);
    add_planes(planes, second, at, 0);  // of one owner: the common plane counts once
    const ConvexOverlap expected = convex_overlap(planes, 1e-11);
    EXPECT_NEAR(found[0].volume, expected.volume, 1e-9) << k;  // the lattice's width times the surface
    expect_near(found[0].centroid, expected.centroid, 1e-7, "centroid", k);
    const auto back = exchanged.find(J, at, I, at);
    ASSERT_EQ(back.size(), 1u) << k;
    EXPECT_EQ(back[0].incident.depth, found[0].incident.depth) << k;
    expect_near(back[0].incident.point, found[0].incident.point, 0, "point", k);
    expect_near(back[0].incident.normal, -found[0].incident.normal, 0, "normal", k);
  }
  EXPECT_GT(one_side, 3000);
}

// A box on a box, wider or of the same section, at any small depth.
TEST(MeshOverlap, ThinOverlaps) {
  Placements random;
  MeshOverlaps<double> overlaps;
  const SolidMesh I = make_solid(box_mesh(0.5, 0.5, 0.5));
  for (const double width : {0.5, 2.0})
    for (const double depth : {1e-3, 1e-6, 1e-9})
      for (int k = 0; k < 100; ++k) {
        const SolidMesh J = make_solid(box_mesh(width, width, 0.5));
        const Mat3d turn = random.turn();
        const Vec3d up = turn.column(2);
        const auto found = overlaps.find(I, {(1 - depth) * up, turn}, J, {{}, turn});
        ASSERT_EQ(found.size(), 1u) << width << " " << depth;
        EXPECT_NEAR(found[0].volume, depth, 1e-13);
        EXPECT_NEAR(found[0].incident.depth, depth, 2e-15);  // rounding of the places
        expect_near(found[0].incident.normal, up, 1e-6, "normal", k);
        expect_near(found[0].incident.point, (0.5 - depth / 2) * up, 1e-6, "point", k);
        EXPECT_TRUE(overlaps.find(I, {(1 + depth) * up, turn}, J, {{}, turn}).empty());
      }
}

TEST(MeshOverlap, OneInsideTheOther) {
  MeshOverlaps<double> overlaps;
  const SolidMesh small = make_solid(box_mesh(0.5, 0.5, 0.5)), large = make_solid(box_mesh(2, 2, 2));
  for (const bool exchange : {false, true}) {
    const Pose<double> off{{1, 0, 0}, Mat3d::identity()}, on{{}, Mat3d::identity()};
    const auto found = exchange ? overlaps.find(large, on, small, off) : overlaps.find(small, off, large, on);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].volume, 1, 1e-14);
    EXPECT_NEAR(found[0].incident.normal.x, exchange ? -1 : 1, 1e-14);
    EXPECT_NEAR(found[0].incident.depth, 1.5, 1e-14);  // from x = 0.5 to 2
    EXPECT_NEAR(found[0].incident.point.x, 1.25, 1e-14);
  }
}

// The lens of two balls of radius 1 at distance d: V = π (2 − d)² (d² + 4 d)/(12 d), depth 2 − d.
TEST(MeshOverlap, BallsConverge) {
  const double d = 1.3, volume = pi * (2 - d) * (2 - d) * (d * d + 4 * d) / (12 * d);
  double errors[2], depths[2];
  int k = 0;
  Placements random;
  const Mat3d turns[2] = {random.turn(), random.turn()};
  for (const int sides : {32, 64}) {
    const SolidMesh ball = make_solid(tessellate({ShapeKind::ball, {1}}, sides));
    MeshOverlaps<double> overlaps;
    const auto found = overlaps.find(ball, {{0, 0, d}, turns[0]}, ball, {{}, turns[1]});
    ASSERT_EQ(found.size(), 1u);
    errors[k] = volume - found[0].volume;
    depths[k++] = 2 - d - found[0].incident.depth;
    const double size = 4. / (sides * sides);
    EXPECT_NEAR(found[0].incident.normal.z, 1, size);
    EXPECT_NEAR(norm(found[0].centroid - Vec3d{0, 0, d / 2}), 0, size);
  }
  EXPECT_GT(errors[1], 0);
  EXPECT_NEAR(errors[0] / errors[1], 4, 0.4);
  // The middle of a facet is (2π/n)²/8 below the surface for each of its two directions, of either ball.
  EXPECT_LT(std::fabs(depths[1]), 4 * 5. / (64 * 64));
}

// A fork with two prongs in a bar, a ring in a plate: how many parts they have in common.
TEST(MeshOverlap, SeparateParts) {
  MeshOverlaps<double> overlaps;
  const SolidMesh fork =
      make_solid(extrude({{0, 0}, {5, 0}, {5, 4}, {4, 4}, {4, 1}, {1, 1}, {1, 4}, {0, 4}}, 1));
  const SolidMesh bar = make_solid(box_mesh(10, 0.5, 10));
  auto found = overlaps.find(fork, {{}, Mat3d::identity()}, bar, {{0, 4.25, 0}, Mat3d::identity()});
  ASSERT_EQ(found.size(), 2u);
  for (const auto& part : found) {
    EXPECT_NEAR(part.volume, 0.25, 1e-13);
    EXPECT_NEAR(part.incident.depth, 0.25, 1e-13);
    EXPECT_NEAR(part.incident.normal.y, -1, 1e-13);
    EXPECT_NEAR(part.centroid.y, 3.875, 1e-13);
  }
  EXPECT_NEAR(std::fabs(found[0].centroid.x - found[1].centroid.x), 4, 1e-13);
  // A ring of square section stands on the plate: its foot has a hole inside two triangles of the plate.
  const SolidMesh ring = make_solid(revolve({{2, 0}, {3, 0}, {3, 1}, {2, 1}}, 4));
  const SolidMesh plate = make_solid(box_mesh(10, 10, 1));
  found = overlaps.find(ring, {{0.3, 0.2, 0.9}, Mat3d::identity()}, plate, {{}, Mat3d::identity()});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].volume, 0.1 * 10, 1e-12);
  EXPECT_NEAR(found[0].incident.depth, 0.1, 1e-12);
  // A plug much longer than the plate is thick, in a hole of it that is narrower: a band around the plug.
  const SolidMesh plug = make_solid(tessellate({ShapeKind::frustum, {8, 2.5, 2.5}}, 4));
  found = overlaps.find(plug, {{0, 0, -3.5}, Mat3d::identity()}, ring, {{}, Mat3d::identity()});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].volume, 2 * (2.5 * 2.5 - 2 * 2), 1e-12);
}

// A hole in the border within one triangle, and a cavity.
TEST(MeshOverlap, HolesAndCavities) {
  MeshOverlaps<double> overlaps;
  const Mat3d on = Mat3d::identity();
  const SolidMesh pitted = make_solid(revolve({{0, 0}, {5, 0}, {5, 2}, {0.2, 2}, {0.2, 1}, {0, 1}}, 4));
  auto found = overlaps.find(make_solid(box_mesh(1, 1, 1)), {{0.5, 0, 2.9}, on}, pitted, {{}, on});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].volume, 0.1 * (4 - 0.08), 1e-12);
  EXPECT_NEAR(found[0].incident.normal.z, 1, 1e-12);
  TriangleMesh hollow = box_mesh(1, 1, 1);
  const TriangleMesh cavity = box_mesh(0.5, 0.5, 0.5);
  for (const auto& t : cavity.triangles) hollow.triangles.push_back({t[0] + 8, t[2] + 8, t[1] + 8});
  hollow.vertices.insert(hollow.vertices.end(), cavity.vertices.begin(), cavity.vertices.end());
  const SolidMesh shell = make_solid(hollow), large = make_solid(box_mesh(3, 3, 3));
  found = overlaps.find(shell, {{1, 0, 0}, on}, large, {{}, on});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].volume, 7, 1e-12);
  EXPECT_NEAR(found[0].centroid.x, 1, 1e-12);
  // Within the cavity there is nothing in common; through its wall there is.
  const SolidMesh small = make_solid(box_mesh(0.25, 0.25, 0.25));
  EXPECT_TRUE(overlaps.find(small, {{}, on}, shell, {{}, on}).empty());
  found = overlaps.find(small, {{0.3, 0, 0}, on}, shell, {{}, on});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].incident.depth, 0.05, 1e-12);
  EXPECT_NEAR(found[0].incident.normal.x, -1, 1e-12);
}

/// Boxes that roll on a box from faces over edges and corners, and slide off its edge: in steps of a quarter
/// depth, normal and point change by a quarter at most, but for a third more; of what jumps the change would
/// stay.
TEST(MeshOverlap, ContinuousOverEdges) {
  MeshOverlaps<double> overlaps;
  const SolidMesh ground = make_solid(box_mesh(2, 2, 0.5)), box = make_solid(box_mesh(0.3, 0.2, 0.1));
  /// Its lowest corner 2 mm below the upper face.
  const auto set_down = [&](const Mat3d& turn, double x) {
    double low = HUGE_VAL;
    for (const Vec3d& v : box.mesh.vertices) low = std::min(low, (turn * v).z);
    return Pose<double>{{x, 0.2, 0.498 - low}, turn};
  };
  struct Change {
    double depth = 0, normal = 0, point = 0;
  };
  const auto largest_change = [&](int steps, auto pose_at) {
    Change most;
    Incident<double> last{};
    for (int k = 0; k <= steps; ++k) {
      const auto found = overlaps.find(box, pose_at(double(k) / steps), ground, {{}, Mat3d::identity()});
      EXPECT_EQ(found.size(), 1u) << k;
      if (found.size() != 1) return most;
      const Incident<double> now = found[0].incident;
      if (k > 0) {
        most.depth = std::max(most.depth, std::fabs(now.depth - last.depth));
        most.normal = std::max(most.normal, norm(now.normal - last.normal));
        most.point = std::max(most.point, norm(now.point - last.point));
      }
      last = now;
    }
    return most;
  };
  const auto expect_continuous = [&](auto pose_at) {
    const Change coarse = largest_change(5000, pose_at), fine = largest_change(20000, pose_at);
    EXPECT_LT(fine.depth, coarse.depth / 3);
    EXPECT_LT(fine.normal, coarse.normal / 3 + 1e-12);  // of the upper face it is the same everywhere
    EXPECT_LT(fine.point, coarse.point / 3);
  };
  Placements random;
  for (int axis = 0; axis < 3; ++axis) {
    const Mat3d start = random.turn();
    Vec3d about = random.vector(1);
    about = (1 / norm(about)) * about;
    expect_continuous([&](double part) {
      const double angle = 2 * pi * part;
      const Mat3d s = skew(about);
      return set_down((Mat3d::identity() + std::sin(angle) * s + (1 - std::cos(angle)) * (s * s)) * start,
                      0.1);
    });
  }
  // Until a tenth of a millimetre of a corner is left on it.
  const Mat3d tilted = random.turn();
  double reach = 0, lowest = HUGE_VAL;
  for (const Vec3d& v : box.mesh.vertices)
    if ((tilted * v).z < lowest) lowest = (tilted * v).z, reach = -(tilted * v).x;
  expect_continuous([&](double part) { return set_down(tilted, 1.9 + reach + 0.0999 * part); });
}

TEST(MeshOverlap, DerivativesByDualNumbers) {
  using Six = Dual<double, 6>;
  Placements random;
  MeshOverlaps<double> plain;
  MeshOverlaps<Six> dual;
  const SolidMesh I = make_solid(box_mesh(1, 0.7, 0.5)),
                  J = make_solid(tessellate({ShapeKind::frustum, {1, 1, 0.6}}, 9));
  const auto numbers = [](const MeshOverlap<double>& o) {
    return std::vector<double>{
        o.volume,           o.centroid.x,       o.centroid.y,       o.centroid.z,        o.incident.depth,
        o.incident.point.x, o.incident.point.y, o.incident.point.z, o.incident.normal.x, o.incident.normal.y,
        o.incident.normal.z};
  };
  int compared = 0, off = 0;
  for (int k = 0; k < 300; ++k) {
    const Pose<double> at_I{random.vector(1), random.turn()}, at_J{random.vector(1), random.turn()};
    Six by[6], still[6];
    for (int d = 0; d < 6; ++d) by[d] = Six::variable(0, d);
    const auto exact = dual.find(I, moved(at_I, by), J, moved(at_J, still));
    if (exact.size() != 1 || value_of(exact[0].volume) < 1e-2) continue;
    const MeshOverlap<Six>& o = exact[0];
    const std::vector<Six> of = {
        o.volume,           o.centroid.x,       o.centroid.y,       o.centroid.z,        o.incident.depth,
        o.incident.point.x, o.incident.point.y, o.incident.point.z, o.incident.normal.x, o.incident.normal.y,
        o.incident.normal.z};
    for (int d = 0; d < 6; ++d) {
      constexpr double h = 1e-5;
      double up[6] = {}, down[6] = {};
      up[d] = h;
      down[d] = -h;
      const auto above = plain.find(I, moved(at_I, up), J, at_J);
      ASSERT_EQ(above.size(), 1u);
      const std::vector<double> high = numbers(above[0]);
      const auto below = plain.find(I, moved(at_I, down), J, at_J);
      ASSERT_EQ(below.size(), 1u);
      const std::vector<double> low = numbers(below[0]);
      for (std::size_t i = 0; i < of.size(); ++i) {
        ++compared;
        // Where a corner passes a face, or the normal's line an edge, between the two placements they differ.
        if (std::fabs((high[i] - low[i]) / (2 * h) - of[i].d[d]) > 1e-6 * (1 + std::fabs(of[i].d[d]))) ++off;
      }
    }
  }
  EXPECT_GT(compared, 5000);
  EXPECT_LT(off, compared / 500);
}

}  // namespace
}  // namespace trammel::mesh_overlap_test
