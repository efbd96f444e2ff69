// The linearised equations of a model at a state: the parts M, C, K of the tangent.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "assemble/assembler.h"

namespace trammel {

/// M δẍ + C δẋ + K δx over all unknowns x: columns of multipliers have their entries in K, columns of scalars
/// those of values in K and of rates in C. Rows: forces, constraints as Φq (those linear in velocities: ∂ψ/∂q
/// in K, ∂ψ/∂q̇ in C), equations of scalars. One value per entry of the tangent's pattern.
struct TangentValues {
  std::vector<double> M, C, K;
};

/// Throws Failure(solver) where a function has no value.
TangentValues tangent_values(const Model& model, Assembler& assembler, const State& state,
                             const AnalysisPoint& point);

/// The same as full matrices, for small models.
struct TangentParts {
  Eigen::MatrixXd M, C, K;
};
TangentParts tangent_parts(const Model& model, Assembler& assembler, const State& state,
                           const AnalysisPoint& point);

}  // namespace trammel
