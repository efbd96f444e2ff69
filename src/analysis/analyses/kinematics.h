// Kinematics: positions, velocities, accelerations and reactions of a model that motions and joints determine
// completely. Source: ADAMS/Solver primer, sections 4 and 7.4, Eq. 43-45.
#pragma once

#include "analysis/analyses/sequence.h"
#include "analysis/counted_turns.h"

namespace trammel {

class KinematicAnalysis final : public Sequence {
 public:
  explicit KinematicAnalysis(Session& session);
  void begin(const AnalysisPlan& plan) override;
  void archive(Archive& a) override;

  /// Why the model has no kinematics: its degrees of freedom, or the element whose motion must be integrated.
  /// "": it has.
  static std::string obstacle(const Model& model, const InitialReport& report);

 private:
  void advance(State& state, double target) override;
  void settle(State& state) override;
  void arrive() override { session_.moved(*this, true); }
  State attempt(const State& from, double h);
  void positions(State& state);
  double deviation(const Kinematics& first, const Kinematics& second, double h) const;

  Newton newton_;
  const CountedTurns turns_;
  double hmax_ = 0;  ///< largest step in time
  double h_ = 0;     ///< step in time with which positions were last found
};

}  // namespace trammel
