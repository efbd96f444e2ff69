// Vibrations of a model whose interface is held.
#pragma once

#include <vector>

#include "flexible/interior.h"

namespace trammel {

struct FixedModes {
  std::vector<double> eigenvalue;          ///< ω², ascending
  std::vector<std::vector<double>> shape;  ///< per mode: Interior::size() values
};

/// The `count` modes of K x = ω² M x with the lowest ω², by Lanczos's method on (K − σM)⁻¹ M where `inside`
/// was factored with the shift σ below them all. Fewer where the inside has no more unknowns. Throws
/// Failure(solver) where they do not converge.
FixedModes fixed_modes(Interior& inside, double shift, int count);

}  // namespace trammel
