#include "app/plan.h"

#include <algorithm>
#include <cmath>

#include "app/output_statements.h"

namespace trammel {

namespace {

constexpr double most_steps = 1e8;

/// END, DTOUT, STEPS as given.
struct Given {
  std::optional<double> end, duration, dtout;
  std::optional<int> steps;
};

Given given_by(const Statement& s) {
  Given g;
  if (s.has("END")) g.end = s.real("END", 0);
  if (s.has("DURATION")) g.duration = s.real("DURATION", 0);
  if (s.has("DTOUT")) g.dtout = s.real("DTOUT", 0);
  if (s.has("STEPS")) g.steps = s.integer("STEPS", 0);
  return g;
}

/// The command line over a statement.
Given overridden(Given g, const TimeOptions& options) {
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
void set_output_steps(Stage& stage, const Given& g) {
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

/// Works out one interval after `now`; throws Failure without its place.
void set_interval(Stage& stage, const Given& g, double now) {
  stage.begin = now;
  stage.end = g.duration ? now + *g.duration : g.end.value_or(now);
  if (!(stage.end > now))
    fail(ExitCode::input, "END = {:.9g} is not after the present time {:.9g}; give a later END, or DURATION",
         stage.end, now);
  set_output_steps(stage, g);
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
      : job_(job), options_(options), strict_(strict), permissive_(permissive) {}

  Plan make() {
    read_settings_at({job_.description.file, 0});
    plan_.settings = settings_;
    read_files();
    if (!job_.has_command_file) {
      if (options_.end) add_from_options();
      return std::move(plan_);
    }
    for (const Command& c : job_.commands.commands)
      if (is_simulation(c.statement)) last_ = &c;
    for (const Command& c : job_.commands.commands) add(c);
    if (!last_ && options_.end) add_from_options();
    if (plan_.stages.empty() || !simulates_) nothing_to_do();
    return std::move(plan_);
  }

 private:
  void read_settings_at(const Location& where) {
    settings_ = read_settings(job_.description, job_.diagnostics, permissive_);
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
      merge(job_.description, s, job_.diagnostics);
      const bool files = s.spec->keyword == "OUTPUT" || s.spec->keyword == "RESULTS";
      if (!files) read_settings_at(c.where);
      if (files && !simulates_) read_files();
      if (files && simulates_)
        job_.diagnostics.warning(
            c.where, "{}: the result files are open since the first SIMULATE; this has no effect", s.label());
    } else if (s.spec->keyword == "SIMULATE") {
      simulates_ = true;
      stage.kind = is_simulation(s) ? Stage::Kind::dynamics : Stage::Kind::initial_conditions;
      stage.transient = s.has("TRANSIENT");
      if (is_simulation(s)) add_interval(stage, c);
    }
    stage.settings = settings_;
    plan_.stages.push_back(std::move(stage));
  }

  void add_interval(Stage& stage, const Command& c) {
    const bool changed = &c == last_ && options_.given();
    try {
      set_interval(stage, changed ? overridden(given_by(c.statement), options_) : given_by(c.statement),
                   now_);
    } catch (const Failure& failure) {
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
    Given g;
    try {
      set_interval(stage, overridden(g, options_), now_);
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
  Plan plan_;
  DynamicsSettings settings_;
  const Command* last_ = nullptr;
  double now_ = 0;
  bool simulates_ = false, said_binary_ = false;
};

}  // namespace

long long Plan::records() const {
  long long n = 0;
  for (const Stage& stage : stages)
    n +=
        stage.kind == Stage::Kind::dynamics ? stage.steps + 1 : stage.kind == Stage::Kind::initial_conditions;
  return n;
}

Plan make_plan(Job& job, const TimeOptions& options, bool strict, bool permissive) {
  return Planner(job, options, strict, permissive).make();
}

}  // namespace trammel
