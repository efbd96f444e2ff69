#include "geometry/mesh_overlap.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "geometry/mesh_shapes.h"
#include "geometry/mesh_values.h"

namespace trammel {

namespace {

/// An order of placed solids that does not depend on which is called I.
bool comes_first(const SolidMesh& a, const Pose<double>& at_a, const SolidMesh& b, const Pose<double>& at_b) {
  const auto rank = [](const SolidMesh& s, const Pose<double>& p) {
    return std::tuple(s.mesh.triangles.size(), s.radius, s.centroid.x, s.centroid.y, s.centroid.z, p.r.x,
                      p.r.y, p.r.z, p.A.m[0], p.A.m[4]);
  };
  return rank(a, at_a) <= rank(b, at_b);
}

/// Below this part of a component's surface its area vector is rounding: one solid is inside the other.
constexpr double no_direction = 1e-9;
/// Overlaps that are thinner are none, in units of the lattice.
constexpr double thinnest = 8;

}  // namespace

template <class T>
Vec3<T> MeshOverlaps<T>::vertex(int m, int v) const {
  return poses_[m].r + poses_[m].A * constant<T>(solids_[m]->mesh.vertices[v]);
}

template <class T>
Vec3<T> MeshOverlaps<T>::place(const OverlapNode& node) const {
  if (node.vertex >= 0) return vertex(node.mesh, node.vertex);
  const MeshEdge& edge = solids_[node.mesh]->edges[node.edge];
  const auto& face = solids_[1 - node.mesh]->mesh.triangles[node.face];
  const Vec3<T> p = vertex(node.mesh, edge.low), q = vertex(node.mesh, edge.high);
  const Vec3<T> o = vertex(1 - node.mesh, face[0]);
  const Vec3<T> n = cross(vertex(1 - node.mesh, face[1]) - o, vertex(1 - node.mesh, face[2]) - o);
  const T from = dot(n, p - o), to = dot(n, q - o);
  const double width = crossings_.unit() * norm(values(n));
  T along = T(node.along);  // an edge within the face: where the lattice has it
  if (std::fabs(value_of(from) - value_of(to)) > width) along = from / (from - to);
  if (!(value_of(along) > 0)) along = T(0.0);
  if (!(value_of(along) < 1)) along = T(1.0);
  return p + along * (q - p);
}

template <class T>
void MeshOverlaps<T>::add_up() {
  places_.clear();
  for (const OverlapNode& node : crossings_.nodes()) places_.push_back(place(node));
  sums_.clear();
  const auto& sides = crossings_.sides();
  Vec3<T> piece;  // the area vector of the part of one triangle
  for (std::size_t k = 0, first = 0; k < sides.size(); ++k) {
    const OverlapSide& s = sides[k];
    const Vec3<T>&u = places_[s.from], &v = places_[s.to];
    if (s.component == static_cast<int>(sums_.size()))
      sums_.push_back({values(u), T(0.0), {}, {}, T(0.0), values(u), values(u)});
    Sums& sums = sums_.back();
    const auto same_piece = [&](const OverlapSide& other) {
      return std::tie(other.component, other.mesh, other.triangle) ==
             std::tie(s.component, s.mesh, s.triangle);
    };
    if (!same_piece(sides[first])) first = k;
    if (first == k) piece = {};
    const Vec3<T>& o = places_[sides[first].from];
    const Vec3<T> area = T(0.5) * cross(u - o, v - o);
    const Vec3<T> c = constant<T>(sums.origin);
    const T volume = T(1.0 / 3) * dot(area, o - c);
    sums.volume += volume;
    sums.moment += (T(0.25) * volume) * ((o - c) + (u - c) + (v - c));
    sums.area[s.mesh] += area;
    piece += area;
    const bool last = k + 1 == sides.size() || !same_piece(sides[k + 1]);
    if (last && norm(values(piece)) > 0) sums.surface += norm(piece);
    for (int i = 0; i < 3; ++i) {
      sums.low[i] = std::min(sums.low[i], value_of(u[i]));
      sums.high[i] = std::max(sums.high[i], value_of(u[i]));
    }
  }
}

/// A component of negative volume bounds a cavity of the one around it.
template <class T>
void MeshOverlaps<T>::join_cavities() {
  for (Sums& cavity : sums_) {
    if (!(value_of(cavity.volume) < 0)) continue;
    for (Sums& around : sums_) {
      bool holds = value_of(around.volume) > 0;
      for (int i = 0; i < 3; ++i)
        holds = holds && around.low[i] <= cavity.low[i] && around.high[i] >= cavity.high[i];
      if (!holds) continue;
      around.volume += cavity.volume;
      around.moment += cavity.moment + cavity.volume * constant<T>(cavity.origin - around.origin);
      for (int m = 0; m < 2; ++m) around.area[m] += cavity.area[m];
      break;
    }
  }
}

/// Towards the first mesh.
template <class T>
Vec3<T> MeshOverlaps<T>::normal(const Sums& sums) const {
  if (along_axis_) return poses_[1].A.column(2);
  const Vec3<T> area = sums.area[1] - sums.area[0];
  if (norm(values(area)) > no_direction * value_of(sums.surface)) return (1.0 / norm(area)) * area;
  Vec3<T> between = poses_[0].r + poses_[0].A * constant<T>(solids_[0]->centroid) - poses_[1].r -
                    poses_[1].A * constant<T>(solids_[1]->centroid);
  if (norm(values(between)) <= no_direction * norm(sums.high - sums.low)) between = poses_[0].A.column(2);
  return (1.0 / norm(between)) * between;
}

/// How far along the direction the line leaves the mesh, at the face nearest before `from`'s point.
template <class T>
auto MeshOverlaps<T>::exit(int m, const Vec3<T>& from, const Vec3<T>& direction) -> Exit {
  const Pose<double> pose = values(poses_[m]);
  const TriangleMesh& mesh = solids_[m]->mesh;
  const Vec3d start = transpose_times(pose.A, values(from) - pose.r),
              along = transpose_times(pose.A, values(direction));
  const double margin = thinnest * crossings_.unit();
  int best = -1;
  double nearest = 0;
  visit_along_line(solids_[m]->tree, start, along, margin, stack_, [&](int t) {
    const Vec3d *p[3], o = mesh.vertices[mesh.triangles[t][0]];
    for (int i = 0; i < 3; ++i) p[i] = &mesh.vertices[mesh.triangles[t][i]];
    const Vec3d n = cross(*p[1] - o, *p[2] - o);
    const double size = norm(n), slope = dot(n, along);
    if (!(slope > 1e-9 * size)) return;
    const double s = dot(n, o - start) / slope;
    const Vec3d hit = start + s * along;
    for (int i = 0; i < 3; ++i) {
      const Vec3d side = *p[(i + 1) % 3] - *p[i];
      if (dot(cross(side, hit - *p[i]), n) < -margin * norm(side) * size) return;
    }
    // Ahead goes before behind, then the nearer.
    const bool ahead = s >= -margin, best_ahead = nearest >= -margin;
    const bool better = best < 0 || (ahead != best_ahead ? ahead : std::fabs(s) < std::fabs(nearest));
    if (better) std::tie(best, nearest) = std::pair(t, s);
  });
  if (best < 0) return {false, T(0.0)};
  const auto& t = mesh.triangles[best];
  const Vec3<T> o = vertex(m, t[0]), n = cross(vertex(m, t[1]) - o, vertex(m, t[2]) - o);
  return {true, dot(n, o - from) / dot(n, direction)};
}

/// How far a part reaches along a direction.
template <class T>
T MeshOverlaps<T>::extent(int component, const Vec3<T>& direction) const {
  T low(HUGE_VAL), high(-HUGE_VAL);
  for (const OverlapSide& s : crossings_.sides()) {
    if (s.component != component) continue;
    const T along = dot(direction, places_[s.from]);
    if (value_of(along) < value_of(low)) low = along;
    if (value_of(along) > value_of(high)) high = along;
  }
  return high - low;
}

template <class T>
void MeshOverlaps<T>::measure(int component) {
  const Sums& sums = sums_[component];
  if (!(value_of(sums.volume) > 0)) return;
  const Vec3<T> centroid = constant<T>(sums.origin) + (1.0 / sums.volume) * sums.moment;
  const Vec3<T> n = normal(sums);
  const Exit above = exit(1, centroid, n), below = exit(0, centroid, -n);
  T depth = above.distance + below.distance;
  Vec3<T> point = centroid + (T(0.5) * (above.distance - below.distance)) * n;
  if (!above.found || !below.found || !(value_of(depth) > 0)) {
    // A ring around the line, or surfaces that pass each other there: the mean thickness, as far as the part
    // reaches, for one that widens below its neck has more volume than that.
    const Vec3<T> area = sums.area[1] - sums.area[0];
    const bool one_way = norm(values(area)) > no_direction * value_of(sums.surface);
    depth = sums.volume / (T(0.5) * (one_way ? norm(area) : sums.surface));
    if (const T most = extent(component, n); value_of(most) < value_of(depth)) depth = most;
    point = centroid;
  }
  if (value_of(depth) < thinnest * crossings_.unit()) return;
  const Vec3<T> reference = constant<T>(crossings_.reference());
  overlaps_.push_back({{depth, n, point + reference}, sums.volume, centroid + reference});
}

template <class T>
void MeshOverlaps<T>::search(const Pose<T>& first, const Pose<T>& second) {
  overlaps_.clear();
  crossings_.find(solids_, {values(first), values(second)});
  if (crossings_.components() == 0) return;
  const Vec3<T> reference = constant<T>(crossings_.reference());
  poses_[0] = {first.r - reference, first.A};
  poses_[1] = {second.r - reference, second.A};
  add_up();
  join_cavities();
  for (int k = 0; k < static_cast<int>(sums_.size()); ++k) measure(k);
}

template <class T>
std::span<const MeshOverlap<T>> MeshOverlaps<T>::find(const SolidMesh& I, const Pose<T>& at_I,
                                                      const SolidMesh& J, const Pose<T>& at_J) {
  along_axis_ = false;
  const bool exchanged = !comes_first(I, values(at_I), J, values(at_J));
  solids_[0] = exchanged ? &J : &I;
  solids_[1] = exchanged ? &I : &J;
  search(exchanged ? at_J : at_I, exchanged ? at_I : at_J);
  if (exchanged)
    for (MeshOverlap<T>& overlap : overlaps_) overlap.incident.normal = -overlap.incident.normal;
  return overlaps_;
}

template <class T>
std::span<const MeshOverlap<T>> MeshOverlaps<T>::find_cut(const SolidMesh& mesh, const Pose<T>& at,
                                                          const Pose<T>& plane) {
  const Pose<double> here = values(at), frame = values(plane);
  Vec3d middle = transpose_times(frame.A, here.r + here.A * mesh.middle - frame.r);
  // A block below the plane that reaches beyond the mesh everywhere, in steps of two.
  const double half = std::exp2(std::ceil(std::log2(4 * std::max(mesh.radius, -middle.z))));
  if (half != block_half_) {
    block_half_ = half;
    block_ = make_solid(tessellate({ShapeKind::box, {half, half, half}}, 3));
  }
  along_axis_ = true;
  solids_[0] = &mesh;
  solids_[1] = &block_;
  middle.z = -half;
  search(at, {plane.r + plane.A * constant<T>(middle), plane.A});
  return overlaps_;
}

template class MeshOverlaps<double>;
template class MeshOverlaps<Dual<double, 6>>;

}  // namespace trammel
