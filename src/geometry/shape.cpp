#include "geometry/shape.h"

#include <algorithm>
#include <cmath>

namespace trammel {

double reach(const Shape& shape) {
  const double* s = shape.size;
  switch (shape.kind) {
    case ShapeKind::ball:
      return s[0];
    case ShapeKind::ellipsoid:
      return std::max({s[0], s[1], s[2]});
    case ShapeKind::box:
      return std::hypot(s[0], s[1], s[2]);
    case ShapeKind::frustum:
      return std::max(s[1], std::hypot(s[0], s[2]));
    case ShapeKind::torus:
      return s[0] + s[1];
    case ShapeKind::half_space:
    case ShapeKind::mesh:
    case ShapeKind::planar:
      break;
  }
  return HUGE_VAL;
}

double inner_radius(const Shape& shape) {
  const double* s = shape.size;
  switch (shape.kind) {
    case ShapeKind::ball:
      return s[0];
    case ShapeKind::ellipsoid:
    case ShapeKind::box:
      return std::min({s[0], s[1], s[2]});
    case ShapeKind::frustum:
      return std::min(s[0] / 2, (s[1] + s[2]) / 4);
    case ShapeKind::torus:
      return s[1];
    case ShapeKind::half_space:
    case ShapeKind::mesh:
    case ShapeKind::planar:
      break;
  }
  return HUGE_VAL;
}

}  // namespace trammel
