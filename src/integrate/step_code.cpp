#include "integrate/step_code.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "base/diagnostics.h"

/// Each compilation of step_code_entry.cpp defines one of these. What else it defines is hidden from the
/// linker, so that nothing outside calls an instruction that the processor lacks
/// (cmake/TrammelStepCode.cmake).
extern "C" {
trammel::StepCode trammel_step_code_x86_64();
#ifdef TRAMMEL_LATER_INSTRUCTIONS
trammel::StepCode trammel_step_code_x86_64_v3();
trammel::StepCode trammel_step_code_x86_64_v4();
#endif
}

namespace trammel {

std::span<const StepCode> usable_step_code() {
  static const std::vector<StepCode> usable = [] {
    std::vector<StepCode> list{trammel_step_code_x86_64()};
#ifdef TRAMMEL_LATER_INSTRUCTIONS
    if (__builtin_cpu_supports("x86-64-v3")) list.push_back(trammel_step_code_x86_64_v3());
    if (__builtin_cpu_supports("x86-64-v4")) list.push_back(trammel_step_code_x86_64_v4());
#endif
    return list;
  }();
  return usable;
}

namespace {

const StepCode& chosen() {
  const std::span<const StepCode> usable = usable_step_code();
  const char* const wanted = std::getenv("TRAMMEL_INSTRUCTIONS");
  if (!wanted || !*wanted) return usable.back();
  std::string names;
  for (const StepCode& code : usable) {
    if (code.instructions == wanted) return code;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", code.instructions);
  }
  fail(ExitCode::usage,
       "TRAMMEL_INSTRUCTIONS={}: steps are compiled, and this processor can run them, for {}", wanted, names);
}

}  // namespace

const StepCode& step_code() {
  static const StepCode& code = chosen();
  return code;
}

}  // namespace trammel
