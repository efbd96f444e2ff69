// CONTACT, and the GRAPHICS between which it is.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "base/text.h"
#include "dataset/contact_shapes.h"
#include "geometry/mesh_check.h"
#include "geometry/mesh_mass.h"
#include "geometry/mesh_read.h"
#include "geometry/mesh_shapes.h"
#include "model/compiler.h"

namespace trammel {

namespace {

/// The shape that a GRAPHICS statement gives in the axes of its marker, and the argument that names that.
struct NamedShape {
  Shape shape;
  Vec3d offset;         ///< of its frame from the marker
  bool turned = false;  ///< its z axis is that of the marker reversed
  std::string_view marker;
};

/// The argument that names the marker of a curve.
std::string_view curve_marker(const Statement& graphics) {
  const std::string_view shape = graphics.chosen("shape");
  return shape == "CURVE" ? "CRM" : shape == "OUTLINE" ? "OUTLINE" : "CM";
}

/// An empty name of the marker: the error is told, here or by unsupported_shapes().
class ShapeReader {
 public:
  ShapeReader(const Statement& contact, const Statement& graphics, Diagnostics& diagnostics)
      : contact_(contact), s_(graphics), diagnostics_(diagnostics) {}

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
  /// 0 after an error.
  double length(std::string_view name) {
    if (s_.has(name)) return s_.real(name, 0);
    complete_ = false;
    diagnostics_.error(s_.where, "{}: {} is missing, and {} needs it", s_.label(), name, contact_.label());
    return 0;
  }
  NamedShape done(NamedShape shape) {
    if (!s_.has(shape.marker)) {
      diagnostics_.error(s_.where, "{}: {} is missing, and {} needs it", s_.label(), shape.marker,
                         contact_.label());
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
      diagnostics_.error(s_.where, "{}: an edge of it is 0, and {} needs a solid", s_.label(),
                         contact_.label());
      complete_ = false;
    }
    return done({{ShapeKind::box, {std::fabs(x), std::fabs(y), std::fabs(z)}}, {x, y, z}, false, "CORNER"});
  }
  NamedShape frustum(double bottom, double top) {
    const double l = length("LENGTH");
    if (complete_ && (l == 0 || bottom + top == 0)) {
      diagnostics_.error(s_.where, "{}: it has no volume, and {} needs a solid", s_.label(),
                         contact_.label());
      complete_ = false;
    }
    return done({{ShapeKind::frustum, {std::fabs(l), bottom, top}}, {}, l < 0, "CM"});
  }
  NamedShape torus() {
    return done({{ShapeKind::torus, {length("MAJOR"), length("MINOR")}}, {}, false, "CM"});
  }

  const Statement& contact_;
  const Statement& s_;
  Diagnostics& diagnostics_;
  bool complete_ = true;
};

}  // namespace

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
  law.dynamics_only = s.word("COULOMB_FRICTION") == "DYNAMICS_ONLY";
  if (!law.friction) return law;
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

/// Of a GRAPHICS that IGEOM or JGEOM names: its shape in the axes of the body at its centre of mass. Nothing
/// after an error.
std::optional<ContactShape> Compiler::contact_shape(const Statement& contact, int id) {
  const Statement* g = description_.find("GRAPHICS", id);
  if (!g) return std::nullopt;  // told by the check of references
  const NamedShape named = ShapeReader(contact, *g, diagnostics_).read();
  if (named.marker.empty()) return std::nullopt;
  const Marker& m = model_.markers[marker_index(*g, named.marker)];
  PlacedShape placed{named.shape, m.s + m.A * named.offset, m.A, reach(named.shape),
                     inner_radius(named.shape)};
  if (named.turned) placed.A = m.A * Mat3d::from_columns(Vec3d{1, 0, 0}, Vec3d{0, -1, 0}, Vec3d{0, 0, -1});
  return ContactShape{placed, m.body, id};
}

std::vector<ContactShape> Compiler::shapes_of(const Statement& s, std::string_view argument) {
  std::vector<ContactShape> list;
  const Argument* ids = s.find(argument);
  for (double id : ids ? ids->numbers : std::vector<double>())
    if (const auto shape = contact_shape(s, static_cast<int>(id))) list.push_back(*shape);
  return list;
}

namespace {

/// Whether a shape is held against one of the others as a mesh.
bool needs_mesh(const ContactShape& shape, const std::vector<ContactShape>& others) {
  const ShapeKind kind = shape.placed.shape.kind;
  if (kind == ShapeKind::ball || kind == ShapeKind::half_space) return false;
  for (const ContactShape& other : others)
    if (pair_kind(kind, other.placed.shape.kind) == PairKind::none) return true;
  return false;
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
  constexpr int sides = 32;  // of what is round
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
void Compiler::add_meshes(const Statement& s, std::vector<ContactShape>& shapes,
                          const std::vector<ContactShape>& others) {
  for (ContactShape& of_side : shapes) {
    if (!needs_mesh(of_side, others)) continue;
    PlacedShape& shape = of_side.placed;
    const auto [place, fresh] =
        solid_of_.try_emplace(of_side.graphics, static_cast<int>(model_.solids.size()));
    if (fresh) {
      TriangleMesh mesh = mesh_of(s, *description_.find("GRAPHICS", of_side.graphics), shape.shape);
      if (mesh.triangles.empty()) {
        solid_of_.erase(place);
        continue;
      }
      model_.solids.push_back(std::make_shared<const SolidMesh>(make_solid(std::move(mesh))));
    }
    shape.mesh = place->second;
    if (shape.shape.kind != ShapeKind::mesh) continue;
    const TriangleMesh& mesh = model_.solids[shape.mesh]->mesh;
    shape.reach = 0;
    for (const Vec3d& v : mesh.vertices) shape.reach = std::max(shape.reach, norm(v));
    shape.inner = mesh_mass(mesh).volume / area_of(mesh);  // less than the radius of any ball that fits
  }
}

namespace {

/// The argument of a GRAPHICS that names the marker to which its shape is fixed; "": it has none.
std::string_view marker_argument(const Statement& graphics) {
  for (std::string_view name : {"CM", "RM", "CORNER", "CRM", "OUTLINE"})
    if (graphics.has(name)) return name;
  return "";
}

}  // namespace

/// The bodies of the shapes of one side, each once, in ascending order; −1: ground.
std::vector<int> Compiler::contact_bodies(const Statement& s, std::string_view argument) const {
  std::vector<int> bodies;
  const Argument* ids = s.find(argument);
  for (double id : ids ? ids->numbers : std::vector<double>()) {
    const Statement* g = description_.find("GRAPHICS", static_cast<int>(id));
    const std::string_view name = g ? marker_argument(*g) : "";
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

int Compiler::contact_marker(const Statement& s, std::string_view argument) const {
  const std::vector<int> bodies = contact_bodies(s, argument);
  return bodies.empty() ? 0 : center_of(bodies[0]);
}

void Compiler::compile_contacts() {
  for (const Statement& s : description_.statements) {
    if (s.spec->keyword != "CONTACT") continue;
    if (const std::string reason = unsupported_shapes(description_, s); !reason.empty())
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
    if (!of_I.empty() && !of_J.empty() && c.I == c.J)
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
  for (const Statement& s : description_.statements) {
    if (s.spec->keyword != "CONTACT" || s.word("STICTION") != "ON") continue;
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
    m.marker = center_of(shape.body);
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
