// What every analysis of a model has in common: it begins with a plan, and runs to its end.
#pragma once

#include <memory>
#include <string_view>

#include "model/model.h"

namespace trammel {

class Archive;
class Session;

/// What a command asks of an analysis.
struct AnalysisPlan {
  double end = 0;          ///< model time; not used by an analysis of one point
  int steps = 0;           ///< number of output steps; 0: an analysis of one point
  double output_step = 0;  ///< [time], the last may be shorter; 0: `steps` equal ones
  /// Between outputs, of a simulation that begins at t.
  double interval(double t) const { return output_step > 0 ? output_step : (end - t) / steps; }
};

enum class AnalysisEnd {
  complete,
  interrupted,  ///< by SessionEvents::interrupted
  returned,     ///< by a sensor with RETURN: the next command follows
  halted,       ///< by a sensor with HALT: no command follows
};

/// One kind of analysis of the session's model. It lives as long as the session: what a later command can
/// continue with (an integrator with its history) is kept between commands.
class Analysis {
 public:
  virtual ~Analysis() = default;
  /// Does everything that comes before the first step. Throws Failure(input) for a plan that cannot be
  /// carried out.
  virtual void begin(const AnalysisPlan& plan) = 0;
  /// Runs from the present state to the end of the plan. Throws Failure(solver); the records up to the
  /// failure have been delivered.
  virtual AnalysisEnd go_on() = 0;
  /// Saves the position of the analysis in its plan, or restores it in place of begin(), after state and
  /// systems of the session.
  virtual void archive(Archive&) {}
  /// The sensor that ended the analysis; null: none did.
  virtual const Sensor* ended_by() const { return nullptr; }
};

/// What an analysis finds: one state, states over an interval of time, or what the command asks for.
enum class Extent { point, interval, either };

/// A kind of analysis, as analysis/analyses/list.h has it.
struct AnalysisRow {
  std::string_view name;   ///< the word of SIMULATE that asks for it: "DYNAMICS"
  std::string_view title;  ///< in messages: "Dynamic Simulation"
  Extent extent;
  std::unique_ptr<Analysis> (*make)(Session&);
  bool integrates = false;                ///< whether it takes steps of the INTEGRATOR
  std::string_view title_over_time = {};  ///< title over an interval, where `extent` is either
};

}  // namespace trammel
