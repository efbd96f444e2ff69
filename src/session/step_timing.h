// Seconds of the first steps of a simulation, on the processor or on a device, before any is taken.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "analysis/session.h"
#include "session/plan.h"

namespace trammel {

/// What is timed: the steps that are due.
struct StepsDue {
  Session& session;  ///< initial conditions are found
  const Stage& stage;
  const ComputeSettings& compute;
};

/// Seconds of the first steps, one by one; `device` is null for the processor. Throws Failure where they
/// cannot be taken. Tests put figures of their own in its place.
using StepTimer = std::function<std::vector<double>(const StepsDue&, const std::shared_ptr<Device>& device)>;

/// Takes the steps, from a copy of the present state with equations of its own, by the clock: so many, or
/// fewer where the simulation ends or the time is over when one has ended. The simulation stays as it is.
inline constexpr int most_timed_steps = 10;
inline constexpr double most_timed_seconds = 1;
std::vector<double> time_steps(const StepsDue& due, const std::shared_ptr<Device>& device);

}  // namespace trammel
