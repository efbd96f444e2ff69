// Time derivatives of matrices that depend on the configuration of a mechanism.
#pragma once

#include <Eigen/Core>
#include <functional>

#include "model/state.h"

namespace trammel {

/// A matrix and its first and second time derivatives.
struct MatrixJet {
  Eigen::MatrixXd value, rate, second;
};

/// `matrix` and its derivatives along q + q̇ τ + ½ q̈ τ², s + ṡ τ, by central differences of eighth order over
/// steps of 0.02/`frequency`. `frequency` is a bound of the rates at which the mechanism moves [rad/time]; 0:
/// at rest, and the derivatives are zero. Errors of the derivatives are some 1e-13 of its powers, and below
/// accuracy_along_motion.
inline constexpr double accuracy_along_motion = 1e-11;
MatrixJet along_motion(const State& state, double frequency,
                       const std::function<Eigen::MatrixXd(const State&)>& matrix);

}  // namespace trammel
