// What searches for overlaps stand on where nothing asks for memory: sorting, lists that others own, the
// block that stands for a half-space.
#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "geometry/mesh_overlap.h"
#include "geometry/mesh_shapes.h"
#include "geometry/mesh_touch.h"
#include "geometry/order.h"
#include "geometry/owned_rooms.h"
#include "geometry/planar_overlap.h"
#include "geometry/planar_touch.h"
#include "placements.h"
#include "planar_curves.h"

namespace trammel::search_rooms_test {
namespace {

/// Lists of that length, n: random, of few values, in order, against it, up and down, and one that makes the
/// median of three a bad divider all along (D. R. Musser, Software: Practice and Experience 27 (1997)).
std::vector<std::vector<int>> lists_of(int n, std::mt19937& random) {
  std::vector<std::vector<int>> out(6, std::vector<int>(n));
  for (int k = 0; k < n; ++k) {
    out[0][k] = static_cast<int>(random() % 1000000);
    out[1][k] = static_cast<int>(random() % 3);
    out[2][k] = k;
    out[3][k] = n - k;
    out[4][k] = std::min(k, n - k);
    const int half = n / 2;
    out[5][k] = k >= half ? 2 * (k - half) : k % 2 == 0 ? k + 1 : half + k;
  }
  return out;
}

TEST(Order, sorts_as_the_standard_library) {
  std::mt19937 random(1);
  for (const int n : {0, 1, 2, 3, 15, 16, 17, 18, 40, 100, 1000, 30000})
    for (std::vector<int>& list : lists_of(n, random)) {
      std::vector<int> expected = list;
      std::sort(expected.begin(), expected.end());
      long compared = 0;
      sort(list.data(), n, [&](int a, int b) {
        ++compared;
        return a < b;
      });
      EXPECT_EQ(list, expected) << n;
      EXPECT_LE(compared, n < 17 ? 150 : 6 * n * std::log2(n)) << n;
    }
}

/// Of lists that divide badly the rest goes into a heap.
TEST(Order, sorts_by_a_heap) {
  std::mt19937 random(2);
  for (const int n : {0, 1, 2, 3, 50, 1001})
    for (std::vector<int>& list : lists_of(n, random)) {
      std::vector<int> expected = list;
      std::sort(expected.begin(), expected.end());
      detail::heap_sort(list.data(), n, [](int a, int b) { return a < b; });
      EXPECT_EQ(list, expected) << n;
    }
}

TEST(Order, powers_of_two) {
  for (const double x : {1.0, 0.5, 4.0, 1024.0, 1e-3, 3.0, 1e9, 0.7})
    EXPECT_EQ(power_of_two(x), std::exp2(std::ceil(std::log2(x)))) << x;
}

/// Work whose lists have just the room that they are given, each followed by bytes that must stay.
template <class Work>
class TightRooms {
 public:
  explicit TightRooms(const RoomSizes& sizes) {
    std::size_t number = 0;
    work.renew();
    work.for_rooms([&]<class T>(Room<T>& room) {
      const std::size_t bytes = sizes[number++] * sizeof(T);
      memory_.emplace_back(bytes + guard, static_cast<unsigned char>(0));
      std::memset(memory_.back().data() + bytes, mark, guard);
      room = {reinterpret_cast<T*>(memory_.back().data()), 0, sizes[number - 1]};
    });
  }
  bool intact() const {
    return std::all_of(memory_.begin(), memory_.end(), [](const auto& m) {
      return std::all_of(m.end() - guard, m.end(), [](unsigned char byte) { return byte == mark; });
    });
  }
  Work work;

 private:
  static constexpr std::size_t guard = 1000;
  static constexpr unsigned char mark = 0xa5;
  std::vector<std::vector<unsigned char>> memory_;
};

/// Searches with less room than is needed, in one list after the other: it is told each time, nothing is
/// written beyond, and what is asked for in the end is enough.
template <class Work, class Search>
void expect_tight_rooms_are_told(const Search& search) {
  RoomSizes needed;
  while (true) {
    TightRooms<Work> tight(needed.empty() ? RoomSizes(100, 0) : needed);
    const bool all = search(tight.work);
    EXPECT_TRUE(tight.intact());
    if (all) break;
    const RoomSizes larger_ones = enlarged(tight.work);
    ASSERT_NE(larger_ones, needed) << "a list lacked room, but none asked for more";
    needed = larger_ones;
  }
  int told = 0;
  for (std::size_t list = 0; list < needed.size(); ++list)
    for (const int room : {0, 1, 5}) {
      RoomSizes sizes = needed;
      sizes[list] = std::min(room, sizes[list]);
      TightRooms<Work> tight(sizes);
      told += !search(tight.work);
      EXPECT_TRUE(tight.intact()) << list << " " << room;
    }
  EXPECT_GE(told, 3);
}

TEST(SearchRooms, of_meshes_are_told_when_they_lack) {
  const SolidMesh ring = make_solid(tessellate({ShapeKind::torus, {3, 1}}, 12)),
                  bar = make_solid(tessellate({ShapeKind::box, {5, 0.4, 0.3}}, 4)),
                  corner = make_solid(extrude({{0, 0}, {4, 0}, {4, 1}, {1, 1}, {1, 4}, {0, 4}}, 4));
  const MeshView views[] = {view(ring), view(bar), view(corner)};
  const MeshTables tables = mesh_tables(views);
  const auto solid = [](int mesh) {
    return PlacedShape{{ShapeKind::mesh, {}}, {}, Mat3d::identity(), 5, 0.1, mesh};
  };
  PlacedShape ground, ball;
  ground.shape = {ShapeKind::half_space, {}};
  ball.shape = {ShapeKind::ball, {0.6}};
  Placements random;
  const Mat3d turn = random.turn();
  const Pose<double> here{{0.1, 0.2, 0.3}, turn};
  const auto search_in = [&](const PlacedShape& I, const Pose<double>& at_I, const PlacedShape& J,
                             const Pose<double>& at_J) {
    return [=](MeshTouchWork<double>& work) {
      if (!find_mesh_overlaps(work, tables, I, at_I, J, at_J)) return false;
      const Incidents<double> expected = mesh_overlaps(tables, I, at_I, J, at_J);
      EXPECT_EQ(work.found.size, expected.count);
      EXPECT_GT(expected.count, 0);
      for (int k = 0; k < expected.count; ++k) EXPECT_EQ(work.found[k].depth, expected[k].depth);
      return true;
    };
  };
  using Work = MeshTouchWork<double>;
  const Pose<double> straight{{0, 0, 0}, Mat3d::identity()};
  const Pose<double> beside{{0.1, 0.2, 0.3}, Mat3d::identity()};
  expect_tight_rooms_are_told<Work>(search_in(solid(0), beside, solid(1), straight));
  expect_tight_rooms_are_told<Work>(search_in(solid(0), here, ground, straight));
  expect_tight_rooms_are_told<Work>(search_in(ball, {{1.3, 1.3, 2}, turn}, solid(2), straight));
}

TEST(SearchRooms, of_curves_are_told_when_they_lack) {
  const PlanarCurve star = lobes(40, 0.3, 5), square = polygon({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}});
  const PlanarView views[] = {view(star), view(square)};
  const PlanarTables tables = planar_tables(views);
  PlacedShape I, J, ground;
  I.shape = J.shape = {ShapeKind::planar, {}};
  I.curve = 0, J.curve = 1;
  ground.shape = {ShapeKind::half_space, {}};
  const Pose<double> straight{{0, 0, 0}, Mat3d::identity()}, along{{0.1, 0.2, 0}, Mat3d::identity()};
  const Pose<double> upright{{0, 0.3, 0},
                             Mat3d::from_columns(Vec3d{1, 0, 0}, Vec3d{0, 0, -1}, Vec3d{0, 1, 0})};
  using Work = PlanarTouchWork<double>;
  expect_tight_rooms_are_told<Work>(
      [&](Work& work) { return find_planar_overlaps(work, tables, I, along, J, straight); });
  expect_tight_rooms_are_told<Work>(
      [&](Work& work) { return find_planar_overlaps(work, tables, I, along, ground, upright); });
}

/// The block of a half-space is the unit block by a power of two, which has the bits of a block of that size.
TEST(SearchRooms, blocks_are_exact_multiples) {
  for (const double half : {0.25, 1.0, 64.0, 1048576.0}) {
    const SolidMesh solid = make_solid(tessellate({ShapeKind::box, {half, half, half}}, 3));
    const MeshView made = view(solid), unit = unit_block();
    ASSERT_EQ(made.vertices, unit.vertices);
    ASSERT_EQ(made.tree.count, unit.tree.count);
    const auto same = [&](const Vec3d& a, const Vec3d& b) {
      for (int i = 0; i < 3; ++i) EXPECT_EQ(a[i], half * b[i]) << half;
    };
    for (int v = 0; v < made.vertices; ++v) {
      same(made.vertex[v], unit.vertex[v]);
      for (int i = 0; i < 3; ++i) EXPECT_EQ(made.normal[v][i], unit.normal[v][i]);
    }
    for (int n = 0; n < made.tree.count; ++n) {
      same(made.tree.node[n].box.middle, unit.tree.node[n].box.middle);
      same(made.tree.node[n].box.half, unit.tree.node[n].box.half);
      EXPECT_EQ(made.tree.node[n].item, unit.tree.node[n].item);
      EXPECT_EQ(made.tree.node[n].left, unit.tree.node[n].left);
    }
    same(made.centroid, unit.centroid);
    same(made.middle, unit.middle);
    EXPECT_EQ(made.radius, half * unit.radius);
    const PlanarCurve square = polygon({{half, 0}, {-half, 0}, {-half, -2 * half}, {half, -2 * half}});
    const PlanarView curve = view(square), one = unit_square();
    ASSERT_EQ(curve.pieces, one.pieces);
    for (int k = 0; k < curve.pieces; ++k) {
      EXPECT_EQ(curve.piece[k].a.x, half * one.piece[k].a.x);
      EXPECT_EQ(curve.piece[k].b.y, half * one.piece[k].b.y);
      EXPECT_EQ(curve.piece[k].along.x, one.piece[k].along.x);
      EXPECT_EQ(curve.piece[k].length, half * one.piece[k].length);
    }
    EXPECT_EQ(curve.area, half * half * one.area);
    EXPECT_EQ(curve.centroid.y, half * one.centroid.y);
    EXPECT_EQ(curve.reach, half * one.reach);
  }
}

}  // namespace
}  // namespace trammel::search_rooms_test
