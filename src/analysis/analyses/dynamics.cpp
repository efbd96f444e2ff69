#include "analysis/analyses/dynamics.h"

#include "analysis/analyses/list.h"

#include <algorithm>
#include <cmath>

#include "integrate/methods/list.h"

namespace trammel {

const AnalysisRow dynamics_analysis{
    "DYNAMICS", "Dynamic Simulation", Extent::interval,
    [](Session& session) -> std::unique_ptr<Analysis> { return std::make_unique<Dynamics>(session); }, true};

namespace {

// A step that ends at a break reads functions as they are before it, and the next one as they are after it,
// whatever they are there: further away from its time than rounding.
constexpr double beside = 4e-15;
double just_before(double t) {
  return t - beside * std::fabs(t);
}
double just_after(double t) {
  return t + beside * std::fabs(t);
}

}  // namespace

Dynamics& dynamics_of(Session& session) {
  return static_cast<Dynamics&>(session.analysis(dynamics_analysis));
}

Dynamics::Dynamics(Session& session)
    : session_(session),
      state_(session.motion()),
      initial_(session.initial()),
      sensors_(session.model(), session.assembler()),
      redundancy_(session.model(), initial_, session.report(), session.events().warning),
      histories_(session.model(), session.assembler()),
      breaks_(session.model()),
      approach_(session.model()),
      law_changes_(approach_.values()) {}

Schedule Dynamics::begin_outputs(const AnalysisPlan& plan) {
  session_.initialize();
  session_.require_accelerations();
  session_.leave_rest();
  ended_by_ = nullptr;
  const Schedule outputs{state_.t,
                         plan.output_step > 0 ? plan.output_step : (plan.end - state_.t) / plan.steps,
                         plan.end, plan.steps};
  if (!(outputs.interval > 0))
    fail(ExitCode::input, "SIMULATE: END = {:.9g} is not after the present time {:.9g}", plan.end, state_.t);
  const IntegratorOptions& wanted = session_.settings().integrator;
  const ModelSystems& systems = session_.systems();
  if (systems.on_device() && !systems.steps_on_device(wanted) && session_.events().warning)
    session_.events().warning(wanted.method + " is computed on the processor.");
  session_.record_beginning();
  session_.assembler().evaluate(state_, in_dynamics);
  counters_before_ = session_.counters();
  return outputs;
}

IntegratorOptions Dynamics::step_options(const Schedule& outputs) const {
  IntegratorOptions options = with_output_step(session_.settings(), outputs.interval);
  if (outputs_with_hht_ == 0) return options;
  options.method = "HHT";
  options.stabilized = options.controls_accelerations = false;
  return options;
}

void Dynamics::begin(const AnalysisPlan& plan) {
  outputs_ = begin_outputs(plan);
  outputs_with_hht_ = 0;
  failure_before_hht_.reset();
  if (session_.report().least_step > 0) take_hht(step_options(outputs_).method, initial_.dead_centre(state_));
  begin_steps(step_options(outputs_));
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
    const bool with_hht = outputs_with_hht_ > 0;
    record_outputs(state_.t);
    if (brought_) keep(integrator_->suggested_step());
    if (with_hht && outputs_with_hht_ == 0) start_integrator(step_options(outputs_));
    if (outputs_.done()) return AnalysisEnd::complete;
    const SessionEvents& events = session_.events();
    if (events.save_due && events.save_due()) {
      bring();
      events.save();
    }
    if (events.interrupted && events.interrupted()) {
      bring();
      return AnalysisEnd::interrupted;
    }
    if (at_break_) pass_break();
    couple_what_is_near();
    const long rejected = session_.counters().rejected_error;
    const StepResult result = step(target());
    meet_break();
    if (looks_ahead(integrator_->options())) look_ahead(session_.counters().rejected_error > rejected);
    if (!histories_.empty()) fill_histories();
    if (events.step) events.step(result);
    if (outputs_.next() <= state_.t || !sensors_.empty()) bring();
    if (!sensors_.empty() && watch_sensors() && ended_by_)
      return ended_by_->halt ? AnalysisEnd::halted : AnalysisEnd::returned;
  }
}

void Dynamics::archive(Archive& a) {
  a.section("dynamics");
  a(outputs_);
  a.plain(counters_before_);
  a(break_, at_break_, at_last_step_, outputs_with_hht_, sensors_, redundancy_, approach_, told_fixed_);
  bool stepping = integrator_ != nullptr;
  a(stepping);
  if (!stepping) return;
  IntegratorOptions options = integrator_ ? integrator_->options() : IntegratorOptions{};
  a(options);
  if (a.restores()) make_integrator(options);
  integrator_->archive(a, state_);
  if (!a.restores()) return;
  watch_steps(false);
  keep(integrator_->suggested_step());
}

/// Options of an integrator that begins anew where another has come to, with steps of that size.
IntegratorOptions Dynamics::going_on(double step) const {
  const IntegratorOptions wanted = step_options(outputs_);
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

/// The integrator goes on where it can, or starts.
void Dynamics::begin_steps(const IntegratorOptions& options) {
  const bool where_it_stopped = at_last_step_ && session_.was_moved_by(*this);
  if (integrator_ && where_it_stopped && integrator_->go_on(options)) return watch_steps(false);
  start_integrator(options);
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
  make_integrator(with_first_step(wanted, session_.report().least_step));
  Assembler& assembler = session_.assembler();
  assembler.tapes().accept(assembler.reads(), state_);
  tell_what_fixed_steps_pass(integrator_->options());
  if (looks_ahead(integrator_->options())) begin_to_look_ahead(integrator_->options());
  integrator_->start(state_);
  watch_steps(true);
}

/// Where the next step may end at the latest: an output, unless they are interpolated, a known break, or one
/// that the motion approaches.
double Dynamics::target() {
  const double output = session_.settings().interpolate ? outputs_.end : outputs_.next();
  if (integrator_->options().fixed_step()) return output;
  break_ = session_.settings().break_points ? breaks_.after(state_.t) : HUGE_VAL;
  const double known = std::min(output, just_before(break_));
  if (!looks_ahead(integrator_->options())) return known;
  const auto ends = !session_.settings().break_points                ? Approach::Ends::passages
                    : method_of(integrator_->options()).second_order ? Approach::Ends::passages_and_between
                                                                     : Approach::Ends::all;
  const double h = integrator_->suggested_step(), latest = std::min(state_.t + h, known);
  return std::min(known, approach_.end_of_step(state_.t, h, latest, ends));
}

/// The step that ended just before a break ends there, or at the output time which rounding tells from it.
void Dynamics::meet_break() {
  if (state_.t != just_before(break_)) return;
  const double output = outputs_.next();
  state_.t = output > just_before(break_) && output <= just_after(break_) ? output : break_;
  at_break_ = true;
}

/// On from a break, with functions as they are after it. Where they jump, the integrator begins anew.
void Dynamics::pass_break() {
  at_break_ = false;
  if (state_.t < just_before(break_) || state_.t > just_after(break_)) return;  // a sensor has cut the step
  bring();
  State before = state_, after = state_;
  after.t = just_after(break_);
  state_.t = after.t;
  try {
    initial_.reconcile(after);
    // What the method has left of the constraints' equations of velocities is no jump: compared is with the
    // functions as they were.
    if (!velocity_jump(before, after).empty()) {
      before.t = just_before(break_);
      initial_.reconcile(before);
    }
  } catch (const Failure&) {
    return;  // the next step fails, and says at what
  }
  if (const std::string jumps = velocity_jump(before, after); !jumps.empty()) {
    if (session_.events().warning)
      session_.events().warning(fmt::format(
          "At time {:.9g} a motion jumps: the constraints ask for another velocity of {} at once. "
          "Give motions functions that are twice differentiable.",
          break_, jumps));
    return;
  }
  if (!feels_jump(before, after)) return;
  state_ = std::move(after);
  start_integrator(going_on(integrator_->suggested_step()));
}

/// The coordinate whose position or velocity the constraints change most, if that is more than ERROR in a
/// step of the present size; "": none. No method integrates that.
std::string Dynamics::velocity_jump(const State& before, const State& after) const {
  const double h = integrator_->suggested_step();
  double worst = integrator_->options().error;
  int at = -1;
  for (std::size_t k = 0; k < after.q.size(); ++k) {
    const double jump = std::fabs(after.q[k] - before.q[k]) + std::fabs(after.v[k] - before.v[k]) * h;
    if (jump > worst) worst = jump, at = static_cast<int>(k);
  }
  return at < 0 ? "" : session_.model().unknown_name(at);
}

/// Whether a step of the present size that took no notice would have an error beyond ERROR: Δa h²/2 of
/// positions, Δṡ h of states.
bool Dynamics::feels_jump(const State& before, const State& after) const {
  const double h = integrator_->suggested_step(), error = integrator_->options().error;
  for (std::size_t k = 0; k < after.a.size(); ++k)
    if (std::fabs(after.a[k] - before.a[k]) * h * h > 2 * error) return true;
  for (std::size_t k = 0; k < after.sdot.size(); ++k)
    if (std::fabs(after.sdot[k] - before.sdot[k]) * h > error * std::max(1.0, std::fabs(after.s[k])))
      return true;
  return false;
}

double Dynamics::step_limit(double target) const {
  const IntegratorOptions& options = integrator_->options();
  const double hmax = options.fixed_step() ? options.hmax : histories_.longest_step(options.hmax);
  return step_towards(target - state_.t, integrator_->suggested_step(), hmax, options.fixed_step());
}

/// A step on the way to `target`, which the last one meets. Where the choice of redundant equations defeats
/// it another choice is tried.
StepResult Dynamics::step(double target) {
  while (true) {
    try {
      const double limit = step_limit(target);
      if (!session_.systems().steps_on_device(integrator_->options()) &&
          redundancy_.look_ahead(state_, limit))
        integrator_->forget_jacobian(state_);
      return step_once(target, limit);
    } catch (const Failure& failure) {
      if (failure.code() != ExitCode::solver || session_.model().multipliers == 0) throw;
      bring();
      if (exchange_redundant()) continue;
      if (outputs_with_hht_ > 0 && failure_before_hht_) throw *failure_before_hht_;
      const std::string cause = initial_.dead_centre(state_);
      if (cause.empty()) throw;
      failure_before_hht_.emplace(failure.code(),
                                  fmt::format("{}\nAt time {:.9g} {}.", failure.what(), state_.t, cause),
                                  failure.facts());
      if (!take_hht(integrator_->options().method, cause)) throw *failure_before_hht_;
      start_integrator(step_options(outputs_));
    }
  }
}

bool Dynamics::exchange_redundant() {
  if (!redundancy_.exchange(state_)) return false;
  start_integrator(going_on_with(integrator_->options(), integrator_->suggested_step()));
  return true;
}

/// HHT passes a dead centre at any ERROR: it holds φ alone, and its first step is of second order. φ̇ = 0
/// leaves velocities open there, and steps of first order would have to be so short that rounding moves the
/// mechanism. False where `method` does without, as HHT itself.
bool Dynamics::take_hht(const std::string& method, const std::string& cause) {
  constexpr int outputs = 2;  // the first may come at once
  const IntegrationMethod& row = *find_integration_method(method);
  if (!row.chooses_order && !row.hht_passes_dead_centres) return false;
  outputs_with_hht_ = outputs;
  if (session_.events().warning)
    session_.events().warning(fmt::format("At time {:.9g} {}. HHT takes {}'s place there, for two outputs.",
                                          state_.t, cause, method));
  return true;
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
    ++outputs_.k;
    if (outputs_with_hht_ > 0) --outputs_with_hht_;
    if (redundancy_.renew(state_)) integrator_->forget_jacobian(state_);
  }
}

/// Records the state at t, inside or at the end of the last step; on the constraints where steps do not end
/// at outputs.
void Dynamics::record_output(double t) {
  if (!session_.settings().interpolate && t == state_.t) return session_.record(state_, StepKind::dynamics);
  State s = t < state_.t ? inside_step(t) : state_;
  initial_.reconcile(s);
  session_.record(s, StepKind::dynamics);
}

bool Dynamics::record_taken() {
  session_.record(state_, StepKind::dynamics);
  return session_.report().redundant.empty() || initial_.redundant_rows_hold(state_);
}

void Dynamics::take_counters(const StepState& steps) {
  session_.count(counters_before_, steps);
  state_.t = steps.motion.t;
}

// ---- sensors

/// Lets sensors act that the last step has come upon. True when one has changed the course of things.
bool Dynamics::watch_sensors() {
  State inside;
  const double begin = integrator_->step_start_time(), h = state_.t - begin;
  const auto at = [&](double t) -> const State& { return inside = inside_step(t); };
  const std::vector<SensorEvent> events = sensors_.after_step(begin, state_, at);
  for (std::size_t k = 0; k < events.size();) {
    const double t = events[k].t;
    record_outputs(std::nextafter(t, begin));
    IntegratorOptions options = going_on_with(step_options(outputs_), integrator_->suggested_step());
    bool cut = false;
    std::size_t acted = k;
    // What acts within rounding of the same time acts together.
    for (; acted < events.size() && events[acted].t <= t + 1e-9 * h; ++acted)
      cut = act(session_.model().sensors[events[acted].sensor], t, options) || cut;
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
  if (sensor.print && !ends && !output_time) record_output(t);
  if (sensor.output_step > 0 && t < outputs_.end) {
    if (output_time) record_output(t);
    const double count = std::max(1.0, std::ceil((outputs_.end - t) / sensor.output_step - 1e-6));
    if (count > 1e8)
      fail(ExitCode::input, "Sensor/{}: DT = {:.3g} gives {:.3g} output steps", sensor.name.id,
           sensor.output_step, count);
    outputs_ = {t, sensor.output_step, outputs_.end, static_cast<int>(count)};
    options = going_on_with(step_options(outputs_), options.hinit);
  }
  if (sensor.restart) options.hinit = step_options(outputs_).hinit;
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
