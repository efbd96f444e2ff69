#include "geometry/bvh.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace trammel {

namespace {

MiddleBox box_of(const TriangleMesh& mesh, int triangle) {
  Vec3d low, high;
  low = high = mesh.vertices[mesh.triangles[triangle][0]];
  for (const int v : mesh.triangles[triangle])
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], mesh.vertices[v][i]);
      high[i] = std::max(high[i], mesh.vertices[v][i]);
    }
  return {0.5 * (low + high), 0.5 * (high - low)};
}

MiddleBox around(const MiddleBox& a, const MiddleBox& b) {
  MiddleBox box;
  for (int i = 0; i < 3; ++i) {
    const double low = std::min(a.middle[i] - a.half[i], b.middle[i] - b.half[i]);
    const double high = std::max(a.middle[i] + a.half[i], b.middle[i] + b.half[i]);
    box.middle[i] = 0.5 * (low + high);
    box.half[i] = 0.5 * (high - low);
  }
  return box;
}

}  // namespace

Bvh build_bvh(const TriangleMesh& mesh) {
  std::vector<MiddleBox> boxes(mesh.triangles.size());
  for (std::size_t t = 0; t < boxes.size(); ++t) boxes[t] = box_of(mesh, static_cast<int>(t));
  return build_bvh(boxes);
}

Bvh build_bvh(std::span<const MiddleBox> boxes) {
  Bvh tree;
  const int count = static_cast<int>(boxes.size());
  if (count == 0) return tree;
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  struct Range {
    int node, from, to;
  };
  std::vector<Range> open = {{0, 0, count}};
  tree.nodes.resize(1);
  while (!open.empty()) {
    const Range r = open.back();
    open.pop_back();
    MiddleBox box = boxes[order[r.from]];
    for (int k = r.from + 1; k < r.to; ++k) box = around(box, boxes[order[k]]);
    tree.nodes[r.node].box = box;
    if (r.to - r.from == 1) {
      tree.nodes[r.node].item = order[r.from];
      continue;
    }
    const Vec3d& h = box.half;
    const int axis = h.x >= h.y && h.x >= h.z ? 0 : (h.y >= h.z ? 1 : 2);
    const int half = (r.from + r.to) / 2;
    std::nth_element(order.begin() + r.from, order.begin() + half, order.begin() + r.to, [&](int a, int b) {
      return std::pair(boxes[a].middle[axis], a) < std::pair(boxes[b].middle[axis], b);
    });
    const int left = static_cast<int>(tree.nodes.size());
    tree.nodes.resize(left + 2);
    tree.nodes[r.node].left = left;
    tree.nodes[r.node].right = left + 1;
    open.push_back({left + 1, half, r.to});
    open.push_back({left, r.from, half});
  }
  return tree;
}

}  // namespace trammel
