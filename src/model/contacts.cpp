// CONTACT, and the GRAPHICS between which it is.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "base/text.h"
#include "dataset/contact_shapes.h"
#include "geometry/mesh_check.h"
#include "geometry/mesh_mass.h"
#include "geometry/mesh_read.h"
#include "geometry/mesh_shapes.h"
#include "model/compiler.h"
#include "model/shape_reader.h"

namespace trammel {

/// The law as a CONTACT gives it.
ContactLaw Compiler::contact_law(const Statement& s) {
  ContactLaw law;
  law.poisson = s.has("POISSON") || (s.has("PENALTY") && !s.has("IMPACT") && !s.has("STIFFNESS"));
  const auto required = [&](std::string_view name, std::string_view why) {
    if (!s.has(name)) diagnostics_.error(s.where, "{}: {} is missing, which {} needs", s.label(), name, why);
    return s.real(name, 1);
  };
  if (law.poisson) {
    constexpr double meters_per_second = 1e-3;
    law.stiffness = required("PENALTY", "POISSON");
    law.restitution = required("RESTITUTION_COEFFICIENT", "POISSON");
    const double second = unit_in_si("TIME", model_.units.time);
    law.turning_speed = meters_per_second / model_.units.meters_per_length * (second > 0 ? second : 1);
  } else {
    law.stiffness = required("STIFFNESS", "IMPACT");
    law.exponent = required("EXPONENT", "IMPACT");
    law.damping = s.real("DAMPING", 0);
    law.full_depth = law.damping > 0 ? required("DMAX", "DAMPING") : s.real("DMAX", 1);
    if (law.exponent < 1)
      diagnostics_.warning(
          s.find("EXPONENT") ? s.find("EXPONENT")->where : s.where,
          "{}: EXPONENT={:.6g} below 1 is infinitely stiff at the first touch; 1.5 is that of "
          "two balls",
          s.label(), law.exponent);
  }
  law.friction = s.has("COULOMB_FRICTION") && s.word("COULOMB_FRICTION") != "OFF";
  if (!law.friction) return law;
  law.mu_static = required("MU_STATIC", "COULOMB_FRICTION");
  law.mu_dynamic = required("MU_DYNAMIC", "COULOMB_FRICTION");
  law.stick_speed = required("STICTION_TRANSITION_VELOCITY", "COULOMB_FRICTION");
  law.slide_speed = required("FRICTION_TRANSITION_VELOCITY", "COULOMB_FRICTION");
  if (law.mu_static < law.mu_dynamic)
    diagnostics_.error(s.where,
                       "{}: MU_STATIC={:.6g} is below MU_DYNAMIC={:.6g}; friction at rest is the greater",
                       s.label(), law.mu_static, law.mu_dynamic);
  if (s.has("FRICTION_TRANSITION_VELOCITY") && !(law.slide_speed > law.stick_speed))
    diagnostics_.error(s.where,
                       "{}: FRICTION_TRANSITION_VELOCITY={:.6g} must be above "
                       "STICTION_TRANSITION_VELOCITY={:.6g}",
                       s.label(), law.slide_speed, law.stick_speed);
  return law;
}

/// Makes the shape a hole in its body; of a PLANE the other side.
void Compiler::make_hole(const Statement& contact, const Statement& graphics, PlacedShape& placed) {
  if (graphics.chosen("shape") == "POINT")
    diagnostics_.error(contact.where,
                       "{}: {} is a POINT, which has no inside; leave it out of IFLIP and JFLIP",
                       contact.label(), graphics.label());
  if (placed.shape.kind == ShapeKind::half_space) {
    placed.A = placed.A * Mat3d::from_columns(Vec3d{1, 0, 0}, Vec3d{0, -1, 0}, Vec3d{0, 0, -1});
    return;
  }
  placed.inside_out = true;
  placed.reach = placed.inner = HUGE_VAL;
}

/// That IFLIP and JFLIP name shapes of IGEOM and JGEOM.
void Compiler::check_holes(const Statement& s) {
  for (const auto& [flip, geometry] : {std::pair("IFLIP", "IGEOM"), std::pair("JFLIP", "JGEOM")}) {
    const Argument *holes = s.find(flip), *shapes = s.find(geometry);
    for (double id : holes ? holes->numbers : std::vector<double>())
      if (!shapes || std::find(shapes->numbers.begin(), shapes->numbers.end(), id) == shapes->numbers.end())
        diagnostics_.error(holes->where, "{}: {}={} is not among the shapes of {}", s.label(), flip, id,
                           geometry);
  }
}

/// The shapes of one side, in the axes of the body at its centre of mass; `body` becomes theirs.
std::vector<PlacedShape> Compiler::shapes_of(const Statement& s, std::string_view argument, int& body) {
  std::vector<PlacedShape> list;
  const Argument* ids = s.find(argument);
  for (double id : ids ? ids->numbers : std::vector<double>()) {
    const Statement* g = description_.find("GRAPHICS", static_cast<int>(id));
    if (!g) continue;  // told by the check of references
    const NamedShape named = read_shape(*g, s.label(), diagnostics_);
    if (named.marker.empty()) continue;
    const Marker& m = model_.markers[marker_index(*g, named.marker)];
    if (!list.empty() && m.body != body)
      diagnostics_.error(ids->where,
                         "{}: {} is not on the body of the others of {}; give a CONTACT for each body",
                         s.label(), g->label(), argument);
    body = m.body;
    PlacedShape placed = placed_on(named, m);
    if (is_hole(s, argument == "IGEOM" ? 0 : 1, g->id)) make_hole(s, *g, placed);
    list.push_back(placed);
  }
  return list;
}

namespace {

constexpr int sides = 32;  // of what is round and becomes a mesh

/// The shape that becomes a hole with flat sides: they touch the round one from outside, so that what fits
/// the one fits the other.
Shape widened(Shape shape) {
  if (shape.kind == ShapeKind::frustum)
    for (int k = 1; k < 3; ++k) shape.size[k] /= std::cos(std::numbers::pi / sides);
  return shape;
}

/// Whether a shape is held against one of the others as a mesh.
bool needs_mesh(const PlacedShape& shape, const std::vector<PlacedShape>& others) {
  const ShapeKind kind = shape.shape.kind;
  if (!shape.inside_out && (kind == ShapeKind::ball || kind == ShapeKind::half_space)) return false;
  return std::any_of(others.begin(), others.end(),
                     [&](const PlacedShape& other) { return pair_kind(shape, other) == PairKind::none; });
}

double area_of(const TriangleMesh& mesh) {
  double twice = 0;
  for (const auto& [a, b, c] : mesh.triangles)
    twice += norm(cross(mesh.vertices[b] - mesh.vertices[a], mesh.vertices[c] - mesh.vertices[a]));
  return twice / 2;
}

}  // namespace

/// The mesh of a shape, by its GRAPHICS statement; empty after an error.
TriangleMesh Compiler::mesh_of(const Statement& contact, const Statement& graphics, const Shape& shape) {
  if (shape.kind != ShapeKind::mesh) {
    if (shape.kind != ShapeKind::box)
      diagnostics_.note(contact.where, "{}: {} is taken as a solid with {} sides about its axis",
                        contact.label(), graphics.label(), sides);
    return tessellate(shape, sides);
  }
  if (has_profile(graphics)) return mesh_of_profile(contact, graphics);
  const auto path = mesh_file(description_, graphics);
  if (!path) return {};  // told by unsupported_shapes()
  try {
    TriangleMesh mesh = read_mesh(*path, diagnostics_);
    check_mesh(mesh, *path, diagnostics_);
    if (!equal_ignoring_case(std::filesystem::path(*path).filename().string(),
                             std::filesystem::path(std::string(graphics.text("FILE"))).filename().string()))
      diagnostics_.note(graphics.where, "{}: the shape of {} is taken", graphics.label(), *path);
    return mesh;
  } catch (const Failure& failure) {
    diagnostics_.error(contact.where, "{}: {}: {}", contact.label(), graphics.label(), failure.what());
    return {};
  }
}

/// Gives those shapes of one side a mesh that need one.
void Compiler::add_meshes(const Statement& s, std::string_view argument, std::vector<PlacedShape>& shapes,
                          const std::vector<PlacedShape>& others) {
  const Argument* ids = s.find(argument);
  if (!ids || ids->numbers.size() != shapes.size()) return;  // after an error
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    PlacedShape& shape = shapes[k];
    if (!needs_mesh(shape, others)) continue;
    const int id = static_cast<int>(ids->numbers[k]);
    const auto [place, fresh] =
        solid_of_.try_emplace(shape.inside_out ? -id : id, static_cast<int>(model_.solids.size()));
    if (fresh) {
      TriangleMesh mesh = mesh_of(s, *description_.find("GRAPHICS", id),
                                  shape.inside_out ? widened(shape.shape) : shape.shape);
      if (shape.inside_out) turn_inside_out(mesh);
      if (mesh.triangles.empty()) {
        solid_of_.erase(place);
        continue;
      }
      model_.solids.push_back(std::make_shared<const SolidMesh>(make_solid(std::move(mesh))));
    }
    shape.mesh = place->second;
    if (shape.shape.kind != ShapeKind::mesh || shape.inside_out) continue;
    const TriangleMesh& mesh = model_.solids[shape.mesh]->mesh;
    shape.reach = 0;
    for (const Vec3d& v : mesh.vertices) shape.reach = std::max(shape.reach, norm(v));
    shape.inner = mesh_mass(mesh).volume / area_of(mesh);  // less than the radius of any ball that fits
  }
}

/// The marker at the centre of mass of the body that has the first of the shapes; 0: ground, or none.
int Compiler::contact_marker(const Statement& s, std::string_view argument) const {
  const Argument* ids = s.find(argument);
  const Statement* g = ids ? description_.find("GRAPHICS", static_cast<int>(ids->numbers.at(0))) : nullptr;
  if (!g) return 0;
  for (std::string_view name : {"CM", "RM", "CORNER"})
    if (g->has(name)) {
      const int body = model_.markers[marker_index(*g, name)].body;
      return body < 0 ? 0 : model_.bodies[body].center_marker;
    }
  return 0;
}

void Compiler::compile_contacts() {
  for (const Statement& s : description_.statements) {
    if (s.spec->keyword != "CONTACT") continue;
    ContactElement c;
    c.name = name_of(s);
    c.law = contact_law(s);
    check_holes(s);
    int body[2] = {-1, -1};
    c.of_I = shapes_of(s, "IGEOM", body[0]);
    c.of_J = shapes_of(s, "JGEOM", body[1]);
    add_meshes(s, "IGEOM", c.of_I, c.of_J);
    add_meshes(s, "JGEOM", c.of_J, c.of_I);
    c.I = contact_marker(s, "IGEOM");
    c.J = contact_marker(s, "JGEOM");
    if (!c.of_I.empty() && !c.of_J.empty() && body[0] == body[1])
      diagnostics_.error(s.where, "{}: the shapes of IGEOM and JGEOM are on one body; contact is between two",
                         s.label());
    if (const std::string reason = unsupported_shapes(description_, s); !reason.empty())
      diagnostics_.unsupported(s.where, "{}: {}", s.label(), reason);
    model_.contacts.push_back(std::move(c));
  }
}

}  // namespace trammel
