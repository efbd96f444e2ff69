// CONTACT, and the GRAPHICS between which it is.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <map>
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

/// A number that another argument needs; an error where it is missing.
double Compiler::needed(const Statement& s, std::string_view name, std::string_view why) {
  if (!s.has(name)) diagnostics_.error(s.where, "{}: {} is missing, which {} needs", s.label(), name, why);
  return s.real(name, 1);
}

namespace {

/// Warns of those of the named arguments that are given.
void note_idle(const Statement& s, std::initializer_list<std::string_view> names, std::string_view why,
               Diagnostics& diagnostics) {
  for (const std::string_view name : names)
    if (const Argument* a = s.find(name))
      diagnostics.warning(a->where, "{}: {} has no effect {}", s.label(), name, why);
}

}  // namespace

/// The normal force as a CONTACT gives it.
void Compiler::read_normal_law(const Statement& s, ContactLaw& law) {
  const auto required = [&](std::string_view name, std::string_view why) { return needed(s, name, why); };
  const auto idle = [&](std::initializer_list<std::string_view> names, std::string_view why) {
    note_idle(s, names, why, diagnostics_);
  };
  if (s.has("NORMAL_FUNCTION")) {
    idle({"STIFFNESS", "EXPONENT", "DAMPING", "DMAX", "PENALTY", "RESTITUTION_COEFFICIENT"},
         "beside NORMAL_FUNCTION");
    law.user = user_normal_force(s);
    return;
  }
  law.poisson = s.has("POISSON") || (s.has("PENALTY") && !s.has("IMPACT") && !s.has("STIFFNESS"));
  if (law.poisson) {
    idle({"STIFFNESS", "EXPONENT", "DAMPING", "DMAX"}, "with the law POISSON");
    law.stiffness = required("PENALTY", "POISSON");
    law.restitution = required("RESTITUTION_COEFFICIENT", "POISSON");
    law.turning_speed = millimeter_per_second();
    return;
  }
  idle({"PENALTY", "RESTITUTION_COEFFICIENT"}, "with the law IMPACT");
  law.stiffness = required("STIFFNESS", "IMPACT");
  law.exponent = required("EXPONENT", "IMPACT");
  law.damping = s.real("DAMPING", 0);
  law.full_depth = law.damping > 0 ? required("DMAX", "DAMPING") : s.real("DMAX", 1);
  if (law.exponent < 1)
    diagnostics_.warning(s.find("EXPONENT") ? s.find("EXPONENT")->where : s.where,
                         "{}: EXPONENT={:.6g} below 1 is infinitely stiff at the first touch; 1.5 is that of "
                         "two balls",
                         s.label(), law.exponent);
}

/// 1 mm/s in the model's units.
double Compiler::millimeter_per_second() const {
  const double second = unit_in_si("TIME", model_.units.time);
  return 1e-3 / model_.units.meters_per_length * (second > 0 ? second : 1);
}

/// The law as a CONTACT gives it.
ContactLaw Compiler::contact_law(const Statement& s) {
  ContactLaw law;
  read_normal_law(s, law);
  const auto required = [&](std::string_view name, std::string_view why) { return needed(s, name, why); };
  law.friction = s.has("COULOMB_FRICTION") && s.word("COULOMB_FRICTION") != "OFF";
  law.dynamics_only = s.word("COULOMB_FRICTION") == "DYNAMICS_ONLY";
  if (!s.has("COULOMB_FRICTION"))
    note_idle(s,
              {"MU_STATIC", "MU_DYNAMIC", "STICTION_TRANSITION_VELOCITY", "FRICTION_TRANSITION_VELOCITY",
               "MAX_STICTION_DEFORMATION"},
              "without COULOMB_FRICTION", diagnostics_);
  if (!law.friction) return law;
  if (!s.has("STICTION")) note_idle(s, {"MAX_STICTION_DEFORMATION"}, "without STICTION=ON", diagnostics_);
  law.mu_static = required("MU_STATIC", "COULOMB_FRICTION");
  law.mu_dynamic = required("MU_DYNAMIC", "COULOMB_FRICTION");
  law.stick_speed = required("STICTION_TRANSITION_VELOCITY", "COULOMB_FRICTION");
  law.slide_speed = required("FRICTION_TRANSITION_VELOCITY", "COULOMB_FRICTION");
  if (law.mu_static < law.mu_dynamic)
    diagnostics_.error(s.where,
                       "{}: MU_STATIC={:.6g} is below MU_DYNAMIC={:.6g}; friction at rest is the greater",
                       s.label(), law.mu_static, law.mu_dynamic);
  if (s.word("STICTION") == "ON") {
    law.deformation = s.real("MAX_STICTION_DEFORMATION");
    if (law.mu_static == 0) law.deformation = 0;  // nothing holds
  }
  if (s.has("FRICTION_TRANSITION_VELOCITY") && !(law.slide_speed > law.stick_speed))
    diagnostics_.error(s.where,
                       "{}: FRICTION_TRANSITION_VELOCITY={:.6g} must be above "
                       "STICTION_TRANSITION_VELOCITY={:.6g}",
                       s.label(), law.slide_speed, law.stick_speed);
  return law;
}

namespace {

/// PlacedShape::is_round. The corners of a REVOLUTION of few sides sweep.
bool is_round(const Statement& graphics, const Shape& shape) {
  constexpr double rounding = 1e-9, many_sides = 12;
  if (shape.kind == ShapeKind::ellipsoid) return shape.size[0] == shape.size[1];
  if (shape.kind == ShapeKind::mesh)
    return graphics.chosen("shape") == "REVOLUTION" && graphics.real("SIDES", many_sides) >= many_sides &&
           graphics.real("ANGLE") > 2 * std::numbers::pi * (1 - rounding);
  return shape.kind == ShapeKind::ball || shape.kind == ShapeKind::frustum || shape.kind == ShapeKind::torus;
}

}  // namespace

/// Of a GRAPHICS that IGEOM (side 0) or JGEOM (1) names: its shape in the axes of the body at its centre of
/// mass. Nothing after an error.
std::optional<ContactShape> Compiler::contact_shape(const Statement& contact, int side, int id) {
  const Statement* g = statements_.find("GRAPHICS", id);
  if (!g) return std::nullopt;  // told by the check of references
  const NamedShape named = read_shape(*g, contact.label(), diagnostics_);
  if (named.marker.empty()) return std::nullopt;
  const Marker& m = model_.markers[marker_index(*g, named.marker)];
  // At a node it is fixed to the marker, which moves against the frame of its body.
  PlacedShape placed = placed_on(named, m.node >= 0 ? Marker{} : m);
  placed.id = id;
  placed.is_round = is_round(*g, placed.shape);
  if (placed.shape.kind != ShapeKind::planar && is_hole(contact, side, id)) {
    placed.inside_out = true;
    placed.reach = placed.inner = HUGE_VAL;
  }
  return ContactShape{placed, m.body, id};
}

std::vector<ContactShape> Compiler::shapes_of(const Statement& s, std::string_view argument) {
  std::vector<ContactShape> list;
  const Argument* ids = s.find(argument);
  for (double id : ids ? ids->numbers : std::vector<double>())
    if (const auto shape = contact_shape(s, argument == "IGEOM" ? 0 : 1, static_cast<int>(id)))
      list.push_back(*shape);
  return list;
}

namespace {

/// The shape that becomes a hole with flat sides: they touch the round one from outside, so that what fits
/// the one fits the other.
Shape widened(Shape shape, int sides) {
  if (shape.kind == ShapeKind::frustum)
    for (int k = 1; k < 3; ++k) shape.size[k] /= std::cos(std::numbers::pi / sides);
  return shape;
}

/// Whether a shape is held against one of the others as a mesh.
bool needs_mesh(const ContactShape& shape, const std::vector<ContactShape>& others) {
  const ShapeKind kind = shape.placed.shape.kind;
  if (!shape.placed.inside_out && (kind == ShapeKind::ball || kind == ShapeKind::half_space)) return false;
  return std::any_of(others.begin(), others.end(), [&](const ContactShape& other) {
    return pair_kind(shape.placed, other.placed) == PairKind::none;
  });
}

double area_of(const TriangleMesh& mesh) {
  double twice = 0;
  for (const auto& [a, b, c] : mesh.triangles)
    twice += norm(cross(mesh.vertices[b] - mesh.vertices[a], mesh.vertices[c] - mesh.vertices[a]));
  return twice / 2;
}

}  // namespace

/// Where several shapes are elements of one file, none of which it names: all would be the whole of it.
void Compiler::refuse_other_elements(const Statement& graphics, const std::string& path) const {
  const std::string_view element = graphics.text("ELEMENT");
  const std::filesystem::path file(path);
  if (lower(file.stem().string()).ends_with("_" + lower(element))) return;  // a file of its own
  for (const Statement& s : statements_.all("GRAPHICS"))
    if (s.text("FILE") == graphics.text("FILE") && s.text("ELEMENT") != element &&
        mesh_file(description_, s) == path)
      fail(ExitCode::input,
           "{0} has no part called {1}, and {2} is another element of it; call its parts by their names (o "
           "{1} "
           "in .obj, solid {1} in .stl) or put {3}_{1}{4} beside it",
           path, element, s.label(), file.stem().string(), file.extension().string());
}

/// The flat sides about its axis of what is round and becomes a mesh: 32, or SIDES where there are more.
/// Tells what they mean.
int Compiler::flat_sides(const Statement& contact, const Statement& graphics) {
  constexpr int least = 32, most = 1000;
  constexpr double noticed = 0.01;  // gap in %, 223 sides: with 256 a roller keeps its swing to 0.2 %
  const double given = graphics.real("SIDES", least);
  if (given > most || given != std::floor(given)) {
    diagnostics_.error(graphics.where, "{}: SIDES={:.6g} must be a whole number, {} at most",
                       graphics.label(), given, most);
    return least;
  }
  const int sides = std::max(least, static_cast<int>(given));
  // r (1 − cos(π/n)) between the circle and the middle of a side
  const double gap = 100 * (1 - std::cos(std::numbers::pi / sides));
  const std::string what = fmt::format(
      "{}: {} is taken as a solid with {} flat sides about its axis, {:.2g} % "
      "of its radius between them and the circle",
      contact.label(), graphics.label(), sides, gap);
  if (gap < noticed)
    diagnostics_.note(contact.where, "{}", what);
  else
    diagnostics_.warning(contact.where,
                         "{}: it rolls over edges. SIDES of {} gives it more of them; for motion in a plane "
                         "CIRCLE is exact",
                         what, graphics.label());
  return sides;
}

/// The mesh of a shape, by its GRAPHICS statement; empty after an error.
TriangleMesh Compiler::mesh_of(const Statement& contact, const Statement& graphics,
                               const PlacedShape& placed) {
  const Shape& shape = placed.shape;
  if (shape.kind == ShapeKind::box) return tessellate(shape, 4);
  if (shape.kind != ShapeKind::mesh) {
    const int sides = flat_sides(contact, graphics);
    return tessellate(placed.inside_out ? widened(shape, sides) : shape, sides);
  }
  if (has_profile(graphics)) return mesh_of_profile(contact, graphics);
  const auto path = mesh_file(description_, graphics);
  if (!path) return {};  // told by unsupported_shapes()
  try {
    MeshElement element{graphics.text("ELEMENT")};
    TriangleMesh mesh = read_mesh(*path, diagnostics_, graphics.has("ELEMENT") ? &element : nullptr);
    if (graphics.has("ELEMENT") && !element.found) refuse_other_elements(graphics, *path);
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
void Compiler::add_meshes(const Statement& s, std::vector<ContactShape>& shapes,
                          const std::vector<ContactShape>& others) {
  for (ContactShape& of_side : shapes) {
    if (!needs_mesh(of_side, others)) continue;
    PlacedShape& shape = of_side.placed;
    const auto [place, fresh] = solid_of_.try_emplace(shape.inside_out ? -of_side.graphics : of_side.graphics,
                                                      static_cast<int>(model_.solids.size()));
    if (fresh) {
      TriangleMesh mesh = mesh_of(s, *statements_.find("GRAPHICS", of_side.graphics), shape);
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

/// The bodies of the shapes of one side, each once, in ascending order; −1: ground.
std::vector<int> Compiler::contact_bodies(const Statement& s, std::string_view argument) const {
  std::vector<int> bodies;
  const Argument* ids = s.find(argument);
  for (double id : ids ? ids->numbers : std::vector<double>()) {
    const Statement* g = statements_.find("GRAPHICS", static_cast<int>(id));
    const std::string_view name = g ? shape_marker(*g) : "";
    if (!name.empty()) bodies.push_back(model_.markers[marker_index(*g, name)].body);
  }
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  return bodies;
}

bool Compiler::is_contact_group(const Statement& s) const {
  return contact_bodies(s, "IGEOM").size() > 1 || contact_bodies(s, "JGEOM").size() > 1;
}

/// The marker at the centre of mass of a body; 0: ground.
int Compiler::center_of(int body) const {
  return body < 0 ? 0 : model_.bodies[body].center_marker;
}

/// The marker at which a shape takes its forces: its own at a node of a flexible body, else that at the
/// centre of mass.
int Compiler::contact_marker_of(const Statement& graphics) const {
  const std::string_view name = shape_marker(graphics);
  if (name.empty()) return 0;  // told where the shape is read
  const int own = marker_index(graphics, name);
  return model_.markers[own].node >= 0 ? own : center_of(model_.markers[own].body);
}

int Compiler::contact_marker(const Statement& s, std::string_view argument) const {
  const Argument* ids = s.find(argument);
  for (double id : ids ? ids->numbers : std::vector<double>())
    if (const Statement* g = statements_.find("GRAPHICS", static_cast<int>(id))) return contact_marker_of(*g);
  return 0;
}

void Compiler::compile_contacts() {
  for (const Statement& s : statements_.all("CONTACT")) {
    if (const std::string reason = unsupported_shapes(description_, statements_, s); !reason.empty())
      diagnostics_.unsupported(s.where, "{}: {}", s.label(), reason);
    std::vector<ContactShape> of_I = shapes_of(s, "IGEOM"), of_J = shapes_of(s, "JGEOM");
    add_meshes(s, of_I, of_J);
    add_meshes(s, of_J, of_I);
    if (is_contact_group(s)) {
      add_contact_group(s, of_I, of_J);
      continue;
    }
    ContactElement c;
    c.name = name_of(s);
    c.law = contact_law(s);
    c.I = contact_marker(s, "IGEOM");
    c.J = contact_marker(s, "JGEOM");
    for (const ContactShape& shape : of_I) c.of_I.push_back(shape.placed);
    for (const ContactShape& shape : of_J) c.of_J.push_back(shape.placed);
    take_creep(c);
    add_curves(s, c);
    if (!of_I.empty() && !of_J.empty() && model_.markers[c.I].body == model_.markers[c.J].body)
      diagnostics_.error(s.where, "{}: the shapes of IGEOM and JGEOM are on one body; contact is between two",
                         s.label());
    model_.contacts.push_back(std::move(c));
  }
}

/// The states of a CONTACT with STICTION, which were reserved.
void Compiler::take_creep(ContactElement& c) {
  if (c.law.deformation == 0) return;
  const std::size_t pairs = c.of_I.size() * c.of_J.size();
  c.creep = contact_creep_.at(c.name.id);
  for (std::size_t k = 0; k < 3 * pairs; ++k) {
    const int scalar = c.creep + static_cast<int>(k);
    c.values.push_back({model_.scalars[scalar].part, false, -1, 0, scalar});
  }
}

/// Reserves the creep of CONTACTs with STICTION: as that of FRICTION, before expressions are compiled.
void Compiler::reserve_contact_states() {
  constexpr std::string_view axes[] = {"X", "Y", "Z"};
  for (const Statement& s : statements_.all("CONTACT")) {
    if (s.word("STICTION") != "ON") continue;
    if (!s.has("COULOMB_FRICTION") || s.word("COULOMB_FRICTION") == "OFF") {
      diagnostics_.warning(s.find("STICTION")->where, "{}: STICTION has no effect without COULOMB_FRICTION",
                           s.label());
      continue;
    }
    const Argument *I = s.find("IGEOM"), *J = s.find("JGEOM");
    if (!I || !J) continue;  // told by the check of required arguments
    const std::size_t pairs = I->numbers.size() * J->numbers.size();
    contact_creep_[s.id] = model_.scalar_count();
    for (std::size_t k = 0; k < 3 * pairs; ++k) {
      Scalar z;
      z.name = name_of(s);
      z.part = fmt::format("CREEP{}{}", pairs > 1 ? std::to_string(k / 3 + 1) : "", axes[k % 3]);
      z.kind = ScalarKind::differential;
      z.static_hold = true;
      hold_to_deflection(z, s.real("MAX_STICTION_DEFORMATION"));
      add_scalar(z);
    }
  }
}

/// CONTACT of more than two bodies.
void Compiler::add_contact_group(const Statement& s, const std::vector<ContactShape>& of_I,
                                 const std::vector<ContactShape>& of_J) {
  std::map<std::pair<int, int>, ContactGroup::Member> by_body;  // and GRAPHICS
  const auto take = [&](const ContactShape& shape, bool ContactGroup::Member::*side) {
    ContactGroup::Member& m = by_body[{shape.body, shape.graphics}];
    if (m.placed.mesh < 0) m.placed = shape.placed;  // the other side may have no need of a mesh
    m.marker = contact_marker_of(*statements_.find("GRAPHICS", shape.graphics));
    m.*side = true;
  };
  for (const ContactShape& shape : of_I) take(shape, &ContactGroup::Member::of_I);
  for (const ContactShape& shape : of_J) take(shape, &ContactGroup::Member::of_J);
  ContactGroup group;
  for (const auto& [key, shape] : by_body)
    if (shape.placed.shape.kind == ShapeKind::planar)
      return diagnostics_.unsupported(s.where,
                                      "{}: contact in a plane between more than two bodies; give a "
                                      "CONTACT for each two",
                                      s.label());
  group.name = name_of(s);
  group.law = contact_law(s);
  if (group.law.user)
    diagnostics_.unsupported(s.find("NORMAL_FUNCTION")->where,
                             "{}: NORMAL_FUNCTION between more than two bodies; give a CONTACT for each two",
                             s.label());
  if (group.law.deformation > 0)
    diagnostics_.unsupported(s.find("STICTION")->where,
                             "{}: STICTION between more than two bodies; give a CONTACT for each two",
                             s.label());
  int last = -1;  // ground has no equations
  for (const auto& [key, shape] : by_body) {
    group.shapes.push_back(shape);
    const int n = static_cast<int>(group.shapes.size());
    if (key.first >= 0 && key.first != last) {
      ContactMember m;
      m.name = group.name;
      m.I = shape.marker;
      m.group = static_cast<int>(model_.contact_groups.size());
      m.first = n - 1;
      model_.contact_members.push_back(std::move(m));
      force_output_.push_back(-1);
    }
    last = key.first;
    if (last >= 0) model_.contact_members.back().last = n;
  }
  model_.contact_groups.push_back(std::move(group));
}

}  // namespace trammel
