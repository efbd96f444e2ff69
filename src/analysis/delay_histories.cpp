#include "analysis/delay_histories.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/reads_more_than_motion.h"
#include "analysis/step_parabola.h"

namespace trammel {

namespace {

/// Delays that are a smaller part of a step are left alone.
constexpr double least_lag = 1e-3;

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
    : model_(model),
      assembler_(assembler),
      warning_(std::move(warning)),
      moves_(model.delays.size()),
      range_(model.delays.size(), {HUGE_VAL, -HUGE_VAL}) {
  for (const Tape& tape : model.tapes)
    for (const DelaySlot& slot : tape.delays) moves_[slot.buffer] |= !tape.only_shown;
  for (const Delay& d : model.delays)
    need_solutions_ = need_solutions_ || reads_more_than_motion(model, model.tapes[d.tape]);
}

/// At the assembler's last evaluation.
double DelayHistories::lag_of(const Delay& delay) const {
  if (delay.lag < 0) return delay.longest;
  double lag[3];
  assembler_.tapes().values(delay.lag, assembler_.reads(), lag);
  return lag[0];
}

bool DelayHistories::vary() const {
  return std::ranges::any_of(model_.delays, [](const Delay& d) { return d.lag >= 0; });
}

double DelayHistories::longest_step(double hmax) const {
  double longest = hmax;
  for (const Delay& d : model_.delays) {
    const double part = d.lag < 0 ? 1.0 : 0.5, lag = part * lag_of(d);
    if (lag >= least_lag * hmax) longest = std::min(longest, lag);
  }
  return longest;
}

bool DelayHistories::follows(std::size_t delay, const State& state, TimeSpan step) const {
  const Delay& d = model_.delays[delay];
  return moves_[delay] && d.lag < 0 && d.longest < HUGE_VAL &&
         d.longest > least_lag * (step.end - step.begin) && state.delays[delay].times().size() > 1;
}

double DelayHistories::unnoticed(std::size_t delay, double error) const {
  constexpr double part = 1e-3;
  const ValueRange& r = range_[delay];
  return std::max(part * r.width(), error * std::min(1.0, std::max(std::fabs(r.low), std::fabs(r.high))));
}

double DelayHistories::next_jump(const State& state, TimeSpan span, double error) const {
  double first = HUGE_VAL;
  for (std::size_t k = 0; k < model_.delays.size(); ++k) {
    if (!follows(k, state, span)) continue;
    const double lag = model_.delays[k].longest;
    const std::vector<double>&t = state.delays[k].times(), &value = state.delays[k].values();
    auto at = std::upper_bound(t.begin(), t.end(), span.begin - lag);
    for (; at != t.end() && *at < span.end - lag; ++at)
      if (at + 1 != t.end() && at[0] == at[1] &&
          std::fabs(value[at - t.begin() + 1] - value[at - t.begin()]) > unnoticed(k, error)) {
        first = std::min(first, *at + lag);
        break;
      }
  }
  return first;
}

double DelayHistories::resolved_until(const State& state, TimeSpan span, double error) const {
  constexpr int halvings = 30;
  double end = span.end;
  for (std::size_t k = 0; k < model_.delays.size(); ++k) {
    if (!follows(k, state, span)) continue;
    const double lag = model_.delays[k].longest;
    // A span that is longer than the delay is one of several steps: the first looks back at what is known.
    TimeSpan part{span.begin - lag, std::min(end - lag, state.delays[k].times().back())};
    int left = halvings;
    while (left > 0 && !resolved(state.delays[k], part, unnoticed(k, error)))
      part.end = part.begin + 0.5 * (part.end - part.begin), --left;
    if (left > 0 && left < halvings) end = part.end + lag;
  }
  return end;
}

/// Of what is known already of a step, seen from the times that it looks back at.
bool DelayHistories::resolved(const DelayBuffer& past, TimeSpan step, double enough) {
  const std::vector<double>&t = past.times(), &value = past.values();
  const auto first = std::upper_bound(t.begin(), t.end(), step.begin) - t.begin();
  const auto last = std::lower_bound(t.begin() + first, t.end(), step.end) - t.begin();
  if (first == last) return true;
  const auto at = [&](double u) { return functions::delayed_value(past.view(), value.back(), u, HUGE_VAL); };
  const double width = step.end - step.begin;
  const StepParabola parabola{step, at(step.begin), at(0.5 * (step.begin + step.end)), at(step.end)};
  const double low = std::min(parabola.begin, parabola.end), high = std::max(parabola.begin, parabola.end);
  const ValueRange here{std::min(low, parabola.middle), std::max(high, parabola.middle)};
  ValueRange recent = here;
  for (auto k = first; k-- > 0 && t[k] > step.end - 3 * width;)
    recent = {std::min(recent.low, value[k]), std::max(recent.high, value[k])};
  const double off = std::max(enough, StepParabola::off_range * here.width()),
               beyond = std::max(enough, StepParabola::beyond_ends * recent.width());
  for (auto k = first; k < last; ++k)
    if (std::fabs(parabola.at(t[k]) - value[k]) > off || value[k] < low - beyond || value[k] > high + beyond)
      return false;
  return true;
}

/// The value that the DELAY has at the end of a step.
double DelayHistories::looked_back_at(std::size_t delay, const State& state, double lag) const {
  const DelayBuffer& past = state.delays[delay];
  return functions::delayed_value(past.view(), past.values().back(), state.t - lag, state.t);
}

bool DelayHistories::fill(State& state, double error, const std::function<State(double)>& inside) {
  Step step{state, error, inside, {}};
  if (vary()) assembler_.evaluate(state, in_dynamics);
  std::vector<double> lag;  // as the step ended with them
  for (const Delay& d : model_.delays) lag.push_back(lag_of(d));
  bool more = false;
  for (std::size_t k = 0; k < model_.delays.size(); ++k) {
    try {
      const double coarse = looked_back_at(k, state, lag[k]);
      more = fill_one(k, step) || more;
      const double miss = std::fabs(looked_back_at(k, state, lag[k]) - coarse);
      if (miss > 10 * error * std::max(1.0, std::fabs(coarse)))
        tell(k, state.t,
             fmt::format("its delay of {:.3g} is shorter than the step; a smaller HMAX helps", lag[k]));
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

void DelayHistories::widen(std::size_t delay, double value) {
  range_[delay] = {std::min(range_[delay].low, value), std::max(range_[delay].high, value)};
}

bool DelayHistories::fill_one(std::size_t delay, Step& step) {
  // Not in the middle: functions of a round frequency have the same value at round parts of a step. What
  // REQUESTs alone read is looked at in more places, as no steps are made for it.
  constexpr double parts[] = {0.381966, 0.763932, 0.145898, 0.527864, 0.90983, 0.291796, 0.673762, 0.055728};
  constexpr double rounding = 1e-13;
  constexpr int most = 2000;  // points in a step: a jump takes 27, a sine some 50 a period, at ERROR = 1e-8
  DelayBuffer& past = step.state.delays[delay];
  const std::size_t n = past.times().size();
  if (n < 2) return false;
  std::vector<std::pair<Point, Point>> open{
      {{past.times()[n - 2], past.values()[n - 2]}, {past.times()[n - 1], past.values()[n - 1]}}};
  const double h = open[0].second.t - open[0].first.t;
  widen(delay, open[0].first.value);
  widen(delay, open[0].second.value);
  int added = 0;
  while (!open.empty() && added < most) {
    const auto [a, b] = open.back();
    open.pop_back();
    const double width = b.t - a.t;
    if (width <= rounding * std::fabs(b.t)) continue;
    double t = 0, e = 0, miss = 0, tolerance = 0;
    const int places = moves_[delay] || width < h ? 1 : std::size(parts);
    for (int k = 0; k < places && !(miss > tolerance); ++k) {
      t = a.t + parts[k] * width;
      e = value_at(delay, t, step);
      tolerance = step.error * std::max({1.0, std::fabs(e), std::fabs(a.value), std::fabs(b.value)});
      miss = std::fabs(functions::delayed_value(past.view(), e, t, HUGE_VAL) - e);
    }
    if (!(miss > tolerance)) continue;
    const double change = std::fabs(b.value - a.value);
    if (std::max(miss, change) * width <= tolerance * h) {
      if (change > tolerance) past.jump_at(b.t), ++added;
      continue;
    }
    past.insert(t, e), ++added;
    widen(delay, e);
    open.push_back({{t, e}, b});
    open.push_back({a, {t, e}});
  }
  if (!open.empty())
    tell(delay, step.state.t, fmt::format("they change too often for the {} points of a step", most));
  return added > 0;
}

}  // namespace trammel
