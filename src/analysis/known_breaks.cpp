#include "analysis/known_breaks.h"

#include <algorithm>
#include <cmath>

namespace trammel {

namespace {

/// Per tape, whether motions follow it: it is their function, or that of a VARIABLE where one reads states.
std::vector<unsigned char> tapes_of_motions(const Model& model) {
  std::vector<unsigned char> out(model.tapes.size());
  bool reads_states = false;
  for (const ConstraintElement& e : model.constraint_elements)
    if (e.motion && e.tape >= 0) {
      out[e.tape] = 1;
      reads_states = reads_states || !model.tapes[e.tape].only_time();
    }
  for (const Scalar& s : model.scalars)
    if (reads_states && s.kind == ScalarKind::variable && s.tape >= 0) out[s.tape] = 1;
  return out;
}

}  // namespace

KnownBreaks::KnownBreaks(const Model& model) : model_(model), of_place_(model.tapes.size()) {
  for (const ConstraintElement& e : model.constraint_elements)
    if (e.motion && e.level == 0 && e.tape >= 0) of_place_[e.tape] = 1;
  const std::vector<unsigned char> moves = tapes_of_motions(model);
  for (std::size_t k = 0; k < model.tapes.size(); ++k)
    if ((moves[k] || model.tape_in_equations[k]) && may_have_corners(model.tapes[k]))
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
      next_ = std::min(next_, next_break(tape, model_.splines, t, of_place_[k] != 0));
}

}  // namespace trammel
