#include "analysis/known_breaks.h"

#include <algorithm>
#include <cmath>

namespace trammel {

KnownBreaks::KnownBreaks(const Model& model) : model_(model), of_place_(model.tapes.size()) {
  for (const ConstraintElement& e : model.constraint_elements)
    if (e.motion && e.level == 0 && e.tape >= 0) of_place_[e.tape] = 1;
}

void KnownBreaks::find(double t) {
  from_ = t;
  next_ = HUGE_VAL;
  for (std::size_t k = 0; k < model_.tapes.size(); ++k)
    if (const Tape& tape = model_.tapes[k]; !tape.only_shown)
      next_ = std::min(next_, next_break(tape, model_.splines, t, of_place_[k] != 0));
}

}  // namespace trammel
