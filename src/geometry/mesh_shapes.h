// Meshes of shapes and of profiles: closed, outward.
#pragma once

#include <array>
#include <numbers>
#include <string>
#include <vector>

#include "geometry/mesh.h"
#include "geometry/shape.h"

namespace trammel {

/// A point (x, y) of a profile in a plane [length].
using ProfilePoint = std::array<double, 2>;

/// Which of the faults a profile has that bound no solid: fewer than 3 points, two in one place one after the
/// other, sides that cross or touch each other. Says it with the numbers of points, from 1; "": none. The
/// profile is closed from its last point to its first.
std::string fault_of_profile(const std::vector<ProfilePoint>& profile);

/// The prism over a simple polygon in the xy plane, of either sense, from z = 0 to z = length > 0. At most
/// longest_polygon points (mesh_polygon.h); throws Failure(input) for other numbers.
TriangleMesh extrude(const std::vector<ProfilePoint>& polygon, double length);

/// The solid of revolution about z of a profile of points (radius ≥ 0, z): a line whose ends lie on the axis,
/// or else a ring, which is closed from its last point to its first. It begins in the xz plane and turns by
/// `angle` [rad], at most 2π, towards y; what is less than 2π ends in two plane faces. Each circle becomes a
/// polygon of `sides` ≥ 3 corners, which lie on it; a part of it has as many sides as its share, 1 at least.
/// Throws Failure(input) for other numbers, a negative radius or fewer than 3 points, and where there are
/// faces for more than longest_polygon.
TriangleMesh revolve(const std::vector<ProfilePoint>& profile, int sides,
                     double angle = 2 * std::numbers::pi);

/// The mesh of a shape, in its axes; the box is exact, of round shapes the corners lie on the surface,
/// `sides` ≥ 3 on the circle about z and on the tube of a torus, half as many along a meridian of a ball.
/// Throws Failure(input) for a half-space, which has no end, and for a size that is not positive.
TriangleMesh tessellate(const Shape& shape, int sides);

}  // namespace trammel
