#include "analysis/sensors.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "analysis/reads_more_than_motion.h"

namespace trammel {

namespace {

/// Whether the condition holds at the end of a step, from d = f − V.
bool holds(const Sensor& s, double d) {
  switch (s.compare) {
    case Sensor::Compare::equal:
      return std::abs(d) <= s.error;
    case Sensor::Compare::greater:
      return d >= -s.error;
    case Sensor::Compare::less:
      return d <= s.error;
  }
  return false;
}

/// Whether d passes through 0 between its values before and after, in the direction that counts.
bool crosses(const Sensor& s, double before, double after) {
  const bool up = before < 0 && after >= 0, down = before > 0 && after <= 0;
  return (up && s.compare != Sensor::Compare::less) || (down && s.compare != Sensor::Compare::greater);
}

/// Whether a coming of d to 0, from its present sign, would count.
bool may_touch(const Sensor& s, double d) {
  return s.compare == Sensor::Compare::equal || (s.compare == Sensor::Compare::greater) == (d < 0);
}

/// Time of the vertex of the parabola through (ta, da), (tb, db), (tc, dc).
double turn_of_parabola(double ta, double da, double tb, double db, double tc, double dc) {
  const double left = (db - da) / (tb - ta), right = (dc - db) / (tc - tb), bend = (right - left) / (tc - ta);
  return 0.5 * (ta + tb) - left / (2 * bend);
}

}  // namespace

SensorWatch::SensorWatch(const Model& model, Assembler& assembler, const AnalysisPoint& point, Tell warning)
    : model_(model), assembler_(assembler), point_(point), warning_(std::move(warning)) {
  for (const Sensor& s : model.sensors) solved_.push_back(reads_more_than_motion(model, model.tapes[s.tape]));
}

/// d = f − V at the state of the assembler's last evaluation.
double SensorWatch::deviation(const Sensor& sensor) {
  double f[3] = {0, 0, 0};
  assembler_.tapes().values(sensor.tape, assembler_.reads(), f);
  return f[0] - sensor.value;
}

double SensorWatch::evaluate(const Sensor& sensor, const State& state) {
  assembler_.evaluate(state, point_);
  double e[3] = {0, 0, 0};
  assembler_.tapes().values(sensor.evaluate, assembler_.reads(), e);
  return e[0];
}

void SensorWatch::begin(const State& state) {
  before_.resize(model_.sensors.size());
  older_.resize(model_.sensors.size());
  armed_.assign(model_.sensors.size(), 0);
  armed_before_ = armed_;
  cut(state, {}, 0);
}

void SensorWatch::cut(const State& state, const std::vector<SensorEvent>& events, std::size_t acted) {
  if (empty()) return;
  assembler_.evaluate(state, point_);
  for (std::size_t k = 0; k < model_.sensors.size(); ++k) {
    before_[k] = deviation(model_.sensors[k]);
    older_[k] = NAN;
    armed_[k] = armed_before_[k] || !holds(model_.sensors[k], before_[k]);
  }
  for (std::size_t k = 0; k < acted; ++k) {
    const int s = events[k].sensor;
    armed_[s] = !holds(model_.sensors[s], before_[s]);
  }
}

/// The same inside of a step, where f may have no value, at a pole: NaN then.
double SensorWatch::deviation_inside(const Sensor& sensor) {
  try {
    return deviation(sensor);
  } catch (const Failure& failure) {
    if (failure.code() != ExitCode::solver) throw;
    return NAN;
  }
}

std::vector<SensorEvent> SensorWatch::after_step(double t0, const State& state, const InsideStep& inside) {
  std::vector<SensorEvent> events;
  assembler_.evaluate(state, point_);
  std::vector<double> now;
  for (const Sensor& s : model_.sensors) now.push_back(deviation(s));
  Known by_motion, by_solution;
  // At both ends of a step f is that of a state for which the equations are solved, as it is inside: forces
  // of the method differ by its error, and would pass V at another time.
  if (inside.motion)
    for (std::size_t k = 0; k < now.size(); ++k) {
      if (!solved_[k]) continue;
      if (const double d = known_at(state.t, inside.solved, by_solution)[k]; !std::isnan(d)) now[k] = d;
    }
  armed_before_ = armed_;
  for (std::size_t k = 0; k < model_.sensors.size(); ++k) {
    const Sample begin{t0, before_[k]}, end{state.t, now[k]};
    if (!inside.motion || (solved_[k] && is_foreseen(k, begin, end)))
      watch(k, {begin, end}, inside.solved, events);
    else if (!solved_[k])
      watch(k, course(k, begin, end, inside.motion, by_motion), inside.solved, events);
    else
      watch(k, course(k, begin, end, inside.solved, by_solution), inside.solved, events);
    older_[k] = before_[k];
    before_[k] = now[k];
  }
  older_t_ = t0;
  std::stable_sort(events.begin(), events.end(),
                   [](const SensorEvent& a, const SensorEvent& b) { return a.t < b.t; });
  return events;
}

const std::vector<double>& SensorWatch::known_at(double t, const StateAt& at, Known& known) {
  const auto [found, is_new] = known.try_emplace(t);
  if (is_new) {
    assembler_.evaluate(at(t), point_);
    for (const Sensor& s : model_.sensors) found->second.push_back(deviation_inside(s));
  }
  return found->second;
}

/// Whether d at the end is what the line through the two places before says, to a tenth of the largest.
bool SensorWatch::is_foreseen(std::size_t sensor, Sample begin, Sample end) const {
  const double older = older_[sensor];
  if (std::isnan(older)) return false;
  const double line = begin.d + (begin.d - older) * (end.t - begin.t) / (begin.t - older_t_);
  return std::abs(end.d - line) <= 0.1 * std::max({std::abs(older), std::abs(begin.d), std::abs(end.d)});
}

/// Places of the step, its ends among them, between which d is seen to keep away from 0, or to cross it once:
/// by its bend, the distance from the chord at a place between. Where d has one sign it must be more than
/// twice its bend away from 0, or the bend must be less than ERROR; where d changes sign, a tenth of d at the
/// ends.
std::vector<SensorWatch::Sample> SensorWatch::course(std::size_t sensor, Sample begin, Sample end,
                                                     const StateAt& at, Known& known) {
  // Not in the middle: functions of a round frequency have the same value at round parts of a step.
  constexpr double part = 0.381966, least = 1e-6;
  constexpr int most = 500;
  const Sensor& s = model_.sensors[sensor];
  const double error = std::max(s.error, 1e-14 * std::abs(s.value)), shortest = least * (end.t - begin.t);
  std::vector<Sample> out{begin};
  std::vector<std::pair<Sample, Sample>> open{{begin, end}};
  for (int taken = 0; !open.empty(); ++taken) {
    const auto [a, b] = open.back();
    open.pop_back();
    if (b.t - a.t <= shortest || taken >= most) {
      out.push_back(b);
      continue;
    }
    const double t = a.t + part * (b.t - a.t);
    const Sample m{t, known_at(t, at, known)[sensor]};
    const double bend = std::abs(m.d - (a.d + part * (b.d - a.d)));
    const auto [nearest, farthest] = std::minmax({std::abs(a.d), std::abs(m.d), std::abs(b.d)});
    const bool one_sign = (a.d > 0) == (m.d > 0) && (m.d > 0) == (b.d > 0);
    if (bend > error && bend > (one_sign ? 0.5 * nearest : 0.1 * farthest)) {
      open.insert(open.end(), {{m, b}, {a, m}});
    } else {
      out.insert(out.end(), {m, b});
    }
    if (taken + 1 == most && !std::exchange(told_, true) && warning_)
      warning_(fmt::format(
          "At time {:.9g} {}: its FUNCTION changes so often inside of a step of {:.3g} that some of what "
          "it passes may not be seen; a smaller HMAX shows more.",
          end.t, s.name.label(), end.t - begin.t));
  }
  return out;
}

/// Where the sensor acts along the course of d, and whether it is armed at the end.
void SensorWatch::watch(std::size_t sensor, const std::vector<Sample>& course, const StateAt& at,
                        std::vector<SensorEvent>& events) {
  const Sensor& s = model_.sensors[sensor];
  Sample older{older_t_, older_[sensor]};
  bool armed = armed_[sensor];
  for (std::size_t k = 0; k + 1 < course.size(); ++k) {
    const Sample a = course[k], b = course[k + 1];
    std::optional<double> met;
    if (armed && crosses(s, a.d, b.d))
      met = root(s, a.t, a.d, b.t, b.d, at);
    else if (armed && may_turn(s, older, a, b))
      met = touch(s, a, b, at);
    // Where a condition holds by ERROR alone, f may be about to come nearer.
    const bool nears = k + 2 < course.size() &&
                       (crosses(s, b.d, course[k + 2].d) || std::abs(course[k + 2].d) < std::abs(b.d));
    if (armed && !met && holds(s, b.d) && !nears) met = b.t;
    if (met) events.push_back({static_cast<int>(sensor), *met});
    armed = !holds(s, b.d) || (armed && !met);
    older = a;
  }
  armed_[sensor] = armed;
}

/// Whether d, of one sign at both ends of a part of the step, may come nearer to 0 between: where the
/// parabola through both ends and a place before them has its vertex in it or near it, or one end is so much
/// nearer to 0 that d may have turned beside it.
bool SensorWatch::may_turn(const Sensor& sensor, Sample older, Sample begin, Sample end) const {
  if ((begin.d < 0) != (end.d < 0) || !may_touch(sensor, end.d)) return false;
  const double h = end.t - begin.t;
  if (std::isnan(older.d)) return true;
  const auto [nearer, farther] = std::minmax({std::abs(begin.d), std::abs(end.d)});
  if (nearer < 0.5 * farther) return true;
  const double t = turn_of_parabola(older.t, older.d, begin.t, begin.d, end.t, end.d);
  return t > begin.t - h && t < end.t + h;
}

/// The place of the least |d| inside a part of the step, by golden section; none where it is at an end, or
/// where a parabola says that d stays far from 0. Stops early at a place where d has changed sign.
std::optional<SensorWatch::Sample> SensorWatch::turn(const Sensor& sensor, Sample a, Sample c,
                                                     const StateAt& at) {
  const auto sample = [&](double t) {
    assembler_.evaluate(at(t), point_);
    return Sample{t, deviation_inside(sensor)};
  };
  const double step = c.t - a.t;
  const auto changes_sign = [&, positive = c.d > 0](Sample x) { return (x.d > 0) != positive; };
  const auto nearer_end = [&]() -> Sample& { return std::abs(a.d) < std::abs(c.d) ? a : c; };
  Sample b = sample(0.5 * (a.t + c.t));
  if (changes_sign(b)) return b;
  if (Sample& end = nearer_end(); std::abs(b.d) > std::abs(end.d)) {
    // |d| falls towards that end, but may be less just beside it.
    const Sample beside = sample(end.t + 1e-6 * (b.t - end.t));
    if (changes_sign(beside)) return beside;
    if (std::abs(beside.d) >= std::abs(end.d)) return std::nullopt;
    (&end == &a ? c : a) = b;
    b = beside;
  }
  const double vertex = turn_of_parabola(a.t, a.d, b.t, b.d, c.t, c.d);
  if (vertex > a.t && vertex < c.t && vertex != b.t) {
    const Sample there = sample(vertex);
    if (changes_sign(there)) return there;
    if (std::abs(there.d) <= std::abs(b.d)) {
      (there.t < b.t ? c : a) = b;
      b = there;
    }
  }
  if (std::abs(b.d) > 1e3 * sensor.error + 0.5 * std::abs(nearer_end().d)) return std::nullopt;
  constexpr double golden = 0.381966011250105;
  while (c.t - a.t > 1e-7 * step) {
    const bool before = b.t - a.t > c.t - b.t;
    const Sample next = sample(b.t + golden * (before ? a.t - b.t : c.t - b.t));
    if (changes_sign(next)) return next;
    Sample& outer = before ? a : c;
    Sample& inner = before ? c : a;
    if (std::abs(next.d) <= std::abs(b.d)) {
      inner = b;
      b = next;
    } else {
      outer = next;
    }
  }
  return b;
}

std::optional<double> SensorWatch::touch(const Sensor& sensor, Sample begin, Sample end, const StateAt& at) {
  const auto nearest = turn(sensor, begin, end, at);
  if (!nearest) return std::nullopt;
  if ((nearest->d > 0) != (end.d > 0) || nearest->d == 0)
    return root(sensor, begin.t, begin.d, nearest->t, nearest->d, at);
  if (std::abs(nearest->d) > sensor.error) return std::nullopt;
  return nearest->t;
}

/// Root of d(t) on [t0, t1], where d changes sign, by bisection with BISECTION, else by secants that bracket
/// the root (the value at an end that stays is halved: Dowell, Jarratt, "A modified regula falsi method for
/// computing the root of an equation", BIT 11 (1971), 168-174). Where d jumps over 0 (an angle from π to −π,
/// a pole), a function that has to become equal to V does not: none, if both sides are farther off than
/// ERROR.
std::optional<double> SensorWatch::root(const Sensor& sensor, double t0, double d0, double t1, double d1,
                                        const StateAt& at) {
  const double tolerance = 1e-12 * (t1 - t0);
  double nearest = std::min(std::abs(d0), std::abs(d1));
  int side = 0;
  for (int k = 0; k < 100 && d1 != 0 && t1 - t0 > tolerance; ++k) {
    double t = sensor.bisection ? 0.5 * (t0 + t1) : t0 + (t1 - t0) * (d0 / (d0 - d1));
    if (!(t > t0 && t < t1)) t = 0.5 * (t0 + t1);
    if (!(t > t0 && t < t1)) break;
    assembler_.evaluate(at(t), point_);
    const double d = deviation_inside(sensor);
    if (d == 0) return t;
    if (std::isnan(d)) break;
    nearest = std::min(nearest, std::abs(d));
    const bool left = (d < 0) == (d0 < 0);
    (left ? t0 : t1) = t;
    (left ? d0 : d1) = d;
    if (!sensor.bisection && side == (left ? -1 : 1)) (left ? d1 : d0) *= 0.5;
    side = left ? -1 : 1;
    // To 1e-9 of ERROR, but no less than the rounding of f.
    if (!sensor.bisection && std::abs(d) <= std::max(1e-9 * sensor.error, 4e-16 * std::abs(sensor.value)))
      return t;
  }
  if (sensor.compare == Sensor::Compare::equal && nearest > sensor.error) return std::nullopt;
  return t1;
}

}  // namespace trammel
