// Corrections of positions by Newton's iteration, kept within limits: initial conditions, kinematics,
// statics.
#pragma once

#include <span>

#include "assemble/kinematics.h"
#include "model/state.h"

namespace trammel {

/// ALIMIT and TLIMIT.
struct CorrectionLimits {
  double rotation;     ///< of one body in one iteration [rad]
  double translation;  ///< of a coordinate in one iteration [length]
};

/// How far a correction moves the bodies at most.
struct CorrectionSize {
  double rotation = 0, translation = 0;
  /// The factor, at most 1, by which the whole correction must be multiplied to keep within the limits.
  double within(const CorrectionLimits& limits) const;
};

/// `correction`: δq, one entry per coordinate; `at`: the kinematics of the state that it corrects.
CorrectionSize size_of_correction(const Model& model, const Kinematics& at,
                                  std::span<const double> correction);
/// Adds `scale` times the correction to the positions. Rotations are applied as rotation vectors, so that
/// large rotations are exact, and each body's angles are re-based.
void correct_positions(const Model& model, const Kinematics& at, std::span<const double> correction,
                       double scale, State& state);

}  // namespace trammel
