// Statements that are systems with states, inputs and outputs, linear or by user code. A statement is a
// struct with its StatementSpec `spec`, and
//   check(statement, diagnostics)    rules that the table of fields does not express
//   read(statement, data)            its LinearSystem (element/linear_system.h), from
//     data.states(n), data.outputs(n)              entries of the ARRAY X or Y; n where it has no SIZE
//     data.inputs()                                entries of the ARRAY U
//     data.rows(argument)                          rows of the MATRIX that the argument names; 0: none
//     data.matrix(argument, rows, columns, why)    its nonzeros, a list per row; empty lists without a MATRIX
//     data.array(argument, size, why)              numbers of the ARRAY that the argument names; none without
//                                                  an ARRAY
//     data.size_must_be(argument, size, wanted, why)    an error where the size is not the wanted one
//     data.none()                                  no system, after an error
//   Other sizes than the wanted ones are errors, whose text gives `why` as the reason.
#pragma once

#include "element/gse.h"
#include "element/lse.h"
#include "element/structure.h"
#include "element/tfsiso.h"

namespace trammel {

template <class... S>
struct SystemStatementList {
  /// f(statement) for each.
  static void for_each(auto f) { (f(S()), ...); }
};
using SystemStatements = SystemStatementList<LseStatement, StructureStatement, TfsisoStatement, GseStatement>;

}  // namespace trammel
