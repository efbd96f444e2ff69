// Whether an equilibrium of a large model is stable: by the signs of its stiffness, not by all eigenvalues.
#pragma once

#include "analysis/statics/rest_stability.h"

namespace trammel {

/// At a state at rest with its reactions. Where the linear equations are symmetric (forces with a potential,
/// damping that takes energy) it counts the negative and the zero directions of the stiffness that
/// constraints leave free, by the inertia of sparse matrices (linear/inertia.h), and finds the motion that
/// grows fastest by bisection: nothing is missed, whatever the size. Where they are not (follower forces,
/// states that move parts) the slowest modes are looked at: one that grows makes it unstable, else it stays
/// undecided, with the reason. Some twenty factorizations; memory of one, and a few vectors. Throws
/// Failure(solver) where the equations are singular.
RestStability large_rest_stability(StaticProblem& problem, const State& state);

}  // namespace trammel
