// The StageRunner executes the stages of a plan, each by the row of its command; commands use its functions
// (session/commands/).
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "output/mode_set.h"
#include "session/command_row.h"
#include "session/run_log.h"

namespace trammel {

/// Functions that are called while stages run; messages go to the RunLog.
struct StageEvents {
  /// Receives the overlaps of the CONTACTs, before each record of a model that has any. Null: they are not
  /// computed.
  std::function<void(std::span<const ContactIncident>)> incidents;
  /// Receives a record: values of the channels that the model had at begin(); 0 for channels that a change of
  /// the model has removed.
  std::function<void(double t, StepKind kind, std::span<const double> values)> record;
  std::function<void(const ModeSet&)> modes;  ///< receives the modes of each LINEAR/EIGENSOL
  std::function<void(Session&)> made;         ///< receives each new session, before it begins
  /// Called before the steps of a simulation: initial conditions are found, and nothing of them is recorded
  /// yet.
  std::function<void(Session&, const Stage&)> steps_due;
  std::function<bool()> interrupted;                         ///< true: finish the step and stop
  std::function<bool()> save_due;                            ///< true: `save` is called before the next step
  std::function<void()> save;                                ///< called where archive() may be called
  std::function<void(const std::string& path)> refuse_file;  ///< throws where a file must not be replaced
  std::function<std::string()> prefix;                       ///< prefix of the run's files; null: it has none
  std::function<bool(const Failure&, double t)> device_failed;  ///< SessionEvents::device_failed
  PhaseTimes* times = nullptr;  ///< sums of the steps' computing time; null: not measured
  /// Observes iterations and steps in place of the log; null: the log does.
  SolveObserver* observer = nullptr;
};

class StageRunner {
 public:
  /// Changes of the model are made in job.description. `job`, `log` and `compute` must outlive the object.
  StageRunner(Job& job, RunLog& log, StageEvents events, const ComputeSettings& compute);

  /// Makes the session of the model at the first stage.
  void begin(Model model, const DynamicsSettings& settings);
  /// Calls StageEvents::refuse_file for the file that the stage writes, if it names one.
  void check_file(const Stage& stage) const;
  /// Executes a stage. False where the run ends in it: interrupted, or by a sensor. Throws Failure(solver);
  /// the records up to the failure have been delivered.
  bool run(const Stage& stage);

  /// The parts of run(), for steps that are taken elsewhere: what comes before the steps, the steps, what
  /// comes after.
  Next begin(const Stage& stage);
  AnalysisEnd take_steps();
  bool end_steps(AnalysisEnd end);
  /// The stage whose steps are due, with its interval worked out.
  const Stage& present() const { return stage_; }

  /// Whether run() returned false because of an interruption.
  bool was_interrupted() const { return was_interrupted_; }
  /// In the middle of steps: saves everything that they need to continue, or restores it, after begin(), into
  /// a run that is at `stage` of the same plan; go_on_steps() then takes the place of take_steps().
  void archive(Archive& a, const Stage& stage);
  AnalysisEnd go_on_steps();
  /// Writes the counters of the steps, if there were any, to the log.
  void tell_counters();

  /// The present model under analysis; null before begin().
  Session* session() { return session_.get(); }
  /// Channels of the records: those of the model at begin().
  const Channels& channels() const { return *channels_; }

  // ---- for commands

  RunLog& log() { return log_; }
  const Description& description() const { return job_.description; }
  /// Records so far.
  std::uint64_t records() const { return records_; }
  /// Prefix of the run's files; empty: it has none.
  std::string prefix() const { return events_.prefix ? events_.prefix() : std::string(); }
  /// A file of the output folder.
  std::string path_of(std::string_view file) const;
  /// The number, from 1, of the next LINEAR whose file has no name of its own.
  int next_linear() { return ++linears_; }
  /// Hands the modes of a LINEAR to the result files.
  void give_modes(const ModeSet& set) const {
    if (events_.modes) events_.modes(set);
  }
  /// What follows a command: the next stage, unless the run is interrupted.
  Next go_on();
  /// Changes the description; the session gets the change by update_model().
  void change(const Statement& statement);
  /// Gives the session the model and the settings that commands have made.
  void update_model(const Stage& stage);
  /// SAVE/SYSTEM and RELOAD/SYSTEM: model, state and history of the analyses, in a file of the output folder.
  void save_system(const Stage& stage);
  void reload_system(const Stage& stage);
  /// Finds the initial conditions; null where they have been found before.
  const InitialReport* initialize();
  /// Begins the steps of a simulation, whose interval is worked out.
  Next begin_steps(Stage stage);

 private:
  std::unique_ptr<Session> make_session(Model model, const DynamicsSettings& settings);
  void watch(Session& session, const Stage& stage);
  std::span<const double> in_columns(std::span<const double> values);
  void match_columns();
  void archive_system(Archive& a, const Stage& stage, bool of_own_deck = false);

  Job& job_;
  RunLog& log_;
  StageEvents events_;
  const ComputeSettings& compute_;
  std::unique_ptr<Session> session_;
  std::shared_ptr<const Channels> channels_;
  /// Index of each of `*channels_` in the changed model (−1: gone); empty: the same.
  std::vector<int> columns_;
  std::vector<double> row_;
  std::uint64_t records_ = 0;
  int linears_ = 0;
  Renewed renewed_;       ///< elements that changes since the last analysis have renewed
  bool changed_ = false;  ///< whether the model has changed since the last analysis
  Stage stage_;           ///< the stage whose steps are due
  bool initialized_ = false, was_interrupted_ = false;
};

}  // namespace trammel
