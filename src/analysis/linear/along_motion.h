// Derivatives in time of matrices that depend on where a mechanism is.
#pragma once

#include <Eigen/Core>
#include <functional>

#include "model/state.h"

namespace trammel {

/// A matrix and its first and second derivative.
struct MatrixJet {
  Eigen::MatrixXd value, rate, second;
};

/// Along q + q̇ τ + ½ q̈ τ², s + ṡ τ, by central differences of eighth order over steps of 0.02/`frequency`, a
/// bound of the rates at which the mechanism moves: errors of some 1e-13 of the powers of that bound, and
/// below accuracy_along_motion.
inline constexpr double accuracy_along_motion = 1e-11;
MatrixJet along_motion(const State& state, double frequency,
                       const std::function<Eigen::MatrixXd(const State&)>& matrix);

}  // namespace trammel
