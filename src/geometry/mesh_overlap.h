// What two closed meshes have in common.
#pragma once

#include <span>
#include <vector>

#include "geometry/mesh_crossings.h"
#include "geometry/mesh_solid.h"
#include "geometry/shape.h"
#include "math/pose.h"

namespace trammel {

/// One connected part of the common solid; ground axes (theory.md, overlap of meshes).
template <class T>
struct MeshOverlap {
  Incident<T> incident;
  T volume;          ///< [length³]
  Vec3<T> centroid;  ///< [length]
};

/// Finds the overlaps of two meshes. Work space, too: once it has seen the largest case it allocates nothing.
/// T: double, or Dual<double, N> of the poses, which gives exact derivatives of a placement without
/// degeneracy.
template <class T>
class MeshOverlaps {
 public:
  /// The overlaps of I and J with these poses in ground, valid until the next call; what is thinner than
  /// about 5e-11 of the solids' size is none. Exchanging I and J changes the sign of the normals alone.
  std::span<const MeshOverlap<T>> find(const SolidMesh& I, const Pose<T>& at_I, const SolidMesh& J,
                                       const Pose<T>& at_J);

  /// What lies below the plane z = 0 of a frame with pose `plane`, by connected parts; normals are its z
  /// axis. `mesh` is the first, so that these point towards it.
  std::span<const MeshOverlap<T>> find_cut(const SolidMesh& mesh, const Pose<T>& at, const Pose<T>& plane);

 private:
  /// Sums over the sides of one component, about `origin`.
  struct Sums {
    Vec3d origin;
    T volume;
    Vec3<T> moment;   ///< ∫ x dV
    Vec3<T> area[2];  ///< ∫ n dA of the part of each mesh
    T surface;        ///< of both
    Vec3d low, high;  ///< box around the nodes
  };
  struct Exit {
    bool found;
    T distance;
  };

  Vec3<T> vertex(int m, int v) const;
  Vec3<T> place(const OverlapNode& node) const;
  void search(const Pose<T>& first, const Pose<T>& second);
  void add_up();
  void join_cavities();
  Vec3<T> normal(const Sums& sums) const;
  Exit exit(int m, const Vec3<T>& from, const Vec3<T>& direction);
  T extent(int component, const Vec3<T>& direction) const;
  void measure(int component);

  const SolidMesh* solids_[2] = {};
  Pose<T> poses_[2];         ///< relative to the reference of crossings_
  bool along_axis_ = false;  ///< the normal is the z axis of the second
  SolidMesh block_;          ///< stands for a half-space
  double block_half_ = 0;    ///< half edge of it
  MeshCrossings crossings_;
  std::vector<Vec3<T>> places_;
  std::vector<Sums> sums_;
  std::vector<MeshOverlap<T>> overlaps_;
  std::vector<int> stack_;
};

extern template class MeshOverlaps<double>;
extern template class MeshOverlaps<Dual<double, 6>>;

}  // namespace trammel
