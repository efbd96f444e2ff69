// Searches for an equilibrium: Newton's iteration, a trust region, and the funnel, which lowers the imbalance
// in rungs. Source: ADAMS/Solver primer, sections 6, 8.2 and 8.3.
#pragma once

#include <functional>
#include <string>

#include "analysis/analysis_options.h"
#include "analysis/position_correction.h"
#include "analysis/statics/equilibrium_report.h"
#include "analysis/statics/static_problem.h"

namespace trammel {

class Equilibrium {
 public:
  /// The arguments must outlive the object. `tell` receives messages about the course of a search in several
  /// parts.
  Equilibrium(const Model& model, Assembler& assembler, GuardedSystem& system, InitialConditions& initial,
              std::function<void(const std::string&)> tell);

  /// Moves the state to an equilibrium near it by the method of the options. Throws Failure(solver) with the
  /// reason; the state is then where the search ended. `moving`: the equilibrium is one of a sequence in time
  /// (MODE 6).
  EquilibriumReport find(State& state, const EquilibriumOptions& options, bool moving);
  /// The same by one given method: original, advanced, aggressive or funnel.
  EquilibriumReport find_by(StaticMethod method, State& state, const EquilibriumOptions& options);
  /// Stability of the equilibrium `state`.
  RestStability stability(const State& state);
  /// Moves the state along the direction `correction` (one entry per coordinate) so that the largest
  /// rotation, or translation over the mean arm, is `size`, and back onto the constraints.
  void displace(State& state, std::span<const double> correction, double size);

  RestEquations& equations() { return problem_.equations; }
  void observe(SolveObserver* observer) { problem_.newton.observer = observer; }

 private:
  EquilibriumReport find_as_asked(State& state, const EquilibriumOptions& options);
  EquilibriumReport newton(State& state, const EquilibriumOptions& options, bool shortened);
  struct NewtonSearch;
  bool found(NewtonSearch& search, const NewtonProgress& progress);
  void tangent(const State& state, NewtonSearch& search, std::span<double> values);
  double correct(State& state, NewtonSearch& search, std::vector<double> correction);
  double shorten(State& state, NewtonSearch& search, const std::vector<double>& correction, double scale);
  /// `unit` of these: see TrustRegion.
  void descend(State& state, const EquilibriumOptions& options, double unit, EquilibriumReport& at);
  EquilibriumReport funnel(State& state, const EquilibriumOptions& options, double unit);
  EquilibriumReport several(State& state, const EquilibriumOptions& options,
                            std::initializer_list<StaticMethod> methods);

  StaticProblem problem_;
  std::function<void(const std::string&)> tell_;
  std::vector<double> kept_matrix_;
};

}  // namespace trammel
