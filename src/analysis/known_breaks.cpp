#include "analysis/known_breaks.h"

#include <algorithm>
#include <cmath>

namespace trammel {

namespace {

/// Per tape, how many derivatives of its function are to be smooth so that accelerations are: with the place
/// of a motion two, with a velocity one; −1: no motion follows it. A motion that reads states follows
/// VARIABLEs.
std::vector<int> derivatives_of_motions(const Model& model) {
  std::vector<int> out(model.tapes.size(), -1);
  int of_states = -1;
  for (const ConstraintElement& e : model.constraint_elements)
    if (e.motion && e.tape >= 0) {
      out[e.tape] = std::max(out[e.tape], 2 - e.level);
      if (!model.tapes[e.tape].only_time()) of_states = std::max(of_states, 2 - e.level);
    }
  for (const Scalar& s : model.scalars)
    if (s.kind == ScalarKind::variable && s.tape >= 0) out[s.tape] = std::max(out[s.tape], of_states);
  return out;
}

}  // namespace

KnownBreaks::KnownBreaks(const Model& model) : model_(model), derivatives_(derivatives_of_motions(model)) {
  for (std::size_t k = 0; k < model.tapes.size(); ++k)
    if ((derivatives_[k] >= 0 || model.tape_in_equations[k]) && may_have_corners(model.tapes[k]))
      cornered_.push_back(static_cast<int>(k));
  for (const SplineTable& table : model.splines) splines_.push_back(view(table));
}

double KnownBreaks::corner(TimeSpan span, double jump) {
  double first = HUGE_VAL;
  for (const int tape : cornered_)
    first =
        std::min(first, first_corner(model_.tapes[tape], {splines_.data(), nullptr}, span, jump, registers_));
  return first;
}

void KnownBreaks::find(double t) {
  from_ = t;
  next_ = HUGE_VAL;
  for (std::size_t k = 0; k < model_.tapes.size(); ++k)
    if (const Tape& tape = model_.tapes[k]; !tape.only_shown)
      next_ = std::min(next_, next_break(tape, model_.splines, t, std::max(derivatives_[k], 0)));
}

}  // namespace trammel
