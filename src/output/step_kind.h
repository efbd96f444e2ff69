// The analysis that a record comes from: names the Data blocks of .res files and `kind` in native files.
#pragma once

namespace trammel {

/// The order is that of `flag_values` in native files: append only.
enum class StepKind { model_input, initial_conditions, statics, quasi_statics, kinematics, dynamics };

/// "input", "initialConditions", "static", "quasiStatic", "kinematic", "dynamic".
inline const char* to_string(StepKind kind) {
  constexpr const char* names[] = {"input",       "initialConditions", "static",
                                   "quasiStatic", "kinematic",         "dynamic"};
  return names[static_cast<int>(kind)];
}

}  // namespace trammel
