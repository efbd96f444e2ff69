// Statics: one equilibrium, or a sequence of them while time goes on. Source: ADAMS/Solver primer, section 6.
#pragma once

#include "analysis/analyses/sequence.h"
#include "analysis/counted_turns.h"
#include "analysis/statics/equilibrium.h"

namespace trammel {

class Statics final : public Sequence {
 public:
  explicit Statics(Session& session);
  void begin(const AnalysisPlan& plan) override;
  AnalysisEnd go_on() override;
  void archive(Archive& a) override;

 private:
  void advance(State& state, double target) override;
  void settle(State& state) override { find(state, true); }
  void arrive() override { session_.came_to_rest(*this); }
  EquilibriumReport find(State& state, bool moving);
  EquilibriumReport find_with_contacts(State& state, const EquilibriumOptions& options, bool moving);
  void tell(const EquilibriumReport& found) const;
  void tell_wound(const std::vector<double>& angles) const;
  void predict(State& state, double h) const;
  double longest_step(const State& state) const;
  std::string turned_far(const State& predicted, const State& found) const;
  void tell_turns(const std::string& markers, double time);

  Equilibrium equilibrium_;
  const CountedTurns turns_;
  bool in_time_ = false;
  double h_ = 0;  ///< step in time with which equilibria were last found
  State before_;  ///< the equilibrium before the last one; the last one itself where there is no other
  bool told_creeping_ = false;  ///< that states were not waited for
  bool told_turns_ = false;     ///< that turns may be lost
};

}  // namespace trammel
