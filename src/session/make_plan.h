// Makes the plan of a job from its commands.
#pragma once

#include "session/plan.h"

namespace trammel {

/// Merges the commands for settings into the description, works out every SIMULATE, and adds mistakes to
/// job.diagnostics: END before the present time (3), unsupported integrators or, with --strict, replaced ones
/// (4). Changes before the model is first used are made in job.description; later changes become stages, and
/// the models that they make are compiled and checked here, each before its SIMULATE. Throws Failure(usage)
/// for options that do not fit, and Failure(input) for a command file that simulates nothing.
Plan make_plan(Job& job, const TimeOptions& options, bool strict, bool permissive);

struct PlannedModel {
  Plan plan;
  Model model;  ///< with the changes before its first use
};

/// make_plan() and compile(); with `strict` all warnings about the deck are mistakes. After mistakes in the
/// deck both continue as far as possible and add the mistakes that they find; the model must then not be run.
PlannedModel plan_and_compile(Job& job, const TimeOptions& options, bool strict, bool permissive);

/// "HHT I3": the integrator and formulation of the first simulation in time; "" where there is none.
std::string integrator_of(const Plan& plan);
/// A notice that no INTEGRATOR stands before the first simulation, with the default that is used; "" where
/// one does. `plan`: of the job; `given`: integrator_is_given() before the plan was made.
std::string integrator_note(const Plan& plan, bool given);
bool integrator_is_given(const Job& job);

}  // namespace trammel
