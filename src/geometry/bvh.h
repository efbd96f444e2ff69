// A tree of boxes: around the triangles of a mesh, or around whatever is to be found by its place (walks
// through it: bvh_walk.h).
#pragma once

#include <span>
#include <vector>

#include "geometry/bvh_walk.h"
#include "geometry/mesh.h"

namespace trammel {

/// Binary, one item a leaf, built once; the same boxes give the same tree.
struct Bvh {
  std::vector<BvhNode> nodes;  ///< nodes[0] is the root; empty without items
  TreeView view() const { return {nodes.data(), static_cast<int>(nodes.size())}; }
};

Bvh build_bvh(std::span<const MiddleBox> boxes);
Bvh build_bvh(const TriangleMesh& mesh);

}  // namespace trammel
