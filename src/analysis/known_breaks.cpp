#include "analysis/known_breaks.h"

#include <algorithm>
#include <cmath>

namespace trammel {

void KnownBreaks::find(double t) {
  from_ = t;
  next_ = HUGE_VAL;
  for (const Tape& tape : model_.tapes)
    if (!tape.only_shown) next_ = std::min(next_, next_break(tape, model_.splines, t));
}

}  // namespace trammel
