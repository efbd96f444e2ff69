// All integration methods: a line each in TRAMMEL_METHODS.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "integrate/integrator.h"

/// X(function) with IntegrationMethod function(), which stands in the method's own file.
#define TRAMMEL_METHODS(X) \
  X(hht_method)            \
  X(newmark_method)

namespace trammel {

/// A method as decks name it.
struct IntegrationMethod {
  std::string_view name;  ///< INTEGRATOR/name
  bool variable_steps;    ///< false: HINIT is the size of all steps
  /// What is to be said of options before a model with constraints is integrated; "": nothing.
  std::string (*advice)(const IntegratorOptions&);
  std::unique_ptr<Integrator> (*make)(const Model&, std::shared_ptr<Equations>, const IntegratorOptions&);
};

/// All there are.
std::span<const IntegrationMethod> integration_methods();
/// nullptr: there is none of this name.
const IntegrationMethod* find_integration_method(std::string_view name);

/// Of the method that the options name. Failure(internal) where there is none.
const IntegrationMethod& method_of(const IntegratorOptions& options);

/// Steps by the method that the options name, with these equations.
std::unique_ptr<Integrator> make_integrator(const Model& model, std::shared_ptr<Equations> equations,
                                            const IntegratorOptions& options);
/// On the processor, with what these are made of.
std::unique_ptr<Integrator> make_integrator(const Model& model, Assembler& assembler, GuardedSystem& system,
                                            const IntegratorOptions& options);

#define TRAMMEL_DECLARE_METHOD(function) IntegrationMethod function();
TRAMMEL_METHODS(TRAMMEL_DECLARE_METHOD)
#undef TRAMMEL_DECLARE_METHOD

}  // namespace trammel
