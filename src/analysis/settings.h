// From the statements INTEGRATOR, IC, KINEMATICS and EQUILIBRIUM to the options of the analyses.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analysis/analysis_options.h"
#include "analysis/initial_conditions.h"
#include "dataset/description.h"
#include "device_api/solver_abi.h"
#include "integrate/integrator.h"

namespace trammel {

/// The threads, linear solver and device of a simulation. Results do not depend on the number of threads in
/// any bit, on solver and device only by rounding.
struct ComputeSettings {
  int threads = 1;                     ///< number of threads, at least 1
  std::string linear_solver = "auto";  ///< name of a solver, or "auto" (GuardedSystem)
  bool share_reactions = false;  ///< results show reactions shared by least squares among redundant equations
  /// Couplings, sparsity pattern and order of a similar model, used where this model has the same couplings;
  /// null: none.
  std::shared_ptr<const Structure> structure;
  std::shared_ptr<Device> device;                   ///< device that computes the steps; null: the processor
  const TrammelSolverApi* device_solver = nullptr;  ///< of another library; null: our own linear solver
};

/// Changes applied to every INTEGRATOR statement of a model: runs with other settings show the error of its
/// results.
struct IntegratorTuning {
  std::string method;        ///< in place of the deck's; "": the deck's
  bool stabilized = false;   ///< formulation SI2 of `method`
  double error = 0;          ///< ERROR; 0: the deck's
  double error_factor = 1;   ///< multiplies ERROR
  double step_factor = 1;    ///< multiplies HMAX, and fixed steps
  bool interpolate = false;  ///< INTERPOLATE=ON
  bool no_hmax = false;      ///< HMAX does not limit steps
};

/// The integrator of a deck that names none; docs/validation.md shows the measurements behind this choice.
IntegratorOptions default_integrator();

struct DynamicsSettings {
  IntegratorOptions integrator;
  InitialOptions initial;
  KinematicsOptions kinematics;
  EquilibriumOptions equilibrium;
  bool interpolate = false;
  bool break_points = true;  ///< steps end where functions of time change their law
  bool hmax_given = false, hinit_given = false;
  bool formulation_given = false;     ///< I3, SI2 or SI1 by name
  double hmax_factor = 1;             ///< multiplies HMAX, as given or by default
  std::string requested;              ///< integrator of the deck, or the default: "GSTIFF SI2"
  std::vector<std::string> warnings;  ///< replacements of settings, each to be told once
  std::vector<std::string> idle;      ///< arguments given that have no effect here, each to be told once
};

/// Reads INTEGRATOR, IC, KINEMATICS and EQUILIBRIUM. Integrators that do not exist yet are reported as
/// unsupported or, if permissive, replaced by the default one with a warning.
DynamicsSettings read_settings(const Description& description, Diagnostics& diagnostics,
                               bool permissive = false);

/// Applies the changes to the settings of a deck.
void tune(DynamicsSettings& settings, const IntegratorTuning& tuning);

/// Raises HINIT to `least`, as far as HMAX allows; fixed steps are unchanged.
IntegratorOptions with_first_step(IntegratorOptions options, double least);

/// For an integrator that starts again in the middle of a motion: HINIT is the step `suggested` there, as far
/// as HMAX allows; fixed steps are unchanged.
IntegratorOptions going_on_with(IntegratorOptions options, double suggested);

/// Fills HMAX and HINIT that the deck leaves open: HMAX = output step, HINIT = HMAX/20.
IntegratorOptions with_output_step(const DynamicsSettings& settings, double output_step);

}  // namespace trammel
