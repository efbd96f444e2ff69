#include "model/solid_masses.h"

#include "dataset/contact_shapes.h"
#include "geometry/volume.h"
#include "model/compiler.h"
#include "model/shape_reader.h"
#include "model/units.h"

namespace trammel {

/// Volume and inertia of the solid of a GRAPHICS statement; sets `body` to the body that it is on.
SolidMass Compiler::solid_mass(const Statement& s, int& body) {
  SolidMass solid{&s, {}, {}};
  for (std::string_view name : {"CM", "RM", "CORNER"})
    if (s.has(name)) body = model_.markers[marker_index(s, name)].body;
  Diagnostics found;
  const NamedShape shape = read_shape(s, "its volume", found);
  if (!shape.marker.empty()) {
    const Marker& m = model_.markers[marker_index(s, shape.marker)];
    const PlacedShape placed = placed_on(shape, m);
    const std::size_t errors = diagnostics_.list().size();
    const bool mesh = placed.shape.kind == ShapeKind::mesh;
    const MeshMass own = mesh ? mesh_mass(mesh_of(s, s, placed)) : shape_mass(placed.shape);
    solid.mass = placed_mass(own, placed.r, placed.A);
    if (own.volume == 0 && diagnostics_.list().size() > errors)
      solid.reason = diagnostics_.list().back().text;
    if (own.volume == 0 && solid.reason.empty()) solid.reason = "its file is no mesh that is there";
  } else if (!found.list().empty()) {
    solid.reason = found.list().back().text;
  }
  return solid;
}

std::vector<PartSolids> Compiler::solids_of_parts() {
  model_.units = read_units(statements_.find("UNITS"));
  model_.ucf = model_.units.ucf;
  compile_bodies();
  compile_markers();
  finish_bodies();
  std::vector<PartSolids> parts(model_.bodies.size() + 1);
  parts[0].name = "ground";
  for (std::size_t k = 0; k < model_.bodies.size(); ++k) {
    const Body& body = model_.bodies[k];
    parts[k + 1].name = body.name.label();
    parts[k + 1].mass = body.mass * model_.ucf;
    parts[k + 1].inertia = model_.ucf * body.inertia;
  }
  for (const Statement& s : statements_.all("GRAPHICS")) {
    const auto kind = shape_kind(s);
    if (!kind || *kind == ShapeKind::half_space || *kind == ShapeKind::planar || s.chosen("shape") == "POINT")
      continue;
    int body = -1;
    SolidMass solid = solid_mass(s, body);
    parts[body + 1].solids.push_back(std::move(solid));
  }
  std::erase_if(parts, [](const PartSolids& part) { return part.solids.empty(); });
  return parts;
}

std::vector<PartSolids> solids_of_parts(const Description& description) {
  Diagnostics found;
  return Compiler(description, found).solids_of_parts();
}

}  // namespace trammel
