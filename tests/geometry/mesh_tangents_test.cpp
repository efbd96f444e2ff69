// Derivatives of what meshes have in common with meshes, balls and half-spaces against differences, in 10,000
// placements of each pair. A placement may differ only where what meets what changes within the step of the
// difference, which is decided here by predicates of the triangles themselves, and such placements are
// counted.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "geometry/mesh_ball.h"
#include "geometry/mesh_overlap.h"
#include "geometry/mesh_shapes.h"
#include "placements.h"

namespace trammel::mesh_tangents_test {
namespace {

using Six = Dual<double, 6>;
constexpr int placements = 2000;
constexpr double h = 1e-5;

/// Depth, point and normal of each overlap, the numbers that a force is made of; volume and centroid of
/// meshes.
template <class T>
struct Found {
  std::vector<T> numbers;
  Vec3d middle;  ///< of the overlap
  /// Left out and counted. Centroids carry rounding over the volume, 1e-16/1e-5 over h; of a depth of some h
  /// nothing is left within the step; the normal of a ball whose middle is at an edge turns by 1/distance,
  /// and h² of that to the fourth power has to be small.
  bool thin = false;
};
template <class T>
Found<T> found_of(const Incident<T>& x) {
  return {{x.depth, x.point.x, x.point.y, x.point.z, x.normal.x, x.normal.y, x.normal.z}, {}, false};
}
using What = std::vector<int>;  ///< what meets what

/// A pair of shapes: overlaps with a pose of the first, and what meets what there.
struct Case {
  const char* name;
  std::function<std::vector<Found<double>>(const Pose<double>&, const Pose<double>&)> plain;
  std::function<std::vector<Found<Six>>(const Pose<Six>&, const Pose<Six>&)> exact;
  std::function<What(const Pose<double>&, const Pose<double>&)> what;
};

using Corners = std::array<Vec3d, 3>;
std::vector<Corners> corners_of(const TriangleMesh& mesh, const Pose<double>& at) {
  std::vector<Corners> out;
  for (const auto& t : mesh.triangles) {
    Corners c;
    for (int i = 0; i < 3; ++i) c[i] = at.r + at.A * mesh.vertices[t[i]];
    out.push_back(c);
  }
  return out;
}
/// Whether the line from a to b (a ray where `endless`) passes the triangle.
bool passes(const Vec3d& a, const Vec3d& b, const Corners& t, bool endless = false) {
  const Vec3d u = t[1] - t[0], v = t[2] - t[0], n = cross(u, v), way = b - a;
  const double slope = dot(n, way);
  if (slope == 0) return false;
  const double s = dot(n, t[0] - a) / slope;
  if (s < 0 || (s > 1 && !endless)) return false;
  const Vec3d x = a + s * way;
  for (int i = 0; i < 3; ++i)
    if (dot(cross(t[(i + 1) % 3] - t[i], x - t[i]), n) < 0) return false;
  return true;
}
void add_edges_through(What& what, const std::vector<Corners>& edges, const std::vector<Corners>& faces) {
  for (std::size_t e = 0; e < edges.size(); ++e)
    for (int i = 0; i < 3; ++i)
      for (std::size_t f = 0; f < faces.size(); ++f)
        what.push_back(passes(edges[e][i], edges[e][(i + 1) % 3], faces[f]));
}
/// The triangles that the line along a normal through the middle of an overlap passes, on both sides.
void add_lines(What& what, const std::vector<Found<double>>& overlaps, const std::vector<Corners>& faces) {
  for (const auto& o : overlaps) {
    const Vec3d n{o.numbers[4], o.numbers[5], o.numbers[6]};
    for (const double side : {-1.0, 1.0})
      for (const Corners& t : faces) what.push_back(passes(o.middle, o.middle + side * n, t, true));
  }
}

template <class T>
std::vector<Found<T>> found_of_meshes(std::span<const MeshOverlap<T>> list) {
  std::vector<Found<T>> out;
  for (const MeshOverlap<T>& o : list) {
    Found<T> f = found_of(o.incident);
    f.numbers.insert(f.numbers.end(), {o.volume, o.centroid.x, o.centroid.y, o.centroid.z});
    f.middle = {value_of(o.centroid.x), value_of(o.centroid.y), value_of(o.centroid.z)};
    f.thin = value_of(o.volume) < 1e-5 || value_of(o.incident.depth) < 10 * h;
    out.push_back(f);
  }
  return out;
}
template <class T>
std::vector<Found<T>> of_meshes(const SolidMesh& I, const Pose<T>& at_I, const SolidMesh& J,
                                const Pose<T>& at_J) {
  static MeshOverlaps<T> overlaps;
  return found_of_meshes<T>(overlaps.find(I, at_I, J, at_J));
}
Case mesh_mesh(const char* name, const SolidMesh& I, const SolidMesh& J) {
  return {name, [&](const Pose<double>& a, const Pose<double>& b) { return of_meshes<double>(I, a, J, b); },
          [&](const Pose<Six>& a, const Pose<Six>& b) { return of_meshes<Six>(I, a, J, b); },
          [&](const Pose<double>& a, const Pose<double>& b) {
            const auto i = corners_of(I.mesh, a), j = corners_of(J.mesh, b);
            What what;
            add_edges_through(what, i, j);
            add_edges_through(what, j, i);
            const auto overlaps = of_meshes<double>(I, a, J, b);
            add_lines(what, overlaps, i);
            add_lines(what, overlaps, j);
            return what;
          }};
}
template <class T>
std::vector<Found<T>> of_cut(const SolidMesh& I, const Pose<T>& at, const Pose<T>& plane) {
  static MeshOverlaps<T> overlaps;
  return found_of_meshes<T>(overlaps.find_cut(I, at, plane));
}
Case mesh_ground(const char* name, const SolidMesh& I) {
  return {name, [&](const Pose<double>& a, const Pose<double>& b) { return of_cut<double>(I, a, b); },
          [&](const Pose<Six>& a, const Pose<Six>& b) { return of_cut<Six>(I, a, b); },
          [&](const Pose<double>& a, const Pose<double>& b) {
            const auto i = corners_of(I.mesh, a);
            What what;
            for (const Corners& t : i)
              for (const Vec3d& x : t) what.push_back(dot(b.A.column(2), x - b.r) < 0);
            add_lines(what, of_cut<double>(I, a, b), i);
            return what;
          }};
}
constexpr double radius = 0.3;
/// The ball is the first: its turning moves nothing.
template <class T>
std::vector<Found<T>> of_ball(const Pose<T>& at, const SolidMesh& J, const Pose<T>& at_J) {
  static MeshBallOverlaps<T> overlaps;
  std::vector<Found<T>> out;
  for (const Incident<T>& x : overlaps.find(radius, at.r, J, at_J)) {
    out.push_back(found_of(x));
    out.back().middle = {value_of(x.point.x), value_of(x.point.y), value_of(x.point.z)};
    out.back().thin = value_of(x.depth) < 10 * h || std::fabs(radius - value_of(x.depth)) < 0.005;
  }
  return out;
}
/// Of a triangle: which corner (1 2 4), edge (two of them) or inside (7) is nearest to p; negative beyond the
/// reach.
int nearest_feature(const Vec3d& p, const Corners& t) {
  double best = HUGE_VAL;
  int which = 0;
  const Vec3d n = cross(t[1] - t[0], t[2] - t[0]), x = p - dot(p - t[0], n) / dot(n, n) * n;
  bool inside = true;
  for (int i = 0; i < 3; ++i) inside &= dot(cross(t[(i + 1) % 3] - t[i], x - t[i]), n) >= 0;
  if (inside) best = norm(p - x), which = 7;
  for (int i = 0; i < 3 && !inside; ++i) {
    const int j = (i + 1) % 3;
    const Vec3d way = t[j] - t[i];
    const double s = std::clamp(dot(p - t[i], way) / dot(way, way), 0.0, 1.0), d = norm(p - t[i] - s * way);
    if (d < best) best = d, which = s == 0 ? 1 << i : s == 1 ? 1 << j : (1 << i) + (1 << j);
  }
  return best < radius ? which : -1;
}
Case ball_mesh(const char* name, const SolidMesh& J) {
  return {name, [&](const Pose<double>& a, const Pose<double>& b) { return of_ball<double>(a, J, b); },
          [&](const Pose<Six>& a, const Pose<Six>& b) { return of_ball<Six>(a, J, b); },
          [&](const Pose<double>& a, const Pose<double>& b) {
            What what;
            for (const Corners& t : corners_of(J.mesh, b)) what.push_back(nearest_feature(a.r, t));
            return what;
          }};
}

/// Of those found elsewhere the one that is nearest to where it was.
const Found<double>* same(const std::vector<Found<double>>& list, const Vec3d& middle) {
  const Found<double>* best = nullptr;
  for (const auto& f : list)
    if (!best || norm(f.middle - middle) < norm(best->middle - middle)) best = &f;
  return best;
}

struct Counts {
  int overlaps = 0, thin = 0, compared = 0, changed = 0;
};
/// Derivatives by number k of six and differences of second or fourth order; 1e-6, as rounding leaves 1e-9 to
/// 1e-7.
bool agrees(const Case& c, const Pose<double>& at_I, const Pose<double>& at_J, const Found<Six>& exact, int k,
            bool of_J, bool fourth) {
  const auto at = [&](double x) {
    double by[6] = {};
    by[k] = x;
    return of_J ? c.plain(at_I, moved(at_J, by)) : c.plain(moved(at_I, by), at_J);
  };
  const auto list_1 = at(h), list_2 = at(-h), list_3 = fourth ? at(2 * h) : list_1,
             list_4 = fourth ? at(-2 * h) : list_2;
  const Found<double>*up = same(list_1, exact.middle), *down = same(list_2, exact.middle),
        *high = same(list_3, exact.middle), *low = same(list_4, exact.middle);
  if (!up || !down || !high || !low) return false;
  for (std::size_t i = 0; i < exact.numbers.size(); ++i) {
    const double one = up->numbers[i] - down->numbers[i], two = high->numbers[i] - low->numbers[i],
                 difference = fourth ? (8 * one - two) / (12 * h) : one / (2 * h), of = exact.numbers[i].d[k];
    if (!(std::fabs(difference - of) <= 1e-6 * (1 + std::fabs(of)))) return false;
  }
  return true;
}
bool what_changes(const Case& c, const Pose<double>& at_I, const Pose<double>& at_J, int k, bool of_J) {
  const auto at = [&](double x) {
    double by[6] = {};
    by[k] = x;
    return of_J ? c.what(at_I, moved(at_J, by)) : c.what(moved(at_I, by), at_J);
  };
  const What now = at(0);
  for (const double x : {-2 * h, -h, h, 2 * h})
    if (at(x) != now) return true;
  return false;
}
void compare(const Case& c, const Pose<double>& at_I, const Pose<double>& at_J, bool of_J, Counts& counts,
             int n) {
  Six by[6], still[6];
  for (int k = 0; k < 6; ++k) by[k] = Six::variable(0, k);
  bool changed = false;
  for (const Found<Six>& exact :
       of_J ? c.exact(moved(at_I, still), moved(at_J, by)) : c.exact(moved(at_I, by), moved(at_J, still))) {
    ++counts.overlaps;
    if (exact.thin) {
      ++counts.thin;
      continue;
    }
    ++counts.compared;
    for (int k = 0; k < 6; ++k) {
      if (agrees(c, at_I, at_J, exact, k, of_J, false) || agrees(c, at_I, at_J, exact, k, of_J, true))
        continue;
      if (what_changes(c, at_I, at_J, k, of_J))
        changed = true;
      else
        ADD_FAILURE() << c.name << " placement " << n << " direction " << k << (of_J ? " of J" : " of I")
                      << " depth " << exact.numbers[0].v << " volume "
                      << (exact.numbers.size() > 7 ? exact.numbers[7].v : 0);
    }
  }
  counts.changed += changed;
}

TEST(MeshTangents, are_those_of_differences) {
  const SolidMesh cube = make_solid(tessellate({ShapeKind::box, {0.4, 0.4, 0.4}}, 4)),
                  sphere = make_solid(tessellate({ShapeKind::ellipsoid, {0.5, 0.5, 0.5}}, 8)),
                  l = make_solid(extrude({{0, 0}, {1, 0}, {1, 0.4}, {0.4, 0.4}, {0.4, 1}, {0, 1}}, 0.5)),
                  ring = make_solid(revolve({{0.5, -0.2}, {0.9, -0.2}, {0.9, 0.2}, {0.5, 0.2}}, 6));
  const Case cases[] = {mesh_mesh("cube cube", cube, cube),
                        mesh_mesh("cube sphere", cube, sphere),
                        mesh_mesh("cube L", cube, l),
                        mesh_mesh("sphere L", sphere, l),
                        mesh_mesh("L L", l, l),
                        mesh_mesh("L ring", l, ring),
                        mesh_mesh("ring ring", ring, ring),
                        mesh_mesh("sphere ring", sphere, ring),
                        mesh_ground("L on ground", l),
                        mesh_ground("ring on ground", ring),
                        mesh_ground("cube on ground", cube),
                        ball_mesh("ball cube", cube),
                        ball_mesh("ball L", l),
                        ball_mesh("ball ring", ring),
                        ball_mesh("ball sphere", sphere)};
  for (const Case& c : cases) {
    Placements random;
    Counts counts;
    for (int n = 0; n < placements && !HasFailure(); ++n) {
      const Pose<double> at_I{random.vector(0.7), random.turn()}, at_J{random.vector(0.2), random.turn()};
      compare(c, at_I, at_J, n % 2, counts, n);
    }
    EXPECT_GT(counts.compared, placements / 3) << c.name;
    EXPECT_LT(counts.thin, counts.overlaps / 20) << c.name;
    EXPECT_LT(counts.changed, placements / 400) << c.name;
  }
}

}  // namespace
}  // namespace trammel::mesh_tangents_test
