// The code of steps for the instructions that the processor has. What computes steps (methods, equations,
// assembly, kinematics, the guard's rows) is compiled several times, for the x86-64 that any processor has
// and for later ones; the arithmetic is the same, operation by operation, and so are the bits.
#pragma once

#include <memory>
#include <span>
#include <string_view>

namespace trammel {

class Assembler;
class Equations;
class GuardedSystem;
struct IntegrationMethod;
struct Model;

/// One compilation: functions that lead to everything else in it.
struct StepCode {
  std::string_view instructions;  ///< "x86-64-v4"
  /// All integration methods (integrate/methods/list.h).
  std::span<const IntegrationMethod> (*methods)();
  /// Equations on the processor; model, assembler and system must outlive them.
  std::shared_ptr<Equations> (*equations)(const Model&, Assembler&, GuardedSystem&);
};

/// Those that this processor can run, the latest instructions last.
std::span<const StepCode> usable_step_code();

/// The last of them, or the one that the environment variable TRAMMEL_INSTRUCTIONS names. Throws
/// Failure(usage) where that names none of them.
const StepCode& step_code();

}  // namespace trammel
