// What an evaluation of the equations is for, as a value that is given to every one of them.
#pragma once

#include "model/model.h"

namespace trammel {

/// The analysis that expressions see, and the constraint rows that hold.
struct AnalysisPoint {
  AnalysisMode mode = AnalysisMode::dynamics;
  Phase phase = phase_dynamics;
};

/// A step of dynamics, and what is recorded of it.
inline constexpr AnalysisPoint in_dynamics{AnalysisMode::dynamics, phase_dynamics};

/// Accelerations and reactions with which dynamics begins or goes on: of its forces.
inline constexpr AnalysisPoint before_dynamics{AnalysisMode::dynamics, phase_acceleration};

/// A motion that constraints alone determine: every row of dynamics holds along it.
inline constexpr AnalysisPoint in_kinematics{AnalysisMode::kinematics, phase_dynamics};

/// An equilibrium; `moving`: one of a sequence while time goes on.
constexpr AnalysisPoint at_rest(bool moving = false) {
  return {moving ? AnalysisMode::quasi_statics : AnalysisMode::statics, phase_static};
}

/// Initial conditions; phase_dynamics: for the rank of all rows that will hold in the run.
constexpr AnalysisPoint initially(Phase phase) {
  return {AnalysisMode::initial_conditions, phase};
}

}  // namespace trammel
