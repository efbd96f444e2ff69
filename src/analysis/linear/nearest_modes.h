// A few modes of a large model: those nearest a frequency.
#pragma once

#include "analysis/linear/modes.h"
#include "analysis/linear/sparse_pencil.h"
#include "linear/system.h"

namespace trammel {

/// The `count` eigenvalues, one of each pair, nearest to 2π i `frequency` of (s² M + s C + K) x = 0 over all
/// unknowns, the tangent's own sparse matrices, by Arnoldi's iteration with the factors of the tangent at one
/// shift; at a state at rest with its reactions. Each is held against its equation: Modes::error is the
/// largest |P(s) x|, in units of the sums of magnitudes that it is made of. Modes without motion are left
/// out, and infinite eigenvalues: there may be fewer than `count`. Memory: three times the tangent, its
/// factors, and 4 `count` + 40 vectors of twice the coordinates. Throws Failure(solver) where the iteration
/// does not converge.
Modes nearest_modes(const Model& model, Assembler& assembler, const State& state, int count, double frequency,
                    double arm);
/// Of equations that have been made.
Modes nearest_modes(const Model& model, Assembler& assembler, const SparsePencil& pencil, int count,
                    double frequency, double arm);

}  // namespace trammel
