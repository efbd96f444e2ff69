// Small motions about the initial conditions of a deck.
#pragma once

#include <algorithm>
#include <string>

#include "../support/simulate.h"
#include "analysis/linear/modes.h"

namespace trammel::test {

struct Linear {
  SmallMotions motions;
  StateEquations equations;
  Modes modes;

  /// Place of a state among the states. Throws where there is none.
  Eigen::Index state(const std::string& name) const {
    for (std::size_t k = 0; k < equations.states.size(); ++k)
      if (equations.states[k].name == name) return static_cast<Eigen::Index>(k);
    throw std::runtime_error("no state " + name);
  }
};

inline int scalar_of(const Model& model, const std::string& label) {
  for (std::size_t k = 0; k < model.scalars.size(); ++k)
    if (model.scalars[k].name.label() == label) return static_cast<int>(k);
  throw std::runtime_error("no scalar " + label);
}
inline int marker_of(const Model& model, int id) {
  for (std::size_t k = 0; k < model.markers.size(); ++k)
    if (model.markers[k].id == id) return static_cast<int>(k);
  throw std::runtime_error("no marker");
}

inline Linear linearized(Session& session, SmallMotionOptions options = {}) {
  session.initialize();
  options.arm = session.initial().arm();
  Linear out;
  out.motions = small_motions(session.model(), session.assembler(), session.motion(), options);
  out.equations = state_equations(out.motions);
  out.modes = modes_of(session.model(), out.motions, out.equations);
  return out;
}
inline Linear linearized(const std::string& deck, const SmallMotionOptions& options = {}) {
  Recording r(deck);
  return linearized(*r.simulation, options);
}

}  // namespace trammel::test
