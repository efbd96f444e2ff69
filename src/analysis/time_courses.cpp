#include "analysis/time_courses.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "analysis/step_parabola.h"
#include "analysis/what_decides.h"
#include "expression/ops.h"

namespace trammel {

TimeCourses::TimeCourses(const Model& model) : model_(model), followed_(model.tapes.size()) {
  for (const SplineTable& table : model.splines) splines_.push_back(view(table));
  least_inertia_ = least_inertia();
  variables_.resize(model.scalars.size());
  for (const int s : find_followed())
    variables_[s].function =
        function(model.scalars[s].tape, model.tapes[model.scalars[s].tape].results[model.scalars[s].result]);
  find_courses();
}

double TimeCourses::least_inertia() const {
  double least = model_.modal_coordinates > 0 ? 1 : HUGE_VAL;
  for (const Body& b : model_.bodies) {
    if (b.mass > 0) least = std::min(least, b.mass);
    for (int k = 0; k < 3; ++k)
      if (b.inertia(k, k) > 0) least = std::min(least, b.inertia(k, k));
  }
  return least < HUGE_VAL ? least : 0;
}

/// Finds VARIABLEs of TIME, whose tapes read TIME and others of TIME alone; from those that read none on, so
/// that none that reads itself is one.
std::vector<int> TimeCourses::find_followed() {
  struct Reader {
    int tape;
    std::size_t state;
  };
  std::vector<std::vector<Reader>> readers(model_.scalars.size());  // states behind these are of reactions
  std::vector<std::vector<int>> variables(model_.tapes.size());
  for (int k = 0; k < static_cast<int>(model_.tapes.size()); ++k) {
    const std::vector<int>& states = model_.tapes[k].states;
    for (std::size_t s = 0; s < states.size(); ++s)
      if (states[s] < model_.scalar_count()) readers[states[s]].push_back({k, s});
    followed_[k].of_time.resize(states.size());
  }
  for (int s = 0; s < model_.scalar_count(); ++s)
    if (model_.scalars[s].kind == ScalarKind::variable && model_.scalars[s].tape >= 0)
      variables[model_.scalars[s].tape].push_back(s);
  std::vector<int> found, all;
  const auto look_at = [&](int k) {
    const Tape& tape = model_.tapes[k];
    followed_[k].with_ranges = have_ranges(tape, followed_[k].of_time);
    const auto of_time = [&](int s) {
      return followed_[k].with_ranges[tape.results[model_.scalars[s].result]] != 0;
    };
    const auto last = std::partition(variables[k].begin(), variables[k].end(), std::not_fn(of_time));
    found.insert(found.end(), last, variables[k].end());
    variables[k].erase(last, variables[k].end());
  };
  for (int k = 0; k < static_cast<int>(model_.tapes.size()); ++k) look_at(k);
  while (!found.empty()) {
    const int scalar = found.back();
    found.pop_back();
    all.push_back(scalar);
    for (const auto [tape, state] : readers[scalar]) {
      followed_[tape].of_time[state] = 1;
      look_at(tape);
    }
  }
  return all;
}

TimeCourses::Function TimeCourses::function(int tape, int result) {
  Followed& f = followed_[tape];
  f.states.resize(f.of_time.size());
  f.registers = ranges_of_constants(model_.tapes[tape]);
  return {tape, result, registers_behind(model_.tapes[tape], result)};
}

void TimeCourses::find_courses() {
  std::vector<unsigned char> of_force(model_.tapes.size());
  const auto mark = [&](const auto& table) {
    for (const auto& element : table) element.for_tapes([&](int tape) { of_force[tape] = 1; });
  };
  mark(model_.expression_forces);
  mark(model_.multi_point_forces);
  const auto deciding = read_to_decide(model_, [&](int k, int r) {
    return !followed_[k].with_ranges[r] && static_cast<Op>(model_.tapes[k].code[r].op) != Op::branch;
  });
  // What a DELAY of the motion looks back at is read later, as the history has it from the steps.
  std::vector<unsigned char> is_read = model_.tape_in_equations;
  std::vector<double> lag(model_.tapes.size());
  for (const Tape& tape : model_.tapes)
    for (const DelaySlot& slot : tape.delays) {
      if (tape.only_shown) continue;
      const Delay& d = model_.delays[slot.buffer];
      is_read[d.tape] = 1;
      lag[d.tape] = d.lag < 0 ? d.longest : 0;
    }
  for (std::size_t k = 0; k < model_.tapes.size(); ++k) {
    const Tape& tape = model_.tapes[k];
    if (!is_read[k]) continue;
    for (const int e : switches_in_time(tape, followed_[k].with_ranges))
      switches_.push_back(function(static_cast<int>(k), e));
    const std::vector<unsigned char> whole = whole_functions(tape, followed_[k].with_ranges),
                                     pulses = may_have_pulses(tape, followed_[k].with_ranges),
                                     added = added_to_results(tape);
    for (std::size_t r = 0; r < tape.code.size(); ++r)
      if (whole[r] && (pulses[r] || (of_force[k] && static_cast<Op>(tape.code[r].op) != Op::constant)))
        courses_.push_back({function(static_cast<int>(k), static_cast<int>(r)),
                            !deciding[k].empty() && deciding[k][r] ? Use::decides
                            : !of_force[k]                         ? Use::value
                            : added[r]                             ? Use::force
                                                                   : Use::factor,
                            pulses[r] != 0, lag[k]});
  }
}

bool TimeCourses::has_forces() const {
  return std::ranges::any_of(courses_,
                             [](const Course& c) { return c.use == Use::force || c.use == Use::factor; });
}

bool TimeCourses::has_switched_forces() const {
  return std::ranges::any_of(courses_, [&](const Course& c) {
    return c.use == Use::factor && std::ranges::any_of(c.function.behind, [&](int r) {
             const Op op = static_cast<Op>(model_.tapes[c.function.tape].code[r].op);
             return op == Op::select || op == Op::sign || op == Op::aint || op == Op::anint || op == Op::mod;
           });
  });
}

/// VARIABLEs that a tape reads are computed by their own; none reads itself.
ValueRange TimeCourses::range(const Function& f, TimeSpan span) {
  const Tape& tape = model_.tapes[f.tape];
  Followed& room = followed_[f.tape];
  for (std::size_t s = 0; s < room.of_time.size(); ++s)
    if (room.of_time[s]) room.states[s] = range_of_variable(tape.states[s], span);
  ranges_over(tape, {splines_.data(), nullptr}, f.behind, span, room.states, room.registers);
  return room.registers[f.result];
}

ValueRange TimeCourses::range_of_variable(int scalar, TimeSpan span) {
  Variable& v = variables_[scalar];
  if (v.span.begin == span.begin && v.span.end == span.end) return v.range;
  v.range = range(v.function, span);
  v.span = span;
  return v.range;
}

/// The value at a time; not known: it has none.
ValueRange TimeCourses::value(const Function& f, double t) {
  const ValueRange there = range(f, {t, t});
  if (!there.known()) return there;
  const double middle = 0.5 * (there.low + there.high);
  return {middle, middle};
}

/// How far samples are apart in some steps of which this one is the last, from the beginning of all steps on.
double TimeCourses::recent_range(const Function& f, TimeSpan step, int steps) {
  constexpr int samples = 24;
  const double h = step.end - step.begin, begin = std::max(step.begin - (steps - 1) * h, began_);
  ValueRange out = value(f, begin);
  for (int k = 1; k <= samples; ++k) {
    const ValueRange there = value(f, begin + (step.end - begin) * k / samples);
    out = {std::min(out.low, there.low), std::max(out.high, there.high)};
  }
  return out.known() ? out.width() : 0;
}

void TimeCourses::scale(TimeSpan simulation) {
  if (scaled_.end == simulation.end && scaled_.begin <= simulation.begin) return;
  scaled_ = simulation;
  known_ = {};
  for (Course& c : courses_) {
    const ValueRange there = range(c.function, simulation);
    c.scale = c.use == Use::factor && there.known() ? there.width() : std::min(1.0, there.width());
  }
}

void TimeCourses::begin(double t) {
  began_ = step_began_ = t;
  known_ = {};
}

double TimeCourses::resolved_until(TimeSpan span, double last, const Unnoticed& unnoticed) {
  constexpr int halvings = 30;
  scale({span.begin, last});
  last_ = last;
  const double h = span.end - span.begin;
  const bool short_enough = h <= 1.001 * known_step_;
  if (short_enough && span.begin >= known_.begin && span.end <= known_.end) return span.end;
  for (const int steps : {16, 4}) {
    const TimeSpan ahead{span.begin, span.begin + steps * h};
    if (unresolved(ahead, unnoticed)) continue;
    known_ = ahead;
    known_step_ = h;
    return span.end;
  }
  TimeSpan part = span;
  for (int k = 0; k < halvings; ++k, part.end = part.begin + 0.5 * (part.end - part.begin))
    if (!unresolved(part, unnoticed)) return part.end;
  return span.end;
}

int TimeCourses::unresolved(TimeSpan span, double h, const Unnoticed& unnoticed) {
  constexpr int steps = 16;
  scale(span);
  last_ = span.end;
  begin(span.begin);
  for (double t = span.begin; t < span.end; t += 0.5 * steps * h) {
    if (!unresolved({t, t + steps * h}, unnoticed)) continue;
    for (int k = 0; k < steps; ++k) {
      const double begin = t + 0.5 * k * h;
      if (!(begin < span.end)) break;
      if (const Course* c = unresolved({begin, begin + h}, unnoticed)) return c->function.tape;
    }
  }
  return -1;
}

/// The first function that a step does not resolve; nullptr: it does all.
const TimeCourses::Course* TimeCourses::unresolved(TimeSpan step, const Unnoticed& unnoticed) {
  constexpr int finer = 4;
  const TimeSpan several{step.begin, step.begin + finer * (step.end - step.begin)};
  for (const Course& c : courses_)
    if (step.begin + c.lag < last_ && !resolved(c, c.use == Use::decides ? several : step, unnoticed))
      return &c;
  return nullptr;
}

/// What one function is held against.
struct TimeCourses::Judgement {
  const Function& function;
  StepParabola parabola;
  double enough;       ///< distance from the parabola
  ValueRange between;  ///< values
  int left = 500;      ///< ranges that are looked at; where they do not tell, the step is taken

  bool allows(const ValueRange& f, const ValueRange& p) const {
    return f.high - p.low <= enough && p.high - f.low <= enough && f.low >= between.low &&
           f.high <= between.high;
  }
};

bool TimeCourses::resolved(const Course& course, TimeSpan step, const Unnoticed& unnoticed) {
  const Function& f = course.function;
  const double h = step.end - step.begin, of_impulse = course.use == Use::force ? least_inertia_ / h : 0,
               of_value = unnoticed.error * course.scale;
  const bool bends = unnoticed.bend > 0 && (course.use == Use::force || course.use == Use::factor);
  if (bends && !straight(f, step, std::max(of_value, unnoticed.bend * of_impulse))) return false;
  if (!course.pulses) return true;
  const double enough = std::max(of_value, unnoticed.impulse * of_impulse);
  if (range(f, step).width() <= enough) return true;
  const ValueRange begin = value(f, step.begin), middle = value(f, step.begin + 0.5 * h),
                   end = value(f, step.end);
  if (!begin.known() || !middle.known() || !end.known()) return true;
  const ValueRange ends{std::min(begin.low, end.low), std::max(begin.low, end.low)};
  const double width = std::max(ends.high, middle.low) - std::min(ends.low, middle.low);
  const StepParabola parabola{step, begin.low, middle.low, end.low};
  const bool turns = parabola.over(step).width() > ends.width();
  const double beyond =
      std::max(enough, StepParabola::beyond_ends * (turns ? recent_range(f, step, 3) : width));
  Judgement judgement{f,
                      parabola,
                      std::max(enough, StepParabola::off_range * width),
                      {ends.low - beyond, ends.high + beyond}};
  return allowed_over_all(judgement, step);
}

/// Whether a force goes on from the step before in a straight line through this one: it is off that by less
/// than a part of its range in sixteen such steps, or by less than `enough`. (In a few about the top of a
/// sine wave there is nothing but the bend.)
bool TimeCourses::straight(const Function& f, TimeSpan step, double enough) {
  constexpr double off_range = 0.005;
  constexpr int steps = 16;
  if (range(f, {step_began_, step.end}).width() <= enough) return true;
  const double h = step.end - step.begin, before = step.begin - step_began_;
  const ValueRange earlier = value(f, step_began_), begin = value(f, step.begin),
                   middle = value(f, step.begin + 0.5 * h), end = value(f, step.end);
  if (!earlier.known() || !begin.known() || !middle.known() || !end.known()) return true;
  const StepParabola line{step, begin.low, 0.5 * (begin.low + end.low), end.low};
  // What a constant bend changes of the end of the next step is eight times what is off in the middle.
  constexpr double at_end = 8, least_part = 1e-6;
  double off = std::fabs(middle.low - line.middle);
  if (before > least_part * h)
    off = std::max(off, std::fabs(end.low - begin.low - h / before * (begin.low - earlier.low)) / at_end);
  if (off > enough) enough = std::max(enough, off_range * recent_range(f, step, steps));
  if (off > enough) return false;
  Judgement judgement{f, line, enough, {-HUGE_VAL, HUGE_VAL}};
  return allowed_over_all(judgement, step);
}

bool TimeCourses::allowed_over_all(Judgement& judgement, TimeSpan step) {
  constexpr int parts = 8;  // at first; they are halved where that does not tell
  TimeSpan part{step.begin, step.begin};
  for (int k = 1; k <= parts; ++k) {
    part = {part.end, k == parts ? step.end : step.begin + (step.end - step.begin) * k / parts};
    if (!allowed_over(judgement, part)) return false;
  }
  return true;
}

/// Whether all values in a part of a step are allowed.
bool TimeCourses::allowed_over(Judgement& j, TimeSpan part) {
  if (j.allows(range(j.function, part), j.parabola.over(part))) return true;
  const double middle = 0.5 * (part.begin + part.end);
  if (--j.left <= 0 || !(part.begin < middle && middle < part.end)) return true;
  const ValueRange there = value(j.function, middle);
  const double p = j.parabola.at(middle);
  if (there.known() && !j.allows(there, {p, p})) return false;
  return allowed_over(j, {part.begin, middle}) && allowed_over(j, {middle, part.end});
}

double TimeCourses::first_switch(TimeSpan span) {
  double first = HUGE_VAL;
  for (const Function& f : switches_) {
    int left = 2000;  // ranges that are looked at, of a function that is all rounding
    first = std::min(first, first_zero(f, span, left));
  }
  return first;
}

/// By halving what may have a zero. Where f only touches 0, nothing changes.
double TimeCourses::first_zero(const Function& f, TimeSpan span, int& left) {
  const ValueRange there = range(f, span);
  if (--left <= 0 || there.low > 0 || there.high < 0) return HUGE_VAL;
  constexpr double rounding = 2.2e-16;
  const double middle = 0.5 * (span.begin + span.end);
  if (span.end - span.begin <= 4 * rounding * std::fabs(middle)) {
    const bool changes = (value(f, span.begin).low < 0) != (value(f, span.end).low < 0);
    return changes ? middle : HUGE_VAL;
  }
  const double before = first_zero(f, {span.begin, middle}, left);
  return before < HUGE_VAL ? before : first_zero(f, {middle, span.end}, left);
}

}  // namespace trammel
