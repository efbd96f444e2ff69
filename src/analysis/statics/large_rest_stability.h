// Whether an equilibrium of a large model is stable, by the signs of pivots instead of all eigenvalues.
#pragma once

#include "analysis/statics/rest_stability.h"

namespace trammel {

/// `state`: at rest, with its reactions. Where the linear equations are symmetric (forces with a potential,
/// damping that takes energy) it counts the negative and the zero directions of the stiffness among those
/// that constraints leave free, by the inertia of sparse matrices (linear/inertia.h), and finds the motion
/// that grows fastest by bisection: nothing is missed, whatever the size. Where they are not symmetric
/// (follower forces, states that move parts) it computes the slowest modes: one that grows makes the
/// equilibrium unstable, else it is undecided, with the reason. Undecided also where the equations are
/// singular. Some twenty factorizations; memory of one, and a few vectors.
RestStability large_rest_stability(StaticProblem& problem, const State& state);

}  // namespace trammel
