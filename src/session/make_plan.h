// From the commands of a job to its plan.
#pragma once

#include "session/plan.h"

namespace trammel {

/// Merges the settings commands into the description, works out every SIMULATE, and adds mistakes to
/// job.diagnostics: END before the present time (3), unsupported or, with --strict, replaced integrators (4).
/// Changes before the model is first used are made in job.description; later ones become stages, and the
/// models that they make are compiled and checked here, each before its SIMULATE.
/// Throws Failure(usage) for options that do not fit, and Failure(input) for a command file that simulates
/// nothing.
Plan make_plan(Job& job, const TimeOptions& options, bool strict, bool permissive);

struct PlannedModel {
  Plan plan;
  Model model;  ///< after the changes that come before its first use
};

/// make_plan() and compile(). After mistakes of the deck they go as far as these allow, and add those of
/// their own; the model must then not be run.
PlannedModel plan_and_compile(Job& job, const TimeOptions& options, bool strict, bool permissive);

/// "HHT I3": the integrator and formulation of the first simulation in time; "" where there is none.
std::string integrator_of(const Plan& plan);
/// That no INTEGRATOR stands before the first simulation, and what is taken for it; "" where one does. `plan`
/// is the job's; `given`: integrator_is_given() before the plan was made.
std::string integrator_note(const Plan& plan, bool given);
bool integrator_is_given(const Job& job);

}  // namespace trammel
