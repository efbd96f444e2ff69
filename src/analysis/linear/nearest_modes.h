// A few modes of a large model: those nearest a frequency.
#pragma once

#include "analysis/linear/modes.h"
#include "analysis/linear/sparse_pencil.h"
#include "linear/system.h"

namespace trammel {

/// The `count` eigenvalues, one of each pair, nearest to 2π i `frequency` of (s² M + s C + K) x = 0, x over
/// all unknowns, with the tangent's own sparse matrices: Arnoldi's iteration with the factors of the tangent
/// at one shift. `state`: at rest, with its reactions; `frequency` in cycles/time; `arm`: length by which a
/// rotation counts as a displacement. Each result is checked in its equation: Modes::error is the largest
/// |P(s) x|, relative to the sum of the magnitudes of its terms. Modes without motion and infinite
/// eigenvalues are left out, so there may be fewer than `count`. Memory: three times the tangent, its
/// factors, and 4 `count` + 40 vectors of twice the coordinates. Throws Failure(solver) where the iteration
/// does not converge.
Modes nearest_modes(const Model& model, Assembler& assembler, const State& state, int count, double frequency,
                    double arm);
/// The same with the pencil given.
Modes nearest_modes(const Model& model, Assembler& assembler, const SparsePencil& pencil, int count,
                    double frequency, double arm);

}  // namespace trammel
