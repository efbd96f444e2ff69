// Carries out the stages of a plan, each by the row of its command, and the tools with which these do it
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

/// What the stages tell while they run; the account goes to the RunLog.
struct StageEvents {
  /// Before each record of a model with CONTACTs: their overlaps. Null: they are not looked at.
  std::function<void(std::span<const ContactIncident>)> incidents;
  /// Values of the channels at the first simulation; those that a change of the model has ended are 0.
  std::function<void(double t, StepKind kind, std::span<const double> values)> record;
  std::function<void(const ModeSet&)> modes;  ///< of each LINEAR/EIGENSOL
  std::function<void(Session&)> made;         ///< a new session, before it begins
  /// Steps are due: initial conditions are found, and nothing is recorded of them yet.
  std::function<void(Session&, const Stage&)> steps_due;
  std::function<bool()> interrupted;                         ///< true: finish the step and stop
  std::function<bool()> save_due;                            ///< true: `save` is called before the next step
  std::function<void()> save;                                ///< when archive() may be called
  std::function<void(const std::string& path)> refuse_file;  ///< throws where a file must not be replaced
  std::function<std::string()> prefix;                       ///< of the run's files; null: it has none
  std::function<bool(const Failure&, double t)> device_failed;  ///< SessionEvents::device_failed
  PhaseTimes* times = nullptr;  ///< where the steps' time is summed; null: nowhere
  /// Who watches iterations and steps in place of the log; null: that.
  SolveObserver* observer = nullptr;
};

class StageRunner {
 public:
  /// Changes of the model are made in job.description.
  StageRunner(Job& job, RunLog& log, StageEvents events, const ComputeSettings& compute);

  /// The model as it is at the first stage.
  void begin(Model model, const DynamicsSettings& settings);
  /// Asks StageEvents::refuse_file whether a stage may write the file that it names, if it names one.
  void check_file(const Stage& stage) const;
  /// False when the run ends here: interrupted, or by a sensor. Throws Failure(solver) with the records up to
  /// there delivered.
  bool run(const Stage& stage);

  /// The parts of run(), for steps that are taken elsewhere: all before them, they themselves, all after.
  Next begin(const Stage& stage);
  AnalysisEnd take_steps();
  bool end_steps(AnalysisEnd end);
  /// The stage whose steps are due, with its interval worked out.
  const Stage& present() const { return stage_; }

  /// Whether that was why run() gave false.
  bool was_interrupted() const { return was_interrupted_; }
  /// In the middle of steps: saves all from which they go on, or restores it, after begin(), into a run that
  /// is at `stage` of the same plan; go_on_steps() then takes the place of take_steps().
  void archive(Archive& a, const Stage& stage);
  AnalysisEnd go_on_steps();
  /// Counters of the steps, if there were any, to the log.
  void tell_counters();

  /// The present model under analysis; null before begin().
  Session* session() { return session_.get(); }
  /// Channels of the records: those of the model at begin().
  const Channels& channels() const { return channels_; }

  // ---- for commands

  RunLog& log() { return log_; }
  const Description& description() const { return job_.description; }
  /// Records so far.
  std::uint64_t records() const { return records_; }
  /// Of the run's files; empty: it has none.
  std::string prefix() const { return events_.prefix ? events_.prefix() : std::string(); }
  /// A file of the output folder.
  std::string path_of(std::string_view file) const;
  /// Counts the LINEARs whose files bear no name of their own, from 1.
  int next_linear() { return ++linears_; }
  /// Modes of a LINEAR, for the result files.
  void give_modes(const ModeSet& set) const {
    if (events_.modes) events_.modes(set);
  }
  /// On to the next stage, unless the run is interrupted.
  Next go_on();
  /// Changes the description; the session follows when it is next needed.
  void change(const Statement& statement);
  /// Brings the session up to what commands have made of the model and of the settings.
  void update_model(const Stage& stage);
  /// SAVE/SYSTEM and RELOAD/SYSTEM: model, state and what goes on with them, in a file of the output folder.
  void save_system(const Stage& stage);
  void reload_system(const Stage& stage);
  /// Finds the initial conditions; null where they have been found before.
  const InitialReport* initialize();
  /// The steps of a simulation are due, whose interval is worked out.
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
  Channels channels_;
  std::vector<int> columns_;  ///< their places in the channels of a changed model; empty: the same
  std::vector<double> row_;
  std::uint64_t records_ = 0;
  int linears_ = 0;
  Renewed renewed_;       ///< by changes since the last analysis
  bool changed_ = false;  ///< the model, since then
  Stage stage_;           ///< whose steps are due
  bool initialized_ = false, was_interrupted_ = false;
};

}  // namespace trammel
