// Where the instructions of a tape find their arguments.
#pragma once

#include "base/hd.h"
#include "expression/tape.h"

namespace trammel {

/// The register of argument k of a function; of a Tape or a TapeView.
template <class AnyTape>
TRAMMEL_HD inline int argument_of(const AnyTape& tape, const Instruction& i, int k) {
  if (i.n > 3) return tape.arguments[i.a + k];
  return k == 0 ? i.a : k == 1 ? i.b : i.c;
}

}  // namespace trammel
