// Solids given by a few numbers, in the axes of their own frame.
#pragma once

#include <cstddef>

#include "math/vec3.h"

namespace trammel {

enum class ShapeKind : int { ball, ellipsoid, box, frustum, torus, half_space, mesh, planar };

/// A solid. `size` [length]:
///   ball        radius; centre at the origin. A point is a ball of radius 0
///   ellipsoid   half axes along x, y, z; centre at the origin
///   box         half edges along x, y, z; centre at the origin
///   frustum     length, radius at z = 0, radius at z = length: a cone cut off, or a cylinder, about z ≥ 0
///   torus       radius of the circle about z on which the tube's middle lies, radius of the tube
///   half_space  none: z ≤ 0
///   mesh        none: it is elsewhere (mesh_solid.h)
///   planar      none: it is a curve in the x-y plane (planar_curve.h)
struct Shape {
  ShapeKind kind = ShapeKind::ball;
  double size[3] = {};
};

/// The greatest distance of its points from the origin; infinite for half_space. Not of a mesh or a planar
/// curve.
double reach(const Shape& shape);

/// The radius of a ball inside it; infinite for half_space. Not of a mesh or a planar curve.
double inner_radius(const Shape& shape);

/// What two overlapping solids I and J have in common, one per separate overlap; ground axes.
template <class T>
struct Incident {
  T depth;         ///< > 0: how deep they overlap, along the normal [length]
  Vec3<T> normal;  ///< unit, towards I: the direction in which J pushes I
  Vec3<T> point;   ///< where both forces act: in the middle between the two surfaces
};

/// Overlaps in memory of others.
template <class T>
struct Incidents {
  const Incident<T>* list = nullptr;
  int count = 0;

  std::size_t size() const { return count; }
  TRAMMEL_HD const Incident<T>& operator[](int k) const { return list[k]; }
  TRAMMEL_HD const Incident<T>* begin() const { return list; }
  TRAMMEL_HD const Incident<T>* end() const { return list + count; }
};

}  // namespace trammel
