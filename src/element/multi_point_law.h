// The multi-point forces: forces on n pairs of markers (I_p, J_p), each of which depends on the motion of all
// pairs, and the statements that give them. A law is a struct of
//   features, components             how many numbers say how a pair moves, and how it is acted on
//   counted                          which of AX, AY, AZ of I_p in J_p it counts revolutions of
//   motion(I, J, last, x)            features x of a pair; last: last accepted values of its counted angles
//   force(parameters, p, x, f)       components f of pair p of the features x of all pairs, one after the
//   other wrench(f, I, J)                  wrenches of these on the markers of the pair
// for scalars of any type, and maybe, where force() has derivatives in closed form and is then called with
// doubles only,
//   add_variation(parameters, p, k, dx, f)    adds to f what the derivatives of the features of pair k alone
//   make
// A statement is a struct with its StatementSpec `spec`, its Law, and
//   pairs(statement, pair)           pair(I, J) for the ids of each pair of markers; I is another one in each
//   read(statement, pairs, data)     the parameters; data.matrix(argument, rows, columns, why) and
//                                    data.array(argument, size, why) are values of the MATRIX or ARRAY it
//                                    names
#pragma once

#include "element/nforce.h"

namespace trammel {

template <class... Laws>
struct MultiPointLawList {
  /// f(law) for one of them.
  template <class F>
  TRAMMEL_HD static void visit(int law, const F& f) {
    int k = 0;
    ((k++ == law ? f(Laws()) : void()), ...);
  }
  template <class Law>
  static constexpr int index_of() {
    int k = 0, at = -1;
    ((std::is_same_v<Law, Laws> ? void(at = k++) : void(++k)), ...);
    return at;
  }
};
using MultiPointLaws = MultiPointLawList<Nforce>;

template <class... S>
struct MultiPointStatementList {
  /// f(statement) for each.
  static void for_each(auto f) { (f(S()), ...); }
};
using MultiPointStatements = MultiPointStatementList<NforceStatement>;

}  // namespace trammel
