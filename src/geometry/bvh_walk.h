// Walks through a tree of boxes: around the triangles of a mesh, or around whatever is to be found by its
// place. On the processor and on a device.
#pragma once

#include <cmath>

#include "geometry/order.h"
#include "math/pose.h"

namespace trammel {

/// A box along the axes by its middle and half edges [length].
struct MiddleBox {
  Vec3d middle, half;
};

struct BvhNode {
  MiddleBox box;
  int left = -1, right = -1;  ///< nodes; -1: a leaf
  int item = -1;              ///< of a leaf: which box, or triangle
};

/// The same node of a solid that is larger by a factor.
TRAMMEL_HD inline BvhNode scaled_node(BvhNode node, double by) {
  node.box = {by * node.box.middle, by * node.box.half};
  return node;
}

/// Nodes of a tree, node[0] its root, of which every node has halves, to one, of the items of the one above.
struct TreeView {
  const BvhNode* node;
  int count;
};

/// How many nodes wait in a walk through a tree of fewer than 2³¹ items; through two trees, twice as many.
inline constexpr int waiting_nodes = 32;

/// Whether a and b, the latter in a frame with pose `at` in the frame of a, may come within `margin` [length]
/// of each other: false only if the box along a's axes around b is farther away.
TRAMMEL_HD inline bool near(const MiddleBox& a, const MiddleBox& b, const Pose<double>& at, double margin) {
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

/// Calls visit(triangle of a, triangle of b) for all pairs whose boxes are near().
template <class Visit>
TRAMMEL_HD void visit_near_pairs(const TreeView& a, const TreeView& b, const Pose<double>& b_in_a,
                                 double margin, Visit&& visit) {
  if (a.count == 0 || b.count == 0) return;
  struct Pair {
    int a, b;
  };
  Pair waiting[2 * waiting_nodes];
  int count = 0;
  waiting[count++] = {0, 0};
  while (count > 0) {
    const auto [i, j] = waiting[--count];
    const BvhNode &p = a.node[i], &q = b.node[j];
    if (!near(p.box, q.box, b_in_a, margin)) continue;
    if (p.left < 0 && q.left < 0) {
      visit(p.item, q.item);
    } else if (q.left < 0 || (p.left >= 0 && norm(p.box.half) >= norm(q.box.half))) {
      waiting[count++] = {p.right, j};
      waiting[count++] = {p.left, j};
    } else {
      waiting[count++] = {i, q.right};
      waiting[count++] = {i, q.left};
    }
  }
}

/// Whether the line origin + s direction passes the box within `margin` [length] along each axis.
TRAMMEL_HD inline bool near_line(const MiddleBox& box, const Vec3d& origin, const Vec3d& direction,
                                 double margin) {
  double from = -HUGE_VAL, to = HUGE_VAL;
  for (int i = 0; i < 3; ++i) {
    const double d = box.middle[i] - origin[i], h = box.half[i] + margin;
    if (direction[i] == 0) {
      if (std::fabs(d) > h) return false;
      continue;
    }
    const double s = (d - h) / direction[i], t = (d + h) / direction[i];
    from = larger(from, smaller(s, t));
    to = smaller(to, larger(s, t));
  }
  return from <= to;
}

/// Calls visit(triangle) for all triangles whose boxes the line passes near.
template <class Visit>
TRAMMEL_HD void visit_along_line(const TreeView& tree, const Vec3d& origin, const Vec3d& direction,
                                 double margin, Visit&& visit) {
  int waiting[waiting_nodes], count = 0;
  if (tree.count > 0) waiting[count++] = 0;
  while (count > 0) {
    const BvhNode& node = tree.node[waiting[--count]];
    if (!near_line(node.box, origin, direction, margin)) continue;
    if (node.left < 0) {
      visit(node.item);
    } else {
      waiting[count++] = node.right;
      waiting[count++] = node.left;
    }
  }
}

/// How far p is from the box; 0 inside.
TRAMMEL_HD inline double distance_to(const MiddleBox& box, const Vec3d& p) {
  Vec3d out;
  for (int i = 0; i < 3; ++i) out[i] = larger(0.0, std::fabs(p[i] - box.middle[i]) - box.half[i]);
  return norm(out);
}

/// Calls visit(item) for all items whose boxes are within `radius` of p, which visit() may make smaller.
template <class Visit>
TRAMMEL_HD void visit_within(const TreeView& tree, const Vec3d& p, const double& radius, Visit&& visit) {
  int waiting[waiting_nodes], count = 0;
  if (tree.count > 0) waiting[count++] = 0;
  while (count > 0) {
    const BvhNode& node = tree.node[waiting[--count]];
    if (distance_to(node.box, p) > radius) continue;
    if (node.left < 0) {
      visit(node.item);
      continue;
    }
    const bool right_nearer =
        distance_to(tree.node[node.right].box, p) < distance_to(tree.node[node.left].box, p);
    waiting[count++] = right_nearer ? node.left : node.right;
    waiting[count++] = right_nearer ? node.right : node.left;
  }
}

}  // namespace trammel
