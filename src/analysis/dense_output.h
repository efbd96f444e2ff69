// The motion inside a step, between its ends.
#pragma once

#include "integrate/integrator.h"

namespace trammel {

/// The state at t in [b.t, end.t], in a step from b to end: q and q̇ by quintic Hermite interpolation through
/// q, q̇, q̈ at both ends; states with a rate by cubic Hermite interpolation; q̈, λ and algebraic scalars
/// linearly. With a method of second order (HHT, Newmark) q̇ is by cubic Hermite interpolation through q̇ and q̈
/// instead. With a collocation method (RADAU), λ, states, rates and algebraic scalars are instead cubic
/// polynomials through the ends and the stages inside, and q̈ is the second derivative of q, of fourth order.
/// The result satisfies the constraints only to the order of the interpolation.
State state_inside_step(const Model& model, const Integrator::StepStart& b, const State& end, double t);

/// Where velocities and accelerations lead from a state in a time h.
State moved_on(const Model& model, const State& from, double h);

}  // namespace trammel
