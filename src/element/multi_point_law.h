// The multi-point forces: forces on n pairs of markers (I_p, J_p), each of which depends on the motion of all
// pairs, and the statements that give them. A law is a struct of
//   features, components           how many numbers say how a pair moves, and how it is acted on
//   counted                        which of AX, AY, AZ of I_p in J_p it counts revolutions of
//   motion(I, J, last, x)          features x of a pair; last: last accepted values of its counted angles
//   force(parameters, p, x, f)     components f of pair p; x: features of all pairs, one after the other
//   wrench(f, I, J)                wrenches of the components f on the markers of the pair
// for scalars of any type. Where the derivatives of force() have a closed form, it is called with doubles
// only and the law has
//   add_variation(parameters, p, k, dx, f)    adds to f the part of its derivatives that comes from the
//                                             features of pair k, whose derivatives are dx
// A statement is a struct with its StatementSpec `spec`, its Law, and
//   pairs(statement, pair)         calls pair(I, J) with the ids of the markers of each pair; I differ
//   read(statement, pairs, data)   the parameters; data.matrix(argument, rows, columns, why) and
//                                  data.array(argument, size, why) are the numbers of the MATRIX or ARRAY
//                                  that the argument names
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
