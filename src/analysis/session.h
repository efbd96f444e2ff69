// A model under analysis: its present state, the objects that compute its equations, and the functions that
// receive its results.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "analysis/analysis.h"
#include "analysis/continuation.h"
#include "analysis/expression_warnings.h"
#include "analysis/initial_conditions.h"
#include "analysis/model_systems.h"
#include "analysis/recorder.h"
#include "analysis/settings.h"
#include "element/contact_incident.h"
#include "output/step_kind.h"

namespace trammel {

/// Functions that analyses call while they run. Each may be empty.
struct SessionEvents {
  /// Receives the overlaps of the CONTACTs, before each record of a model that has any.
  std::function<void(std::span<const ContactIncident>)> incidents;
  std::function<void(double t, StepKind kind, std::span<const double> values)> record;
  std::function<void(const StepResult&)> step;
  std::function<void(const std::string&)> warning;
  std::function<void(const std::string&)> note;   ///< a finding of an analysis
  std::function<void(std::string_view)> message;  ///< lines of the message file, to be written unchanged
  std::function<void(const SplineOutside&)> spline_outside;  ///< called besides `warning`
  std::function<void(const PivotsLost&, const Model&, double t)> pivots_lost;
  std::function<void(const std::string&)> sensor;  ///< "Sensor/3 has become active at time = 1.5."
  std::function<bool()> interrupted;               ///< true: finish the step and stop
  std::function<bool()> save_due;                  ///< true: `save` is called before the next step
  std::function<void()> save;                      ///< called where Session::archive() may be called
  PhaseTimes* times = nullptr;                     ///< sums of the steps' computing time; null: not measured
  /// Called when the device that computes the steps has failed. True: the processor continues from the time
  /// t. False, or no function: the failure ends the analysis.
  std::function<bool(const Failure&, double t)> device_failed;
};

/// The point (value of MODE, rows in force) at which an analysis of this kind is evaluated.
AnalysisPoint point_of(StepKind kind);

class Session {
 public:
  Session(Model model, const DynamicsSettings& settings, SessionEvents events,
          const ComputeSettings& compute = {});
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Runs an analysis (analysis/analyses/list.h) from the present state, after finding initial conditions
  /// where there are none yet. Throws Failure(solver); the records up to the failure have been delivered.
  AnalysisEnd run(const AnalysisRow& row, const AnalysisPlan& plan = {});
  /// The session's analysis of this kind, made at the first call.
  Analysis& analysis(const AnalysisRow& row);

  const Model& model() const { return model_; }
  ModelSystems& systems() { return systems_; }
  const ModelSystems& systems() const { return systems_; }
  Assembler& assembler() { return systems_.assembler(); }
  const Channels& channels() const { return *recorder_.channels(); }
  std::shared_ptr<const Channels> shared_channels() const { return recorder_.channels(); }
  /// Whether the present state is an equilibrium that an analysis has found.
  bool at_rest() const { return at_rest_; }
  /// Throws Failure(solver) where parts without mass have no accelerations; `mend`: the advice that ends its
  /// message.
  void require_accelerations(const char* mend = "give the part some mass, or hold it by joints") const;
  /// Settings of the next analysis.
  const DynamicsSettings& settings() const { return settings_; }
  void set(const DynamicsSettings& settings) {
    settings_ = settings;
    initial_.set(settings.initial);
  }
  /// The present state. With steps on a device it is that of the last record, but for the time, which is the
  /// present one.
  const State& state() const { return state_; }
  /// The present state; before initialize() the state of the dataset (not assembled, accelerations 0).
  State present() const { return initialized_ ? state_ : initial_.as_given(0.0); }
  /// Counters of all steps, those of the session that this one continues included.
  const StepCounters& counters() const { return counters_; }
  /// Largest step of the last analysis whose error was limited by rounding [time]; 0: none was.
  double rounding_limited_step() const { return rounding_limited_step_; }
  /// Whether a warning of a spline read outside its data was given.
  bool told_extrapolation() const { return warnings_.extrapolated(); }

  /// Sets the observer of the next analysis: it watches iterations and steps, except those on a device; null:
  /// none.
  void observe(SolveObserver* observer) {
    observer_ = observer;
    initial_.observe(observer);
  }
  /// The next analysis takes its steps on the device. Throws as ModelSystems::compute_on() does; the session
  /// is unchanged then.
  void compute_on(std::shared_ptr<Device> device, const TrammelSolverApi* solver = nullptr);
  /// Initial conditions at t = 0 (once; later calls return the first report).
  const InitialReport& initialize();
  /// In place of initialize(): initial conditions at the time of `before`, a session with the model before a
  /// change, from the places of its parts and its states (values_to_go_on_with()); at an equilibrium before
  /// which nothing has moved, with the velocities of the dataset. Counters continue. Throws Failure as
  /// initialize() does, and Failure(unsupported) where a state cannot be carried over.
  const InitialReport& continue_from(const Session& before, const Renewed& renewed);

  /// Takes a state on the constraints that was computed outside this session: analyses continue from it
  /// without their history. Only after initialize().
  void move_to(State state);

  /// Saves everything that the future motion depends on, except model and settings, or restores it in place
  /// of initialize() into a session of the same model with the same solver and device. `rows`: all kinds of
  /// analyses. With steps on a device the state must have been brought to the processor before. Throws
  /// Failure(input) where another model was saved.
  void archive(Archive& a, std::span<const AnalysisRow* const> rows);

  // ---- for analyses

  State& motion() { return state_; }
  InitialConditions& initial() { return initial_; }
  InitialReport& report() { return report_; }
  const SessionEvents& events() const { return events_; }
  SolveObserver* observer() const { return observer_; }
  /// Brings the state onto φ = 0, φ̇ = 0, φ̈ = 0, unless it satisfies them to rounding.
  void make_consistent();
  /// Tells that the analysis `by` has moved the state; `consistent`: it satisfies φ = 0, φ̇ = 0, φ̈ = 0 to
  /// rounding.
  void moved(const Analysis& by, bool consistent) {
    moved_by_ = &by;
    consistent_ = consistent;
    at_rest_ = false;
    has_moved_ = true;
  }
  /// Tells that the state is an equilibrium, with zero velocities, found by the analysis `by`. A motion that
  /// begins there has the initial velocities of the dataset, unless there was motion before.
  void came_to_rest(const Analysis& by) {
    moved_by_ = &by;
    consistent_ = false;
    at_rest_ = true;
  }
  /// At an equilibrium: finds the velocities with which a motion begins there.
  void leave_rest() {
    if (at_rest_) make_consistent();
  }
  /// Whether this analysis was the last to move the state.
  bool was_moved_by(const Analysis& analysis) const { return moved_by_ == &analysis; }
  /// Delivers the present state as the first record of an analysis; of kind initial_conditions where these
  /// were found and not yet recorded.
  void record_beginning(StepKind kind = StepKind::dynamics);
  /// Delivers the present state as a record of kind initial_conditions.
  void record_initial();
  /// Delivers a state as a record.
  void record(const State& state, StepKind kind);
  /// Sets the counters: `before`: of all steps before the present integrator; `integrator`: of this one.
  void count(const StepCounters& before, const StepState& integrator);
  /// Adds the counters of an analysis without an integrator.
  void count(const StepCounters& more) { counters_ += more; }

 private:
  void record(const State& state, StepKind kind, const AnalysisPoint& point);

  const Model model_;
  DynamicsSettings settings_;
  SessionEvents events_;
  ModelSystems systems_;
  InitialConditions initial_;
  InitialReport report_;
  State state_;
  Recorder recorder_;
  std::vector<ContactIncident> incidents_;
  ExpressionWarnings warnings_;
  StepCounters counters_;
  double rounding_limited_step_ = 0;
  SolveObserver* observer_ = nullptr;
  bool initialized_ = false;
  bool consistent_ = false;  ///< the present state satisfies φ = 0, φ̇ = 0, φ̈ = 0 to rounding
  bool at_rest_ = false;     ///< the present state is an equilibrium, whose velocities are zero
  bool has_moved_ = false;   ///< an analysis with velocities has moved the state
  const Analysis* moved_by_ = nullptr;
  bool initial_record_due_ = true;  ///< initial conditions were found and not yet recorded
  std::map<const AnalysisRow*, std::unique_ptr<Analysis>> analyses_;
};

}  // namespace trammel
