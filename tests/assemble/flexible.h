// Bodies of a compiled deck made flexible, with random nodes and modes.
#pragma once

#include <algorithm>

#include "../support/random.h"
#include "flexible/invariants.h"
#include "model/modal_tables.h"
#include "model/model.h"

namespace trammel::test {

/// Some nodes of random masses, places and shapes; the first are at the given places.
inline ModalBody random_modal_body(const std::vector<Vec3d>& places, int more, int modes, Random& random) {
  ModalBody body;
  body.source = "random.fem";
  body.modes = modes;
  const int nodes = static_cast<int>(places.size()) + more;
  for (int p = 0; p < nodes; ++p) {
    body.node_id.push_back(100 + p);
    body.position.push_back(p < static_cast<int>(places.size()) ? places[p] : random.vector(0.6));
    body.node_mass.push_back(random.uniform(0.1, 0.5));
    for (int j = 0; j < modes; ++j) {
      body.translation.push_back(random.vector(0.5));
      body.rotation.push_back(random.vector(0.5));
    }
  }
  for (int j = 0; j < modes; ++j) {
    body.mode_id.push_back(7 + j);
    body.frequency.push_back(1 + j);
    for (int k = 0; k < modes; ++k) body.stiffness.push_back(j == k ? 3 + j : 0.2);
  }
  body.invariants = lumped_invariants(body);
  return body;
}

/// Solids that are fixed to a body's frame are fixed to one of its markers, where they lie, as those of a
/// FLEX_BODY are; it has no contact in a plane.
inline void fix_shapes_to_marker(Model& model, int body) {
  const int center = model.bodies[body].center_marker;
  int own = 0;
  while (model.markers[own].body != body || model.markers[own].id == 0) ++own;
  const Marker& m = model.markers[own];
  const auto fix = [&](PlacedShape& shape) {
    shape.r = transpose_times(m.A, shape.r - m.s);
    shape.A = transpose(m.A) * shape.A;
  };
  const auto is_curve = [](const PlacedShape& shape) { return shape.curve >= 0; };
  for (ContactElement& c : model.contacts) {
    if (std::any_of(c.of_I.begin(), c.of_I.end(), is_curve) ||
        std::any_of(c.of_J.begin(), c.of_J.end(), is_curve))
      continue;
    for (const auto& [marker, shapes] : {std::pair{&c.I, &c.of_I}, std::pair{&c.J, &c.of_J}})
      if (*marker == center) {
        *marker = own;
        for (PlacedShape& shape : *shapes) fix(shape);
      }
  }
  for (ContactGroup& group : model.contact_groups)
    for (ContactGroup::Member& member : group.shapes)
      if (member.marker == center) {
        member.marker = own;
        fix(member.placed);
      }
  for (ContactMember& member : model.contact_members)
    if (member.I == center) member.I = own;
}

/// The body of that index becomes flexible: its frame stays where its centre of mass was, its markers are at
/// nodes, but for that at its centre of mass. Returns its modes.
inline ModalBody make_flexible(Model& model, int body, int modes, Random& random,
                               std::array<bool, 10> invariants = {true, true, true, true, true, true, true,
                                                                  true, true, true}) {
  std::vector<Vec3d> places;
  std::vector<Marker*> markers;
  for (Marker& m : model.markers)
    if (m.body == body && m.id > 0) {
      places.push_back(m.s);
      markers.push_back(&m);
    }
  fix_shapes_to_marker(model, body);
  ModalBody modal = random_modal_body(places, 3, modes, random);
  ModalChoice choice;
  choice.invariants = invariants;
  for (int j = 0; j < modes; ++j) choice.modes.push_back(j);
  FlexibleBody f{modal_tables(modal, choice), model.bodies[body].name, ""};
  f.body = body;
  f.first = model.coordinates;
  for (double& c : f.damping) c = 0.1;
  const int flexible = static_cast<int>(model.flexible_bodies.size());
  for (std::size_t p = 0; p < markers.size(); ++p) {
    markers[p]->node = static_cast<int>(model.nodes.size());
    model.nodes.push_back({flexible, static_cast<int>(model.node_shapes.size() / 6)});
    f.nodes.push_back(markers[p]->node);
    append_shapes(modal, choice, f, static_cast<int>(p), model.node_shapes);
  }
  model.coordinates += modes;
  model.modal_coordinates += modes;
  model.initial.modes.resize(model.modal_coordinates);
  model.bodies[body].mass = modal.invariants.mass;
  model.bodies[body].inertia = modal.invariants.I7;
  model.flexible_bodies.push_back(std::move(f));
  return modal;
}

/// The last modes of the first flexible body lose their inertia, as DYNAMIC_LIMIT does it.
inline void take_inertia(Model& model, int last) {
  FlexibleBody& f = model.flexible_bodies[0];
  f.dynamic = f.modes - last;
  for (int j = 0; j < f.modes; ++j)
    for (int k = 0; k < f.modes; ++k)
      if (std::max(j, k) >= f.dynamic) f.mass[j * f.modes + k] = 0;
  model.settling.assign(model.coordinates, 0.0);
  for (int j = f.dynamic; j < f.modes; ++j) model.settling[f.first + j] = 0.01 * (1 + j);
}

/// Random damping between frame and modes, and of a mode by the first tape, as GENERALIZED_DAMPING=FULL and a
/// CRATIO of time have them, and random forces of a preload.
inline void damp_and_load(Model& model, Random& random) {
  FlexibleBody& f = model.flexible_bodies[0];
  const auto numbers = [&](int n) {
    std::vector<double> v(n);
    for (double& x : v) x = random.uniform(-1, 1);
    return v;
  };
  f.frame_damping = numbers(36);
  f.damping_by_modes = numbers(6 * f.modes);
  f.damping_on_modes = numbers(6 * f.modes);
  f.preload = numbers(f.modes);
  f.damped = {{f.modes - 1, 0, 0.3}};
  model.tape_in_equations[0] = true;
}

}  // namespace trammel::test
