// The log of a run: message file, status file, JSON lines, and the listener.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/session.h"
#include "base/clock.h"
#include "output/message_file.h"
#include "output/output_set.h"
#include "session/iteration_log.h"
#include "session/json_log.h"
#include "session/listener.h"
#include "session/live_status.h"
#include "session/plan.h"

namespace trammel {

/// A warning that rounding limited the accuracy of steps; "" where it did not.
std::string rounding_warning(const StepCounters& counters);

class RunLog {
 public:
  explicit RunLog(Listener listener);
  /// The log of one of several runs in this process, each in a thread of its own: no listener, no status
  /// file, and its processor time is that of the thread.
  static RunLog one_of_many() { return RunLog({}, true); }

  /// Creates prefix.msg and prefix.status.json; without this call texts go to the listener only.
  void open(const std::string& prefix, const RunInfo& info);
  /// Begins the JSON lines; every call below adds to them.
  void open_json(const std::string& path, const std::string& command_line);

  /// For a run that continues. hold_files() comes before open_json() and open(), which then only note the
  /// names: until go_on(), texts are in the files already and go to the listener alone. A failure before
  /// go_on() leaves the files unchanged, except the status file, which reports it.
  void hold_files() { held_.emplace(); }
  /// Saves the memory of the log (texts told, the step table, the time elapsed) and the positions in its
  /// files.
  void save(Archive& a);
  /// Restores what save() has saved; the files continue at their saved positions, and are cut off there. The
  /// message file gets a note with the time. In the middle of steps the listener is told of them, in place of
  /// begin_steps(). Failure(io) naming a file that is missing, shorter or another one; no file has been
  /// changed then. JSON lines that the run did not have before begin here.
  void go_on(Archive& a, double time);

  void echo(const std::string& command);

  /// To the listener.
  void say(const std::string& text);
  /// To the listener and the message file, each text once.
  void warn(const std::string& text);
  /// The texts given to warn(), each once, in their order.
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// Tells the findings in the input: warnings, notes, statements left out, edits.
  void findings(const Job& job);
  /// An event of the run (a sensor acts, INFO), told every time: to the listener and the message file.
  void tell(const std::string& text);
  /// SHOW: statistics of the run so far.
  void statistics(double time, const StepCounters& counters, std::uint64_t records);
  /// To the message file only, each text once.
  void note(const std::string& text);

  /// Where the program has chosen to compute steps, and why: to the message and status files, and to the
  /// listener where steps were timed.
  void backend_choice(const std::string& sentence, bool timed);
  /// A device has failed, and the steps continue on the processor with the session's solver.
  void device_failed(const std::string& sentence, const Session& session);
  /// Notes the solver that the steps will use, the order of elimination, and the reason.
  void solver(const Session& session, const ComputeSettings& compute);
  void begin_stage(const Stage& stage);
  void initial_report(const Model& model, const InitialReport& report, double time);
  void begin_steps(const Stage& stage);
  /// A row of the step table at every tenth part of the stage.
  void record(double time, const StepCounters& counters);
  void step(const StepResult& step, const StepCounters& counters);
  void end_stage(const Stage& stage, double time, const StepCounters& counters);
  /// Writes lines to the message file unchanged.
  void message(std::string_view lines);
  /// The settings that a LIST asks for.
  void settings(std::string_view statement, const std::vector<NamedValue>& list);

  // ---- reports that DEBUG asks for, and of linear systems and splines (session/run_log_debug.cpp)

  /// Sets the words of DEBUG for the analyses that follow. Returns the observer of their iterations; null:
  /// none is needed. The model must outlive these analyses.
  SolveObserver* watch(const Model& model, const DebugWords& words);
  /// Warns, where DEBUG asks about steps, that `where` computes the steps and nothing can observe them there.
  void steps_not_watched(const std::string& where);
  /// DOF and TOPOLOGY.
  void model_tables(const Model& model, const InitialReport& report);
  /// REQDUMP.
  void requests(double time, const Channels& channels, std::span<const double> values);
  /// Tells lost pivots: each pair of equation and variable once, or every time with EPRINT or VERBOSE.
  void pivots_lost(const Model& model, const PivotsLost& lost, double time);
  void spline_outside(const SplineOutside& found);

  /// Tells the listener how the time since the start divides into phases.
  void phases(const PhaseTimes& times);
  /// Write the last lines of the message file and the last status. Throw Failure(io).
  void counters(const StepCounters& counters, const SystemCounters& linear, double rounding_limited_step);
  void finish(double time, int exit_code, const std::vector<FileReport>& files);
  /// Tells the error to the listener and the message file, before anything else is written, while there may
  /// be room on the disk.
  void tell_error(const Failure& failure);
  /// Closes the files of a failed run. A second failure (a full disk) is ignored.
  void failed(int exit_code, const std::vector<FileReport>& files);

  /// Wall time [s], of a continued run with the time before it was saved.
  double elapsed() const { return elapsed_before_ + begun_.seconds(); }
  const std::string& message_path() const { return messages_.path(); }

 private:
  RunLog(Listener listener, bool one_of_many);
  /// The arguments of open_json() and open() while the files are held.
  struct Held {
    std::string json_path, command_line, prefix;
    RunInfo info;
  };

  double cpu() const { return cpu_before_ + cpu_clock() - cpu_start_; }
  void archive(Archive& a);
  void begin_json(const std::string& path, const std::string& command_line);
  void event_run(const std::string& prefix, const RunInfo& info);
  double cpu_clock() const;
  void set_phase(const char* phase);
  void close_messages();
  void close_status(const char* state, int exit_code, const std::vector<FileReport>& files);
  void event_message(const char* severity, const std::string& text);
  void event_failure(const Failure& failure);
  void event_end(const char* state, int exit_code, const std::vector<FileReport>& files);

  bool shared_reactions_ = false;  ///< reactions are shared among redundant equations
  Listener listener_;
  bool one_of_many_;
  MessageFile messages_;
  JsonLog json_;
  IterationLog iterations_{messages_, json_, [this] { return elapsed(); }};
  DebugWords debug_;
  std::optional<LiveStatus> status_;
  RunStatus run_status_;
  std::set<std::string> said_;
  std::vector<std::string> warnings_;
  Stopwatch begun_;
  double cpu_start_;
  double elapsed_before_ = 0, cpu_before_ = 0;  ///< seconds of a continued run in earlier processes
  bool in_steps_ = false;
  std::optional<Held> held_;
  double last_step_ = 0;
  int last_order_ = 2;
  long records_ = -1, row_every_ = 1;
};

}  // namespace trammel
