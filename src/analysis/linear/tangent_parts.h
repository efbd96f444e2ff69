// The linearised equations of a model at a state, as the tangent's parts.
#pragma once

#include <Eigen/Core>

#include "assemble/assembler.h"

namespace trammel {

/// M δq̈ + C δq̇ + K δq, over all unknowns: columns of multipliers are in K, of scalars their values in K and
/// their rates in C. Rows: forces, constraints as Φq (those linear in velocities: ∂ψ/∂q̇ in K, ∂ψ/∂q in C),
/// equations of scalars.
struct TangentParts {
  Eigen::MatrixXd M, C, K;
};

/// All unknowns by all: for small models. Throws Failure(solver) where a function has no value.
TangentParts tangent_parts(Assembler& assembler, const State& state, const AnalysisPoint& point);

}  // namespace trammel
