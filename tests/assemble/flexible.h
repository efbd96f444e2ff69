// Bodies of a compiled deck made flexible, with random nodes and modes.
#pragma once

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

}  // namespace trammel::test
