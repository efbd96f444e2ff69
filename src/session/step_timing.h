// Measures the first steps of a simulation, on the processor or on a device, before the simulation takes any.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "analysis/session.h"
#include "session/plan.h"

namespace trammel {

/// The steps that are due, and are timed.
struct StepsDue {
  Session& session;  ///< initial conditions are found
  const Stage& stage;
  const ComputeSettings& compute;
};

/// Wall time of each of the first steps [s]; `device`: null for the processor. Throws Failure where they
/// cannot be taken. Tests put times of their own in its place.
using StepTimer = std::function<std::vector<double>(const StepsDue&, const std::shared_ptr<Device>& device)>;

/// Takes and measures steps, from a copy of the present state with equations of its own: at most
/// most_timed_steps, fewer where the simulation ends or most_timed_seconds have passed. The simulation is
/// unchanged.
inline constexpr int most_timed_steps = 10;
inline constexpr double most_timed_seconds = 1;
std::vector<double> time_steps(const StepsDue& due, const std::shared_ptr<Device>& device);

}  // namespace trammel
