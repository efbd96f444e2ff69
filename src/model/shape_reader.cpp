#include "model/shape_reader.h"

#include <cmath>

#include "dataset/contact_shapes.h"

namespace trammel {

namespace {

/// The argument that names the marker of a curve.
std::string_view curve_marker(const Statement& graphics) {
  const std::string_view shape = graphics.chosen("shape");
  return shape == "CURVE" ? "CRM" : shape == "OUTLINE" ? "OUTLINE" : "CM";
}

class ShapeReader {
 public:
  ShapeReader(const Statement& graphics, const std::string& whom, Diagnostics& diagnostics)
      : whom_(whom), s_(graphics), diagnostics_(diagnostics) {}

  NamedShape read() {
    const std::string_view kind = s_.chosen("shape");
    if (kind == "ELLIPSOID") return ellipsoid();
    if (kind == "BOX") return box();
    if (kind == "CYLINDER") return frustum(length("RADIUS"), length("RADIUS"));
    if (kind == "FRUSTUM") return frustum(length("BOTTOM"), length("TOP"));
    if (kind == "TORUS") return torus();
    if (kind == "PLANE") return done({{ShapeKind::half_space}, {}, false, "RM"});
    if (kind == "EXTERNAL" || has_profile(s_)) return done({{ShapeKind::mesh}, {}, false, "RM"});
    if (kind == "POINT") return done({{ShapeKind::ball}, {}, false, "RM"});
    if (shape_kind(s_) == ShapeKind::planar) return {{ShapeKind::planar}, {}, false, curve_marker(s_)};
    return {};
  }

 private:
  /// The length that an argument gives; 0 after an error.
  double length(std::string_view name) {
    if (s_.has(name)) return s_.real(name, 0);
    complete_ = false;
    diagnostics_.error(s_.where, "{}: {} is missing, and {} needs it", s_.label(), name, whom_);
    return 0;
  }
  NamedShape done(NamedShape shape) {
    if (!s_.has(shape.marker)) {
      diagnostics_.error(s_.where, "{}: {} is missing, and {} needs it", s_.label(), shape.marker, whom_);
      complete_ = false;
    }
    return complete_ ? shape : NamedShape{};
  }
  NamedShape ellipsoid() {
    const double x = length("XSCALE") / 2, y = length("YSCALE") / 2, z = length("ZSCALE") / 2;
    const bool round = x == y && y == z;
    return done({{round ? ShapeKind::ball : ShapeKind::ellipsoid, {x, y, z}}, {}, false, "CM"});
  }
  NamedShape box() {
    const double x = length("X") / 2, y = length("Y") / 2, z = length("Z") / 2;
    if (complete_ && (x == 0 || y == 0 || z == 0)) {
      diagnostics_.error(s_.where, "{}: an edge of it is 0, and {} needs a solid", s_.label(), whom_);
      complete_ = false;
    }
    return done({{ShapeKind::box, {std::fabs(x), std::fabs(y), std::fabs(z)}}, {x, y, z}, false, "CORNER"});
  }
  NamedShape frustum(double bottom, double top) {
    const double l = length("LENGTH");
    if (complete_ && (l == 0 || bottom + top == 0)) {
      diagnostics_.error(s_.where, "{}: it has no volume, and {} needs a solid", s_.label(), whom_);
      complete_ = false;
    }
    return done({{ShapeKind::frustum, {std::fabs(l), bottom, top}}, {}, l < 0, "CM"});
  }
  NamedShape torus() {
    const double major = length("MAJOR"), minor = length("MINOR");
    if (complete_ && minor >= major) {
      diagnostics_.error(
          s_.where,
          "{}: MINOR={:.6g} must be below MAJOR={:.6g}: its tube meets itself, and {} needs a solid",
          s_.label(), minor, major, whom_);
      complete_ = false;
    }
    return done({{ShapeKind::torus, {length("MAJOR"), length("MINOR")}}, {}, false, "CM"});
  }

  const std::string& whom_;
  const Statement& s_;
  Diagnostics& diagnostics_;
  bool complete_ = true;
};

}  // namespace

NamedShape read_shape(const Statement& graphics, const std::string& whom, Diagnostics& diagnostics) {
  return ShapeReader(graphics, whom, diagnostics).read();
}

PlacedShape placed_on(const NamedShape& shape, const Marker& m) {
  PlacedShape placed{shape.shape, m.s + m.A * shape.offset, m.A, reach(shape.shape),
                     inner_radius(shape.shape)};
  if (shape.turned) placed.A = m.A * Mat3d::from_columns(Vec3d{1, 0, 0}, Vec3d{0, -1, 0}, Vec3d{0, 0, -1});
  return placed;
}

}  // namespace trammel
