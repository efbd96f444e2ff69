// Statements that couple displacements of joints by one linear equation,
//   Σ factor q = its value in the assembled configuration.
// A statement is a struct with its StatementSpec `spec`, and
//   check(statement, diagnostics)    rules that the table of fields does not express
//   read(statement, joints)          its terms, a list of JointDisplacement (element/coupling.h); an empty
//   one after
//                                    a mistake of the deck, which it tells to joints.diagnostics
// where joints gives
//   joints.displacements(id)         those of the JOINT with that id: the turning one, the sliding one or
//   both; none
//                                    after an error
//   joints.type(id)                  the type of that JOINT
//   joints.marker(place)             a Marker by its place in Model::markers
//   joints.marker(argument)          that which an argument names
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
