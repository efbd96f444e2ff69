// The linearised equations of a model at a state, as the tangent's parts.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "assemble/assembler.h"

namespace trammel {

/// M δq̈ + C δq̇ + K δq, over all unknowns: columns of multipliers are in K, of scalars their values in K and
/// their rates in C. Rows: forces, constraints as Φq (those linear in velocities: ∂ψ/∂q in K, ∂ψ/∂q̇ in C),
/// equations of scalars. A value per entry of the tangent's pattern.
struct TangentValues {
  std::vector<double> M, C, K;
};

/// Throws Failure(solver) where a function has no value.
TangentValues tangent_values(const Model& model, Assembler& assembler, const State& state,
                             const AnalysisPoint& point);

/// The same as full matrices: for small models.
struct TangentParts {
  Eigen::MatrixXd M, C, K;
};
TangentParts tangent_parts(const Model& model, Assembler& assembler, const State& state,
                           const AnalysisPoint& point);

}  // namespace trammel
