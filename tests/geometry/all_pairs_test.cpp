// Every pair of shapes in random places: closed forms against distances by other means, meshes against places
// that are made to touch by a known amount, tangents against differences; nothing missed and nothing
// invented.
#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "geometry/mesh_mass.h"
#include "geometry/mesh_overlap.h"
#include "geometry/mesh_shapes.h"
#include "geometry/mesh_touch.h"
#include "math/rotation.h"
#include "placements.h"

namespace trammel::all_pairs_test {
namespace {

using D = Dual<double, 6>;
constexpr int placements = 10000;

const Shape ball{ShapeKind::ball, {0.7}}, point{ShapeKind::ball, {0}},
    ellipsoid{ShapeKind::ellipsoid, {0.5, 1.1, 0.9}}, box{ShapeKind::box, {0.4, 0.7, 1.0}},
    frustum{ShapeKind::frustum, {1.2, 0.9, 0.3}}, cone{ShapeKind::frustum, {1.2, 0.8, 0}},
    cylinder{ShapeKind::frustum, {1.2, 0.5, 0.5}}, torus{ShapeKind::torus, {0.9, 0.3}},
    ground{ShapeKind::half_space}, l_prism{ShapeKind::mesh};

/// Solids with a mesh where they need one.
class Solids {
 public:
  PlacedShape with_mesh(const Shape& shape) {
    TriangleMesh mesh = shape.kind == ShapeKind::mesh
                            ? extrude({{0, 0}, {1, 0}, {1, 0.4}, {0.4, 0.4}, {0.4, 1}, {0, 1}}, 0.5)
                            : tessellate(shape, 12);
    double far = 0;
    for (const Vec3d& v : mesh.vertices) far = std::max(far, norm(v));
    solids_.push_back(std::make_unique<SolidMesh>(make_solid(std::move(mesh))));
    list_.push_back(view(*solids_.back()));
    return {shape, {}, Mat3d::identity(), far, 0.1, static_cast<int>(list_.size()) - 1};
  }
  const SolidMesh& of(const PlacedShape& s) const { return *solids_[s.mesh]; }
  template <class T>
  std::vector<Incident<T>> incidents(const PlacedShape& I, const Pose<T>& at_I, const PlacedShape& J,
                                     const Pose<T>& at_J) const {
    std::vector<Incident<T>> out;
    for (int k = 0; k < overlap_count(I, J); ++k) out.push_back(overlap(I, at_I, J, at_J, k));
    if (out.empty())
      for (const Incident<T>& x : mesh_overlaps(mesh_tables(list_.data()), I, at_I, J, at_J))
        out.push_back(x);
    return out;
  }

 private:
  std::vector<std::unique_ptr<SolidMesh>> solids_;
  std::vector<MeshView> list_;
};

PlacedShape plain(const Shape& shape) {
  return {shape, {}, Mat3d::identity(), reach(shape), inner_radius(shape)};
}

/// The farthest a convex shape reaches along a unit vector, from its own origin.
double support(const Shape& s, const Vec3d& n) {
  const double* a = s.size;
  const double across = std::hypot(n.x, n.y);
  switch (s.kind) {
    case ShapeKind::ball:
      return a[0];
    case ShapeKind::ellipsoid:
      return std::hypot(a[0] * n.x, a[1] * n.y, a[2] * n.z);
    case ShapeKind::box:
      return a[0] * std::fabs(n.x) + a[1] * std::fabs(n.y) + a[2] * std::fabs(n.z);
    case ShapeKind::frustum:
      return std::max(a[1] * across, a[2] * across + a[0] * n.z);
    default:
      return a[0] * across + a[1];  // of the hull of a torus
  }
}

/// The signed distance of p from a convex solid is the greatest of n·p − support(n) over all directions n:
/// that of the normal must be the distance, and no other direction may give more.
void expect_convex_distance(const Shape& s, const Vec3d& p, const Vec3d& n, double distance,
                            Placements& random) {
  EXPECT_NEAR(dot(n, p) - support(s, n), distance, 1e-9);
  for (int k = 0; k < 30; ++k) {
    Vec3d other = k < 15 ? random.vector(1) : n + random.vector(std::pow(10, random.number(-5, -1)));
    if (norm(other) < 1e-3) continue;
    other = (1 / norm(other)) * other;
    EXPECT_LE(dot(other, p) - support(s, other), distance + 1e-9);
  }
}

/// Of p from the tube, by its circle: 64 places of it, and the best of them made better.
double distance_from_tube(const Shape& s, const Vec3d& p) {
  const auto from = [&](double angle) {
    return norm(p - Vec3d{s.size[0] * std::cos(angle), s.size[0] * std::sin(angle), 0});
  };
  double best = 0;
  for (int k = 1; k < 64; ++k)
    if (from(k * M_PI / 32) < from(best)) best = k * M_PI / 32;
  double low = best - M_PI / 32, high = best + M_PI / 32;
  for (int k = 0; k < 90; ++k) {
    const double a = low + 0.382 * (high - low), b = low + 0.618 * (high - low);
    (from(a) < from(b) ? high : low) = from(a) < from(b) ? b : a;
  }
  return from(low) - s.size[1];
}

struct Row {
  const char* name;
  const Shape *I, *J;
};
const Row balls[] = {{"ball_ball", &ball, &ball},
                     {"ball_point", &ball, &point},
                     {"ball_ellipsoid", &ball, &ellipsoid},
                     {"ball_box", &ball, &box},
                     {"ball_frustum", &ball, &frustum},
                     {"ball_cone", &ball, &cone},
                     {"ball_torus", &ball, &torus},
                     {"ball_ground", &ball, &ground},
                     {"point_ellipsoid", &point, &ellipsoid},
                     {"point_box", &point, &box},
                     {"point_frustum", &point, &frustum},
                     {"point_torus", &point, &torus},
                     {"point_ground", &point, &ground}};
const Row on_ground[] = {{"ellipsoid_ground", &ellipsoid, &ground}, {"box_ground", &box, &ground},
                         {"frustum_ground", &frustum, &ground},     {"cone_ground", &cone, &ground},
                         {"cylinder_ground", &cylinder, &ground},   {"torus_ground", &torus, &ground}};

TEST(AllPairs, balls_by_distance) {
  Placements random;
  for (const Row& row : balls) {
    SCOPED_TRACE(row.name);
    const PlacedShape I = plain(*row.I), J = plain(*row.J);
    for (int n = 0; n < placements; ++n) {
      const Pose<double> at_I{random.vector(1.5), random.turn()}, at_J{random.vector(0.2), random.turn()};
      const Incident<double> got = overlap(I, at_I, J, at_J, 0), swapped = overlap(J, at_J, I, at_I, 0);
      const Vec3d p = transpose_times(at_J.A, at_I.r - at_J.r), n_J = transpose_times(at_J.A, got.normal);
      const double distance = row.I->size[0] - got.depth;
      if (row.J->kind == ShapeKind::torus) {
        EXPECT_NEAR(distance, distance_from_tube(*row.J, p), 1e-9);
      } else if (row.J->kind == ShapeKind::half_space) {
        EXPECT_NEAR(distance, p.z, 1e-14);
      } else {
        expect_convex_distance(*row.J, p, n_J, distance, random);
      }
      EXPECT_NEAR(norm(got.normal), 1, 1e-12);
      EXPECT_NEAR(swapped.depth, got.depth, 1e-14);
      EXPECT_LT(norm(swapped.point - got.point), 1e-13);
    }
  }
}

/// Deep by what reaches below the plane; with a gap, that gap.
TEST(AllPairs, on_ground_by_supports) {
  Placements random;
  for (const Row& row : on_ground) {
    SCOPED_TRACE(row.name);
    const PlacedShape I = plain(*row.I), J = plain(*row.J);
    for (int n = 0; n < placements; ++n) {
      Pose<double> at{{}, random.turn()};
      const double low = -support(*row.I, transpose_times(at.A, Vec3d{0, 0, -1}));
      // Thin gaps and thin overlaps, and all between.
      const double deep = (n % 2 ? 1 : -1) * std::pow(10, random.number(-9, 0));
      at.r = {random.number(-1, 1), random.number(-1, 1), -low - deep};
      const Incident<double> got = overlap(I, at, J, Pose<double>{{}, Mat3d::identity()}, 0);
      EXPECT_EQ(got.depth > 0, deep > 0);
      if (deep < 0) {
        EXPECT_NEAR(got.depth, deep, 1e-14);
        continue;
      }
      // Along the line through the centroid it is as deep as at the lowest point, or less, by a part that
      // depends on the shape of the bottom: of a pyramid, the sharpest, a quarter is left.
      EXPECT_LE(got.depth, deep + 1e-12);
      EXPECT_GT(got.depth, 0.2 * deep);
      EXPECT_LT(norm(got.normal - Vec3d{0, 0, 1}), 1e-14);
      EXPECT_NEAR(got.point.z, -got.depth / 2, 1e-12);
    }
  }
}

/// Pairs of meshes, and of meshes with balls and the ground.
const Row meshes[] = {{"box_box", &box, &box},
                      {"box_frustum", &box, &frustum},
                      {"box_ellipsoid", &box, &ellipsoid},
                      {"box_torus", &torus, &box},
                      {"frustum_frustum", &frustum, &frustum},
                      {"frustum_ellipsoid", &frustum, &ellipsoid},
                      {"frustum_torus", &torus, &frustum},
                      {"ellipsoid_ellipsoid", &ellipsoid, &ellipsoid},
                      {"ellipsoid_torus", &torus, &ellipsoid},
                      {"mesh_box", &l_prism, &box},
                      {"mesh_frustum", &l_prism, &frustum},
                      {"mesh_ellipsoid", &l_prism, &ellipsoid},
                      {"torus_cylinder", &torus, &cylinder},
                      {"cone_cylinder", &cone, &cylinder}};

/// The vertex of I that is lowest over a face of J, a convex mesh, is set on an inner point of the face,
/// beyond it or below it by a known amount: nothing may touch, or one place that deep, along the face's
/// normal. A thing with an edge or a face to the face of J has no single lowest vertex with n at random.
TEST(AllPairs, meshes_by_vertex_and_face) {
  Placements random;
  for (const Row& row : meshes) {
    SCOPED_TRACE(row.name);
    Solids solids;
    const PlacedShape I = solids.with_mesh(*row.I), J = solids.with_mesh(*row.J);
    const TriangleMesh &a = solids.of(I).mesh, &b = solids.of(J).mesh;
    int found = 0;
    for (int n = 0; n < placements; ++n) {
      const auto& face = b.triangles[random.whole(0, static_cast<int>(b.triangles.size()) - 1)];
      const Vec3d p = b.vertices[face[0]], q = b.vertices[face[1]], r = b.vertices[face[2]];
      Vec3d up = cross(q - p, r - p);
      up = (1 / norm(up)) * up;
      const double s = random.number(0.3, 0.35), t = random.number(0.3, 0.35);
      const Pose<double> at_J{random.vector(1), random.turn()};
      Pose<double> at_I{{}, random.turn()};
      const Vec3d n_J = at_J.A * up;
      const Vec3d* lowest = &a.vertices[0];
      double next = HUGE_VAL;  // how far the second lowest is above it
      for (const Vec3d& v : a.vertices)
        if (dot(n_J, at_I.A * v) < dot(n_J, at_I.A * *lowest)) lowest = &v;
      for (const Vec3d& v : a.vertices)
        if (&v != lowest) next = std::min(next, dot(n_J, at_I.A * (v - *lowest)));
      const double deep = (n % 2 ? 1 : -1) * std::pow(10, random.number(-9, -3));
      at_I.r = at_J.r + at_J.A * (p + s * (q - p) + t * (r - p)) - deep * n_J - at_I.A * *lowest;
      const auto got = solids.incidents(I, at_I, J, at_J);
      if (deep < 0) {
        EXPECT_TRUE(got.empty()) << deep;
        continue;
      }
      // At a corner of a ring's mesh the part may be hollow on one side: the line along n then leaves it
      // beside the corner, after a thousandth of its depth, and what is thin besides is none.
      const bool hollow = row.I->kind == ShapeKind::torus;
      if (hollow && got.empty() && deep < 1e-7) continue;
      ASSERT_EQ(got.size(), 1u) << deep;
      // The part is a pyramid, if no second vertex is in and it is far smaller than the face.
      if (next < 1.01 * deep || deep > 1e-5) continue;
      ++found;
      EXPECT_LT(norm(got[0].normal - n_J), 1e-5) << deep;  // numbers are rounded at 1e-11 of the size
      EXPECT_LE(got[0].depth, deep * (1 + 1e-6) + 2e-11);
      EXPECT_GT(got[0].depth, (hollow ? 0.001 : 0.05) * deep);
    }
    EXPECT_GT(found, placements / 10);
  }
}

/// Bodies inside one another, and with faces in one plane.
TEST(AllPairs, inside_one_another_and_face_to_face) {
  Solids solids;
  const PlacedShape large = solids.with_mesh({ShapeKind::box, {1, 1, 1}}),
                    small = solids.with_mesh({ShapeKind::box, {0.3, 0.3, 0.3}});
  const Pose<double> here{{}, Mat3d::identity()};
  Placements random;
  for (int n = 0; n < 1000; ++n) {
    const Pose<double> in{random.vector(0.4), random.turn()};
    const auto got = solids.incidents(small, in, large, here);
    ASSERT_EQ(got.size(), 1u);
    EXPECT_GT(got[0].depth, 0.3);
    EXPECT_LT(norm(in.r - got[0].point), 1.3);
  }
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1., 1.})
      for (const double gap : {1e-6, 1e-9, 0., -1e-9, -1e-6}) {
        Pose<double> beside = here;
        beside.r[axis] = side * (1.3 + gap);
        const auto got = solids.incidents(small, beside, large, here);
        EXPECT_EQ(got.size(), gap < 0 ? 1u : 0u) << axis << " " << gap;
        if (!got.empty()) {
          EXPECT_NEAR(got[0].depth, -gap, 1e-10);  // of the lattice, 2⁻³⁹ of the size, some units
          EXPECT_NEAR(got[0].normal[axis], side, 1e-12);
        }
      }
  // The same box twice: all of it is common.
  EXPECT_EQ(solids.incidents(large, here, large, here).size(), 1u);
}

/// Exact derivatives of depth, normal and point against differences, where these are no jumps.
void expect_derivatives(const Solids& solids, const PlacedShape& I, const Pose<double>& at_I,
                        const PlacedShape& J, const Pose<double>& at_J, int& compared) {
  D by[6];
  const D none[6];
  for (int k = 0; k < 6; ++k) by[k] = D::variable(0, k);
  const auto now = solids.incidents(I, at_I, J, at_J);
  const auto exact = solids.incidents(I, moved(at_I, by), J, moved(at_J, none));
  ASSERT_EQ(now.size(), exact.size());
  constexpr double h = 1e-6;
  for (int k = 0; k < 6; ++k) {
    double step[2][6] = {};
    step[0][k] = -h, step[1][k] = h;
    const auto before = solids.incidents(I, moved(at_I, step[0]), J, at_J),
               after = solids.incidents(I, moved(at_I, step[1]), J, at_J);
    if (before.size() != now.size() || after.size() != now.size()) continue;
    for (std::size_t i = 0; i < now.size(); ++i) {
      // Edges and small parts bend: where differences to both sides are not alike, none is compared.
      if (!(now[i].depth > 0.02)) continue;
      const double bend = (std::fabs(after[i].depth - 2 * now[i].depth + before[i].depth) +
                           norm(after[i].point - 2.0 * now[i].point + before[i].point) +
                           norm(after[i].normal - 2.0 * now[i].normal + before[i].normal)) /
                          h;
      if (bend > 1e-4) continue;
      ++compared;
      EXPECT_NEAR(exact[i].depth.d[k], (after[i].depth - before[i].depth) / (2 * h), 1e-6) << k;
      for (int c = 0; c < 3; ++c) {
        EXPECT_NEAR(exact[i].normal[c].d[k], (after[i].normal[c] - before[i].normal[c]) / (2 * h), 2e-6) << k;
        EXPECT_NEAR(exact[i].point[c].d[k], (after[i].point[c] - before[i].point[c]) / (2 * h), 2e-6) << k;
      }
    }
  }
}

TEST(AllPairs, derivatives_are_those_of_differences) {
  Placements random;
  const auto compare = [&](const Row& row, bool as_meshes, int count) {
    SCOPED_TRACE(row.name);
    Solids solids;
    const PlacedShape I = as_meshes ? solids.with_mesh(*row.I) : plain(*row.I),
                      J = as_meshes ? solids.with_mesh(*row.J) : plain(*row.J);
    int compared = 0;
    for (int n = 0; n < count; ++n)
      expect_derivatives(solids, I, {random.vector(0.8), random.turn()}, J,
                         {random.vector(0.2), random.turn()}, compared);
    EXPECT_GT(compared, count / 10);
  };
  for (const Row& row : balls)
    if (row.I->size[0] > 0) compare(row, false, placements);
  for (const Row& row : on_ground) compare(row, false, placements);
  for (const Row& row : meshes) compare(row, true, 100);
}

/// A ball in a hole, against the distance from the solid that fills it; its walls' depths do not depend on
/// each other.
TEST(AllPairs, balls_in_holes) {
  Placements random;
  for (const Shape* shape : {&ball, &ellipsoid, &box, &cylinder, &frustum, &torus}) {
    PlacedShape hole = plain(*shape), small = plain({ShapeKind::ball, {0.25}});
    hole.inside_out = true;
    for (int n = 0; n < placements; ++n) {
      const Pose<double> at{random.vector(1), random.turn()}, at_J{random.vector(0.2), random.turn()};
      const Nearest<double> filled = nearest(*shape, transpose_times(at_J.A, at.r - at_J.r));
      if (filled.distance > 0) continue;  // the middle of the ball is outside
      double deepest = -HUGE_VAL;
      Vec3d normal;
      for (int k = 0; k < overlap_count(small, hole); ++k) {
        const Incident<double> got = overlap(small, at, hole, at_J, k),
                               other = overlap(hole, at_J, small, at, k);
        if (std::isfinite(got.depth)) {
          EXPECT_NEAR(got.depth, other.depth, 1e-14);
          EXPECT_LT(norm(got.normal + other.normal), 1e-14);
        }
        if (got.depth > deepest) deepest = got.depth, normal = got.normal;
      }
      EXPECT_NEAR(deepest, 0.25 + filled.distance, 1e-12);
      EXPECT_LT(norm(normal + at_J.A * filled.normal), 1e-9);
    }
  }
}

/// What a solid has in common with the surroundings of a hole is what it does not have in common with what
/// fills it.
TEST(AllPairs, holes_are_what_the_solid_is_not) {
  Placements random;
  for (const Row& row : meshes) {
    SCOPED_TRACE(row.name);
    Solids solids;
    const PlacedShape I = solids.with_mesh(*row.I), J = solids.with_mesh(*row.J);
    TriangleMesh turned = solids.of(J).mesh;
    turn_inside_out(turned);
    const SolidMesh hole = make_solid(turned);
    EXPECT_TRUE(hole.inside_out);
    const double all = mesh_mass(solids.of(I).mesh).volume;
    for (int n = 0; n < 300; ++n) {
      const Pose<double> at_I{random.vector(0.8), random.turn()}, at_J{random.vector(0.2), random.turn()};
      static MeshOverlaps<double> overlaps;
      double inside = 0, outside = 0;
      for (const auto& x : overlaps.find(solids.of(I), at_I, solids.of(J), at_J)) inside += x.volume;
      for (const auto& x : overlaps.find(solids.of(I), at_I, hole, at_J)) outside += x.volume;
      // Parts thinner than the lattice are left out.
      EXPECT_NEAR(inside + outside, all, 1e-9 * all) << n;
    }
  }
}

}  // namespace
}  // namespace trammel::all_pairs_test
