#include "analysis/approach.h"

#include <algorithm>
#include <cmath>

#include "expression/ops.h"

namespace trammel {

namespace {

int argument(const Tape& tape, const Instruction& i, int k) {
  if (i.n > 3) return tape.arguments[i.a + k];
  return k == 0 ? i.a : k == 1 ? i.b : i.c;
}

}  // namespace

Approach::Approach(const Model& model, Assembler& assembler) : assembler_(assembler) {
  for (int n = 0; n < static_cast<int>(model.tapes.size()); ++n) {
    const Tape& tape = model.tapes[n];
    if (tape.only_shown || tape.only_time()) continue;
    for (std::size_t k = 0; k < tape.code.size(); ++k) {
      const Instruction& i = tape.code[k];
      switch (static_cast<Op>(i.op)) {
        case Op::branch:
          switches_.push_back({n, i.a, -1});
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
  change_.resize(switches_.size(), Change::harmless);
  for (std::vector<double>& g : g_) g.resize(switches_.size());
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
}

double Approach::next(double soonest, double latest) {
  const int before = met_;
  double first = HUGE_VAL;
  met_ = no_switch;
  if (steps_ < 3) return first;
  for (int k = 0; k < static_cast<int>(switches_.size()); ++k) {
    const double t = k == before ? HUGE_VAL : crossing(k, soonest);
    if (t >= std::min(first, latest)) continue;
    if (change_[k] != Change::matters) {
      change_[k] = Change::ahead;
      continue;
    }
    first = t;
    met_ = k;
  }
  return first;
}

/// The first zero after `soonest` of the parabola g = g₂ + s u + b u², u = t − t₂, through the last points.
double Approach::crossing(std::size_t k, double soonest) const {
  const double g = g_[2][k], h = time_[2] - time_[1];
  const double older = (g_[1][k] - g_[0][k]) / (time_[1] - time_[0]), newer = (g - g_[1][k]) / h;
  const double bend = (newer - older) / (time_[2] - time_[0]), slope = newer + bend * h;
  const double square = slope * slope - 4 * bend * g;
  if (!(square >= 0)) return HUGE_VAL;
  const double q = -0.5 * (slope + std::copysign(std::sqrt(square), slope));
  double first = HUGE_VAL;
  for (const double u : {q / bend, g / q})  // not finite where g is straight, or stays
    if (time_[2] + u > soonest) first = std::min(first, time_[2] + u);
  return first;
}

}  // namespace trammel
