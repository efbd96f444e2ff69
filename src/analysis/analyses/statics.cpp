#include "analysis/analyses/statics.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "analysis/analyses/list.h"
#include "analysis/statics/body_work.h"
#include "analysis/statics/damped_motion.h"

namespace trammel {

const AnalysisRow statics_analysis{
    .name = "STATICS",
    .title = "Static Solution",
    .extent = Extent::either,
    .make = [](Session& session) -> std::unique_ptr<Analysis> { return std::make_unique<Statics>(session); },
    .title_over_time = "Quasi-Static Simulation"};

Statics::Statics(Session& session)
    : Sequence(session, StepKind::quasi_statics),
      equilibrium_(session.model(), session.assembler(), session.systems().of_points(), initial_,
                   session.events().note),
      turns_(session.model()),
      before_(session.motion()) {}

namespace {

std::string_view title_of(StaticMethod method) {
  constexpr std::string_view titles[] = {"Original", "Original", "Advanced", "Aggressive",
                                         "All",      "Funnel",   "Dynamic"};
  return titles[static_cast<int>(method)];
}

}  // namespace

void Statics::begin(const AnalysisPlan& plan) {
  in_time_ = plan.steps > 0;
  equilibrium_.observe(session_.observer());
  if (session_.events().message)
    session_.events().message(
        fmt::format("\n STATICS: {} static solver will be used with the Sparse linear solver.\n\n",
                    title_of(session_.settings().equilibrium.method)));
  cost_ = {};
  const std::vector<double> angles = state_.angle;
  EquilibriumReport found = find(state_, false);
  if (!found.stability) found.stability = equilibrium_.stability(state_);
  tell(found);
  tell_wound(angles);
  session_.count(cost_);
  session_.came_to_rest(*this);
  before_ = state_;
  if (!in_time_) return;
  begin_outputs(plan);
  h_ = output_step();
}

AnalysisEnd Statics::go_on() {
  if (in_time_) return Sequence::go_on();
  session_.record(state_, StepKind::statics);
  return AnalysisEnd::complete;
}

void Statics::archive(Archive& a) {
  Sequence::archive(a);
  a(in_time_, h_, before_, told_creeping_, told_turns_);
}

/// Writes the result to the message file in the words of ADAMS, which job monitors look for, and warns about
/// its stability.
void Statics::tell(const EquilibriumReport& found) const {
  if (session_.events().message)
    session_.events().message(fmt::format(
        "  Static Solution converged in {} iterations\n  Residual imbalance is less than {:.5E}\n",
        found.iterations, found.imbalance));
  const SessionEvents& events = session_.events();
  if (!found.stability) return;
  const RestStability& s = *found.stability;
  if (s.kind == RestStability::Kind::unstable && events.warning)
    events.warning(fmt::format(
        "The equilibrium is unstable: {}{} eigenvalue{} a positive real part, and the fastest motion grows "
        "as "
        "exp({:.4g} t).{}",
        s.at_least ? "at least " : "", s.unstable, s.unstable == 1 ? " has" : "s have", s.largest_real,
        session_.settings().equilibrium.method == StaticMethod::funnel
            ? " METHOD=FUNNEL found no stable one from there."
            : " EQUILIBRIUM/METHOD=FUNNEL goes on to a stable one."));
  if (s.kind == RestStability::Kind::neutral && events.note)
    events.note(fmt::format("The equilibrium is neutral: {} motion{} held by nothing, of {}.", s.neutral,
                            s.neutral == 1 ? " is" : "s are", fmt::join(s.neutral_parts, ", ")));
  if (s.kind == RestStability::Kind::undecided && events.note)
    events.note(fmt::format("The equilibrium is not classified as stable or not: {}.", s.undecided));
  if (s.kind == RestStability::Kind::stable && events.message)
    events.message("  The equilibrium is stable.\n");
}

/// An equilibrium may be one of springs that are wound up: how far is then up to the way to it.
void Statics::tell_wound(const std::vector<double>& angles) const {
  const std::string markers = turns_.wound(angles, state_.angle);
  if (markers.empty() || !session_.events().warning) return;
  session_.events().warning(fmt::format(
      "{} have turned by more than half a turn on the way to the equilibrium, as it was sought: forces and "
      "functions of angles between them take all of it. Loads that grow over time (SIMULATE/STATICS with END "
      "and STEPS) follow one way.",
      markers));
}

/// Repeats the search where it failed and contacts came near on the way that had no blocks in the matrix.
EquilibriumReport Statics::find_with_contacts(State& state, const EquilibriumOptions& options, bool moving) {
  const State start = state;
  session_.systems().couple_what_is_near_at(state);
  for (int tries = 0;; ++tries) {
    try {
      return equilibrium_.find(state, options, moving);
    } catch (const Failure&) {
      constexpr int most = 5;
      if (tries == most || session_.systems().couple_what_is_near() == 0) throw;
      state = start;
    }
  }
}

EquilibriumReport Statics::find(State& state, bool moving) {
  EquilibriumOptions options = session_.settings().equilibrium;
  if (!turns_.empty()) options.alimit = std::min(options.alimit, CountedTurns::largest_turn);
  int steps = 0;
  if (options.method == StaticMethod::dynamic) {
    equilibrium_.equations().bring_to_rest(state);
    steps = damped_motion(session_.systems(), initial_, turns_, state, options, session_.events().interrupted)
                .iterations;
    options.method = StaticMethod::original;  // from the state at rest
  }
  EquilibriumReport found = find_with_contacts(state, options, moving);
  if (!found.creeping.empty() && !std::exchange(told_creeping_, true) && session_.events().warning)
    session_.events().warning(
        fmt::format("At the equilibrium states are still on their way{}: ERROR and IMBALANCE are met without "
                    "them, and no search was seen to bring them to rest.",
                    found.creeping));
  found.iterations += steps;
  cost_.evaluations += found.iterations;
  cost_.iterations += found.iterations;
  cost_.jacobians += found.iterations;
  session_.assembler().current_angles(state, state.angle);
  return found;
}

/// One step in time, halved until an equilibrium is found at its end to which counted angles can be followed.
/// Where the equilibrium jumps, whatever the step, the next step is led nowhere.
void Statics::advance(State& state, double target) {
  const double least = 1e-6 * output_step();
  const double longest = std::clamp(longest_step(state), least, output_step());
  while (true) {
    h_ = std::max(h_, least);
    const bool shortest = h_ <= least;
    const double h = step_towards(state.t, target, h_, longest, false);
    State next = state;
    predict(next, h);
    next.t += h;
    try {
      const State predicted = next;
      find(next, true);
      const std::string far = turned_far(predicted, next);
      if (far.empty() || shortest) {
        if (!far.empty()) tell_turns(far, next.t);
        before_ = far.empty() ? state : next;
        state = next;
        h_ = std::min(output_step(), 2 * h);
        return;
      }
    } catch (const Failure& failure) {
      if (failure.code() != ExitCode::solver) throw;
      if (shortest)
        throw Failure(ExitCode::solver,
                      fmt::format("SIMULATE/STATICS: no equilibrium is found after time {:.9g}: {}", state.t,
                                  failure.what()),
                      failure.facts());
    }
    h_ = 0.5 * std::min(h, h_);
  }
}

/// The step in which no counted angle turns too far to be followed, if all turn on as between the last two
/// equilibria.
double Statics::longest_step(const State& state) const {
  const double last = state.t - before_.t;
  if (turns_.empty() || !(last > 0)) return HUGE_VAL;
  Kinematics then(session_.model()), now(session_.model());
  then.update(before_);
  now.update(state);
  return turns_.longest_step(then, now, last);
}

/// Markers between which an angle is counted and which are found so far from where they were predicted that
/// turns may be lost; "": none are.
std::string Statics::turned_far(const State& predicted, const State& found) const {
  if (turns_.empty()) return {};
  Kinematics from(session_.model()), to(session_.model());
  from.update(predicted);
  to.update(found);
  return turns_.turned_far(from, to);
}

/// Once: an equilibrium jumps, whatever the step.
void Statics::tell_turns(const std::string& markers, double time) {
  if (std::exchange(told_turns_, true) || !session_.events().warning) return;
  session_.events().warning(fmt::format(
      "At time {:.9g} the equilibrium jumps: {} turn so far at once that turns between them may be "
      "lost, of AX, AY, AZ and in joints and forces.",
      time, markers));
}

/// Extrapolates the last two equilibria linearly by the time h.
void Statics::predict(State& state, double h) const {
  const double last = state.t - before_.t;
  if (!(last > 0)) return;
  const Model& model = session_.model();
  Kinematics then(model), now(model);
  then.update(before_);
  now.update(state);
  move_along(model, now, displacements_between(model, then, now), h / last, state);
  const auto lead = [&](std::vector<double>& x, const std::vector<double>& x_then) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += h / last * (x[i] - x_then[i]);
  };
  lead(state.lambda, before_.lambda);
  // Values that equilibria hold may have been set at once, by sensors.
  for (std::size_t k = 0; k < state.s.size(); ++k)
    if (!model.scalars[k].static_hold) state.s[k] += h / last * (state.s[k] - before_.s[k]);
}

}  // namespace trammel
