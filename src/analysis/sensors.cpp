#include "analysis/sensors.h"

#include <algorithm>
#include <cmath>

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

std::vector<SensorEvent> SensorWatch::after_step(double t0, const State& state, const StateAt& at) {
  std::vector<SensorEvent> events;
  const std::size_t n = model_.sensors.size();
  std::vector<double> now(n);
  assembler_.evaluate(state, point_);
  for (std::size_t k = 0; k < n; ++k) now[k] = deviation(model_.sensors[k]);
  for (std::size_t k = 0; k < n; ++k) {
    const Sensor& s = model_.sensors[k];
    const bool crossed = armed_[k] && crosses(s, before_[k], now[k]);
    const Sample begin{t0, before_[k]}, end{state.t, now[k]};
    if (const auto met = crossed ? root(s, t0, before_[k], state.t, now[k], at) : std::nullopt)
      events.push_back({static_cast<int>(k), *met});
    else if (const auto touched =
                 armed_[k] && !crossed && may_turn(k, begin, end) ? touch(s, begin, end, at) : std::nullopt)
      events.push_back({static_cast<int>(k), *touched});
    else if (armed_[k] && holds(s, now[k]))
      events.push_back({static_cast<int>(k), state.t});
    armed_before_[k] = armed_[k];
    armed_[k] = !holds(s, now[k]);
    older_[k] = before_[k];
    before_[k] = now[k];
  }
  older_t_ = t0;
  std::stable_sort(events.begin(), events.end(),
                   [](const SensorEvent& a, const SensorEvent& b) { return a.t < b.t; });
  return events;
}

/// Whether d, of one sign at both ends of the step, may come nearer to 0 between: where the parabola through
/// both ends and the beginning of the last step has its vertex in the step or near it, or one end is so much
/// nearer to 0 that d may have turned beside it.
bool SensorWatch::may_turn(std::size_t sensor, Sample begin, Sample end) const {
  if ((begin.d < 0) != (end.d < 0) || !may_touch(model_.sensors[sensor], end.d)) return false;
  const double older = older_[sensor], h = end.t - begin.t;
  if (std::isnan(older)) return true;
  const auto [nearer, farther] = std::minmax({std::abs(begin.d), std::abs(end.d)});
  if (nearer < 0.5 * farther) return true;
  const double t = turn_of_parabola(older_t_, older, begin.t, begin.d, end.t, end.d);
  return t > begin.t - h && t < end.t + h;
}

/// The place of the least |d| inside the step, by golden section; none where it is at an end, or where a
/// parabola says that d stays far from 0. Stops early at a place where d has changed sign.
std::optional<SensorWatch::Sample> SensorWatch::turn(const Sensor& sensor, Sample a, Sample c,
                                                     const StateAt& at) {
  const auto sample = [&](double t) {
    assembler_.evaluate(at(t), point_);
    return Sample{t, deviation(sensor)};
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
    const double d = deviation(sensor);
    if (d == 0) return t;
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
