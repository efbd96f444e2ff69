#include "geometry/volume.h"

#include <numbers>

#include "base/diagnostics.h"

namespace trammel {

namespace {

constexpr double pi = std::numbers::pi;

/// From ∫ x², ∫ y², ∫ z² per volume; products are 0.
MeshMass by_squares(double volume, const Vec3d& centroid, double x, double y, double z) {
  return {volume, centroid, Mat3d::diagonal(volume * (y + z), volume * (z + x), volume * (x + y))};
}

/// Discs of radius a + (b − a) z/l: ∫ r² dz = l (a² + a b + b²)/3 and so on.
MeshMass mass_of_frustum(double l, double a, double b) {
  const double square = a * a + a * b + b * b, volume = pi * l / 3 * square;
  const double middle = l / 4 * (a * a + 2 * a * b + 3 * b * b) / square;
  const double along = l * l / 10 * (a * a + 3 * a * b + 6 * b * b) / square - middle * middle;
  const double across =
      3.0 / 20 * (a * a * a * a + a * a * a * b + a * a * b * b + a * b * b * b + b * b * b * b) / square;
  return by_squares(volume, {0, 0, middle}, across, across, along);
}

}  // namespace

MeshMass shape_mass(const Shape& shape) {
  const double* s = shape.size;
  switch (shape.kind) {
    case ShapeKind::ball:
      return by_squares(4 * pi / 3 * s[0] * s[0] * s[0], {}, s[0] * s[0] / 5, s[0] * s[0] / 5,
                        s[0] * s[0] / 5);
    case ShapeKind::ellipsoid:
      return by_squares(4 * pi / 3 * s[0] * s[1] * s[2], {}, s[0] * s[0] / 5, s[1] * s[1] / 5,
                        s[2] * s[2] / 5);
    case ShapeKind::box:
      return by_squares(8 * s[0] * s[1] * s[2], {}, s[0] * s[0] / 3, s[1] * s[1] / 3, s[2] * s[2] / 3);
    case ShapeKind::frustum:
      return mass_of_frustum(s[0], s[1], s[2]);
    case ShapeKind::torus: {
      const double across = s[0] * s[0] / 2 + s[1] * s[1] * 3 / 8;
      return by_squares(2 * pi * pi * s[0] * s[1] * s[1], {}, across, across, s[1] * s[1] / 4);
    }
    case ShapeKind::half_space:
    case ShapeKind::mesh:
    case ShapeKind::planar:
      break;
  }
  fail(ExitCode::input, "a half-space has no volume, as it has no end, and a curve has none");
}

MeshMass placed_mass(const MeshMass& mass, const Vec3d& r, const Mat3d& A) {
  return {mass.volume, r + A * mass.centroid, A * mass.inertia * transpose(A)};
}

Mat3d inertia_about(const MeshMass& mass, const Vec3d& point) {
  const Vec3d d = mass.centroid - point;
  const double square = dot(d, d);
  return mass.inertia + mass.volume * (Mat3d::diagonal(square, square, square) - outer(d, d));
}

MeshMass sum_of(const MeshMass& a, const MeshMass& b) {
  MeshMass sum{a.volume + b.volume, {}, {}};
  if (sum.volume != 0) sum.centroid = (1 / sum.volume) * (a.volume * a.centroid + b.volume * b.centroid);
  sum.inertia = inertia_about(a, sum.centroid) + inertia_about(b, sum.centroid);
  return sum;
}

}  // namespace trammel
