// The force laws that depend on two markers alone, and the statements that give them. A law is a struct of
// parameters with
//   wrench<T>(law, I, J, last)      its wrenches; last: last accepted values of its counted angles
//   counted_angles(law)             which of AX, AY, AZ of I in J it counts revolutions of
// and a statement a struct with its StatementSpec `spec` and read(statement), which gives the law, or a
// variant of laws where an argument chooses (BEAM).
#pragma once

#include <variant>

#include "element/beam.h"
#include "element/bushing.h"
#include "element/elastic_field.h"
#include "element/springdamper.h"

namespace trammel {

using ForceLaw = std::variant<SpringDamper, Bushing, ElasticField, StringBeam, NonlinearBeam>;

/// What read() gives: a law, or one of several.
template <class Law>
ForceLaw as_force_law(const Law& law) {
  return law;
}
template <class... Laws>
ForceLaw as_force_law(const std::variant<Laws...>& laws) {
  return std::visit([](const auto& law) { return ForceLaw(law); }, laws);
}

template <class... S>
struct ForceStatementList {
  /// f(statement) for each.
  static void for_each(auto f) { (f(S()), ...); }
};
using ForceStatements =
    ForceStatementList<SpringDamperStatement, BushingStatement, FieldStatement, BeamStatement>;

}  // namespace trammel
