// A tree of boxes: around the triangles of a mesh, or around whatever is to be found by its place.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "geometry/mesh.h"
#include "math/pose.h"

namespace trammel {

/// A box along the axes by its middle and half edges [length].
struct MiddleBox {
  Vec3d middle, half;
};

/// Binary, one item a leaf, built once; the same boxes give the same tree.
struct Bvh {
  struct Node {
    MiddleBox box;
    int left = -1, right = -1;  ///< nodes; -1: a leaf
    int item = -1;              ///< of a leaf: which box, or triangle
  };
  std::vector<Node> nodes;  ///< nodes[0] is the root; empty without items
};

Bvh build_bvh(std::span<const MiddleBox> boxes);
Bvh build_bvh(const TriangleMesh& mesh);

/// Whether a and b, the latter in a frame with pose `at` in the frame of a, may come within `margin` [length]
/// of each other: false only if the box along a's axes around b is farther away.
inline bool near(const MiddleBox& a, const MiddleBox& b, const Pose<double>& at, double margin) {
  for (int i = 0; i < 3; ++i) {
    double middle = at.r[i], half = 0;
    for (int j = 0; j < 3; ++j) {
      middle += at.A(i, j) * b.middle[j];
      half += std::fabs(at.A(i, j)) * b.half[j];
    }
    if (std::fabs(middle - a.middle[i]) > a.half[i] + half + margin) return false;
  }
  return true;
}

/// Calls visit(triangle of a, triangle of b) for all pairs whose boxes are near(). `stack` is work space.
template <class Visit>
void visit_near_pairs(const Bvh& a, const Bvh& b, const Pose<double>& b_in_a, double margin,
                      std::vector<std::array<int, 2>>& stack, Visit&& visit) {
  stack.clear();
  if (!a.nodes.empty() && !b.nodes.empty()) stack.push_back({0, 0});
  while (!stack.empty()) {
    const auto [i, j] = stack.back();
    stack.pop_back();
    const Bvh::Node &p = a.nodes[i], &q = b.nodes[j];
    if (!near(p.box, q.box, b_in_a, margin)) continue;
    if (p.left < 0 && q.left < 0) {
      visit(p.item, q.item);
    } else if (q.left < 0 || (p.left >= 0 && norm(p.box.half) >= norm(q.box.half))) {
      stack.push_back({p.right, j});
      stack.push_back({p.left, j});
    } else {
      stack.push_back({i, q.right});
      stack.push_back({i, q.left});
    }
  }
}

/// Whether the line origin + s direction passes the box within `margin` [length] along each axis.
inline bool near_line(const MiddleBox& box, const Vec3d& origin, const Vec3d& direction, double margin) {
  double from = -HUGE_VAL, to = HUGE_VAL;
  for (int i = 0; i < 3; ++i) {
    const double d = box.middle[i] - origin[i], h = box.half[i] + margin;
    if (direction[i] == 0) {
      if (std::fabs(d) > h) return false;
      continue;
    }
    const double s = (d - h) / direction[i], t = (d + h) / direction[i];
    from = std::max(from, std::min(s, t));
    to = std::min(to, std::max(s, t));
  }
  return from <= to;
}

/// Calls visit(triangle) for all triangles whose boxes the line passes near. `stack` is work space.
template <class Visit>
void visit_along_line(const Bvh& tree, const Vec3d& origin, const Vec3d& direction, double margin,
                      std::vector<int>& stack, Visit&& visit) {
  stack.clear();
  if (!tree.nodes.empty()) stack.push_back(0);
  while (!stack.empty()) {
    const Bvh::Node& node = tree.nodes[stack.back()];
    stack.pop_back();
    if (!near_line(node.box, origin, direction, margin)) continue;
    if (node.left < 0) {
      visit(node.item);
    } else {
      stack.push_back(node.right);
      stack.push_back(node.left);
    }
  }
}

/// How far p is from the box; 0 inside.
inline double distance_to(const MiddleBox& box, const Vec3d& p) {
  Vec3d out;
  for (int i = 0; i < 3; ++i) out[i] = std::max(0.0, std::fabs(p[i] - box.middle[i]) - box.half[i]);
  return norm(out);
}

/// Calls visit(item) for all items whose boxes are within `radius` of p, which visit() may make smaller.
template <class Visit>
void visit_within(const Bvh& tree, const Vec3d& p, const double& radius, std::vector<int>& stack,
                  Visit&& visit) {
  stack.clear();
  if (!tree.nodes.empty()) stack.push_back(0);
  while (!stack.empty()) {
    const Bvh::Node& node = tree.nodes[stack.back()];
    stack.pop_back();
    if (distance_to(node.box, p) > radius) continue;
    if (node.left < 0) {
      visit(node.item);
      continue;
    }
    const bool right_nearer =
        distance_to(tree.nodes[node.right].box, p) < distance_to(tree.nodes[node.left].box, p);
    stack.push_back(right_nearer ? node.left : node.right);
    stack.push_back(right_nearer ? node.right : node.left);
  }
}

}  // namespace trammel
