#include "analysis/reads_more_than_motion.h"

#include <algorithm>

namespace trammel {

bool reads_more_than_motion(const Model& model, const Tape& tape) {
  constexpr int accelerations = 3;
  const int scalars = model.scalar_count();
  return !tape.rates.empty() ||
         std::any_of(tape.markers.begin(), tape.markers.end(),
                     [](const TapeMarker& m) { return m.level >= accelerations; }) ||
         std::any_of(tape.states.begin(), tape.states.end(),
                     [&](int k) { return k >= scalars || !model.scalars[k].differential(); });
}

}  // namespace trammel
