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
  double end = 0;          ///< model time; of no meaning to an analysis of one point
  int steps = 0;           ///< output steps; 0: of one point
  double output_step = 0;  ///< the last one may be shorter; 0: `steps` equal ones
};

enum class AnalysisEnd {
  complete,
  interrupted,  ///< by SessionEvents::interrupted
  returned,     ///< by a sensor with RETURN: the next command follows
  halted,       ///< by a sensor with HALT: no command follows
};

/// One kind of analysis of the session's model. It lives as long as the session: what a later command can go
/// on with (an integrator with its history) is kept in between.
class Analysis {
 public:
  virtual ~Analysis() = default;
  /// All before the first step. Throws Failure(input) for a plan that cannot be.
  virtual void begin(const AnalysisPlan& plan) = 0;
  /// From where it is to its end. Throws Failure(solver) with the records up to there delivered.
  virtual AnalysisEnd go_on() = 0;
  /// Saves where it is, or restores that in place of begin(), after state and systems of the session.
  virtual void archive(Archive&) {}
  /// The sensor that ended it; null: none.
  virtual const Sensor* ended_by() const { return nullptr; }
};

/// What an analysis finds: one state, states over an interval of time, or what the command asks for.
enum class Extent { point, interval, either };

/// A kind of analysis, as analysis/analyses/list.h has it.
struct AnalysisRow {
  std::string_view name;   ///< by which SIMULATE asks for it: "DYNAMICS"
  std::string_view title;  ///< in messages: "Dynamic Simulation"
  Extent extent;
  std::unique_ptr<Analysis> (*make)(Session&);
  bool integrates = false;                ///< it takes steps of the INTEGRATOR
  std::string_view title_over_time = {};  ///< of Extent::either, over an interval
};

}  // namespace trammel
