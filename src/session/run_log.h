// What a run tells while it goes on: message file, status file, JSON lines, and whoever listens.
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/session.h"
#include "output/message_file.h"
#include "output/output_set.h"
#include "session/iteration_log.h"
#include "session/json_log.h"
#include "session/listener.h"
#include "session/live_status.h"
#include "session/plan.h"

namespace trammel {

/// That steps met the limit of rounding; "" where none did.
std::string rounding_warning(const StepCounters& counters);

class RunLog {
 public:
  explicit RunLog(Listener listener);
  /// Of a run beside others in this process, in a thread of its own: nobody listens, there is no status file,
  /// and its processor time is that of the thread.
  static RunLog one_of_many() { return RunLog({}, true); }

  /// Creates prefix.msg and prefix.status.json; without it texts go to the listener only.
  void open(const std::string& prefix, const RunInfo& info);
  /// Begins the JSON lines; every call below adds to them.
  void open_json(const std::string& path, const std::string& command_line);

  /// A run that goes on. hold_files() comes before open_json() and open(), which then only take note of the
  /// names: what is told up to go_on() stands in the files already, and goes to the listener alone. A failure
  /// in between leaves them as they are, but for the status, which tells it.
  void hold_files() { held_.emplace(); }
  /// What the log remembers (texts said, the step table, the time elapsed) and where its files are.
  void save(Archive& a);
  /// All of that as it was saved; the files go on from there, and what they have behind that place is cut
  /// off. The message file has a note with the time. Where steps are under way the listener is told of them,
  /// in place of begin_steps(). Failure(io) naming a file that is missing, shorter or another one; then none
  /// has been changed. A log of JSON lines that the run did not have begins here.
  void go_on(Archive& a, double time);

  void echo(const std::string& command);

  /// To the listener.
  void say(const std::string& text);
  /// To the listener and the message file, each text once.
  void warn(const std::string& text);
  /// The texts given to warn(), each once, in their order.
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// What was found in the input: warnings, notes, what is left out, edits.
  void findings(const Job& job);
  /// What happens in the run (a sensor acts, INFO), every time: to the listener and the message file.
  void tell(const std::string& text);
  /// SHOW: the run so far.
  void statistics(double time, const StepCounters& counters, std::uint64_t records);
  /// To the message file only, each text once.
  void note(const std::string& text);

  /// That the program chose where steps are computed, and why: to the message and status files, and where
  /// steps were timed for it to the listener.
  void backend_choice(const std::string& sentence, bool timed);
  /// The steps go on on the processor, with the session's solver for it.
  void device_failed(const std::string& sentence, const Session& session);
  /// Which solver the steps will use, with what order, and why.
  void solver(const Session& session, const ComputeSettings& compute);
  void begin_stage(const Stage& stage);
  void initial_report(const Model& model, const InitialReport& report, double time);
  void begin_steps(const Stage& stage);
  /// A row of the step table at every tenth part of the stage.
  void record(double time, const StepCounters& counters);
  void step(const StepResult& step, const StepCounters& counters);
  void end_stage(const Stage& stage, double time, const StepCounters& counters);
  /// Lines of the message file as they are.
  void message(std::string_view lines);
  /// The settings that a LIST asks for.
  void settings(std::string_view statement, const std::vector<NamedValue>& list);

  // ---- what DEBUG asks for, and what linear systems and splines tell (session/run_log_debug.cpp)

  /// Takes the words for what follows. Gives who watches its iterations, null: nobody. The model must outlive
  /// the analyses that are watched.
  SolveObserver* watch(const Model& model, const DebugWords& words);
  /// Warns, if there are words for steps, that `where` computes these, and nobody can watch them there.
  void steps_not_watched(const std::string& where);
  /// DOF and TOPOLOGY.
  void model_tables(const Model& model, const InitialReport& report);
  /// REQDUMP.
  void requests(double time, const Channels& channels, std::span<const double> values);
  /// Each pair of equation and variable once, or every time with EPRINT or VERBOSE.
  void pivots_lost(const Model& model, const PivotsLost& lost, double time);
  void spline_outside(const SplineOutside& found);

  /// Where the time since the start went, to the listener.
  void phases(const PhaseTimes& times);
  /// The last lines of the message file and the status. Failures: io.
  void counters(const StepCounters& counters, const SystemCounters& linear, double rounding_limited_step);
  void finish(double time, int exit_code, const std::vector<FileReport>& files);
  /// The error to the listener and to the message file: first of all, while there may be room on the disk.
  void tell_error(const Failure& failure);
  /// The end of a run that failed. A second failure (a full disk) is passed over.
  void failed(int exit_code, const std::vector<FileReport>& files);

  /// Seconds; of a run that goes on with those before it was saved.
  double elapsed() const {
    return elapsed_before_ + std::chrono::duration<double>(Clock::now() - start_).count();
  }
  const std::string& message_path() const { return messages_.path(); }

 private:
  using Clock = std::chrono::steady_clock;
  RunLog(Listener listener, bool one_of_many);
  /// What open_json() and open() were given while the files are held.
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

  bool shared_reactions_ = false;  ///< of redundant equations
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
  Clock::time_point start_ = Clock::now();
  double cpu_start_;
  double elapsed_before_ = 0, cpu_before_ = 0;  ///< of a run that goes on: in processes before this one
  bool in_steps_ = false;
  std::optional<Held> held_;
  double last_step_ = 0;
  int last_order_ = 2;
  long records_ = -1, row_every_ = 1;
};

}  // namespace trammel
