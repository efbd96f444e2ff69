#include "integrate/methods/list.h"

#include <algorithm>

#include "base/diagnostics.h"
#include "integrate/step_code.h"

namespace trammel {

std::span<const IntegrationMethod> integration_methods() {
  return step_code().methods();
}

const IntegrationMethod* find_integration_method(std::string_view name) {
  for (const IntegrationMethod& m : integration_methods())
    if (m.name == name) return &m;
  return nullptr;
}

const IntegrationMethod& method_of(const IntegratorOptions& options) {
  const IntegrationMethod* method = find_integration_method(options.method);
  if (!method) fail(ExitCode::internal, "there is no integration method {}", options.method);
  return *method;
}

bool derives_velocities(const IntegratorOptions& options) {
  const IntegrationMethod& method = method_of(options);
  return method.second_order || (method.si2_stands_in && !options.stabilized);
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
  return make_integrator(model, step_code().equations(model, assembler, system), options);
}

}  // namespace trammel
