// The common part of two convex solids from its planes: a computation that knows no triangles.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/mesh.h"
#include "math/pose.h"

namespace trammel {

struct HalfSpace {
  Vec3d n;   // unit, outward
  double d;  // n·x ≤ d
  int owner;
};

struct ConvexOverlap {
  double volume = 0, depth = 0;
  Vec3d centroid, normal;  // the normal towards owner 0
};

/// Planes of the triangles of a convex mesh.
inline void add_planes(std::vector<HalfSpace>& planes, const TriangleMesh& mesh, const Pose<double>& at,
                       int owner) {
  for (const auto& t : mesh.triangles) {
    Vec3d p[3];
    for (int i = 0; i < 3; ++i) p[i] = at.r + at.A * mesh.vertices[t[i]];
    Vec3d n = cross(p[1] - p[0], p[2] - p[0]);
    n = (1 / norm(n)) * n;
    const double d = dot(n, p[0]);
    const bool known = std::any_of(planes.begin(), planes.end(), [&](const HalfSpace& h) {
      return h.owner == owner && norm(h.n - n) < 1e-9 && std::fabs(h.d - d) < 1e-9;
    });
    if (!known) planes.push_back({n, d, owner});
  }
}

/// Every three planes give a corner, which counts where it is in all half-spaces; the corners on a plane make
/// a face.
inline ConvexOverlap convex_overlap(const std::vector<HalfSpace>& planes, double tolerance = 1e-12) {
  std::vector<Vec3d> corners;
  const std::size_t n = planes.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j)
      for (std::size_t k = j + 1; k < n; ++k) {
        const Vec3d a = cross(planes[j].n, planes[k].n), b = cross(planes[k].n, planes[i].n),
                    c = cross(planes[i].n, planes[j].n);
        const double det = dot(planes[i].n, a);
        if (std::fabs(det) < 1e-9) continue;
        const Vec3d x = (1 / det) * (planes[i].d * a + planes[j].d * b + planes[k].d * c);
        const double room = tolerance / std::min(1.0, std::fabs(det));
        if (std::all_of(planes.begin(), planes.end(),
                        [&](const HalfSpace& h) { return dot(h.n, x) <= h.d + room; }))
          corners.push_back(x);
      }
  ConvexOverlap overlap;
  if (corners.size() < 4) return overlap;
  Vec3d o;
  for (const Vec3d& x : corners) o += (1.0 / static_cast<double>(corners.size())) * x;
  Vec3d moment, area[2];
  for (const HalfSpace& h : planes) {
    std::vector<Vec3d> face;
    for (const Vec3d& x : corners)
      if (std::fabs(dot(h.n, x) - h.d) < 1e-7 * std::max(1e-3, tolerance * 1e9)) face.push_back(x);
    if (face.size() < 3) continue;
    Vec3d m;
    for (const Vec3d& x : face) m += (1.0 / static_cast<double>(face.size())) * x;
    const Vec3d u = std::fabs(h.n.x) < 0.7 ? cross(h.n, {1, 0, 0}) : cross(h.n, {0, 1, 0}), v = cross(h.n, u);
    const auto angle = [&](const Vec3d& x) { return std::atan2(dot(x - m, v), dot(x - m, u)); };
    std::sort(face.begin(), face.end(), [&](const Vec3d& a, const Vec3d& b) { return angle(a) < angle(b); });
    for (std::size_t k = 0; k < face.size(); ++k) {
      const Vec3d a = face[k], b = face[(k + 1) % face.size()];
      const Vec3d part = 0.5 * cross(a - m, b - m);
      const double volume = std::fabs(dot(part, h.n)) * (h.d - dot(h.n, o)) / 3;
      overlap.volume += volume;
      moment += (volume / 4) * (m + a + b - 3.0 * o);
      area[h.owner] += std::fabs(dot(part, h.n)) * h.n;
    }
  }
  overlap.centroid = o + (1 / overlap.volume) * moment;
  overlap.normal = (1 / norm(area[1] - area[0])) * (area[1] - area[0]);
  double ways[2] = {HUGE_VAL, HUGE_VAL};
  for (const HalfSpace& h : planes) {
    const double slope = dot(h.n, overlap.normal) * (h.owner == 1 ? 1 : -1);
    if (slope > 1e-12) ways[h.owner] = std::min(ways[h.owner], (h.d - dot(h.n, overlap.centroid)) / slope);
  }
  overlap.depth = ways[0] + ways[1];
  return overlap;
}

}  // namespace trammel
