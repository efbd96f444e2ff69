#include "analysis/position_correction.h"

#include <algorithm>
#include <cmath>

#include "assemble/body_motion.h"
#include "integrate/orientation.h"
#include "math/rotation.h"

namespace trammel {

double CorrectionSize::within(const CorrectionLimits& limits) const {
  double scale = 1;
  if (rotation > limits.rotation) scale = limits.rotation / rotation;
  if (translation * scale > limits.translation) scale = limits.translation / translation;
  return scale;
}

namespace {

Vec3d turn_of(const BodyKinematics& k, const Body& body, std::span<const double> correction) {
  return rotation_of(body, k.H, &correction[body.first]);
}

}  // namespace

CorrectionSize size_of_correction(const Model& model, const Kinematics& at,
                                  std::span<const double> correction) {
  CorrectionSize size;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    for (int k = 0; k < body.translations; ++k)
      size.translation = std::max(size.translation, std::abs(correction[body.first + k]));
    if (body.turns())
      size.rotation = std::max(size.rotation, norm(turn_of(at.body(static_cast<int>(b)), body, correction)));
  }
  for (int k = model.first_modal(); k < model.coordinates; ++k)
    size.translation = std::max(size.translation, std::abs(correction[k]));
  return size;
}

void correct_positions(const Model& model, const Kinematics& at, std::span<const double> correction,
                       double scale, State& state) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    for (int k = 0; k < body.translations; ++k) state.q[body.first + k] += scale * correction[body.first + k];
    if (!body.turns()) continue;
    const BodyKinematics& k = at.body(static_cast<int>(b));
    set_orientation(body, state, static_cast<int>(b),
                    rotation_vector(scale * turn_of(k, body, correction)) * k.A, {}, {});
  }
  for (int k = model.first_modal(); k < model.coordinates; ++k) state.q[k] += scale * correction[k];
}

}  // namespace trammel
