#include "analysis/session.h"

namespace trammel {

Session::Session(Model model, const DynamicsSettings& settings, SessionEvents events,
                 const ComputeSettings& compute)
    : model_(std::move(model)),
      settings_(settings),
      events_(std::move(events)),
      systems_(model_, compute),
      initial_(model_, systems_.assembler(), systems_.of_points(), settings.initial),
      state_(model_),
      recorder_(model_, systems_.assembler(), initial_, report_, compute.share_reactions),
      warnings_(model_, events_.warning, events_.spline_outside) {
  if (events_.pivots_lost)
    systems_.on_pivots_lost([this](const PivotsLost& lost) { events_.pivots_lost(lost, model_, state_.t); });
  assembler().on_extrapolation(
      [this](const SplineRange& range) { warnings_.extrapolation(range, state_.t); });
  assembler().on_zero_by_zero(
      [this](int tape, const std::string& place) { warnings_.zero_by_zero(tape, place, state_.t); });
}

namespace {

/// Initial conditions are found: the matrix of a large model and its factors are given up until points
/// between steps need others. They are 3 kB of each link of a chain.
void forget_points_of_large(const Model& model, ModelSystems& systems) {
  constexpr int many = 10'000;
  if (model.multipliers > many) systems.of_points().forget_matrix();
}

}  // namespace

Session::~Session() = default;

Analysis& Session::analysis(const AnalysisRow& row) {
  std::unique_ptr<Analysis>& place = analyses_[&row];
  if (!place) place = row.make(*this);
  return *place;
}

AnalysisEnd Session::run(const AnalysisRow& row, const AnalysisPlan& plan) {
  initialize();
  Analysis& chosen = analysis(row);
  chosen.begin(plan);
  return chosen.go_on();
}

void Session::compute_on(std::shared_ptr<Device> device, const TrammelSolverApi* solver) {
  systems_.compute_on(std::move(device), solver);
  analyses_.clear();  // their integrators use the systems before
  moved_by_ = nullptr;
}

const InitialReport& Session::initialize() {
  if (initialized_) return report_;
  state_ = initial_.as_given(0.0);
  report_ = initial_.run(state_);
  forget_points_of_large(model_, systems_);
  initialized_ = consistent_ = true;
  return report_;
}

const InitialReport& Session::continue_from(const Session& before, const Renewed& renewed) {
  warnings_.go_on_from(before.warnings_);
  initial_.go_on_from(values_to_go_on_with(model_, before.model_, before.state_, renewed));
  if (before.at_rest_ && !before.has_moved_) initial_.begin_with_given_velocities();
  state_ = initial_.as_given(before.state_.t);
  const std::vector<std::string> notes = continue_state(state_, model_, before.model_, before.state_);
  report_ = initial_.run(state_);
  report_.notes.insert(report_.notes.end(), notes.begin(), notes.end());
  forget_points_of_large(model_, systems_);
  initialized_ = consistent_ = true;
  has_moved_ = before.has_moved_;
  counters_ = before.counters_;
  systems_.count_also(before.systems_.counters());
  return report_;
}

void Session::move_to(State state) {
  state_ = std::move(state);
  consistent_ = true;
  analyses_.clear();
  moved_by_ = nullptr;
}

void Session::archive(Archive& a, std::span<const AnalysisRow* const> rows) {
  a.section("session");
  a(state_, report_, initial_, warnings_, rounding_limited_step_, initialized_, consistent_,
    initial_record_due_, at_rest_, has_moved_);
  a.plain(counters_);
  // Objects restored below may need an evaluation at the state.
  if (a.restores() && initialized_) assembler().evaluate(state_, in_dynamics);
  a(systems_);
  for (const AnalysisRow* row : rows) {
    bool there = analyses_.count(row) > 0;
    a(there);
    if (!there) continue;
    Analysis& kept = analysis(*row);
    kept.archive(a);
    bool mover = was_moved_by(kept);
    a(mover);
    if (mover) moved_by_ = &kept;
  }
}

void Session::require_accelerations(const char* mend) const {
  if (!report_.open_accelerations.empty()) fail(ExitCode::solver, "{}: {}", report_.open_accelerations, mend);
}

void Session::make_consistent() {
  if (at_rest_ && !has_moved_) {
    initial_.begin_with_given_velocities();
    initial_.velocities(state_);
    if (const std::string text = initial_.changed_velocities(state_); !text.empty() && events_.warning)
      events_.warning("At the equilibrium: " + text);
    if (report_.open_accelerations.empty()) initial_.accelerations(state_, report_);
  } else if (!consistent_) {
    initial_.reconcile(state_);
  }
  consistent_ = true;
  at_rest_ = false;
}

void Session::record_beginning(StepKind kind) {
  record(state_, initial_record_due_ ? StepKind::initial_conditions : kind, point_of(kind));
  initial_record_due_ = false;
}

void Session::record_initial() {
  initial_record_due_ = true;
  record_beginning();
}

AnalysisPoint point_of(StepKind kind) {
  switch (kind) {
    case StepKind::statics:
      return at_rest();
    case StepKind::quasi_statics:
      return at_rest(true);
    case StepKind::kinematics:
      return in_kinematics;
    default:
      return in_dynamics;
  }
}

void Session::record(const State& state, StepKind kind) {
  record(state, kind, point_of(kind));
}

void Session::record(const State& state, StepKind kind, const AnalysisPoint& point) {
  if (!events_.record) return;
  const std::span<const double> values = recorder_.values(state, point);
  if (events_.incidents && model_.has_contacts()) {
    assembler().contact_incidents(state, point.mode, incidents_);
    events_.incidents(incidents_);
  }
  events_.record(state.t, kind, values);
}

void Session::count(const StepCounters& before, const StepState& integrator) {
  counters_ = before;
  counters_ += integrator.counters;
  rounding_limited_step_ = integrator.rounding.largest_step;
}

}  // namespace trammel
