#include "geometry/mesh_shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "base/diagnostics.h"
#include "geometry/mesh_mass.h"
#include "geometry/mesh_polygon.h"

namespace trammel {

namespace {

/// The mesh with its triangles turned outward, all or none.
TriangleMesh outward(TriangleMesh mesh) {
  if (mesh_mass(mesh).volume < 0)
    for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

void add_triangle(TriangleMesh& mesh, int a, int b, int c) {
  if (a != b && b != c && c != a) mesh.triangles.push_back({a, b, c});
}

ProfilePoint on_circle(double radius, int k, int sides) {
  const double angle = 2 * std::numbers::pi * k / sides;
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

TriangleMesh mesh_of_ellipsoid(const Vec3d& half_axes, int sides) {
  const int rows = std::max(2, (sides + 1) / 2);
  std::vector<ProfilePoint> meridian;
  for (int k = 0; k <= rows; ++k) {
    const ProfilePoint p = on_circle(1, k, 2 * rows);
    meridian.push_back({k == 0 || k == rows ? 0 : p[1], p[0]});
  }
  TriangleMesh mesh = revolve(meridian, sides);
  for (Vec3d& p : mesh.vertices) p = {half_axes.x * p.x, half_axes.y * p.y, half_axes.z * p.z};
  return mesh;
}

TriangleMesh mesh_of_box(const Vec3d& half_edges) {
  const double a = half_edges.x, b = half_edges.y;
  TriangleMesh mesh = extrude({{-a, -b}, {a, -b}, {a, b}, {-a, b}}, 2 * half_edges.z);
  for (Vec3d& p : mesh.vertices) p.z -= half_edges.z;
  return mesh;
}

TriangleMesh mesh_of_frustum(double length, double at_bottom, double at_top, int sides) {
  std::vector<ProfilePoint> profile = {{0, 0}};
  if (at_bottom > 0) profile.push_back({at_bottom, 0});
  if (at_top > 0) profile.push_back({at_top, length});
  profile.push_back({0, length});
  return revolve(profile, sides);
}

TriangleMesh mesh_of_torus(double radius, double tube, int sides) {
  std::vector<ProfilePoint> ring;
  for (int k = 0; k < sides; ++k) {
    const ProfilePoint p = on_circle(tube, k, sides);
    ring.push_back({radius + p[0], p[1]});
  }
  return revolve(ring, sides);
}

void check_revolution(const std::vector<ProfilePoint>& profile, int sides, double angle) {
  const int n = static_cast<int>(profile.size());
  if (n < 3) fail(ExitCode::input, "a profile of {} points; it must have 3 at least", n);
  if (sides < 3) fail(ExitCode::input, "a circle of {} sides; it must have 3 at least", sides);
  if (!(angle > 0 && angle <= 2 * std::numbers::pi))
    fail(ExitCode::input, "an angle of {:.6g} degrees; it must be above 0 and at most 360",
         angle * 180 / std::numbers::pi);
  if (angle < 2 * std::numbers::pi && n > longest_polygon)
    fail(ExitCode::input, "a profile of {} points; up to {} are supported", n, longest_polygon);
  for (const ProfilePoint& p : profile)
    if (p[0] < 0) fail(ExitCode::input, "radius {} of a profile is negative", p[0]);
}

/// Twice the area of the triangle, positive counterclockwise.
double twice_area(const ProfilePoint& a, const ProfilePoint& b, const ProfilePoint& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// Whether c, which lies on the line through a and b, is between them or one of them.
bool between(const ProfilePoint& a, const ProfilePoint& b, const ProfilePoint& c) {
  const auto within = [](double low, double high, double x) {
    return x >= std::min(low, high) && x <= std::max(low, high);
  };
  return within(a[0], b[0], c[0]) && within(a[1], b[1], c[1]);
}

/// Whether the sides ab and cd have a point in common.
bool meet(const ProfilePoint& a, const ProfilePoint& b, const ProfilePoint& c, const ProfilePoint& d) {
  const double ca = twice_area(c, d, a), cb = twice_area(c, d, b), ac = twice_area(a, b, c),
               ad = twice_area(a, b, d);
  if (((ca > 0) != (cb > 0)) && ((ac > 0) != (ad > 0)) && ca != 0 && cb != 0 && ac != 0 && ad != 0)
    return true;
  return (ca == 0 && between(c, d, a)) || (cb == 0 && between(c, d, b)) || (ac == 0 && between(a, b, c)) ||
         (ad == 0 && between(a, b, d));
}

}  // namespace

std::string fault_of_profile(const std::vector<ProfilePoint>& profile) {
  const int n = static_cast<int>(profile.size());
  if (n < 3 || n > longest_polygon)
    return fmt::format("a profile of {} points; from 3 to {} are supported", n, longest_polygon);
  const auto at = [&](int k) -> const ProfilePoint& { return profile[k % n]; };
  for (int i = 0; i < n; ++i) {
    const int next = (i + 1) % n + 1;
    if (at(i) == at(i + 1)) return fmt::format("points {} and {} of its profile are one", i + 1, next);
    if (twice_area(at(i), at(i + 1), at(i + 2)) == 0 && !between(at(i), at(i + 2), at(i + 1)))
      return fmt::format("its profile turns back on itself at point {}", next);
  }
  for (int i = 0; i < n; ++i)
    for (int k = i + 2; k < n - (i == 0 ? 1 : 0); ++k)
      if (meet(at(i), at(i + 1), at(k), at(k + 1)))
        return fmt::format("its profile meets itself: the side after point {} and the one after point {}",
                           i + 1, k + 1);
  return {};
}

TriangleMesh extrude(const std::vector<ProfilePoint>& polygon, double length) {
  const int n = static_cast<int>(polygon.size());
  if (n < 3 || n > longest_polygon)
    fail(ExitCode::input, "a profile of {} points; from 3 to {} are supported", n, longest_polygon);
  TriangleMesh mesh;
  std::vector<int> bottom(n), top(n);
  for (int k = 0; k < n; ++k) {
    bottom[n - 1 - k] = k;
    top[k] = n + k;
    mesh.vertices.push_back({polygon[k][0], polygon[k][1], 0});
  }
  for (int k = 0; k < n; ++k) mesh.vertices.push_back({polygon[k][0], polygon[k][1], length});
  cut_polygon(mesh, bottom);
  cut_polygon(mesh, top);
  for (int k = 0; k < n; ++k) {
    const int next = (k + 1) % n;
    add_triangle(mesh, k, next, n + next);
    add_triangle(mesh, k, n + next, n + k);
  }
  return outward(std::move(mesh));
}

TriangleMesh revolve(const std::vector<ProfilePoint>& profile, int sides, double angle) {
  const int n = static_cast<int>(profile.size());
  const bool full = angle == 2 * std::numbers::pi;
  check_revolution(profile, sides, angle);
  // The sides of a part are as long as those of the whole, or shorter.
  const int steps = full ? sides : static_cast<int>(std::ceil(sides * angle / (2 * std::numbers::pi) - 1e-9)),
            corners = full ? steps : steps + 1;
  TriangleMesh mesh;
  std::vector<int> first(n);
  for (int i = 0; i < n; ++i) {
    first[i] = static_cast<int>(mesh.vertices.size());
    for (int k = 0; k < (profile[i][0] > 0 ? corners : 1); ++k) {
      const ProfilePoint p = full ? on_circle(profile[i][0], k, sides)
                                  : ProfilePoint{profile[i][0] * std::cos(angle * k / steps),
                                                 profile[i][0] * std::sin(angle * k / steps)};
      mesh.vertices.push_back({p[0], p[1], profile[i][1]});
    }
  }
  const auto vertex = [&](int i, int k) { return first[i] + (profile[i][0] > 0 ? k % corners : 0); };
  const bool line = profile.front()[0] == 0 && profile.back()[0] == 0;
  for (int i = 0; i < n - (line ? 1 : 0); ++i)
    for (int k = 0; k < steps; ++k) {
      const int next = (i + 1) % n;
      add_triangle(mesh, vertex(i, k), vertex(i, k + 1), vertex(next, k + 1));
      add_triangle(mesh, vertex(i, k), vertex(next, k + 1), vertex(next, k));
    }
  if (!full) {
    std::vector<int> begin(n), end(n);
    for (int i = 0; i < n; ++i) begin[i] = vertex(i, 0), end[n - 1 - i] = vertex(i, steps);
    cut_polygon(mesh, begin);
    cut_polygon(mesh, end);
  }
  return outward(std::move(mesh));
}

TriangleMesh tessellate(const Shape& shape, int sides) {
  const double* s = shape.size;
  switch (shape.kind) {
    case ShapeKind::ball:
      return mesh_of_ellipsoid({s[0], s[0], s[0]}, sides);
    case ShapeKind::ellipsoid:
      return mesh_of_ellipsoid({s[0], s[1], s[2]}, sides);
    case ShapeKind::box:
      return mesh_of_box({s[0], s[1], s[2]});
    case ShapeKind::frustum:
      return mesh_of_frustum(s[0], s[1], s[2], sides);
    case ShapeKind::torus:
      return mesh_of_torus(s[0], s[1], sides);
    case ShapeKind::half_space:
    case ShapeKind::mesh:
    case ShapeKind::planar:
      break;
  }
  fail(ExitCode::input, "a half-space has no mesh, as it has no end, and a mesh is one");
}

}  // namespace trammel
