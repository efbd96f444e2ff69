// The motion inside a step, between its ends.
#pragma once

#include "integrate/integrator.h"

namespace trammel {

/// The state at t in [b.t, end.t]: quintic Hermite interpolation of q, q̇ over the step from b to end, cubic
/// of states with a rate; q̈, λ and the algebraic states linearly. Where the method collocates (RADAU), λ,
/// rates and algebraic states are polynomials through the points inside as well, of third order, and q̈ is the
/// second derivative of q, of fourth. On the constraints only to the order of the interpolation.
State state_inside_step(const Model& model, const Integrator::StepStart& b, const State& end, double t);

}  // namespace trammel
