// Statements that couple displacements of joints by one linear equation,
//   Σ factor q = its value in the assembled configuration.
// A statement is a struct with its StatementSpec `spec`, and
//   check(statement, diagnostics)    rules that the table of fields does not express
//   read(statement, joints)          its terms, a list of JointDisplacement (element/coupling.h), from
//     joints.displacements(id)         the turning displacement of a JOINT, the sliding one, or both
//     joints.type(id)                  the type of a JOINT
//     joints.marker(place)             the Marker at a place in Model::markers
//     joints.marker(argument)          the Marker that an argument names
//     joints.diagnostics               what takes the statement's own errors
//   The list of displacements is empty after an error of the JOINT; so is that of terms after any.
#pragma once

#include "element/coupler.h"
#include "element/gear.h"

namespace trammel {

template <class... S>
struct CouplingStatementList {
  /// f(statement) for each.
  static void for_each(auto f) { (f(S()), ...); }
};
using CouplingStatements = CouplingStatementList<CouplerStatement, GearStatement>;

}  // namespace trammel
