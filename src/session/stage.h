// One command of a run, planned.
#pragma once

#include <optional>
#include <string>

#include "analysis/analyses/list.h"
#include "analysis/settings.h"
#include "dataset/description.h"
#include "session/debug_words.h"

namespace trammel {

struct CommandRow;

/// END, DURATION, DTOUT, STEPS as given.
struct Interval {
  std::optional<double> end, duration, dtout;
  std::optional<int> steps;
  bool given() const { return end || duration; }
};

struct Stage {
  const CommandRow* row = nullptr;  ///< by which it is carried out; null: nothing but its echo
  std::string echo;
  Location where;
  Statement statement;        ///< the command; none with --end alone
  DynamicsSettings settings;  ///< in force there
  DebugWords debug;           ///< the same

  // What it does, as far as others have to know.
  const AnalysisRow* analysis = nullptr;  ///< that it runs; null: none
  bool changes_model = false;             ///< which has been in use
  /// Runs an analysis that takes an interval of time.
  bool takes_steps() const {
    return analysis &&
           (analysis->extent == Extent::interval || (analysis->extent == Extent::either && interval.given()));
  }
  std::string_view title() const {
    return takes_steps() && analysis->extent == Extent::either ? analysis->title_over_time : analysis->title;
  }
  /// Takes those of the INTEGRATOR.
  bool integrates() const { return analysis && analysis->integrates; }
  /// Runs one that finds a state, which is one record.
  bool finds_state() const { return analysis && !takes_steps(); }

  // Of one that takes steps.
  double begin = 0, end = 0;  ///< model time
  int steps = 0;              ///< output steps
  double output_step = 0;     ///< the last one may be shorter
  AnalysisPlan plan() const { return takes_steps() ? AnalysisPlan{end, steps, output_step} : AnalysisPlan{}; }
  Interval interval;        ///< from which these four were made
  bool ends_early = false;  ///< a sensor may end it, or one before it, so that it begins or ends earlier
};

inline constexpr int default_steps = 100;  ///< where neither STEPS nor DTOUT is given

/// Works out begin, end and output steps of a simulation that begins at `now`; throws Failure(input) when it
/// ends before.
void set_interval(Stage& stage, double now);

}  // namespace trammel
