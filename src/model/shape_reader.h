// Shapes as GRAPHICS statements give them.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "dataset/description.h"
#include "geometry/touch.h"
#include "model/plain.h"

namespace trammel {

/// A shape in the axes of its marker, and the argument that names this marker.
struct NamedShape {
  Shape shape;
  Vec3d offset;         ///< of its frame from the marker
  bool turned = false;  ///< its z axis is opposite to that of the marker
  std::string_view marker;
};

/// Reads the shape of a GRAPHICS statement. What is missing, and a shape that is no solid, is an error in
/// `diagnostics` that names `whom`, the statement that needs the shape. After an error, and for mere
/// pictures, `marker` is empty.
NamedShape read_shape(const Statement& graphics, const std::string& whom, Diagnostics& diagnostics);

/// The shape in the axes of the body of its marker, from its centre of mass.
PlacedShape placed_on(const NamedShape& shape, const Marker& marker);

}  // namespace trammel
