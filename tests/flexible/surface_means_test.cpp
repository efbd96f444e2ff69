// Integrals over faces of solid elements, and the mean motion of a surface by them.
#include <gtest/gtest.h>

#include <cmath>

#include "flexible/boundary.h"

namespace trammel::surface_means_test {
namespace {

/// One element with corners at these places, nodes 1, 2, ...; nodes between corners a, b as `edges` lists
/// them.
InputMesh one_element(const char* type, const std::vector<Vec3d>& corners,
                      const std::vector<std::array<int, 2>>& edges) {
  InputMesh mesh;
  InputElements group{type, solid_kind(type), {1}, {}};
  std::vector<Vec3d> all = corners;
  for (const auto& [a, b] : edges) all.push_back(0.5 * (corners[a - 1] + corners[b - 1]));
  for (std::size_t k = 0; k < all.size(); ++k) {
    mesh.node[static_cast<int>(k) + 1] = all[k];
    group.node.push_back(static_cast<int>(k) + 1);
  }
  mesh.elements.push_back(group);
  return mesh;
}

std::vector<int> all_nodes(const InputMesh& mesh) {
  std::vector<int> out;
  for (const auto& [id, at] : mesh.node) out.push_back(id);
  return out;
}

/// ∫ f g dA of functions that are those of the nodes between them.
double integral(const InputMesh& mesh, auto f, auto g) {
  const std::vector<int> nodes = all_nodes(mesh);
  double sum = 0;
  for (const SurfaceEntry& e : surface_entries(mesh, nodes)) {
    const Vec3d &a = mesh.node.at(nodes[e.a]), &b = mesh.node.at(nodes[e.b]);
    sum += e.value * (e.a == e.b ? f(a) * g(a) : f(a) * g(b) + f(b) * g(a));
  }
  return sum;
}

const auto one = [](const Vec3d&) { return 1.0; };
const auto x = [](const Vec3d& at) { return at.x; };
const auto y = [](const Vec3d& at) { return at.y; };

/// Over all faces of an element: its surface, and ∫ x y dA.
TEST(SurfaceMeans, integrals_over_faces_of_every_family) {
  const double a = 2, b = 3, c = 5;
  const std::vector<Vec3d> box = {{0, 0, 0}, {a, 0, 0}, {a, b, 0}, {0, b, 0},
                                  {0, 0, c}, {a, 0, c}, {a, b, c}, {0, b, c}};
  const std::vector<std::array<int, 2>> box_edges = {{1, 2}, {2, 3}, {3, 4}, {4, 1}, {5, 6}, {6, 7},
                                                     {7, 8}, {8, 5}, {1, 5}, {2, 6}, {3, 7}, {4, 8}};
  for (const InputMesh& mesh : {one_element("C3D8", box, {}), one_element("C3D20R", box, box_edges)}) {
    EXPECT_NEAR(integral(mesh, one, one), 2 * (a * b + b * c + c * a), 1e-12);
    EXPECT_NEAR(integral(mesh, x, y), a * b * b * c / 2 + b * a * a * c / 2 + a * a * b * b / 2, 1e-11);
  }
  // x + y + z ≤ 1: three right triangles of area 1/2 and one of √3/2; ∫ x y is 1/24 on z = 0, √3/24 on the
  // last
  const std::vector<Vec3d> corner = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const InputMesh& mesh :
       {one_element("C3D4", corner, {}),
        one_element("C3D10", corner, {{1, 2}, {2, 3}, {3, 1}, {1, 4}, {2, 4}, {3, 4}})}) {
    EXPECT_NEAR(integral(mesh, one, one), 1.5 + std::sqrt(3) / 2, 1e-13);
    EXPECT_NEAR(integral(mesh, x, y), (1 + std::sqrt(3)) / 24, 1e-13);
  }
  // a right triangle along z by 2: ∫ x y is 1/24 on each end, 2 √2/6 on the slanted face
  const std::vector<Vec3d> roof = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 2}, {1, 0, 2}, {0, 1, 2}};
  for (const InputMesh& mesh :
       {one_element("C3D6", roof, {}),
        one_element("C3D15", roof,
                    {{1, 2}, {2, 3}, {3, 1}, {4, 5}, {5, 6}, {6, 4}, {1, 4}, {2, 5}, {3, 6}})}) {
    EXPECT_NEAR(integral(mesh, one, one), 1 + 2 * (2 + std::sqrt(2)), 1e-12);
    EXPECT_NEAR(integral(mesh, x, y), 2.0 / 24 + 2 * std::sqrt(2) / 6, 1e-13);
  }
}

/// The face x = 0 of a brick of 20 nodes, b × c: means of u_x = 2 + 3 y + 5 z + y², u_y = −7 z, which its
/// shapes contain.
TEST(SurfaceMeans, mean_motion_is_that_of_the_surface) {
  const double b = 0.4, c = 1.1;
  std::vector<Vec3d> box = {{0, 0, 0}, {0, b, 0}, {0, b, c}, {0, 0, c}};
  for (int k = 0; k < 4; ++k) box.push_back(box[k] + Vec3d{1, 0, 0});
  const InputMesh mesh = one_element(
      "C3D20", box,
      {{1, 2}, {2, 3}, {3, 4}, {4, 1}, {5, 6}, {6, 7}, {7, 8}, {8, 5}, {1, 5}, {2, 6}, {3, 7}, {4, 8}});
  const std::vector<int> face = {1, 2, 3, 4, 9, 10, 11, 12};
  const std::vector<SurfaceEntry> entries = surface_entries(mesh, face);
  ASSERT_FALSE(entries.empty());
  FullModel model;
  std::vector<int> places;
  for (const int id : face) {
    places.push_back(static_cast<int>(model.node_id.size()));
    model.node_id.push_back(id);
    model.position.push_back(mesh.node.at(id));
  }
  const Vec3d middle{0, b / 2, c / 2};
  const MeanMotion mean = mean_motion(model, places, middle, entries);
  double found[6] = {};
  for (std::size_t p = 0; p < face.size(); ++p) {
    const Vec3d r = mesh.node.at(face[p]) - middle;
    const Vec3d u{2 + 3 * r.y + 5 * r.z + r.y * r.y, -7 * r.z, 0};
    for (int i = 0; i < 6; ++i) found[i] += dot(mean.weight[p][i], u);
  }
  // ϑ_x of u_y = −7 z alone: ∫ 7 z² / ∫ (y² + z²)
  const double expected[6] = {2 + b * b / 12, 0, 0, 7 * c * c / (b * b + c * c), 5, -3};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(found[i], expected[i], 1e-12) << i;
}

TEST(SurfaceMeans, nodes_that_cover_no_face_have_no_entries) {
  const InputMesh mesh = one_element("C3D4", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {});
  EXPECT_TRUE(surface_entries(mesh, {1, 2}).empty());
  EXPECT_EQ(surface_entries(mesh, {1, 2, 3}).size(), 6u);
}

}  // namespace
}  // namespace trammel::surface_means_test
