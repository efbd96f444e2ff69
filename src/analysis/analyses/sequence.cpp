#include "analysis/analyses/sequence.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trammel {

Sequence::Sequence(Session& session, StepKind kind)
    : session_(session),
      state_(session.motion()),
      initial_(session.initial()),
      kind_(kind),
      sensors_(session.model(), session.assembler(), point_of(kind), session.events().warning),
      redundancy_(session.model(), initial_, session.report(), session.events().warning),
      histories_(session.model(), session.assembler(), session.events().warning) {}

void Sequence::begin_outputs(const AnalysisPlan& plan) {
  ended_by_ = nullptr;
  outputs_ = {state_.t, plan.interval(state_.t), plan.end, plan.steps};
  if (!(outputs_.interval > 0))
    fail(ExitCode::input, "SIMULATE: END = {:.9g} is not after the present time {:.9g}", plan.end, state_.t);
  session_.record_beginning(kind_);
  Assembler& assembler = session_.assembler();
  assembler.evaluate(state_, in_dynamics);
  assembler.tapes().accept(assembler.reads(), state_);
  sensors_.begin(state_);
}

void Sequence::archive(Archive& a) {
  a.section("sequence");
  a(outputs_, sensors_, redundancy_);
}

AnalysisEnd Sequence::go_on() {
  while (!outputs_.done()) {
    const SessionEvents& events = session_.events();
    if (events.save_due && events.save_due()) events.save();
    if (events.interrupted && events.interrupted()) return AnalysisEnd::interrupted;
    step();
    if (ended_by_) return ended_by_->halt ? AnalysisEnd::halted : AnalysisEnd::returned;
    if (state_.t < outputs_.next()) continue;
    session_.record(state_, kind_);
    ++outputs_.k;
    redundancy_.renew(state_);
  }
  return AnalysisEnd::complete;
}

/// Takes one step, after which counted angles and DELAYs remember the new state.
void Sequence::step() {
  const State begin = state_;
  cost_ = {};
  advance(state_, outputs_.next());
  const double h = state_.t - begin.t;
  if (arrived(state_.t, outputs_.next(), h)) state_.t = outputs_.next();
  if (!sensors_.empty() && watch_sensors(begin)) session_.record(state_, kind_);
  remember(begin);
  arrive();
  ++cost_.steps;
  session_.count(cost_);
  if (session_.events().step)
    session_.events().step({state_.t, h, h, 0, static_cast<int>(cost_.iterations), 1});
}

/// Counted angles and DELAYs take the state at the end of the step from `begin`. At rest the past of a DELAY
/// is the present, and its history is not read.
void Sequence::remember(const State& begin) {
  Assembler& assembler = session_.assembler();
  assembler.evaluate(state_, in_dynamics);
  assembler.current_angles(state_, state_.angle);
  assembler.tapes().accept(assembler.reads(), state_);
  if (histories_.empty() || kind_ != StepKind::kinematics) return;
  histories_.fill(state_, session_.settings().integrator.error,
                  [&](double t) { return inside_step(begin, t); });
  assembler.evaluate(state_, in_dynamics);
}

State Sequence::inside_step(const State& begin, double t) {
  State inside = begin;
  while (inside.t < t) {
    advance(inside, t);
    if (arrived(inside.t, t, t - begin.t)) inside.t = t;
  }
  return inside;
}

/// Lets the sensors act whose time lies in the step from `begin`, those at the same time together; one that
/// changes state or outputs cuts the step off at its time. True where the sequence ends.
bool Sequence::watch_sensors(const State& begin) {
  State inside;
  const double h = state_.t - begin.t;
  const auto at = [&](double t) -> const State& { return inside = inside_step(begin, t); };
  const std::vector<SensorEvent> events =
      sensors_.after_step(begin.t, state_, {kind_ == StepKind::kinematics ? at : SensorWatch::StateAt(), at});
  for (std::size_t k = 0; k < events.size();) {
    State there = at(events[k].t);
    std::size_t acted = k;
    while (acted < events.size() && events[acted].t <= events[k].t + same_time * h) ++acted;
    if (act({events.begin() + k, events.begin() + acted}, there)) {
      state_ = there;
      sensors_.cut(state_, events, acted);
      return ended_by_ != nullptr;
    }
    k = acted;
  }
  return false;
}

/// What the sensors of these events do at the state `there`: records, output steps, values of EVALUATE, an
/// end. True where the sequence must go on from there.
bool Sequence::act(std::span<const SensorEvent> events, State& there) {
  bool print = false, cut = false;
  const Sensor* steps = nullptr;
  std::vector<std::pair<int, double>> values;
  for (const SensorEvent& event : events) {
    const Sensor& sensor = session_.model().sensors[event.sensor];
    if (session_.events().sensor)
      session_.events().sensor(
          fmt::format("Sensor/{} has become active at time = {:.7g}.", sensor.name.id, there.t));
    const bool ends = sensor.halt || sensor.ends_command;
    if (ends && !(ended_by_ && ended_by_->halt)) ended_by_ = &sensor;
    if (sensor.evaluate >= 0) values.emplace_back(sensor.scalar, sensors_.evaluate(sensor, there));
    if (sensor.output_step > 0) steps = &sensor;
    print = print || sensor.print;
    cut = cut || ends || sensor.evaluate >= 0 || sensor.output_step > 0;
  }
  const bool output_time = there.t >= outputs_.next();  // has its record, unless outputs begin anew
  if (!ended_by_ && (output_time ? steps != nullptr : print)) session_.record(there, kind_);
  if (steps && !ended_by_) change_outputs(*steps, there.t);
  bool jump = false;
  for (const auto& [scalar, value] : values) jump = std::exchange(there.s[scalar], value) != value || jump;
  if (jump) settle(there);
  return cut;
}

/// The sensor's DT becomes the output step from the time t on.
void Sequence::change_outputs(const Sensor& sensor, double t) {
  if (t >= outputs_.end) return;
  const double count = std::max(1.0, std::ceil((outputs_.end - t) / sensor.output_step - 1e-6));
  if (count > 1e8)
    fail(ExitCode::input, "Sensor/{}: DT = {:.3g} gives {:.3g} output steps", sensor.name.id,
         sensor.output_step, count);
  outputs_ = {t, sensor.output_step, outputs_.end, static_cast<int>(count)};
}

}  // namespace trammel
