// What two closed meshes have in common (theory.md, overlap of meshes), on the processor and on a device;
// definitions: mesh_search_definitions.h.
#pragma once

#include "geometry/mesh_crossings.h"
#include "geometry/shape.h"

namespace trammel {

/// One connected part of the common solid; ground axes.
template <class T>
struct MeshOverlap {
  Incident<T> incident;
  T volume;          ///< [length³]
  Vec3<T> centroid;  ///< [length]
};

/// Sums over the sides of one component, about `origin`.
template <class T>
struct OverlapSums {
  Vec3d origin;
  T volume;
  Vec3<T> moment;   ///< ∫ x dV
  Vec3<T> area[2];  ///< ∫ n dA of the part of each mesh
  T surface;        ///< of both
  Vec3d low, high;  ///< box around the nodes
};

/// What the search works in (owned_rooms.h).
template <class T>
struct MeshWork {
  CrossingWork crossings;
  Room<Vec3<T>> places;       ///< of nodes
  Room<OverlapSums<T>> sums;  ///< of components
  Room<MeshOverlap<T>> overlaps;
  double block_half = 0;  ///< half edge of the block that stands for a half-space; 0: there is none yet
  Room<Vec3d> block_vertices;
  Room<BvhNode> block_nodes;

  TRAMMEL_HD void renew() {
    crossings.renew();
    block_half = 0;
  }
  template <class F>
  void for_rooms(F&& f) {
    crossings.for_rooms(f);
    f(places), f(sums), f(overlaps), f(block_vertices), f(block_nodes);
  }
};

/// T: double, or Dual<double, N> of the poses, which gives exact derivatives of a placement without
/// degeneracy. Both functions leave what they find in `overlaps` of the work space, valid until the next
/// call, and return false where a list there had no room for all. What is thinner than about 5e-11 of the
/// solids' size is none.
template <class T>
class MeshSearch {
 public:
  TRAMMEL_HD explicit MeshSearch(MeshWork<T>& work) : work_(work) {}

  /// The overlaps of I and J with these poses in ground. Exchanging I and J changes the sign of the normals
  /// alone.
  TRAMMEL_HD bool find(const MeshView& I, const Pose<T>& at_I, const MeshView& J, const Pose<T>& at_J);

  /// What lies below the plane z = 0 of a frame with pose `plane`, by connected parts; normals are its z
  /// axis. `mesh` is the first, so that these point towards it. `block`: a box with half edges of 1.
  TRAMMEL_HD bool find_cut(const MeshView& mesh, const Pose<T>& at, const Pose<T>& plane,
                           const MeshView& block);

 private:
  struct Exit {
    bool found;
    T distance;
  };

  TRAMMEL_HD Vec3<T> vertex(int m, int v) const;
  TRAMMEL_HD Vec3<T> place(const MeshCrossings& crossings, const OverlapNode& node) const;
  TRAMMEL_CALLED bool search(const MeshView& first, const Pose<T>& at_first, const MeshView& second,
                             const Pose<T>& at_second);
  TRAMMEL_HD bool take_block(const MeshView& block, double half);
  TRAMMEL_HD void add_up();
  TRAMMEL_HD void add_side(const OverlapSide& side, int first, bool last, Vec3<T>& piece);
  TRAMMEL_HD void join_cavities();
  TRAMMEL_HD Vec3<T> normal(const OverlapSums<T>& sums) const;
  TRAMMEL_CALLED Exit exit(int m, const Vec3<T>& from, const Vec3<T>& direction) const;
  TRAMMEL_HD T extent(int component, const Vec3<T>& direction) const;
  TRAMMEL_HD void measure(int component);

  MeshWork<T>& work_;
  const MeshView* solids_[2] = {};
  Pose<T> poses_[2];         ///< relative to reference_
  bool along_axis_ = false;  ///< the normal is the z axis of the second
  Vec3d reference_;          ///< of the crossings
  double unit_ = 0;
};

}  // namespace trammel
