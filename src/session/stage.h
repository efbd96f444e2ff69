// A planned command of a run.
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
  const CommandRow* row = nullptr;  ///< executes the stage; null: it is only echoed
  std::string echo;
  Location where;
  Statement statement;        ///< the command; without `spec` where --end alone asks for the simulation
  DynamicsSettings settings;  ///< in force at this command
  DebugWords debug;           ///< in force at this command

  // What the stage does, as far as other parts of the program need to know.
  const AnalysisRow* analysis = nullptr;  ///< the analysis that it runs; null: none
  bool changes_model = false;             ///< changes a model that has been in use
  /// Whether the stage runs an analysis over an interval of time.
  bool takes_steps() const {
    return analysis &&
           (analysis->extent == Extent::interval || (analysis->extent == Extent::either && interval.given()));
  }
  std::string_view title() const {
    return takes_steps() && analysis->extent == Extent::either ? analysis->title_over_time : analysis->title;
  }
  /// Whether the stage takes steps of the INTEGRATOR.
  bool integrates() const { return analysis && analysis->integrates; }
  /// Whether the stage runs an analysis of one state, which is one record.
  bool finds_state() const { return analysis && !takes_steps(); }

  // Of a stage that takes steps:
  double begin = 0, end = 0;  ///< model time
  int steps = 0;              ///< output steps
  double output_step = 0;     ///< [time], the last may be shorter
  AnalysisPlan plan() const { return takes_steps() ? AnalysisPlan{end, steps, output_step} : AnalysisPlan{}; }
  Interval interval;  ///< the arguments that give these four
  /// A sensor may end this stage, or an earlier one, so that begin or end may be earlier.
  bool ends_early = false;
};

inline constexpr int default_steps = 100;  ///< where neither STEPS nor DTOUT is given

/// Works out begin, end and output steps from stage.interval, for a simulation that begins at `now`; throws
/// Failure(input) where it would end before.
void set_interval(Stage& stage, double now);

}  // namespace trammel
