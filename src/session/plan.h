// What a run does, in order, worked out before it starts: mistakes in the last command of a long run are
// found in its first second.
#pragma once

#include <optional>
#include <vector>

#include "analysis/settings.h"
#include "output/output_set.h"
#include "session/job.h"

namespace trammel {

/// END, DURATION, DTOUT, STEPS as given.
struct Interval {
  std::optional<double> end, duration, dtout;
  std::optional<int> steps;
};

/// One command of a run, with what it needs.
struct Stage {
  enum class Kind {
    command,             ///< nothing but its echo
    initial_conditions,  ///< SIMULATE/INITIAL_CONDITIONS
    dynamics,            ///< SIMULATE/DYNAMICS or TRANSIENT
    change,              ///< of the model, after it has been in use
    info,                ///< INFO
    show,                ///< SHOW
  };
  Kind kind = Kind::command;
  std::string echo;
  Location where;
  double begin = 0, end = 0;  ///< model time
  int steps = 0;              ///< output steps
  double output_step = 0;     ///< the last one may be shorter
  Interval interval;          ///< from which these four were made
  bool ends_early = false;    ///< a sensor may end it, or one before it, so that it begins or ends earlier
  Statement statement;        ///< of change and info
  bool transient = false;     ///< kinematic where nothing is free: no warning for that
  DynamicsSettings settings;  ///< in force there
};

/// --end, --dtout, --steps. With a command file they replace what its last SIMULATE says.
struct TimeOptions {
  std::optional<double> end, dtout;
  std::optional<int> steps;
  bool given() const { return end || dtout || steps; }
};

/// Failure(usage) for times and steps that make no sense, together or alone.
void check_times(const TimeOptions& options);
/// Failure(usage) for a dataset without --end: it does not say how long to simulate.
void check_end_is_known(const Job& job, const TimeOptions& options);

struct Plan {
  std::vector<Stage> stages;
  DynamicsSettings settings;    ///< at the start
  std::vector<Format> formats;  ///< native, and what OUTPUT and RESULTS ask for
  ResultsOptions results;       ///< RESULTS
  TableOptions table;           ///< OUTPUT
  /// Output records of all stages, as far as no sensor ends one or adds some.
  long long records() const;
  /// Those that the native file keeps with --every.
  long long kept_records(int every) const;
};

/// Options of the result files: RESULTS, OUTPUT, --single, --every, and TRAMMEL_FLUSH_SECONDS (2), the
/// longest time for which results are held back [s]; Failure(usage) where that is no time.
OutputOptions output_options(const Plan& plan, bool single_precision, int every);

/// Works out begin, end and output steps of a simulation that begins at `now`; throws Failure(input) when it
/// ends before.
void set_interval(Stage& stage, double now);

/// Merges the settings commands into the description, works out every SIMULATE, and adds mistakes to
/// job.diagnostics: END before the present time (3), unsupported or, with --strict, replaced integrators (4).
/// Changes before the model is first used are made in job.description; later ones become stages, and the
/// models that they make are compiled and checked here, each before its SIMULATE.
/// Throws Failure(usage) for options that do not fit, and Failure(input) for a command file that simulates
/// nothing.
Plan make_plan(Job& job, const TimeOptions& options, bool strict, bool permissive);

struct PlannedModel {
  Plan plan;
  Model model;  ///< after the changes that come before its first use
};

/// make_plan() and compile(). After mistakes of the deck they go as far as these allow, and add those of
/// their own; the model must then not be run.
PlannedModel plan_and_compile(Job& job, const TimeOptions& options, bool strict, bool permissive);
/// That no INTEGRATOR stands before the first simulation, and what is taken for it; "" where one does. `plan`
/// is the job's; `given`: integrator_is_given() before the plan was made.
std::string integrator_note(const Plan& plan, bool given);
bool integrator_is_given(const Job& job);

inline constexpr int default_steps = 100;  ///< where neither STEPS nor DTOUT is given

}  // namespace trammel
