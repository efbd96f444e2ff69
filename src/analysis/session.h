// A model under analysis: its present state, what computes its equations, and who is told of results.
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

/// What analyses tell while they run. Every function may be empty.
struct SessionEvents {
  /// Before each record of a model with CONTACTs: their overlaps.
  std::function<void(std::span<const ContactIncident>)> incidents;
  std::function<void(double t, StepKind kind, std::span<const double> values)> record;
  std::function<void(const StepResult&)> step;
  std::function<void(const std::string&)> warning;
  std::function<void(const std::string&)> note;              ///< what an analysis has found
  std::function<void(std::string_view)> message;             ///< lines of the message file as they are
  std::function<void(const SplineOutside&)> spline_outside;  ///< beside a warning
  std::function<void(const PivotsLost&, const Model&, double t)> pivots_lost;
  std::function<void(const std::string&)> sensor;  ///< "Sensor/3 has become active at time = 1.5."
  std::function<bool()> interrupted;               ///< true: finish the step and stop
  std::function<bool()> save_due;                  ///< true: `save` is called before the next step
  std::function<void()> save;                      ///< when Session::archive() may be called
  PhaseTimes* times = nullptr;                     ///< where the steps' time is summed; null: nowhere
  /// The device of the steps has failed; true: they go on on the processor, from the time t on. Else, and
  /// where it is empty, the failure ends the analysis.
  std::function<bool(const Failure&, double t)> device_failed;
};

class Session {
 public:
  Session(Model model, const DynamicsSettings& settings, SessionEvents events,
          const ComputeSettings& compute = {});
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Runs an analysis (analysis/analyses/list.h) from the present state; initial conditions are found before
  /// it, if they have not been. Throws Failure(solver) with the records up to there delivered.
  AnalysisEnd run(const AnalysisRow& row, const AnalysisPlan& plan = {});
  /// The one of this kind, made when it is first asked for.
  Analysis& analysis(const AnalysisRow& row);

  const Model& model() const { return model_; }
  ModelSystems& systems() { return systems_; }
  const ModelSystems& systems() const { return systems_; }
  Assembler& assembler() { return systems_.assembler(); }
  const Channels& channels() const { return recorder_.channels(); }
  /// Whether the present state is an equilibrium that an analysis has found.
  bool at_rest() const { return at_rest_; }
  /// Throws Failure(solver) where parts without mass have no accelerations; `mend`: what to do about it.
  void require_accelerations(const char* mend = "give the part some mass, or hold it by joints") const;
  /// Settings for the next analysis.
  const DynamicsSettings& settings() const { return settings_; }
  void set(const DynamicsSettings& settings) { settings_ = settings; }
  /// Of steps on a device: as of the last record, but for the time.
  const State& state() const { return state_; }
  /// The present state, or before initialize() that of the dataset (not assembled, accelerations 0).
  State present() const { return initialized_ ? state_ : initial_.as_given(0.0); }
  /// Of all steps, with those of the session that this one continues.
  const StepCounters& counters() const { return counters_; }
  /// Largest step of the last analysis that met the limit of rounding; 0: none did.
  double rounding_limited_step() const { return rounding_limited_step_; }
  /// Whether a spline that was read outside its data was told.
  bool told_extrapolation() const { return warnings_.extrapolated(); }

  /// Sets who watches iterations and steps, but for those on a device; null: nobody. For the next analysis.
  void observe(SolveObserver* observer) {
    observer_ = observer;
    initial_.observe(observer);
  }
  /// Computes the steps of the next analysis on the device. Throws as ModelSystems::compute_on() does; the
  /// session then stays where it was.
  void compute_on(std::shared_ptr<Device> device, const TrammelSolverApi* solver = nullptr);
  /// Initial conditions at t = 0 (once; later calls return the first report).
  const InitialReport& initialize();
  /// In place of initialize(): initial conditions at the time of `before`, a session with the model before a
  /// change, from where its parts and states are (values_to_go_on_with()). Counters go on. Throws Failure as
  /// initialize() does, and Failure(unsupported) where a state cannot be carried over.
  const InitialReport& continue_from(const Session& before, const Renewed& renewed);

  /// Somebody else has moved the model to a state on the constraints: analyses go on from there without what
  /// they remember. After initialize().
  void move_to(State state);

  /// Saves all that the future depends on, besides model and settings, or restores it in place of
  /// initialize() into a session of the same model that computes with the same things. `rows`: all the kinds
  /// of analyses there are. Of steps on a device the state must have been brought. Throws Failure(input) for
  /// what another model saved.
  void archive(Archive& a, std::span<const AnalysisRow* const> rows);

  // ---- for analyses

  State& motion() { return state_; }
  InitialConditions& initial() { return initial_; }
  InitialReport& report() { return report_; }
  const SessionEvents& events() const { return events_; }
  SolveObserver* observer() const { return observer_; }
  /// Brings the state onto φ = 0, φ̇ = 0, φ̈ = 0, unless it is there to rounding.
  void make_consistent();
  /// The state is another, by an analysis; `consistent`: it is there.
  void moved(const Analysis& by, bool consistent) {
    moved_by_ = &by;
    consistent_ = consistent;
    at_rest_ = false;
    has_moved_ = true;
  }
  /// The state is an equilibrium, found by an analysis: velocities are zero. A motion that begins there has
  /// the initial velocities of the dataset, unless there has been motion before.
  void came_to_rest(const Analysis& by) {
    moved_by_ = &by;
    consistent_ = false;
    at_rest_ = true;
  }
  /// From rest on: velocities with which a motion begins.
  void leave_rest() {
    if (at_rest_) make_consistent();
  }
  /// Whether it was that analysis which moved the state last.
  bool was_moved_by(const Analysis& analysis) const { return moved_by_ == &analysis; }
  /// Delivers the present state as a record: as initial conditions where these were found and not yet
  /// recorded.
  void record_beginning(StepKind kind = StepKind::dynamics);
  /// As initial conditions, in any case.
  void record_initial();
  /// Delivers a state as a record.
  void record(const State& state, StepKind kind);
  /// What the steps have cost: `before` the present integrator, and it.
  void count(const StepCounters& before, const StepState& integrator);
  /// What an analysis without an integrator has cost.
  void count(const StepCounters& more) { counters_ += more; }

 private:
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
  bool at_rest_ = false;     ///< it is an equilibrium, and its velocities are zero for that
  bool has_moved_ = false;   ///< by an analysis in which there are velocities
  const Analysis* moved_by_ = nullptr;
  bool initial_record_due_ = true;  ///< initial conditions were found and not yet recorded
  std::map<const AnalysisRow*, std::unique_ptr<Analysis>> analyses_;
};

}  // namespace trammel
