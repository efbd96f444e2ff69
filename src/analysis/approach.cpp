#include "analysis/approach.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "expression/ops.h"

namespace trammel {

namespace {

int argument(const Tape& tape, const Instruction& i, int k) {
  if (i.n > 3) return tape.arguments[i.a + k];
  return k == 0 ? i.a : k == 1 ? i.b : i.c;
}

/// Whether a register is a sum of squares, as those of |x| are: it touches 0, and rounding that comes and
/// goes there is no change of a law.
bool only_touches_zero(const Tape& tape, int r) {
  const Instruction& i = tape.code[r];
  switch (static_cast<Op>(i.op)) {
    case Op::mul:
      return i.a == i.b;
    case Op::add:
      return only_touches_zero(tape, i.a) && only_touches_zero(tape, i.b);
    default:
      return false;
  }
}

/// The sum of the radii of balls inside a shape of I and one of J, least of all pairs.
double thickness_of(const ContactElement& c) {
  double least[2] = {HUGE_VAL, HUGE_VAL};
  for (const PlacedShape& s : c.of_I) least[0] = std::min(least[0], s.inner);
  for (const PlacedShape& s : c.of_J) least[1] = std::min(least[1], s.inner);
  return least[0] + least[1];
}

}  // namespace

Approach::Approach(const Model& model, Assembler& assembler) : model_(model), assembler_(assembler) {
  add_switches(model);
  for (const ContactElement& c : model.contacts) thickness_.push_back(thickness_of(c));
  overlaps_.resize(thickness_.size());
  turns_.resize(thickness_.size());
  told_.resize(thickness_.size());
  change_.resize(switches_.size() + thickness_.size(), Change::harmless);
  // A push that begins anew as a contact ends is short: no step need be rejected where it is passed over.
  change_.resize(change_.size() + thickness_.size(), Change::matters);
  for (std::vector<double>& g : g_) g.resize(change_.size());
}

void Approach::add_switches(const Model& model) {
  for (int n = 0; n < static_cast<int>(model.tapes.size()); ++n) {
    const Tape& tape = model.tapes[n];
    if (tape.only_shown || tape.only_time()) continue;
    for (const Instruction& i : tape.code) {
      switch (static_cast<Op>(i.op)) {
        case Op::branch:
          if (!only_touches_zero(tape, i.a)) switches_.push_back({n, i.a, -1});
          break;
        case Op::impact:
          switches_.push_back({n, argument(tape, i, 0), argument(tape, i, 2)});
          break;
        case Op::bistop:
          for (const int stop : {2, 3})
            switches_.push_back({n, argument(tape, i, 0), argument(tape, i, stop)});
          break;
        default:
          break;
      }
    }
  }
}

void Approach::begin(double t) {
  steps_ = 0;
  met_ = no_switch;
  after_step(t, false);
}

void Approach::after_step(double t, bool rejected) {
  for (Change& c : change_)
    if (c == Change::ahead) c = rejected ? Change::matters : Change::harmless;
  std::rotate(time_.begin(), time_.begin() + 1, time_.end());
  std::rotate(g_.begin(), g_.begin() + 1, g_.end());
  time_[2] = t;
  steps_ = std::min(steps_ + 1, 3);
  const double* r = nullptr;
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    const Switch& s = switches_[k];
    if (k == 0 || s.tape != switches_[k - 1].tape)
      r = assembler_.tapes().registers(s.tape, assembler_.reads());
    g_[2][k] = r[s.a] - (s.b < 0 ? 0 : r[s.b]);
  }
  if (thickness_.empty()) return;
  assembler_.overlaps(overlaps_);
  for (std::size_t k = 0; k < overlaps_.size(); ++k) {
    g_[2][switches_.size() + k] = -overlaps_[k].depth;
    g_[2][switches_.size() + thickness_.size() + k] = overlaps_[k].turn;
  }
  watch_touches();
}

void Approach::watch_touches() {
  if (steps_ < 2) return;
  for (std::size_t k = 0; k < turns_.size(); ++k) {
    const std::size_t at = switches_.size() + k;
    turns_[k] = turns_[k] << 1 | ((g_[2][at] < 0) != (g_[1][at] < 0));
  }
}

std::vector<std::string> Approach::chattering() {
  constexpr int most = 20;  // of 32 steps; a bounce takes several to come and several to go
  std::vector<std::string> names;
  for (std::size_t k = 0; k < turns_.size(); ++k) {
    if (told_[k] || std::popcount(turns_[k]) < most) continue;
    told_[k] = 1;
    names.push_back(model_.contacts[k].name.label());
  }
  return names;
}

double Approach::next_change(double soonest, double latest) {
  const int before = met_;
  double first = HUGE_VAL;
  met_ = no_switch;
  if (steps_ < 3) return first;
  for (int k = 0; k < static_cast<int>(change_.size()); ++k) {
    if (k == before) continue;
    const double t = time_[2] + course(k).first_at(0, soonest - time_[2]);
    if (!(t < std::min(first, latest))) continue;
    if (change_[k] != Change::matters) {
      change_[k] = Change::ahead;
      continue;
    }
    first = t;
    met_ = k;
  }
  return first;
}

double Approach::next_passage(double latest) const {
  constexpr double quarter = 0.25;
  const double h = latest - time_[2];
  double first = time_[2] + assembler_.passage_of_groups(h);
  if (steps_ < 3) return first;
  for (std::size_t k = 0; k < thickness_.size(); ++k) {
    const double depth = quarter * thickness_[k];
    const Course c = course(switches_.size() + k);
    if (!(c.g > -depth) || !std::isfinite(depth)) continue;
    const double turn = c.bend > 0 ? std::clamp(-c.slope / (2 * c.bend), 0.0, h) : h;
    if (std::min(c.at(h), c.at(turn)) > -2 * depth) continue;
    first = std::min(first, time_[2] + c.first_at(-depth, 0));
  }
  return first;
}

Approach::Course Approach::course(std::size_t k) const {
  const double g = g_[2][k], h = time_[2] - time_[1];
  const double older = (g_[1][k] - g_[0][k]) / (time_[1] - time_[0]), newer = (g - g_[1][k]) / h;
  const double bend = (newer - older) / (time_[2] - time_[0]);
  return {g, newer + bend * h, bend};
}

/// The first u beyond `soonest` with that value; infinite: there is none.
double Approach::Course::first_at(double value, double soonest) const {
  const double above = g - value, square = slope * slope - 4 * bend * above;
  if (!(square >= 0)) return HUGE_VAL;
  const double q = -0.5 * (slope + std::copysign(std::sqrt(square), slope));
  double first = HUGE_VAL;
  for (const double u : {q / bend, above / q})  // not finite where g is straight, or stays
    if (u > soonest) first = std::min(first, u);
  return first;
}

}  // namespace trammel
