// The way into one compilation of the code of steps. TRAMMEL_INSTRUCTIONS_OF: its instructions as part of a
// name.
#include "integrate/methods/list.h"
#include "integrate/step_code.h"

#ifndef TRAMMEL_INSTRUCTIONS_OF
#define TRAMMEL_INSTRUCTIONS_OF x86_64
#define TRAMMEL_INSTRUCTIONS_NAME "x86-64"
#endif

namespace trammel {
namespace {

std::span<const IntegrationMethod> methods() {
#define TRAMMEL_METHOD_ENTRY(function) function(),
  static const IntegrationMethod all[] = {TRAMMEL_METHODS(TRAMMEL_METHOD_ENTRY)};
#undef TRAMMEL_METHOD_ENTRY
  return all;
}

std::shared_ptr<Equations> equations(const Model& model, Assembler& assembler, GuardedSystem& system) {
  return std::make_shared<HostEquations>(model, assembler, system);
}

}  // namespace
}  // namespace trammel

#define TRAMMEL_JOIN_NAMES(a, b) a##b
#define TRAMMEL_ENTRY(instructions) TRAMMEL_JOIN_NAMES(trammel_step_code_, instructions)

extern "C" trammel::StepCode TRAMMEL_ENTRY(TRAMMEL_INSTRUCTIONS_OF)();
extern "C" trammel::StepCode TRAMMEL_ENTRY(TRAMMEL_INSTRUCTIONS_OF)() {
  return {TRAMMEL_INSTRUCTIONS_NAME, trammel::methods, trammel::equations};
}
