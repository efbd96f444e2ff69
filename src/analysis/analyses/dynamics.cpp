#include "analysis/analyses/dynamics.h"

#include "analysis/analyses/list.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "integrate/methods/list.h"

namespace trammel {

const AnalysisRow dynamics_analysis{
    "DYNAMICS", "Dynamic Simulation", Extent::interval,
    [](Session& session) -> std::unique_ptr<Analysis> { return std::make_unique<Dynamics>(session); }, true};

Dynamics& dynamics_of(Session& session) {
  return static_cast<Dynamics&>(session.analysis(dynamics_analysis));
}

Dynamics::Dynamics(Session& session)
    : session_(session),
      state_(session.motion()),
      initial_(session.initial()),
      sensors_(session.model(), session.assembler(), in_dynamics, session.events().warning),
      redundancy_(session.model(), initial_, session.report(), session.events().warning),
      histories_(session.model(), session.assembler(), session.events().warning),
      breaks_(session.model()),
      courses_(session.model()),
      turns_(session.model()),
      resolved_(session.model()),
      approach_(session.model()),
      law_changes_(approach_.values()) {}

Schedule Dynamics::begin_outputs(const AnalysisPlan& plan) {
  session_.initialize();
  session_.require_accelerations();
  session_.leave_rest();
  ended_by_ = nullptr;
  longest_step_ = 0;
  const Schedule outputs{state_.t, plan.interval(state_.t), plan.end, plan.steps};
  if (!(outputs.interval > 0))
    fail(ExitCode::input, "SIMULATE: END = {:.9g} is not after the present time {:.9g}", plan.end, state_.t);
  const IntegratorOptions& wanted = session_.settings().integrator;
  const ModelSystems& systems = session_.systems();
  if (systems.on_device() && !systems.steps_on_device(wanted) && session_.events().warning)
    session_.events().warning(wanted.method + " is computed on the processor.");
  session_.record_beginning();
  session_.assembler().evaluate(state_, in_dynamics);
  counters_before_ = session_.counters();
  const IntegratorOptions options = options_of_steps(outputs);
  longest_elsewhere_ = std::min(options.hmax, longest_turning(options));
  return outputs;
}

IntegratorOptions Dynamics::options_of_steps(const Schedule& outputs) const {
  IntegratorOptions options = with_output_step(session_.settings(), outputs.interval);
  if (contact_beyond_si2(options))
    options.stabilized = options.controls_accelerations = false;
  else if (!beyond_i3(options).empty())
    options.stabilized = true;
  if (outputs_with_other_ > 0) {
    options.method = stand_in_;
    options.stabilized = options.controls_accelerations = false;
  }
  options.controls_velocities = stops_ask_for_velocities(options);
  options.forces_may_stiffen = approach_.has_contacts() || !session_.model().expression_forces.empty();
  options.trapezoidal_start = courses_.has_forces();  // order 1 takes a force for what it is at its end
  return options;
}

void Dynamics::begin(const AnalysisPlan& plan) {
  outputs_ = begin_outputs(plan);
  tell_formulation();
  tell_unresolved_sticking();
  outputs_with_other_ = 0;
  failure_before_.reset();
  if (session_.report().least_step > 0)
    begin_at_dead_centre(options_of_steps(outputs_).method, initial_.dead_centre(state_));
  curve_places_.clear();
  if (session_.model().contact_with_corners()) curve_places_ = state_.angle;
  begin_steps(options_of_steps(outputs_));
  begin_at_break();
  sensors_.begin(state_);
}

AnalysisEnd Dynamics::go_on() {
  while (true) {
    try {
      return go_on_steps();
    } catch (const Failure& failure) {
      if (!leave_device(failure)) throw;
      start_integrator(going_on(kept_.step));
    }
  }
}

AnalysisEnd Dynamics::go_on_steps() {
  while (true) {
    const bool with_other = outputs_with_other_ > 0;
    record_outputs(state_.t);
    if (brought_) keep(integrator_->suggested_step());
    if (with_other && outputs_with_other_ == 0) start_integrator(options_of_steps(outputs_));
    if (outputs_.done()) return AnalysisEnd::complete;
    if (short_way_ && !is_short_way_) start_integrator(going_on(integrator_->suggested_step()));
    const SessionEvents& events = session_.events();
    if (!short_way_ && events.save_due && events.save_due()) {
      bring();
      events.save();
    }
    if (!short_way_ && events.interrupted && events.interrupted()) {
      bring();
      return AnalysisEnd::interrupted;
    }
    if (at_break_) pass_break();
    if (at_corner_) pass_corner();
    couple_what_is_near();
    if (const double stop = target(); !go_short_way(stop)) go_long_way(stop);
    if (outputs_.next() <= state_.t || !sensors_.empty()) bring();
    if (!sensors_.empty() && watch_sensors() && ended_by_)
      return ended_by_->halt ? AnalysisEnd::halted : AnalysisEnd::returned;
  }
}

/// A step, and what follows each.
void Dynamics::go_long_way(double target) {
  if (short_way_) start_integrator(going_on(integrator_->suggested_step()));
  leave_dead_centre();
  if (!curve_places_.empty()) curve_places_ = state_.angle;
  const long rejected = session_.counters().rejected_error;
  const StepResult result = step(target);
  longest_step_ = std::max(longest_step_, result.h);
  courses_.stepped(result.t - result.h);
  meet_break();
  meet_corner();
  if (looks_ahead(integrator_->options())) look_ahead(session_.counters().rejected_error > rejected);
  if (!histories_.empty()) fill_histories();
  if (session_.events().step) session_.events().step(result);
}

void Dynamics::archive(Archive& a) {
  a.section("dynamics");
  a(outputs_);
  a.plain(counters_before_);
  a.plain(counters_looked_);
  a(looked_, longest_step_, break_, at_break_, curve_places_, at_corner_, at_last_step_, stand_in_,
    outputs_with_other_, sensors_, redundancy_, approach_, courses_, histories_, told_fixed_, told_turns_,
    told_passed_, told_formulation_, si2_gave_way_, told_jump_, told_refusals_, began_anew_, too_near_);
  bool stepping = integrator_ != nullptr;
  a(stepping);
  if (!stepping) return;
  IntegratorOptions options = integrator_ ? integrator_->options() : IntegratorOptions{};
  a(options);
  if (a.restores()) make_integrator(options);
  integrator_->archive(a, state_);
  if (!a.restores()) return;
  elsewhere_ = true;
  watch_steps(false);
  keep(integrator_->suggested_step());
}

/// Options of an integrator that begins anew where another has come to, with steps of that size.
IntegratorOptions Dynamics::going_on(double step) const {
  const IntegratorOptions wanted = options_of_steps(outputs_);
  const bool chooses = find_integration_method(wanted.method)->chooses_order;
  return step == 0 || chooses ? wanted : going_on_with(wanted, step);
}

// ---- steps

/// Contacts have their places in the matrix where they are near: CONTACTs of many bodies, and many CONTACTs.
void Dynamics::couple_what_is_near() {
  if (method_of(integrator_->options()).explicit_forces) return;
  ModelSystems& systems = session_.systems();
  const auto present = [this]() -> const State& {
    bring();
    return state_;
  };
  const std::size_t contacts = systems.steps_on_device(integrator_->options())
                                   ? systems.couple_what_is_near_there(present)
                                   : systems.couple_what_is_near();
  if (contacts == 0) return;
  integrator_->forget_jacobian(state_);
  if (session_.events().message)
    session_.events().message(fmt::format("At time {:.9g} {} contacts are near: a matrix of {} entries\n",
                                          state_.t, contacts, session_.assembler().pattern().nonzeros()));
}

void Dynamics::make_integrator(const IntegratorOptions& options) {
  integrator_.reset();  // its arrays, before the next one's
  integrator_ = session_.systems().make_integrator(options);
  integrator_->sum_times(session_.events().times);
}

/// Whoever watches hears that steps begin, `anew` or where the integrator stopped.
void Dynamics::watch_steps(bool anew) {
  const IntegratorOptions& options = integrator_->options();
  SolveObserver* observer = session_.systems().steps_on_device(options) ? nullptr : session_.observer();
  integrator_->observe(observer);
  if (observer) observer->steps_begin({options.method, options.stabilized, anew, state_.t, counters_before_});
}

void Dynamics::start_integrator(const IntegratorOptions& wanted) {
  session_.make_consistent();
  session_.systems().of_points().forget_matrix();  // steps have a system of their own
  counters_before_ = session_.counters();
  keep(0);
  try {
    start_steps(wanted);
  } catch (const Failure& failure) {
    if (!leave_device(failure)) throw;
    start_steps(wanted);
  }
}

void Dynamics::start_steps(const IntegratorOptions& wanted) {
  short_way_.reset();
  too_near_ = near_break;
  make_integrator(with_first_step(wanted, session_.report().least_step));
  Assembler& assembler = session_.assembler();
  if (!state_.delays.empty()) assembler.evaluate(state_, in_dynamics);  // what they look back at is of this
  assembler.tapes().accept(assembler.reads(), state_);
  tell_what_fixed_steps_pass(integrator_->options());
  if (looks_ahead(integrator_->options())) begin_to_look_ahead(integrator_->options());
  tell_unresolved_courses();
  courses_.begin(state_.t);
  integrator_->start(state_);
  watch_steps(true);
}

/// A step on the way to `target`, which the last one meets. Where the choice of redundant equations defeats
/// it another choice is tried.
StepResult Dynamics::step(double target) {
  while (true) {
    try {
      const bool here = !session_.systems().steps_on_device(integrator_->options());
      if (here && limits_read_motion() && std::exchange(elsewhere_, false))
        session_.assembler().evaluate(state_, in_dynamics);  // speeds and delays, which limit the step
      const double limit = step_limit(target);
      if (integrator_->options().fixed_step()) tell_fast_turns(limit);
      if (here && redundancy_.look_ahead(state_, limit)) go_on_with_other_rows();
      if (here) turns_.speeds(session_.assembler().kinematics(), speeds_);
      const StepResult result = step_once(target, limit);
      if (here) tell_turns_of_step(result.h);
      return result;
    } catch (const Failure& failure) {
      if (failure.code() != ExitCode::solver) throw;
      bring();
      const bool constrained = session_.model().multipliers > 0;
      if (step_over_corner()) continue;
      if ((constrained && (exchange_redundant() || begin_anew())) || give_way_to_i3()) continue;
      if (!constrained) throw;
      const bool last = outputs_with_other_ > 0 && stand_in_ == "HHT";
      if (last && failure_before_) throw *failure_before_;
      const std::string cause = initial_.dead_centre(state_);
      if (cause.empty()) throw;
      if (outputs_with_other_ == 0 || !failure_before_)
        failure_before_.emplace(failure.code(),
                                fmt::format("{}\nAt time {:.9g} {}.", failure.what(), state_.t, cause),
                                failure.facts());
      if (!pass_dead_centre(cause)) throw *failure_before_;
    }
  }
}

/// A step that fails has its counts, too.
StepResult Dynamics::step_once(double target, double limit) {
  const IntegratorOptions& options = integrator_->options();
  try {
    const bool was_stiff = session_.counters().stiff > 0;
    brought_ = false;
    const StepResult result = integrator_->step(state_, limit, target - state_.t);
    at_last_step_ = true;
    session_.moved(*this, false);
    session_.report().least_step = 0;  // it has left the singular position
    if (arrived(state_.t, target, result.h)) state_.t = target;
    session_.count(counters_before_, integrator_->steps());
    if (!was_stiff && session_.counters().stiff > 0 && session_.events().warning)
      session_.events().warning(
          fmt::format("The model is stiff at time {:.9g}: stability, not ERROR, bounds the steps of {}. "
                      "INTEGRATOR/GSTIFF "
                      "needs fewer.",
                      state_.t, options.method));
    tell_refusals();
    return result;
  } catch (const Failure&) {
    session_.count(counters_before_, integrator_->steps());
    throw;
  }
}

/// Points inside of the last step for DELAYs, where its ends alone would not do.
void Dynamics::fill_histories() {
  bring();
  const auto inside = [this](double t) {
    State s = inside_step(t);
    if (histories_.need_solutions()) initial_.reconcile(s);
    return s;
  };
  if (histories_.fill(state_, integrator_->options().error, inside)) integrator_->take_histories(state_);
  session_.assembler().evaluate(state_, in_dynamics);
}

// ---- records

/// Records every output time up to `until`, which the last step has reached.
void Dynamics::record_outputs(double until) {
  while (!outputs_.done() && outputs_.next() <= until) {
    record_output(outputs_.next());
    // On a device the velocities that limit steps are those of the record before.
    if (session_.systems().steps_on_device(integrator_->options())) {
      tell_passed_turns(longest_step_);
      tell_fast_turns(std::exchange(longest_step_, 0));
    }
    ++outputs_.k;
    began_anew_ = false;
    if (outputs_with_other_ > 0) --outputs_with_other_;
    if (redundancy_.renew(state_)) go_on_with_other_rows();
  }
}

/// Records the state at t, inside or at the end of the last step; on the constraints where steps do not end
/// at outputs.
void Dynamics::record_output(double t) {
  if (!session_.settings().interpolate && t == state_.t) return session_.record(state_, StepKind::dynamics);
  elsewhere_ = true;
  State s = t < state_.t ? inside_step(t) : state_;
  initial_.reconcile(s);
  session_.record(s, StepKind::dynamics);
}

bool Dynamics::record_taken() {
  session_.record(state_, StepKind::dynamics);
  tell_fast_turns(longest_elsewhere_);
  tell_passed_turns(step_elsewhere_);
  return session_.report().redundant.empty() || initial_.redundant_rows_hold(state_);
}

void Dynamics::take_counters(const StepState& steps) {
  session_.count(counters_before_, steps);
  state_.t = steps.motion.t;
  step_elsewhere_ = steps.result.h;
}

// ---- sensors

/// The state at t, inside the last step, on the constraints and with the accelerations, reactions and
/// VARIABLEs that follow; as it is interpolated where these cannot be found.
State Dynamics::reconciled_inside_step(double t) {
  elsewhere_ = true;
  const State between = t < state_.t ? inside_step(t) : state_;
  State s = between;
  try {
    initial_.reconcile(s);
  } catch (const Failure&) {
    return between;
  }
  return s;
}

/// Lets sensors act that the last step has come upon. True when one has changed the course of things.
bool Dynamics::watch_sensors() {
  const double begin = short_way_ ? short_way_->t : integrator_->step_start_time(), h = state_.t - begin;
  // States that one sensor has asked for are those that the next one asks for first.
  constexpr std::size_t most_kept = 8;
  std::vector<State> inside;
  inside.reserve(most_kept);
  const auto at = [&](double t) -> const State& {
    const auto known = std::ranges::find(inside, t, &State::t);
    if (known != inside.end()) return *known;
    if (inside.size() == most_kept) inside.pop_back();
    return inside.emplace_back(reconciled_inside_step(t));
  };
  State unsolved;
  const auto motion = [&](double t) -> const State& {
    elsewhere_ = true;
    return unsolved = inside_step(t);
  };
  std::vector<SensorEvent> events = sensors_.after_step(begin, state_, {motion, at});
  for (SensorEvent& event : events)  // rounding between them is no step
    for (const double time : {outputs_.next(), state_.t})
      if (time <= state_.t && arrived(event.t, time, h)) event.t = time;
  for (std::size_t k = 0; k < events.size();) {
    const double t = events[k].t;
    record_outputs(std::nextafter(t, begin));
    IntegratorOptions options = going_on(integrator_->suggested_step());
    bool cut = false;
    std::size_t acted = k;
    // What acts within rounding of the same time acts together.
    while (acted < events.size() && events[acted].t <= t + same_time * h) ++acted;
    const auto sensor = [&](std::size_t e) -> const Sensor& {
      return session_.model().sensors[events[e].sensor];
    };
    printed_ = false;  // what ends the simulation leaves a record anyway
    for (std::size_t e = k; e < acted; ++e) printed_ = printed_ || sensor(e).halt || sensor(e).ends_command;
    for (std::size_t e = k; e < acted; ++e) cut = act(sensor(e), t, options) || cut;
    if (cut) {
      go_on_from(t, events, acted);
      if (ended_by_)
        session_.record(state_, StepKind::dynamics);
      else
        start_integrator(options);
      return true;
    }
    k = acted;
  }
  return false;
}

/// True when the present step must end at t.
bool Dynamics::act(const Sensor& sensor, double t, IntegratorOptions& options) {
  if (session_.events().sensor)
    session_.events().sensor(fmt::format("Sensor/{} has become active at time = {:.7g}.", sensor.name.id, t));
  const bool ends = sensor.halt || sensor.ends_command;
  if (ends && !(ended_by_ && ended_by_->halt)) ended_by_ = &sensor;
  const bool output_time = !outputs_.done() && outputs_.next() == t;  // has its record anyway
  if (sensor.print && !output_time && !std::exchange(printed_, true)) record_output(t);
  if (sensor.output_step > 0 && t < outputs_.end) {
    if (output_time) record_output(t);
    const double count = std::max(1.0, std::ceil((outputs_.end - t) / sensor.output_step - 1e-6));
    if (count > 1e8)
      fail(ExitCode::input, "Sensor/{}: DT = {:.3g} gives {:.3g} output steps", sensor.name.id,
           sensor.output_step, count);
    outputs_ = {t, sensor.output_step, outputs_.end, static_cast<int>(count)};
    options = going_on_with(options_of_steps(outputs_), options.hinit);
  }
  if (sensor.restart) options.hinit = options_of_steps(outputs_).hinit;
  if (sensor.step_size > 0) options.hinit = std::clamp(sensor.step_size, options.hmin, options.hmax);
  if (sensor.codgen) session_.systems().reorder();
  return ends || sensor.restart || sensor.codgen || sensor.output_step > 0 || sensor.step_size > 0 ||
         sensor.evaluate >= 0;
}

/// The state at t, inside or at the end of the last step, becomes the present one; sensors have evaluated.
void Dynamics::go_on_from(double t, const std::vector<SensorEvent>& events, std::size_t acted) {
  at_last_step_ = false;
  if (t < state_.t) {
    state_ = inside_step(t);
    for (DelayBuffer& d : state_.delays) d.truncate_after(t);
  }
  initial_.reconcile(state_);
  if (acted > 0 && !state_.delays.empty()) {  // what they look back at, before sensors change it
    Assembler& assembler = session_.assembler();
    assembler.evaluate(state_, in_dynamics);
    assembler.tapes().accept(assembler.reads(), state_);
  }
  session_.moved(*this, true);
  bool jump = false;
  std::vector<std::pair<int, double>> values;
  for (std::size_t k = 0; k < acted; ++k) {
    const Sensor& s = session_.model().sensors[events[k].sensor];
    if (s.evaluate >= 0) values.emplace_back(s.scalar, sensors_.evaluate(s, state_));
  }
  for (const auto& [scalar, value] : values) {
    jump = jump || state_.s[scalar] != value;
    state_.s[scalar] = value;
  }
  if (jump) initial_.reconcile(state_);  // forces that read it have changed
  sensors_.cut(state_, events, acted);
}

}  // namespace trammel
