#include "dataset/contact_shapes.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>
#include <optional>
#include <vector>

#include "base/text.h"
#include "dataset/commands.h"

namespace trammel {

namespace {

constexpr std::string_view mesh_ends[] = {".stl", ".obj", ".shl"};

/// Why an EXTERNAL is not supported whose FILE is no mesh and has none beside it.
std::string file_reason(const Statement& graphics) {
  const std::string file(graphics.text("FILE")),
      end = upper(std::filesystem::path(file).extension().string());
  const bool parasolid = end == ".XMT_TXT" || end == ".X_T" || end == ".X_B" || end == ".XMT_BIN";
  return fmt::format(
      "{} is EXTERNAL, {}; put its shape beside it as .stl, .obj or .shl, which CAD programs export",
      graphics.label(),
      parasolid ? "a Parasolid file, which only Parasolid reads"
                : fmt::format("and '{}' is no mesh that is there", file));
}

}  // namespace

std::optional<ShapeKind> shape_kind(const Statement& graphics) {
  const std::string_view shape = graphics.chosen("shape");
  if (shape == "ELLIPSOID") {
    const double x = graphics.real("XSCALE", 0);
    const bool round = x == graphics.real("YSCALE", 0) && x == graphics.real("ZSCALE", 0);
    return round ? ShapeKind::ball : ShapeKind::ellipsoid;
  }
  if (shape == "POINT") return ShapeKind::ball;
  if (shape == "BOX") return ShapeKind::box;
  if (shape == "CYLINDER" || shape == "FRUSTUM") return ShapeKind::frustum;
  if (shape == "TORUS") return ShapeKind::torus;
  if (shape == "PLANE") return ShapeKind::half_space;
  if (shape == "EXTERNAL" || has_profile(graphics)) return ShapeKind::mesh;
  if (shape == "CIRCLE" || shape == "ARC" || shape == "OUTLINE" || shape == "CURVE") return ShapeKind::planar;
  return std::nullopt;
}

bool has_profile(const Statement& graphics) {
  const std::string_view shape = graphics.chosen("shape");
  return shape == "EXTRUSION" || shape == "REVOLUTION";
}

std::optional<std::string> mesh_file(const Description& description, const Statement& graphics) {
  const std::string folder = std::filesystem::path(description.file).parent_path().string();
  const std::string name(graphics.text("FILE"));
  const std::string end = lower(std::filesystem::path(name).extension().string());
  const std::string stem = name.substr(0, name.size() - end.size());
  if (graphics.has("ELEMENT"))
    for (std::string_view other : mesh_ends) {
      const std::string own = fmt::format("{}_{}{}", stem, graphics.text("ELEMENT"), other);
      if (const auto found = find_file(folder, own, other)) return found;
    }
  for (std::string_view known : mesh_ends)
    if (end == known)
      if (const auto found = find_file(folder, name, known)) return found;
  for (std::string_view other : mesh_ends)
    if (const auto found = find_file(folder, stem + std::string(other), other)) return found;
  return std::nullopt;
}

std::string_view shape_marker(const Statement& graphics) {
  for (std::string_view name : {"CM", "RM", "CORNER", "CRM", "OUTLINE"})
    if (graphics.has(name)) return name;
  return "";
}

namespace {

/// The shapes that an argument is for, between commas. RANGLE of a solid is refused elsewhere.
struct ArgumentOfShapes {
  std::string_view name, shapes;
};
constexpr ArgumentOfShapes arguments_of_shapes[] = {
    {"CID", ",CURVE,"},
    {"CRM", ",CURVE,"},
    {"CM", ",ELLIPSOID,CYLINDER,FRUSTUM,TORUS,CIRCLE,ARC,"},
    {"RM", ",PLANE,POINT,EXTRUSION,REVOLUTION,EXTERNAL,"},
    {"CORNER", ",BOX,"},
    {"XSCALE", ",ELLIPSOID,"},
    {"YSCALE", ",ELLIPSOID,"},
    {"ZSCALE", ",ELLIPSOID,"},
    {"X", ",BOX,"},
    {"Y", ",BOX,"},
    {"Z", ",BOX,"},
    {"LENGTH", ",CYLINDER,FRUSTUM,EXTRUSION,"},
    {"RADIUS", ",CYLINDER,CIRCLE,ARC,"},
    {"BOTTOM", ",FRUSTUM,"},
    {"TOP", ",FRUSTUM,"},
    {"MAJOR", ",TORUS,"},
    {"MINOR", ",TORUS,"},
    {"PROFILE", ",EXTRUSION,REVOLUTION,"},
    {"PROFILE_POINTS", ",EXTRUSION,REVOLUTION,"},
    {"ANGLE", ",REVOLUTION,"},
    {"FILE", ",EXTERNAL,"},
    {"ELEMENT", ",EXTERNAL,"},
    {"RANGLE", ",ELLIPSOID,BOX,CYLINDER,FRUSTUM,TORUS,PLANE,POINT,ARC,EXTRUSION,REVOLUTION,EXTERNAL,"},
};

}  // namespace

bool shape_depends_on(const Statement& graphics, std::string_view argument) {
  const std::string shape = fmt::format(",{},", graphics.chosen("shape"));
  return std::ranges::none_of(arguments_of_shapes, [&](const ArgumentOfShapes& a) {
    return a.name == argument && a.shapes.find(shape) == std::string_view::npos;
  });
}

bool is_hole(const Statement& contact, int side, int id) {
  const Argument* ids = contact.find(side == 0 ? "IFLIP" : "JFLIP");
  return ids && std::find(ids->numbers.begin(), ids->numbers.end(), id) != ids->numbers.end();
}

namespace {

/// Whether contact in a plane takes a GRAPHICS, beside curves.
bool goes_with_curves(const Statement& graphics) {
  return graphics.chosen("shape") == "POINT" || graphics.chosen("shape") == "PLANE";
}

/// Why curves beside solids, or IFLIP and JFLIP of shapes without inside, are not supported; "" where there
/// are none.
std::string planar_reason(const StatementIndex& statements, const Statement& contact) {
  const Statement *curve = nullptr, *solid = nullptr;
  for (const int side : {0, 1}) {
    const std::string_view shapes = side == 0 ? "IGEOM" : "JGEOM", flips = side == 0 ? "IFLIP" : "JFLIP";
    const Argument *ids = contact.find(shapes), *flipped = contact.find(flips);
    for (double id : ids ? ids->numbers : std::vector<double>()) {
      const Statement* g = statements.find("GRAPHICS", static_cast<int>(id));
      const auto kind = g ? shape_kind(*g) : std::nullopt;
      if (!kind) continue;
      if (*kind == ShapeKind::planar) curve = g;
      if (*kind != ShapeKind::planar && !goes_with_curves(*g)) solid = g;
    }
    for (double id : flipped ? flipped->numbers : std::vector<double>()) {
      const Statement* g = statements.find("GRAPHICS", static_cast<int>(id));
      if (!g) continue;
      if (!ids || std::find(ids->numbers.begin(), ids->numbers.end(), id) == ids->numbers.end())
        return fmt::format("{} of {} is not in {}", g->label(), flips, shapes);
      if (goes_with_curves(*g))
        return fmt::format(
            "{} turns curves and makes solids holes; {} is {}", flips, g->label(),
            g->chosen("shape") == "PLANE" ? "PLANE, which its marker turns" : "POINT, which has no inside");
    }
  }
  if (curve && solid)
    return fmt::format(
        "{} is {}, in a plane, and {} is {}, a solid; CIRCLE, ARC, OUTLINE and CURVE touch each other, POINT "
        "and PLANE",
        curve->label(), curve->chosen("shape"), solid->label(), solid->chosen("shape"));
  return "";
}

/// Why shapes on a flexible body are not supported; "" where they are. Each is fixed to its marker, and a
/// CONTACT has one marker on each side.
std::string flexible_reason(const StatementIndex& statements, const Statement& contact) {
  bool flexible = false;
  const Statement* curve = nullptr;
  for (const std::string_view argument : {"IGEOM", "JGEOM"}) {
    std::map<int, const Statement*> first;  // shape of each FLEX_BODY
    const Argument* ids = contact.find(argument);
    for (double id : ids ? ids->numbers : std::vector<double>()) {
      const Statement* g = statements.find("GRAPHICS", static_cast<int>(id));
      if (!g) continue;
      if (shape_kind(*g) == ShapeKind::planar) curve = g;
      const std::string_view name = shape_marker(*g);
      const auto at = name.empty() ? std::nullopt : g->id_of(name);
      const Statement* marker = at ? statements.find("MARKER", *at) : nullptr;
      const auto body = marker ? marker->id_of("FLEX_BODY") : std::nullopt;
      if (!body) continue;
      flexible = true;
      const Statement& other = *first.try_emplace(*body, g).first->second;
      if (other.id_of(shape_marker(other)) != g->id_of(name))
        return fmt::format(
            "{} and {} of {} are at different markers of FLEX_BODY/{}, which move against each other; give a "
            "CONTACT for each",
            other.label(), g->label(), argument, *body);
    }
  }
  return flexible && curve ? fmt::format("{} is {}, in a plane, and no shape of a FLEX_BODY touches it",
                                         curve->label(), curve->chosen("shape"))
                           : "";
}

/// The PART of a shape; none where it is on another body, or has no marker.
std::optional<int> part_of(const StatementIndex& statements, const Statement& graphics) {
  const std::string_view name = shape_marker(graphics);
  const auto at = name.empty() ? std::nullopt : graphics.id_of(name);
  const Statement* marker = at ? statements.find("MARKER", *at) : nullptr;
  return marker ? marker->id_of("PART") : std::nullopt;
}

/// Why a solid that is only a part of a turn is not supported; "" of others.
std::string sector_reason(const Statement& graphics) {
  if (shape_kind(graphics) == ShapeKind::planar || !graphics.has("RANGLE")) return "";
  const double degrees = graphics.real("RANGLE", 0) * 180 / std::numbers::pi;
  if (std::fabs(std::fabs(degrees) - 360) < 1e-6) return "";
  return fmt::format(
      "{} is a sector of {:.6g} degrees, and contact is with all of it; leave RANGLE out, or give the solid "
      "as "
      "REVOLUTION with ANGLE or as EXTERNAL",
      graphics.label(), degrees);
}

/// Why a GRAPHICS whose shape no contact knows is not supported.
std::string shape_reason(const Statement& graphics) {
  const std::string_view shape = graphics.chosen("shape");
  return fmt::format(
      "{} is no shape of contact: {}; it is between ELLIPSOID, POINT, BOX, CYLINDER, FRUSTUM, "
      "TORUS, PLANE, EXTRUSION, REVOLUTION and EXTERNAL, or in a plane between CIRCLE, ARC, OUTLINE, "
      "CURVE, POINT and PLANE",
      graphics.label(), shape.empty() ? "it names none that is known" : shape);
}

}  // namespace

std::string unsupported_shapes(const Description& description, const StatementIndex& statements,
                               const Statement& contact) {
  if (contact.spec->keyword != "CONTACT") return {};
  struct Endless {
    std::string what;
    std::optional<int> part;
  };
  std::vector<Endless> endless[2];  // shapes without end on each side
  for (int side = 0; side < 2; ++side) {
    const Argument* ids = contact.find(side == 0 ? "IGEOM" : "JGEOM");
    for (double id : ids ? ids->numbers : std::vector<double>()) {
      const Statement* g = statements.find("GRAPHICS", static_cast<int>(id));
      if (!g) continue;
      const auto kind = shape_kind(*g);
      if (!kind) return shape_reason(*g);
      if (const std::string reason = sector_reason(*g); !reason.empty()) return reason;
      if (g->chosen("shape") == "EXTERNAL" && !mesh_file(description, *g)) return file_reason(*g);
      if (has_profile(*g) && g->has("PATH"))
        return fmt::format("{} has a PATH; give a straight one by LENGTH, or the solid as EXTERNAL",
                           g->label());
      const bool plane = *kind == ShapeKind::half_space;
      if (plane || (*kind != ShapeKind::planar && is_hole(contact, side, g->id)))
        endless[side].push_back({plane ? "a PLANE" : "the hole " + g->label(), part_of(statements, *g)});
    }
  }
  for (const Endless& i : endless[0])
    for (const Endless& j : endless[1])
      if (!i.part || i.part != j.part)  // shapes of one body do not touch
        return fmt::format("contact of {} with {}, which have no end, is not supported", i.what, j.what);
  const std::string reason = flexible_reason(statements, contact);
  return reason.empty() ? planar_reason(statements, contact) : reason;
}

}  // namespace trammel
