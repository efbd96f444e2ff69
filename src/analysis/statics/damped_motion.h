// Search for an equilibrium by a motion that loses its energy (ADAMS/Solver primer, section 6.2).
#pragma once

#include <functional>

#include "analysis/analysis_options.h"
#include "analysis/counted_turns.h"
#include "analysis/initial_conditions.h"
#include "analysis/model_systems.h"
#include "analysis/statics/equilibrium_report.h"

namespace trammel {

/// Moves the state until it is at rest. The motion is stopped wherever its kinetic energy begins to fall
/// (kinetic damping: Cundall, "Explicit finite difference methods in geomechanics", 1976), and GLOBAL_DAMPING
/// d takes the part 1 − exp(−d h) of the velocities in a step of h, as forces −d M q̇ do. The state is at rest
/// at a stop where no acceleration exceeds ACCELERATION_ERROR and the kinetic energy before the stop did not
/// exceed KINETIC_ENERGY_ERROR. No step is longer than `turns` can follow. The time of the state is unchanged
/// in the end. Throws Failure(solver) where the motion takes longer than SETTLING_TIME, Failure(interrupted)
/// once `interrupted` (if any) is true.
EquilibriumReport damped_motion(ModelSystems& systems, InitialConditions& initial, const CountedTurns& turns,
                                State& state, const EquilibriumOptions& options,
                                const std::function<bool()>& interrupted);

}  // namespace trammel
