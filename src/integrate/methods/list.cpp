#include "integrate/methods/list.h"

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
  return method_of(options).make(model, std::move(equations), options);
}

std::unique_ptr<Integrator> make_integrator(const Model& model, Assembler& assembler, GuardedSystem& system,
                                            const IntegratorOptions& options) {
  return make_integrator(model, std::make_shared<HostEquations>(model, assembler, system), options);
}

}  // namespace trammel
