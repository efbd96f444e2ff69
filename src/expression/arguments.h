// Where the instructions of a tape find their arguments.
#pragma once

#include "expression/tape.h"

namespace trammel {

/// The register of argument k of a function.
inline int argument_of(const Tape& tape, const Instruction& i, int k) {
  if (i.n > 3) return tape.arguments[i.a + k];
  return k == 0 ? i.a : k == 1 ? i.b : i.c;
}

}  // namespace trammel
