// How an equilibrium is found: Newton's iteration, a trust region, and the funnel from lax to tight settings.
// Source: ADAMS/Solver primer, sections 6, 8.2 and 8.3.
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
  /// All must outlive it. `tell` hears how a search of several parts goes on.
  Equilibrium(const Model& model, Assembler& assembler, GuardedSystem& system, InitialConditions& initial,
              std::function<void(const std::string&)> tell);

  /// The present state becomes an equilibrium near it by the method of the options. Throws Failure(solver)
  /// with what is in its way; the state is then where the search ended. `moving`: one of a sequence.
  EquilibriumReport find(State& state, const EquilibriumOptions& options, bool moving);
  /// By one of the methods that are one iteration (original, advanced, aggressive).
  EquilibriumReport find_by(StaticMethod method, State& state, const EquilibriumOptions& options);
  /// Of an equilibrium that was found.
  RestStability stability(const State& state);
  /// Moves the state along a direction, `correction` per coordinate, by a rotation or translation over the
  /// mean arm of `size` at most, back onto the constraints.
  void displace(State& state, std::span<const double> correction, double size);

  RestEquations& equations() { return problem_.equations; }
  void observe(SolveObserver* observer) { problem_.newton.observer = observer; }

 private:
  EquilibriumReport newton(State& state, const EquilibriumOptions& options, bool shortened);
  double shorten(State& state, std::span<const double> correction, double scale, const CorrectionSize& size);
  void descend(State& state, const EquilibriumOptions& options, EquilibriumReport& at);
  EquilibriumReport funnel(State& state, const EquilibriumOptions& options);
  EquilibriumReport several(State& state, const EquilibriumOptions& options,
                            std::initializer_list<StaticMethod> methods);

  StaticProblem problem_;
  std::function<void(const std::string&)> tell_;
  std::vector<double> kept_matrix_;
};

}  // namespace trammel
