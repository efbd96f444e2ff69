// Momenta and energy of a free flexible body.
#pragma once

#include <algorithm>

#include "../support/beam_body.h"
#include "analysis/session.h"

namespace trammel::test {

/// Momenta and energy of a beam that tumbles and vibrates freely, by the motion of its nodes.
struct Tumbling {
  double energy, scale;
  Vec3d momentum, spin;
};
inline Tumbling state_of(const ModalBody& body, Session& session) {
  const Model& model = session.model();
  const FlexibleBody& f = model.flexible_bodies[0];
  Assembler& assembler = session.assembler();
  const State state = session.state();
  assembler.evaluate(state, {AnalysisMode::dynamics, phase_dynamics});
  const BodyKinematics& k = assembler.kinematics().body(0);
  Tumbling out{assembler.elastic_energy(), 0, {}, {}};
  for (int p = 0; p < body.nodes(); ++p) {
    Vec3d s = body.position[p], rate{}, turn{};
    for (int j = 0; j < f.modes; ++j) {
      const auto mode = std::find(body.mode_id.begin(), body.mode_id.end(), f.mode_id[j]);
      const auto at = p * body.modes + (mode - body.mode_id.begin());
      s += state.q[f.first + j] / f.size[j] * body.translation[at];
      rate += state.v[f.first + j] / f.size[j] * body.translation[at];
      turn += state.v[f.first + j] / f.size[j] * body.rotation[at];
    }
    const Vec3d r = k.x + k.A * s, v = k.v + cross(k.w, k.A * s) + k.A * rate;
    const Vec3d w = transpose_times(k.A, k.w) + turn;
    const double m = body.node_mass[p];
    out.momentum += m * v;
    out.spin += m * cross(r, v) + k.A * (body.node_inertia[p] * w);
    out.energy += 0.5 * m * dot(v, v) + 0.5 * dot(w, body.node_inertia[p] * w);
  }
  out.scale = assembler.kinetic_energy() + assembler.elastic_energy();
  return out;
}

}  // namespace trammel::test
