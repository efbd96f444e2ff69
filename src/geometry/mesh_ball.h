// Where a ball touches a mesh.
#pragma once

#include <span>
#include <vector>

#include "geometry/mesh_solid.h"
#include "geometry/shape.h"
#include "math/pose.h"

namespace trammel {

/// Finds the overlaps of a ball and a mesh: one for each surface point that is nearest to the centre among
/// those around it, with the centre on the outer side there; so a ball in a corner has one for each wall. If
/// the centre is inside, the nearest point of all is one, too. Work space, too: once warm it allocates
/// nothing.
template <class T>
class MeshBallOverlaps {
 public:
  /// Of a ball with this radius and centre [length, ground] and a mesh with a pose in ground: normals point
  /// towards the ball; depth = radius − signed distance of the centre; points lie midway between the
  /// surfaces.
  std::span<const Incident<T>> find(double radius, const Vec3<T>& centre, const SolidMesh& mesh,
                                    const Pose<T>& at);

 private:
  enum Feature : int { vertex, edge, face };
  struct Near {
    Feature feature;
    int number, triangle;
    Vec3d point;  ///< mesh's axes
    double distance;
    bool outside;  ///< the centre is on the outer side there
  };

  static Near nearest(const SolidMesh& mesh, int triangle, const Vec3d& p);
  static Vec3d outward(const SolidMesh& mesh, const Near& near);
  static Vec3<T> direction(const SolidMesh& mesh, const Pose<T>& at, const Near& near, const Vec3<T>& centre,
                           T& distance);
  bool is_least_around(const SolidMesh& mesh, const Near& near, const Vec3d& p) const;

  std::vector<Near> near_;
  std::vector<Incident<T>> incidents_;
  std::vector<int> stack_;
};

extern template class MeshBallOverlaps<double>;
extern template class MeshBallOverlaps<Dual<double, 6>>;

}  // namespace trammel
