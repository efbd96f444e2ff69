#include "session/run_log.h"

#include <algorithm>
#include <ctime>
#include <exception>
#include <nlohmann/json.hpp>

#include "integrate/device_equations.h"
#include "output/number_text.h"
#include "session/signals.h"

namespace trammel {

RunLog::RunLog(Listener listener) : RunLog(std::move(listener), false) {}

RunLog::RunLog(Listener listener, bool one_of_many)
    : listener_(std::move(listener)), one_of_many_(one_of_many), cpu_start_(cpu_clock()) {}

double RunLog::cpu_clock() const {
  timespec time{};
  clock_gettime(one_of_many_ ? CLOCK_THREAD_CPUTIME_ID : CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

namespace {

using Json = nlohmann::ordered_json;

Json counters_of(const StepCounters& c) {
  return {{"steps", c.steps},
          {"rejected_error", c.rejected_error},
          {"rejected_corrector", c.rejected_corrector},
          {"evaluations", c.evaluations},
          {"jacobians", c.jacobians}};
}

}  // namespace

void RunLog::open_json(const std::string& path, const std::string& command_line) {
  if (held_) {
    held_->json_path = path;
    held_->command_line = command_line;
  } else {
    begin_json(path, command_line);
  }
}

void RunLog::begin_json(const std::string& path, const std::string& command_line) {
  json_.open(path);
  json_.event("start", elapsed(), {{"date", iso_time_now()}, {"command_line", as_utf8(command_line)}});
}

void RunLog::event_run(const std::string& prefix, const RunInfo& info) {
  json_.event("run", elapsed(),
              {{"title", as_utf8(info.title)},
               {"version", info.version},
               {"input_file", as_utf8(info.input_file)},
               {"prefix", as_utf8(prefix)},
               {"host", info.host},
               {"pid", info.process_id}});
}

void RunLog::event_message(const char* severity, const std::string& text) {
  json_.event("message", elapsed(), {{"severity", severity}, {"t", run_status_.t}, {"text", as_utf8(text)}});
}

void RunLog::event_end(const char* state, int exit_code, const std::vector<FileReport>& files) {
  if (!json_.is_open()) return;
  Json list = Json::array();
  for (const FileReport& f : files) list.push_back({{"path", as_utf8(f.path)}, {"bytes", f.bytes}});
  json_.event("end", elapsed(),
              {{"state", state},
               {"exit_code", exit_code},
               {"t", run_status_.t},
               {"cpu", cpu()},
               {"message", as_utf8(run_status_.message)},
               {"files", list}});
  json_.close();
}

void RunLog::open(const std::string& prefix, const RunInfo& info) {
  run_status_.program_version = info.version;
  run_status_.command_line = info.command_line;
  run_status_.input_file = info.input_file;
  if (held_) {
    held_->prefix = prefix;
    held_->info = info;
  } else {
    messages_.open(prefix + ".msg", info);
    messages_.model_title(info.title);
    event_run(prefix, info);
  }
  if (one_of_many_) return;
  status_.emplace(prefix + ".status.json");
  if (!held_) status_->begin(run_status_);
}

void RunLog::save(Archive& a) {
  std::optional<FilePosition> messages, json;
  if (messages_.is_open()) messages = messages_.position();
  if (json_.is_open()) json = json_.position();
  a.section("log");
  a(messages, json);
  archive(a);
}

void RunLog::archive(Archive& a) {
  double elapsed_so_far = elapsed(), cpu_so_far = cpu();
  RunStatus& s = run_status_;
  RunStatus present = run_status_;
  a(elapsed_so_far, cpu_so_far, said_, warnings_, shared_reactions_);
  a(last_step_, last_order_, records_, row_every_, in_steps_);
  a(s.t, s.start, s.end, s.step_size, s.steps, s.backend, s.linear_solver, s.backend_choice, s.message);
  std::string started = status_ ? status_->started() : "";
  a(started);
  if (!a.restores()) return;
  elapsed_before_ = elapsed_so_far;
  cpu_before_ = cpu_so_far;
  if (!present.backend.empty()) s.backend = present.backend;  // the back end of this process
  if (!present.linear_solver.empty()) s.linear_solver = present.linear_solver;
  if (status_) status_->set_started(started);
}

void RunLog::go_on(Archive& a, double time) {
  if (!held_) fail(ExitCode::internal, "a log goes on whose files were not held");
  std::optional<FilePosition> messages, json;
  a.section("log");
  a(messages, json);
  archive(a);
  const Held files = *held_;
  const std::string message_path = files.prefix + ".msg";
  const bool json_goes_on = json && !files.json_path.empty();
  if (messages) check_position(message_path, *messages);
  if (json_goes_on) check_position(files.json_path, *json);
  held_.reset();
  if (messages) messages_.open(message_path, *messages);
  if (json_goes_on) {
    json_.open(files.json_path, *json);
  } else if (!files.json_path.empty()) {
    begin_json(files.json_path, files.command_line);
    event_run(files.prefix, files.info);
  }
  const std::string note = fmt::format("Continued from the checkpoint at time = {:.9g}.", time);
  if (messages_.is_open()) messages_.note(note);
  say(note);
  run_status_.phase = in_steps_ ? "steps" : run_status_.phase;
  if (status_) status_->begin(run_status_);
  if (!in_steps_) return;
  call(listener_.begin_steps, run_status_.start, run_status_.end);
  call(listener_.step, run_status_.t, run_status_.step_size, run_status_.steps);
}

void RunLog::echo(const std::string& command) {
  if (command.empty()) return;
  json_.event("command", elapsed(), {{"text", as_utf8(command)}});
  if (messages_.is_open()) messages_.command(command);
}

void RunLog::say(const std::string& text) {
  call(listener_.say, text);
}

void RunLog::warn(const std::string& text) {
  if (!said_.insert(text).second) return;
  warnings_.push_back(text);
  event_message("warning", text);
  if (messages_.is_open()) messages_.warning(text);
  say("warning: " + text);
}

void RunLog::note(const std::string& text) {
  if (!said_.insert(text).second) return;
  event_message("note", text);
  if (messages_.is_open()) messages_.note(text);
}

void RunLog::findings(const Job& job) {
  for (const Diagnostic& d : job.diagnostics.list()) {
    if (d.severity == Severity::warning) warn(to_string(d));
    if (d.severity == Severity::note) note(to_string(d));
  }
  for (const DroppedStatement& d : job.dropped.dropped)
    warn(fmt::format("{}: {} is left out: {}", to_string(d.where), d.label, d.reason));
  for (const Dependent& d : job.dropped.dependents)
    warn(fmt::format("{}: {} is left out because it depends on {}", to_string(d.where), d.label, d.on));
  for (const Edit& edit : job.edits) note(fmt::format("Changed by {}: {}", edit.source, edit.text));
}

void RunLog::message(std::string_view lines) {
  if (messages_.is_open()) messages_.table(lines);
}

void RunLog::settings(std::string_view statement, const std::vector<NamedValue>& list) {
  if (messages_.is_open()) messages_.settings(statement, list);
  for (const NamedValue& entry : list)
    say(fmt::format("  {} {:<20} = {}", statement, entry.name, entry.value));
}

void RunLog::tell(const std::string& text) {
  event_message("note", text);
  if (messages_.is_open()) messages_.note(text);
  say(text);
}

void RunLog::statistics(double time, const StepCounters& c, std::uint64_t records) {
  const std::vector<NamedValue> list = {
      {"Current simulation time", fmt::format("{:.9g}", time)},
      {"Actual number of output records", fmt::format("{}", records)},
      {"Simulation elapsed time (seconds)", fmt::format("{:.2f}", elapsed())},
      {"Simulation CPU time (seconds)", fmt::format("{:.2f}", cpu())},
      {"Number of integration steps", fmt::format("{}", c.steps)},
      {"Number of rejected steps", fmt::format("{}", c.rejected_error + c.rejected_corrector)},
      {"Number of function evaluations", fmt::format("{}", c.evaluations)},
      {"Number of Jacobian evaluations", fmt::format("{}", c.jacobians)},
  };
  if (messages_.is_open()) messages_.statistics(list);
  for (const NamedValue& entry : list) say(fmt::format("  {:<34} ----   {}", entry.name, entry.value));
}

namespace {

SimulationHeader header_of(const Stage& stage) {
  SimulationHeader header;
  header.title = stage.title();
  header.finds_state = stage.analysis == &statics_analysis && stage.finds_state();
  if (!stage.integrates()) {
    header.integrator.clear();
    return header;
  }
  header.integrator = stage.settings.integrator.method;
  header.error = stage.settings.integrator.error;
  if (stage.settings.integrator.stabilized) {
    header.formulation = stage.settings.integrator.formulation();
    header.index = stage.settings.integrator.controls_accelerations ? 1 : 2;
  }
  header.corrector = stage.settings.integrator.modified_corrector ? "modified" : "original";
  return header;
}

}  // namespace

/// Sets the phase, and hands all changes of the status to the status file.
void RunLog::set_phase(const char* phase) {
  run_status_.phase = phase;
  if (status_) status_->set(run_status_);
}

void RunLog::begin_stage(const Stage& stage) {
  set_phase("initial conditions");
  if (messages_.is_open()) messages_.begin_simulation(header_of(stage));
  for (const std::string& text : stage.settings.warnings) warn(text);
  for (const std::string& text : stage.settings.idle) note(text);
}

void RunLog::initial_report(const Model& model, const InitialReport& report, double time) {
  std::vector<RedundantEquation> redundant;
  for (int row : report.redundant) {
    const RowName name = row_name(model, row);
    redundant.push_back({name.equation, name.owner});
  }
  Json names = Json::array();
  for (const RedundantEquation& r : redundant) names.push_back(as_utf8(r.equation + " in " + r.owner));
  json_.event("initial_conditions", elapsed(),
              {{"t", time}, {"degrees_of_freedom", report.degrees_of_freedom}, {"redundant", names}});
  if (messages_.is_open()) messages_.degrees_of_freedom(report.degrees_of_freedom, time, redundant);
  for (const std::string& note : report.notes) warn(note);
  if (!report.moved.empty()) tell(report.moved);
  if (!redundant.empty())
    say(fmt::format("{} redundant constraint equation{} left out, {}; {} names {}.", redundant.size(),
                    redundant.size() == 1 ? " is" : "s are",
                    shared_reactions_ ? "and reactions are shared among all (min-norm)" : "with reaction 0",
                    messages_.path(), redundant.size() == 1 ? "it" : "them"));
}

void RunLog::begin_steps(const Stage& stage) {
  if (messages_.is_open()) messages_.begin_steps(header_of(stage));
  in_steps_ = true;
  row_every_ = debug_.verbose ? 1 : std::max(1, stage.steps / 10);
  records_ = -1;
  last_step_ = with_output_step(stage.settings, stage.output_step).hinit;
  json_.event("simulation", elapsed(),
              {{"begin", stage.begin},
               {"end", stage.end},
               {"output_steps", stage.steps},
               {"error", stage.settings.integrator.error}});
  run_status_.start = stage.begin;
  run_status_.end = stage.end;
  set_phase("steps");
  call(listener_.begin_steps, stage.begin, stage.end);
}

void RunLog::record(double time, const StepCounters& c) {
  if (json_.is_open()) {
    Json fields = {{"t", time}, {"h", last_step_}};
    fields.update(counters_of(c));
    json_.event("output", elapsed(), fields);
  }
  if (!in_steps_ || ++records_ % row_every_ != 0 || !messages_.is_open()) return;
  messages_.step({time, last_step_, c.evaluations, c.steps, c.steps > 0 ? last_order_ : 1, elapsed()});
}

void RunLog::step(const StepResult& step, const StepCounters& counters) {
  last_step_ = step.h;
  last_order_ = step.order;
  call(listener_.step, step.t, step.h, counters.steps);
  run_status_.t = step.t;
  run_status_.steps = counters.steps;
  run_status_.step_size = step.h;
  if (status_) status_->step(step.t, step.h, counters.steps);
}

void RunLog::end_stage(const Stage& stage, double time, const StepCounters& counters) {
  in_steps_ = false;
  call(listener_.end_steps, time, last_step_, counters.steps);
  run_status_.t = time;
  Json fields = {{"t", time}};
  fields.update(counters_of(counters));
  json_.event("simulation_end", elapsed(), fields);
  if (messages_.is_open()) messages_.end_simulation(header_of(stage));
}

namespace {

std::string on_processor(const GuardedSystem& system, const ComputeSettings& compute) {
  const EliminationOrder& order = system.order();
  const double work = order.flops / std::max(1.0, order.nonzeros);
  return fmt::format(
      "Linear solver: {}{}. {} unknowns eliminated in the order of {}: about {:.3g} nonzeros in "
      "the factors, {:.3g} operations ({:.2g} per nonzero), {} levels. Threads: {}.",
      system.solver_name(), compute.linear_solver == "auto" ? " (chosen by the operations per nonzero)" : "",
      order.unknowns.size(), order.method, order.nonzeros, order.flops, work, order.levels, compute.threads);
}

std::string elimination_on_device(const DeviceSystem& system) {
  const DeviceSystemInfo& info = system.info();
  if (!info.version.empty())
    return fmt::format("{} ({}) in the order of {}", info.solver, info.version, system.order().method);
  return fmt::format(
      "multifrontal elimination in the order of {}, {:.3g} operations, {} fronts in {} levels, {} launches "
      "for a factorization and {} for a solution",
      system.order().method, info.flops, info.fronts, info.levels, info.factor_launches, info.solve_launches);
}

std::string on_device(const DeviceEquations& equations) {
  const bool own =
      equations.system().info().version.empty();  // the factors of a library are made with the first matrix
  const Device& device = equations.device();
  const std::string why = equations.why_program_decides();
  const std::string decisions =
      why.empty() ? "" : fmt::format(" The program makes each decision in a step: {}.", why);
  return fmt::format("Back end: {}, {}. The steps are computed there; tables{} take {:.1f} MB: {}.{}",
                     device.backend(), device.info().name, own ? ", matrix and factors" : " and matrix",
                     1e-6 * double(equations.bytes()), elimination_on_device(equations.system()), decisions);
}

}  // namespace

void RunLog::backend_choice(const std::string& sentence, bool timed) {
  run_status_.backend_choice = sentence;
  timed ? tell(sentence) : note(sentence);
}

void RunLog::device_failed(const std::string& sentence, const Session& session) {
  run_status_.backend_choice = sentence;
  run_status_.backend = "cpu";
  run_status_.linear_solver = session.systems().of_steps().solver_name();
  warn(sentence);
}

void RunLog::solver(const Session& session, const ComputeSettings& compute) {
  shared_reactions_ = compute.share_reactions;
  const DeviceEquations* device = session.systems().on_device();
  run_status_.backend = device ? device->device().backend() : "cpu";
  run_status_.linear_solver =
      device ? device->system().info().solver : session.systems().of_steps().solver_name();
  note(device ? on_device(*device) : on_processor(session.systems().of_steps(), compute));
}

std::string rounding_warning(const StepCounters& counters) {
  if (counters.rounding == 0) return {};
  return fmt::format(
      "In {} steps rounding displaced the mechanism or its states by more than ERROR allows, and was "
      "accepted in its place: near singular positions, or since ERROR is below what numbers of this size "
      "can hold. Reactions at these times are uncertain.",
      counters.rounding);
}

void RunLog::counters(const StepCounters& c, const SystemCounters& linear, double rounding_limited_step) {
  if (!messages_.is_open()) return;
  messages_.note(fmt::format(
      "{} steps, {} rejected (error {}, corrector {}), {} evaluations, {} Jacobians, {} factorizations.",
      c.steps, c.rejected_error + c.rejected_corrector, c.rejected_error, c.rejected_corrector, c.evaluations,
      c.jacobians, linear.factorizations + linear.refactorizations));
  if (rounding_limited_step > 0)
    messages_.note(fmt::format(
        "In steps of up to {:.3g} the equations were solved to rounding before the corrector's own "
        "test was met.",
        rounding_limited_step));
  if (c.partitions > 0)
    messages_.note(fmt::format("Other independent coordinates were chosen {} times.", c.partitions));
  const std::string rounding = rounding_warning(c);
  if (!rounding.empty()) messages_.warning(rounding);
}

void RunLog::phases(const PhaseTimes& times) {
  const double all = elapsed();
  const double steps = times.equations + times.tangent + times.factorization + times.solution + times.waiting;
  std::vector<std::pair<const char*, double>> parts{{"equations", times.equations},
                                                    {"tangent", times.tangent},
                                                    {"factorization", times.factorization},
                                                    {"solution", times.solution}};
  if (times.waiting > 0) parts.emplace_back("waiting for the device", times.waiting);
  parts.emplace_back("reading, start, results, rest", all - steps);
  std::string text = fmt::format("{:<30} {:>10.3g} s", "time since the start", all);
  for (const auto& [name, seconds] : parts)
    text += fmt::format("\n  {:<28} {:>10.3g} s {:>5.1f} %", name, seconds, 100 * seconds / all);
  if (times.waiting > 0)
    text += "\nOf steps on a device the phases are the submission of its work, which waiting is for.";
  say(text);
}

void RunLog::close_messages() {
  if (messages_.is_open()) messages_.finish(elapsed(), cpu());
}

void RunLog::close_status(const char* state, int exit_code, const std::vector<FileReport>& files) {
  if (!status_) return;
  run_status_.state = state;
  run_status_.exit_code = exit_code;
  run_status_.files.clear();
  for (const FileReport& f : files) run_status_.files.push_back({f.path, f.bytes});
  if (!messages_.path().empty()) run_status_.files.push_back({messages_.path(), messages_.size()});
  status_->end(run_status_);
}

void RunLog::finish(double time, int exit_code, const std::vector<FileReport>& files) {
  run_status_.t = time;
  if (exit_code != 0) {
    run_status_.message = fmt::format("stopped by {} at time {:.9g}; results up to there are kept",
                                      signal_name(exit_code - 128), time);
    warn(run_status_.message);
  }
  close_messages();
  close_status(exit_code == 0 ? "finished" : "stopped", exit_code, files);
  event_end(exit_code == 0 ? "finished" : "stopped", exit_code, files);
}

namespace {

/// Ignores a second failure while closing (the same full disk): the first failure is the one to mend.
template <class Action>
void try_to(Action action) {
  try {
    action();
  } catch (const std::exception&) {
  }
}

}  // namespace

void RunLog::tell_error(const Failure& failure) {
  const std::string text = failure.what();
  call(listener_.error, text);
  run_status_.message = text;
  try_to([&] { event_message("error", text); });
  try_to([&] { event_failure(failure); });
  try_to([&] {
    if (messages_.is_open()) messages_.error(text);
  });
}

void RunLog::failed(int exit_code, const std::vector<FileReport>& files) {
  try_to([&] { close_messages(); });
  try_to([&] { close_status("failed", exit_code, files); });
  try_to([&] { event_end("failed", exit_code, files); });
}

}  // namespace trammel
