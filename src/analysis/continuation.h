// Continuing a simulation with a changed model: the values of the old model are carried over to the elements
// of the new one with the same keyword and id.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/state.h"

namespace trammel {

/// Elements of a changed model that do not continue from the old model, but begin with the values of the
/// dataset.
struct Renewed {
  using Key = std::pair<std::string, int>;  ///< keyword and id
  std::set<Key> positions;                  ///< bodies given a new place, orientation or shape
  std::set<Key> velocities;                 ///< bodies given new velocities
  std::set<Key> modes;                      ///< flexible bodies given new modal coordinates
  std::set<Key> modal_rates;                ///< flexible bodies given new rates of these
  std::set<Key> states;                     ///< DIFFs, LSEs, MOTIONs ... given new initial values
};

/// Initial values with which `model` continues from a state of `before`:
///   - position and orientation of every part's own frame (BCS), its velocity and angular velocity, kept as
///     well as the constraints allow (none of them EXACT; the centre of mass and the inertia may differ);
///   - states of DIFF, LSE, TFSISO, MOTION, the values that SENSORs have evaluated, and VARIABLEs as first
///     guesses.
/// Elements that are new or in `renewed` keep the values of the dataset.
InitialValues values_to_go_on_with(const Model& model, const Model& before, const State& state,
                                   const Renewed& renewed);

/// Carries over into `next` the parts of `state` that are not initial values: last accepted angles that count
/// revolutions, parameters of contacts on curves, and histories of DELAYs. PTCVs and CVCVs that come into
/// force, or whose CURVE is another one, begin at the nearest points. Returns what the user should be told.
/// Throws Failure(unsupported) when a model with DELAYs now has another number of them, has them in other
/// places, or looks further back than the history is kept.
std::vector<std::string> continue_state(State& next, const Model& model, const Model& before,
                                        const State& state);

}  // namespace trammel
