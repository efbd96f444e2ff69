#include "analysis/delay_histories.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trammel {

namespace {

/// Whether a tape reads accelerations, rates, VARIABLEs or forces.
bool reads_more_than_motion(const Model& model, const Tape& tape) {
  constexpr int accelerations = 3;
  const int scalars = model.scalar_count();
  return !tape.rates.empty() ||
         std::any_of(tape.markers.begin(), tape.markers.end(),
                     [](const TapeMarker& m) { return m.level >= accelerations; }) ||
         std::any_of(tape.states.begin(), tape.states.end(),
                     [&](int k) { return k >= scalars || !model.scalars[k].differential(); });
}

/// Two lists of histories that have changed places as long as this stands; references to histories stay
/// right.
class Exchanged {
 public:
  Exchanged(std::vector<DelayBuffer>& a, std::vector<DelayBuffer>& b) : a_(a), b_(b) { a_.swap(b_); }
  ~Exchanged() { a_.swap(b_); }
  Exchanged(const Exchanged&) = delete;
  Exchanged& operator=(const Exchanged&) = delete;

 private:
  std::vector<DelayBuffer>&a_, &b_;
};

}  // namespace

DelayHistories::DelayHistories(const Model& model, Assembler& assembler, Tell warning)
    : model_(model), assembler_(assembler), warning_(std::move(warning)) {
  for (const Delay& d : model.delays)
    need_solutions_ = need_solutions_ || reads_more_than_motion(model, model.tapes[d.tape]);
}

double DelayHistories::longest_step(double hmax) const {
  double longest = hmax;
  for (const Delay& d : model_.delays)
    if (d.longest >= 1e-3 * hmax) longest = std::min(longest, d.longest);
  return longest;
}

bool DelayHistories::fill(State& state, double error, const std::function<State(double)>& inside) {
  Step step{state, error, inside, {}};
  bool more = false;
  for (std::size_t k = 0; k < model_.delays.size(); ++k) {
    try {
      more = fill_one(k, step) || more;
    } catch (const Failure& failure) {  // the history keeps what it has
      more = true;
      tell(k, state.t, failure.what());
    }
  }
  return more;
}

/// Once, of the expression in which the DELAY stands.
void DelayHistories::tell(std::size_t delay, double t, const std::string& what) {
  if (std::exchange(told_, true) || !warning_) return;
  std::string where = "DELAY";
  for (std::size_t k = 0; k < model_.tapes.size(); ++k)
    for (const DelaySlot& slot : model_.tapes[k].delays)
      if (slot.buffer == static_cast<int>(delay)) where = model_.tape_owner(static_cast<int>(k));
  warning_(fmt::format(
      "At time {:.9g} {}: values that its DELAY looks back at are coarser than ERROR inside of a step: {}", t,
      where, what));
}

/// The state inside of the step. Histories are long, and are not copied with it, unless its equations are to
/// be solved, which look back at them.
State DelayHistories::state_at(double t, Step& step) const {
  if (need_solutions_) return step.inside(t);
  std::vector<DelayBuffer> kept;
  const Exchanged away(step.state.delays, kept);
  return step.inside(t);
}

/// The value of an argument inside of the step.
double DelayHistories::value_at(std::size_t delay, double t, Step& step) {
  const auto [known, is_new] = step.known.try_emplace(t);
  if (!is_new) return known->second[delay];
  State inside = state_at(t, step);  // which the assembler reads until its next evaluation
  const Exchanged lent(step.state.delays, inside.delays);
  assembler_.evaluate(inside, in_dynamics);
  for (const Delay& d : model_.delays) {
    double value[3];
    assembler_.tapes().values(d.tape, assembler_.reads(), value);
    known->second.push_back(value[0]);
  }
  return known->second[delay];
}

bool DelayHistories::fill_one(std::size_t delay, Step& step) {
  // Not in the middle: functions of a round frequency have the same value at round parts of a step.
  constexpr double part = 0.381966;
  constexpr double rounding = 1e-13;
  constexpr int most = 2000;  // points in a step: a jump takes 27, a sine some 50 a period, at ERROR = 1e-8
  DelayBuffer& past = step.state.delays[delay];
  const std::size_t n = past.times().size();
  if (n < 2) return false;
  std::vector<std::pair<Point, Point>> open{
      {{past.times()[n - 2], past.values()[n - 2]}, {past.times()[n - 1], past.values()[n - 1]}}};
  const double h = open[0].second.t - open[0].first.t;
  int added = 0;
  while (!open.empty() && added < most) {
    const auto [a, b] = open.back();
    open.pop_back();
    const double width = b.t - a.t, t = a.t + part * width;
    if (width <= rounding * std::fabs(b.t)) continue;
    const double e = value_at(delay, t, step);
    const double tolerance =
        step.error * std::max({1.0, std::fabs(e), std::fabs(a.value), std::fabs(b.value)});
    const double miss = std::fabs(functions::delayed_value(past.view(), e, t, HUGE_VAL) - e);
    if (!(miss > tolerance)) continue;
    const double change = std::fabs(b.value - a.value);
    if (std::max(miss, change) * width <= tolerance * h) {
      if (change > tolerance) past.jump_at(b.t), ++added;
      continue;
    }
    past.insert(t, e), ++added;
    open.push_back({{t, e}, b});
    open.push_back({a, {t, e}});
  }
  if (!open.empty())
    tell(delay, step.state.t, fmt::format("they change too often for the {} points of a step", most));
  return added > 0;
}

}  // namespace trammel
