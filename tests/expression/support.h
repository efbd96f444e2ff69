// A small stand-in for a model: markers, states, splines and delay buffers that tapes can read.
#pragma once

#include <cmath>
#include <deque>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "expression/compile.h"
#include "expression/evaluate.h"
#include "expression/measures.h"

namespace trammel::expression_test {

/// Calls of operator new since the program began (allocations.cpp).
long allocations();

/// Rotation by |u| about u (Rodrigues): exp of the cross-product matrix.
inline Mat3d rotation(const Vec3d& u) {
  const double angle = norm(u);
  if (angle == 0) return Mat3d::identity();
  const Mat3d s = skew((1.0 / angle) * u);
  return Mat3d::identity() + std::sin(angle) * s + (1.0 - std::cos(angle)) * (s * s);
}

/// Marker ids 1..n are the indices in the table; id 99 does not exist; ids of states, splines likewise.
class StandIn : public Resolver {
 public:
  std::vector<MarkerKinematics<double>> markers;  ///< [0] is ground
  std::vector<double> states, rates;
  std::vector<SplineTable> splines;
  std::vector<double> counters;  ///< last accepted value per revolution counter
  std::vector<DelayBuffer> buffers;
  std::vector<Tape> delayed;  ///< tape of each buffer's expression
  double longest = -1;        ///< look-back of the last buffer asked for
  bool cubic_delay = true;

  explicit StandIn(int n_markers = 5, unsigned seed = 1) : states(4), rates(4), random_(seed) {
    MarkerKinematics<double> ground;
    ground.A = Mat3d::identity();
    markers.push_back(ground);
    for (int k = 0; k < n_markers; ++k) markers.push_back(random_marker());
    for (double& x : states) x = number();
    for (double& x : rates) x = number();
  }

  double number() { return std::uniform_real_distribution<double>(-1.5, 1.5)(random_); }
  Vec3d vector() { return {number(), number(), number()}; }
  MarkerKinematics<double> random_marker() {
    return {vector(), rotation(vector()), vector(), vector(), vector(), vector()};
  }

  int marker(int id) override {
    if (id >= static_cast<int>(markers.size())) fail(ExitCode::input, "marker {} does not exist", id);
    return id;
  }
  int spline(int id) override {
    for (std::size_t k = 0; k < splines.size(); ++k)
      if (splines[k].id == id) return static_cast<int>(k);
    fail(ExitCode::input, "SPLINE/{} does not exist", id);
  }
  bool spline_is_surface(int index) override { return !splines[index].z.empty(); }
  bool spline_is_history(int index) override { return splines[index].history; }
  int angle_counter(Measure, int, int) override {
    counters.push_back(0);
    return static_cast<int>(counters.size()) - 1;
  }
  int delay_buffer(int, const Tape& value, double look_back, const Tape*) override {
    longest = look_back;
    buffers.emplace_back();
    delayed.push_back(value);
    return static_cast<int>(buffers.size()) - 1;
  }
  std::optional<TapeValue> system_function(const SystemCall& call, TapeBuilder& b) override {
    if (call.name == "VARVAL") return TapeValue::scalar(b.state(call.integer(0)));
    if (call.name == "DIF1") return TapeValue::scalar(b.rate(call.integer(0)));
    if (call.name == "SENVAL") return TapeValue::scalar(b.mul(call.arguments[0], b.constant(10)));
    if (call.name == "INTERP" || call.name == "USER") return TapeValue::scalar(b.constant(1));
    return std::nullopt;
  }

 private:
  std::mt19937 random_;
};

/// One tape with everything it reads gathered from a StandIn, over the scalar T.
template <class T>
struct TapeRun {
  const Tape& tape;
  std::vector<MarkerKinematics<T>> markers;
  std::vector<T> states, rates, registers, adjoints;
  std::vector<double> angles;
  std::vector<SplineView> splines;
  std::vector<DelayView> delays;
  TapeInputs<T> in;
  // gradient
  std::vector<T> on_markers, on_states, on_rates;
  TapeGradient<T> out;

  TapeRun(const Tape& t, const StandIn& model, double time = 0.0) : tape(t) {
    for (const TapeMarker& m : tape.markers) {
      const MarkerKinematics<double>& from = model.markers[m.marker];
      MarkerKinematics<T> to;
      for (int k = 0; k < 3; ++k) {
        to.r[k] = T(from.r[k]), to.v[k] = T(from.v[k]), to.w[k] = T(from.w[k]);
        to.a[k] = T(from.a[k]), to.alpha[k] = T(from.alpha[k]);
      }
      for (int k = 0; k < 9; ++k) to.A.m[k] = T(from.A.m[k]);
      markers.push_back(to);
    }
    for (const int s : tape.states) states.push_back(T(model.states[s]));
    for (const int s : tape.rates) rates.push_back(T(model.rates[s]));
    for (const int c : tape.angles) angles.push_back(c < 0 ? 0.0 : model.counters[c]);
    for (const SplineTable& s : model.splines) splines.push_back(view(s));
    for (const DelayBuffer& d : model.buffers) delays.push_back(d.view(model.cubic_delay));
    registers.resize(tape.code.size());
    adjoints.resize(tape.code.size());
    on_markers.resize(18 * tape.markers.size());
    on_states.resize(tape.states.size());
    on_rates.resize(tape.rates.size());
    in.time = T(time);
    link();
  }
  TapeRun(const TapeRun&) = delete;

  void link() {
    in.markers = markers.data();
    in.states = states.data();
    in.rates = rates.data();
    in.angles = angles.data();
    in.tables = {splines.data(), delays.data()};
    out.markers = on_markers.data();
    out.states = on_states.data();
    out.rates = on_rates.data();
  }
  TapeStatus evaluate() { return trammel::evaluate(view(tape), in, registers.data()); }
  T value(int result = 0) {
    const TapeStatus status = evaluate();
    EXPECT_TRUE(status.ok()) << describe(tape, status);
    return registers[tape.results[result]];
  }
  void differentiate(int result = 0) {
    value(result);
    gradient(view(tape), in, registers.data(), adjoints.data(), result, out);
  }
  /// All gradient entries in one list: markers, states, rates, time.
  std::vector<T> all() const {
    std::vector<T> list = on_markers;
    list.insert(list.end(), on_states.begin(), on_states.end());
    list.insert(list.end(), on_rates.begin(), on_rates.end());
    list.push_back(out.time);
    return list;
  }
};

/// The inputs of a run moved by h in direction `index` of TapeRun::all()'s order.
inline void move(TapeRun<double>& run, int index, double h) {
  const int n_markers = static_cast<int>(run.markers.size());
  if (index < 18 * n_markers) {
    MarkerKinematics<double>& m = run.markers[index / 18];
    Vec3d* vectors[6] = {&m.r, nullptr, &m.v, &m.w, &m.a, &m.alpha};
    const int group = index % 18 / 3, k = index % 3;
    Vec3d turn;
    turn[k] = h;
    if (group == 1)
      m.A = rotation(turn) * m.A;
    else
      (*vectors[group])[k] += h;
    return;
  }
  index -= 18 * n_markers;
  if (index < static_cast<int>(run.states.size())) {
    run.states[index] += h;
    return;
  }
  index -= static_cast<int>(run.states.size());
  if (index < static_cast<int>(run.rates.size()))
    run.rates[index] += h;
  else
    run.in.time += h;
}

/// Gives input `index` (as in move()) the unit derivative in direction d of the duals.
template <int N>
void seed(TapeRun<Dual<double, N>>& run, int index, int d) {
  const int n_markers = static_cast<int>(run.markers.size());
  if (index < 18 * n_markers) {
    auto& m = run.markers[index / 18];
    Vec3<Dual<double, N>>* vectors[6] = {&m.r, nullptr, &m.v, &m.w, &m.a, &m.alpha};
    const int group = index % 18 / 3, k = index % 3;
    if (group != 1) {
      (*vectors[group])[k].d[d] = 1.0;
      return;
    }
    for (int c = 0; c < 3; ++c) {
      Vec3d turn, axis = {m.A(0, c).v, m.A(1, c).v, m.A(2, c).v};
      turn[k] = 1.0;
      const Vec3d change = cross(turn, axis);
      for (int n = 0; n < 3; ++n) m.A(n, c).d[d] = change[n];
    }
    return;
  }
  index -= 18 * n_markers;
  if (index < static_cast<int>(run.states.size())) {
    run.states[index].d[d] = 1.0;
    return;
  }
  index -= static_cast<int>(run.states.size());
  if (index < static_cast<int>(run.rates.size()))
    run.rates[index].d[d] = 1.0;
  else
    run.in.time.d[d] = 1.0;
}

/// Central differences with step h of an O(1) function carry h²f'''/6 + 1e-16 f/h: for h = 1e-5 and third
/// derivatives up to some hundreds (sharp contacts, cubics over short steps) 1e-8 .. 1e-7 relative.
constexpr double difference_step = 1e-5;
constexpr double difference_tolerance = 2e-7;

/// Holds gradient() against differences of evaluate(), and gradient<Dual<double,6>>() (second derivatives)
/// against differences of gradient().
inline void check_derivatives(const Tape& tape, const StandIn& model, double time, const std::string& what) {
  TapeRun<double> run(tape, model, time);
  run.differentiate();
  const std::vector<double> first = run.all();
  const int n = static_cast<int>(first.size());
  std::vector<std::vector<double>> second(n);
  for (int k = 0; k < n; ++k) {
    TapeRun<double> plus(tape, model, time), minus(tape, model, time);
    move(plus, k, difference_step);
    move(minus, k, -difference_step);
    plus.differentiate();
    minus.differentiate();
    const double slope =
        (plus.registers[tape.results[0]] - minus.registers[tape.results[0]]) / (2 * difference_step);
    EXPECT_NEAR(first[k], slope, difference_tolerance * (1 + std::abs(slope))) << what << ": input " << k;
    const std::vector<double> up = plus.all(), down = minus.all();
    for (int l = 0; l < n; ++l) second[k].push_back((up[l] - down[l]) / (2 * difference_step));
  }
  for (int start = 0; start < n; start += 6) {
    TapeRun<Dual<double, 6>> dual(tape, model, time);
    for (int d = 0; d < 6 && start + d < n; ++d) seed(dual, start + d, d);
    dual.differentiate();
    const auto list = dual.all();
    for (int l = 0; l < n; ++l) {
      EXPECT_NEAR(list[l].v, first[l], 1e-13 * (1 + std::abs(first[l])))
          << what << ": same formulas, rounding";
      for (int d = 0; d < 6 && start + d < n; ++d) {
        const double expected = second[start + d][l];
        EXPECT_NEAR(list[l].d[d], expected, difference_tolerance * (1 + std::abs(expected)))
            << what << ": second derivative " << start + d << ", " << l;
      }
    }
  }
}

/// Value of a text at a time.
inline double value_of_text(const std::string& text, StandIn& model, double time = 0.0) {
  const Tape tape = compile_expression(text, model);
  return TapeRun<double>(tape, model, time).value();
}
inline double number(const std::string& text) {
  StandIn model;
  return value_of_text(text, model);
}

}  // namespace trammel::expression_test
