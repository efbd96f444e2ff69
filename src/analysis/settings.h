// Statement settings → options of the analyses.
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

/// With what a simulation computes. No bit of a result depends on the threads, rounding on the solver and the
/// device.
struct ComputeSettings {
  int threads = 1;                     ///< at least 1
  std::string linear_solver = "auto";  ///< GuardedSystem
  bool share_reactions = false;  ///< results show reactions shared by least squares among redundant equations
  /// Of a model that is like this one: taken where its couplings are the same; null: none.
  std::shared_ptr<const Structure> structure;
  std::shared_ptr<Device> device;                   ///< where the steps are computed; null: on the processor
  const TrammelSolverApi* device_solver = nullptr;  ///< of another library, on the device; null: our own
};

/// Changes of all INTEGRATOR statements of a model alike, by which runs with other settings show the error of
/// its results.
struct IntegratorTuning {
  std::string method;        ///< in place of the deck's; "": the deck's
  bool stabilized = false;   ///< SI2, beside `method`
  double error = 0;          ///< ERROR; 0: the deck's
  double error_factor = 1;   ///< of ERROR
  double step_factor = 1;    ///< of HMAX, and of fixed steps
  bool interpolate = false;  ///< INTERPOLATE=ON
  bool no_hmax = false;      ///< steps are as long as ERROR allows
};

/// What a deck gets that names no integrator: docs/validation.md shows the measurements that it comes from.
IntegratorOptions default_integrator();

struct DynamicsSettings {
  IntegratorOptions integrator;
  InitialOptions initial;
  KinematicsOptions kinematics;
  EquilibriumOptions equilibrium;
  bool interpolate = false;
  bool break_points = true;  ///< steps end where functions of time change their law
  bool hmax_given = false, hinit_given = false;
  double hmax_factor = 1;  ///< of the HMAX that comes of all this
  std::string requested;   ///< integrator that the deck names, or that it gets if it names none: "GSTIFF SI2"
  std::vector<std::string> warnings;  ///< replacements made, each to be said once
  std::vector<std::string> idle;      ///< arguments given that have no effect here, each to be said once
};

/// Reads INTEGRATOR, IC, KINEMATICS and EQUILIBRIUM. Integrators that do not exist yet are reported as
/// unsupported or, if permissive, replaced by the default one with a warning.
DynamicsSettings read_settings(const Description& description, Diagnostics& diagnostics,
                               bool permissive = false);

/// Settings as a deck says, changed.
void tune(DynamicsSettings& settings, const IntegratorTuning& tuning);

/// HINIT raised to `least`, as far as HMAX allows; fixed steps stay.
IntegratorOptions with_first_step(IntegratorOptions options, double least);

/// HINIT for an integrator that starts again in the middle of a motion: the step suggested there, as far as
/// HMAX allows; fixed steps stay.
IntegratorOptions going_on_with(IntegratorOptions options, double suggested);

/// Fills HMAX and HINIT that the deck leaves open: HMAX = output step, HINIT = HMAX/20.
IntegratorOptions with_output_step(const DynamicsSettings& settings, double output_step);

}  // namespace trammel
