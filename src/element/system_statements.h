// Statements that are linear systems with states, inputs and outputs. A statement is a struct with its
// StatementSpec `spec`, and
//   check(statement, diagnostics)    rules that the table of fields does not express
//   read(statement, data)            its LinearSystem (element/linear_system.h), where
//     data.states(n), data.outputs(n)              number of entries of the ARRAY X or Y, n where it does not
//     say data.inputs()                                number of entries of the ARRAY U data.rows(argument)
//     rows of the MATRIX that it names; 0: none data.matrix(argument, rows, columns, why)    its nonzeros, a
//     list for each row; empty ones without a MATRIX data.array(argument, size, why)              numbers of
//     the ARRAY that it names; none without one data.size_must_be(argument, size, wanted, why), data.none()
//     an error, or no system after one
//   tell the mistakes of the deck
#pragma once

#include "element/lse.h"
#include "element/structure.h"
#include "element/tfsiso.h"

namespace trammel {

template <class... S>
struct SystemStatementList {
  /// f(statement) for each.
  static void for_each(auto f) { (f(S()), ...); }
};
using SystemStatements = SystemStatementList<LseStatement, StructureStatement, TfsisoStatement>;

}  // namespace trammel
