// All integration methods: one line each in TRAMMEL_METHODS.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "integrate/integrator.h"

/// X(function): IntegrationMethod function() is defined in the method's own file.
#define TRAMMEL_METHODS(X) \
  X(hht_method)            \
  X(newmark_method)        \
  X(gstiff_method)         \
  X(wstiff_method)         \
  X(radau_method)          \
  X(rkf45_method)          \
  X(abam_method)

namespace trammel {

struct IntegrationMethod {
  std::string_view name;  ///< the value of INTEGRATOR
  bool variable_steps;    ///< false: every step has the size HINIT
  double error;           ///< ERROR where the deck gives none
  bool chooses_order;     ///< up to KMAX
  /// Advice on options for a model with constraints, before it is integrated; "": none.
  std::string (*advice)(const IntegratorOptions&);
  std::unique_ptr<Integrator> (*make)(const Model&, std::shared_ptr<Equations>, const IntegratorOptions&);
  bool on_processor = false;         ///< and on no device
  int highest_order = 6;             ///< and KMAX where the deck gives none
  bool leaves_dead_centres = false;  ///< to another, as all that choose their order do
  bool second_order = false;         ///< and never of another
  bool explicit_forces = false;      ///< its matrices are of inertia and constraints alone
  bool si2_stands_in = false;        ///< for I3, where states read accelerations or reactions
  bool bears_short_steps = false;    ///< its velocities and reactions are no differences over a step
};

std::span<const IntegrationMethod> integration_methods();
/// nullptr if no method has this name.
const IntegrationMethod* find_integration_method(std::string_view name);

/// The method that `options` name. Throws Failure(internal) where there is none.
const IntegrationMethod& method_of(const IntegratorOptions& options);

/// Whether velocities follow from positions, and err by their error over the step size, as do rates of states
/// that follow slip.
bool derives_velocities(const IntegratorOptions& options);

/// Integrator of the method that `options` name.
std::unique_ptr<Integrator> make_integrator(const Model& model, std::shared_ptr<Equations> equations,
                                            const IntegratorOptions& options);
/// The same on the processor; model, assembler and system must outlive it.
std::unique_ptr<Integrator> make_integrator(const Model& model, Assembler& assembler, GuardedSystem& system,
                                            const IntegratorOptions& options);

#define TRAMMEL_DECLARE_METHOD(function) IntegrationMethod function();
TRAMMEL_METHODS(TRAMMEL_DECLARE_METHOD)
#undef TRAMMEL_DECLARE_METHOD

}  // namespace trammel
