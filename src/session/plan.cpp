#include "session/plan.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/text.h"
#include "dataset/changes.h"
#include "dataset/check.h"
#include "model/compile.h"
#include "session/output_statements.h"

namespace trammel {

namespace {

constexpr double most_steps = 1e8;

Interval given_by(const Statement& s) {
  Interval g;
  if (s.has("END")) g.end = s.real("END", 0);
  if (s.has("DURATION")) g.duration = s.real("DURATION", 0);
  if (s.has("DTOUT")) g.dtout = s.real("DTOUT", 0);
  if (s.has("STEPS")) g.steps = s.integer("STEPS", 0);
  return g;
}

/// The command line over a statement.
Interval overridden(Interval g, const TimeOptions& options) {
  if (options.end) {
    g.end = options.end;
    g.duration.reset();
  }
  if (options.dtout || options.steps) {
    g.dtout = options.dtout;
    g.steps = options.steps;
  }
  return g;
}

/// Output times begin + k·step, the last one at the end. Equal steps where STEPS is given or DTOUT goes into
/// the interval (to 1e-6 of a step: decks give END and DTOUT with few digits).
void set_output_steps(Stage& stage, const Interval& g) {
  const double interval = stage.end - stage.begin;
  double count = g.steps ? *g.steps : default_steps;
  stage.output_step = 0;
  if (g.dtout) {
    const double ratio = interval / *g.dtout;
    count = std::max(1.0, std::ceil(ratio - 1e-6));
    if (std::abs(ratio - count) > 1e-6) stage.output_step = std::min(*g.dtout, interval);
  }
  if (!(count <= most_steps))
    fail(ExitCode::input, "{:.3g} output steps are more than 100 million; choose a larger DTOUT", count);
  stage.steps = static_cast<int>(count);
  if (stage.output_step == 0) stage.output_step = interval / count;
}

bool is_simulation(const Statement& s) {
  return s.spec->keyword == "SIMULATE" && !s.has("INITIAL_CONDITIONS");
}

bool is_setting(const Statement& s) {
  for (std::string_view keyword : {"INTEGRATOR", "IC", "OUTPUT", "RESULTS"})
    if (s.spec->keyword == keyword) return true;
  return false;
}

class Planner {
 public:
  Planner(Job& job, const TimeOptions& options, bool strict, bool permissive)
      : job_(job),
        options_(options),
        strict_(strict),
        permissive_(permissive),
        mistakes_before_(job.diagnostics.count(Severity::error)) {}

  Plan make() {
    read_settings_at({job_.description.file, 0});
    plan_.settings = settings_;
    read_files();
    if (!job_.has_command_file) {
      if (options_.end) add_from_options();
      return std::move(plan_);
    }
    for (const Command& c : job_.commands.commands)
      if (is_simulation(c.statement)) {
        if (!last_) first_simulation_ = &c;
        last_ = &c;
      }
    for (const Command& c : job_.commands.commands) add(c);
    begin_use();
    if (!last_ && options_.end) add_from_options();
    if (plan_.stages.empty() || !simulates_) nothing_to_do();
    return std::move(plan_);
  }

 private:
  void read_settings_at(const Location& where) {
    settings_ = read_settings(job_.description, job_.diagnostics, permissive_);
    settings_.initial.keep_exact = strict_;
    if (!strict_) return;
    for (const std::string& text : settings_.warnings)
      job_.diagnostics.unsupported(where, "INTEGRATOR: {} (--strict)", text);
    for (const std::string& text : settings_.idle) job_.diagnostics.unsupported({}, "{} (--strict)", text);
  }

  void read_files() {
    const Statement* output = job_.description.find("OUTPUT");
    const Statement* results = job_.description.find("RESULTS");
    plan_.formats = chosen_formats(output, results);
    plan_.results = results_options(results);
    plan_.table = table_options(output);
    if (results && !results->has("XRF") && !said_binary_) {
      job_.diagnostics.note(
          results->where,
          "RESULTS without XRF: that format is not written; all channels are in the .nc file");
      said_binary_ = true;
    }
  }

  void add(const Command& c) {
    const Statement& s = c.statement;
    Stage stage;
    stage.echo = c.echo;
    stage.where = c.where;
    if (is_setting(s)) {
      apply_change(job_.description, s, job_.diagnostics);
      const bool files = s.spec->keyword == "OUTPUT" || s.spec->keyword == "RESULTS";
      if (!files) read_settings_at(c.where);
      if (files && !simulates_) read_files();
      if (files && simulates_)
        job_.diagnostics.warning(
            c.where, "{}: the result files are open since the first SIMULATE; this has no effect", s.label());
    } else if (changes_model(s)) {
      add_change(stage, s);
    } else if (s.spec->keyword == "SIMULATE") {
      begin_use();
      simulates_ = true;
      stage.kind = is_simulation(s) ? Stage::Kind::dynamics : Stage::Kind::initial_conditions;
      stage.transient = s.has("TRANSIENT");
      if (is_simulation(s)) add_interval(stage, c);
    } else if (s.spec->keyword == "INFO") {
      begin_use();
      if (markers_are_there(s)) stage.kind = Stage::Kind::info;
      stage.statement = s;
    } else if (s.spec->keyword == "SHOW") {
      stage.kind = Stage::Kind::show;
    }
    stage.settings = settings_;
    plan_.stages.push_back(std::move(stage));
  }

  /// The description with all changes so far.
  Description& present() { return later_ ? *later_ : job_.description; }

  void add_change(Stage& stage, const Statement& s) {
    if (permissive_) {
      std::string missing = missing_target(present(), s);
      const Absence* named = missing.empty() ? absent_mention(present(), s) : nullptr;
      if (named) missing = (named->label.empty() ? "what it names" : named->label) + " is left out";
      if (!missing.empty()) {
        job_.diagnostics.warning(s.where, "{}: {}; this command is left out", s.label(), missing);
        return;
      }
    }
    if (in_use_ && s.spec->keyword == "UNITS") {
      job_.diagnostics.error(s.where, "UNITS: they cannot change once the model is in use");
      return;
    }
    if (in_use_) {
      if (!later_) later_ = job_.description;
      stage.kind = Stage::Kind::change;
      stage.statement = s;
    }
    apply_change(present(), s, job_.diagnostics);
    changes_.push_back(s);
  }

  /// Before the model is used: checks what changes have made of it. The first model is compiled by the run.
  void begin_use() {
    in_use_ = true;
    if (changes_.empty() || job_.diagnostics.count(Severity::error) > mistakes_before_) return;
    Diagnostics found;
    check_description(present(), found);
    if (later_ && !found.has_errors()) compile(*later_, found);
    for (const Diagnostic& d : found.list())
      if (d.severity == Severity::error) job_.diagnostics.add(at_its_change(d));
    changes_.clear();
  }

  /// A mistake that changes made, at the command that names its statement, else at the last one; the dataset
  /// had none there before.
  Diagnostic at_its_change(Diagnostic d) const {
    if (d.where.file != job_.description.file) return d;
    const Statement* cause = &changes_.back();
    for (const Statement& change : changes_)
      if (d.text.starts_with(change.label())) cause = &change;
    d.text += fmt::format(" ({})", to_string(d.where));
    d.where = cause->where;
    return d;
  }

  /// False for an INFO that cannot be answered.
  bool markers_are_there(const Statement& info) {
    bool all = true;
    for (const Argument& a : info.arguments) {
      if (a.field->refers.empty()) continue;
      const int id = static_cast<int>(a.numbers.front());
      if (present().find(a.field->refers, id)) continue;
      all = false;
      if (!present().find_absent(a.field->refers, id))
        job_.diagnostics.error(a.where, "INFO: marker {} does not exist", id);
      else if (permissive_)
        job_.diagnostics.warning(a.where, "INFO: marker {} is left out; this command is left out", id);
    }
    return all;
  }

  /// A sensor with a mistake may as well be one that returns.
  bool sensor_may_return() {
    const auto& absent = present().absent;
    if (!permissive_ && std::any_of(absent.begin(), absent.end(), [](const Absence& a) {
          return a.keyword.empty() || a.keyword == "SENSOR";
        }))
      return true;
    const auto& list = present().statements;
    return std::any_of(list.begin(), list.end(), [](const Statement& s) {
      return s.active && s.spec->keyword == "SENSOR" && s.has("RETURN");
    });
  }

  void add_interval(Stage& stage, const Command& c) {
    const bool changed = &c == last_ && options_.given();
    stage.interval = given_by(c.statement);
    if (changed) stage.interval = overridden(stage.interval, options_);
    stage.ends_early = uncertain_ = uncertain_ || sensor_may_return();
    try {
      set_interval(stage, now_);
    } catch (const Failure& failure) {
      if (stage.ends_early && &c != first_simulation_) {  // decided when the time comes
        stage.end = stage.begin;
        return;
      }
      if (changed)
        fail(ExitCode::usage, "--end, --dtout, --steps: {} ({})", failure.what(), to_string(c.where));
      // Decks whose sensors end simulations early (left out here) repeat an END.
      if (permissive_)
        job_.diagnostics.warning(c.where, "SIMULATE: {}: this command is left out", failure.what());
      else
        job_.diagnostics.error(c.where, "SIMULATE: {}", failure.what());
      stage.kind = Stage::Kind::command;
      return;
    }
    now_ = stage.end;
  }

  void add_from_options() {
    Stage stage;
    stage.kind = Stage::Kind::dynamics;
    stage.settings = settings_;
    stage.interval = overridden({}, options_);
    stage.ends_early = uncertain_;
    try {
      set_interval(stage, now_);
    } catch (const Failure& failure) {
      fail(ExitCode::usage, "--end, --dtout, --steps: {}", failure.what());
    }
    simulates_ = true;
    plan_.stages.push_back(std::move(stage));
  }

  [[noreturn]] void nothing_to_do() const {
    for (const DroppedStatement& d : job_.dropped.dropped)
      if (d.keyword == "SIMULATE")
        fail(ExitCode::unsupported, "{}: {} is left out ({}), and no other simulation is asked for",
             to_string(d.where), d.label, d.reason);
    fail(
        ExitCode::input,
        "{}: no SIMULATE command, so there is nothing to compute; add SIMULATE/DYNAMIC, END=1, STEPS=100, or "
        "give --end",
        job_.commands.path);
  }

  Job& job_;
  const TimeOptions& options_;
  bool strict_, permissive_;
  int mistakes_before_;  ///< errors of the deck, told before
  Plan plan_;
  DynamicsSettings settings_;
  const Command *first_simulation_ = nullptr, *last_ = nullptr;
  std::optional<Description> later_;  ///< with the changes since the model is in use
  double now_ = 0;                    ///< the latest possible time
  bool uncertain_ = false;            ///< a sensor may have ended a simulation before
  bool in_use_ = false;
  std::vector<Statement> changes_;  ///< since the model was checked
  bool simulates_ = false, said_binary_ = false;
};

}  // namespace

void check_times(const TimeOptions& o) {
  if (o.dtout && o.steps) fail(ExitCode::usage, "--dtout and --steps exclude each other");
  if (o.end && !std::isfinite(*o.end)) fail(ExitCode::usage, "--end: a finite time is needed");
  if (o.dtout && !(*o.dtout > 0 && std::isfinite(*o.dtout)))
    fail(ExitCode::usage, "--dtout must be positive");
  if (o.steps && *o.steps < 1) fail(ExitCode::usage, "--steps must be 1 or more");
}

void check_end_is_known(const Job& job, const TimeOptions& options) {
  if (!job.has_command_file && !options.end)
    fail(ExitCode::usage,
         "{}: a dataset does not say how long to simulate; give --end 1 (and --dtout or --steps), or run a "
         "command file (.acf)",
         job.file);
}

OutputOptions output_options(const Plan& plan, bool single_precision, int every) {
  OutputOptions options;
  options.results = plan.results;
  options.table = plan.table;
  options.single_precision = single_precision;
  options.every = every;
  if (const char* text = std::getenv("TRAMMEL_FLUSH_SECONDS")) {
    const auto seconds = parse_number(text);
    if (!seconds || !(*seconds >= 0))
      fail(ExitCode::usage, "TRAMMEL_FLUSH_SECONDS: \"{}\" is no time in seconds", text);
    options.flush_seconds = *seconds;
  }
  return options;
}

void set_interval(Stage& stage, double now) {
  const Interval& g = stage.interval;
  stage.begin = now;
  stage.end = g.duration ? now + *g.duration : g.end.value_or(now);
  if (!std::isfinite(stage.end))
    fail(ExitCode::input, "the end is beyond the largest number, 1.8E308; give an earlier END, or DURATION");
  if (!(stage.end > now))
    fail(ExitCode::input, "END = {:.9g} is not after the present time {:.9g}; give a later END, or DURATION",
         stage.end, now);
  set_output_steps(stage, g);
}

long long Plan::records() const {
  long long n = 0;
  for (const Stage& stage : stages)
    n +=
        stage.kind == Stage::Kind::dynamics ? stage.steps + 1 : stage.kind == Stage::Kind::initial_conditions;
  return n;
}

long long Plan::kept_records(int every) const {
  // Of a row of n records of one kind: the first, every so many after it, the last.
  const auto kept = [every](long long n) {
    return n == 0 ? 0 : 1 + (n - 1) / every + ((n - 1) % every != 0 ? 1 : 0);
  };
  bool initial = true;  // the next record is of initial conditions: the first, and after changes of the model
  long long sum = 0;
  for (const Stage& stage : stages) {
    if (stage.kind == Stage::Kind::change) initial = true;
    if (stage.kind == Stage::Kind::initial_conditions) {
      sum += 1;
      initial = false;
    }
    if (stage.kind != Stage::Kind::dynamics) continue;
    sum += initial ? 1 + kept(stage.steps) : kept(stage.steps + 1);
    initial = false;
  }
  return sum;
}

Plan make_plan(Job& job, const TimeOptions& options, bool strict, bool permissive) {
  return Planner(job, options, strict, permissive).make();
}

PlannedModel plan_and_compile(Job& job, const TimeOptions& options, bool strict, bool permissive) {
  PlannedModel out;
  const auto in_commands = [&](const Diagnostic& d) {
    return d.severity == Severity::error && d.where.file != job.description.file;
  };
  const auto& told = job.diagnostics.list();
  const bool wrong_deck = job.diagnostics.has_errors();
  const bool wrong_commands = std::any_of(told.begin(), told.end(), in_commands);
  std::optional<Diagnostic> stopped;
  try {
    out.plan = make_plan(job, options, strict, permissive);
  } catch (const Failure& failure) {
    if (!wrong_deck && failure.code() == ExitCode::usage) throw;
    stopped = Diagnostic{Severity::error, {}, failure.what(), failure.code()};
  }
  if (job.diagnostics.has_errors()) set_wrong_aside(job);
  out.model = compile(job.description, job.diagnostics);
  // After mistakes in the commands the plan may fail because of these.
  if (stopped && !wrong_commands && stopped->code != ExitCode::usage) job.diagnostics.add(*stopped);
  keep_each_once(job.diagnostics);
  return out;
}

bool integrator_is_given(const Job& job) {
  if (job.description.find("INTEGRATOR")) return true;
  for (const Command& c : job.commands.commands) {
    if (c.statement.spec->keyword == "INTEGRATOR") return true;
    if (is_simulation(c.statement)) return false;
  }
  return false;
}

std::string integrator_note(const Plan& plan, bool given) {
  if (given) return "";
  for (const Stage& stage : plan.stages)
    if (stage.kind == Stage::Kind::dynamics)
      return fmt::format(
          "No INTEGRATOR is given: HHT with ERROR = {:.6g} is used (ADAMS would take GSTIFF with ERROR = "
          "0.001).",
          stage.settings.hht.error);
  return "";
}

}  // namespace trammel
