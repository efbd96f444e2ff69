#include "integrate/methods/list.h"

#include <algorithm>

#include "base/diagnostics.h"

namespace trammel {

namespace {

#define TRAMMEL_METHOD_ENTRY(function) function(),
const IntegrationMethod all_methods[] = {TRAMMEL_METHODS(TRAMMEL_METHOD_ENTRY)};
#undef TRAMMEL_METHOD_ENTRY

}  // namespace

std::span<const IntegrationMethod> integration_methods() {
  return all_methods;
}

const IntegrationMethod* find_integration_method(std::string_view name) {
  for (const IntegrationMethod& m : all_methods)
    if (m.name == name) return &m;
  return nullptr;
}

const IntegrationMethod& method_of(const IntegratorOptions& options) {
  const IntegrationMethod* method = find_integration_method(options.method);
  if (!method) fail(ExitCode::internal, "there is no integration method {}", options.method);
  return *method;
}

std::unique_ptr<Integrator> make_integrator(const Model& model, std::shared_ptr<Equations> equations,
                                            const IntegratorOptions& options) {
  const IntegrationMethod& method = method_of(options);
  if (!model.settling.empty() && (method.explicit_forces || options.mass_jacobian)) {
    const FlexibleBody& body = *std::find_if(model.flexible_bodies.begin(), model.flexible_bodies.end(),
                                             [](const FlexibleBody& f) { return f.dynamic < f.modes; });
    fail(ExitCode::unsupported,
         "{}: its modes above DYNAMIC_LIMIT have no inertia, by which {} finds accelerations; leave "
         "DYNAMIC_LIMIT out or take another INTEGRATOR",
         body.name.label(), method.explicit_forces ? options.method : "JACOBIAN=MASS");
  }
  return method.make(model, std::move(equations), options);
}

std::unique_ptr<Integrator> make_integrator(const Model& model, Assembler& assembler, GuardedSystem& system,
                                            const IntegratorOptions& options) {
  return make_integrator(model, std::make_shared<HostEquations>(model, assembler, system), options);
}

}  // namespace trammel
