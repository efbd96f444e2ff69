// Everything that the future of a simulation depends on: all that a restart needs.
#pragma once

#include <vector>

#include "expression/delay_buffer.h"
#include "math/vec3.h"
#include "model/model.h"

namespace trammel {

struct State {
  double t = 0;
  std::vector<double> q, v, a;          ///< coordinates, their first and second time derivatives
  std::vector<double> lambda;           ///< multipliers
  std::vector<double> s, sdot;          ///< scalar unknowns and (differential ones) their rates
  std::vector<OrientationBasis> basis;  ///< per body
  std::vector<double> angle;  ///< last accepted values of angles that count revolutions, parameters on curves
  std::vector<double> offset;          ///< of screw, rack, COUPLER, GEAR: from the assembled configuration
  std::vector<unsigned char> dropped;  ///< per constraint row: redundant, multiplier held at 0
  std::vector<DelayBuffer> delays;     ///< accepted values of every DELAY's argument

  State() = default;
  explicit State(const Model& model)
      : q(model.coordinates),
        v(model.coordinates),
        a(model.coordinates),
        lambda(model.multipliers),
        s(model.scalars.size()),
        sdot(model.scalars.size()),
        basis(model.bodies.size()),
        angle(model.angles),
        offset(model.offsets),
        dropped(model.multipliers),
        delays(model.delays.size()) {
    for (const CurveUse& use : model.curve_uses) {
      if (use.slot_I >= 0) angle[use.slot_I] = use.start_I;
      angle[use.slot_J] = use.start_J;
    }
  }

  /// Saves the state, or restores that of the same model.
  template <class Archive>
  void archive(Archive& archive) {
    archive.section("state");
    archive(t);
    for (std::vector<double>* of_coordinates : {&q, &v, &a}) archive.sized(*of_coordinates, "coordinates");
    archive.sized(lambda, "multipliers");
    for (std::vector<double>* of_scalars : {&s, &sdot}) archive.sized(*of_scalars, "scalar states");
    archive.sized(basis, "bodies");
    archive.sized(angle, "counted angles");
    archive.sized(offset, "offsets");
    archive.sized(dropped, "multipliers");
    archive.sized(delays, "DELAYs");
  }
};

}  // namespace trammel
