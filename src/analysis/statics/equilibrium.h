// How an equilibrium is found: Newton's iteration, a trust region, and the funnel from lax to tight settings.
// Source: ADAMS/Solver primer, sections 6, 8.2 and 8.3.
#pragma once

#include <functional>
#include <optional>

#include "analysis/analysis_options.h"
#include "analysis/initial_conditions.h"
#include "analysis/position_correction.h"
#include "analysis/statics/rest_equations.h"
#include "integrate/newton.h"

namespace trammel {

/// An equilibrium that was found, or where the search ended.
struct EquilibriumReport {
  int iterations = 0;
  double imbalance = 0;   ///< largest residual left
  double correction = 0;  ///< the last [length or rad]
  bool limited = false;   ///< by ALIMIT or TLIMIT in the last iteration
};

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
  /// Moves the state along a direction, `correction` per coordinate, by a rotation or translation over the
  /// mean arm of `size` at most, back onto the constraints.
  void displace(State& state, std::span<const double> correction, double size);

  RestEquations& equations() { return equations_; }
  void observe(SolveObserver* observer) { newton_.observer = observer; }

 private:
  friend class TrustRegion;
  EquilibriumReport newton(State& state, const EquilibriumOptions& options, bool shortened);
  double shorten(State& state, std::span<const double> correction, double scale, const CorrectionSize& size);
  EquilibriumReport funnel(State& state, const EquilibriumOptions& options);
  EquilibriumReport several(State& state, const EquilibriumOptions& options,
                            std::initializer_list<StaticMethod> methods);
  std::string worst(const Imbalance& left) const;

  const Model& model_;
  Assembler& assembler_;
  InitialConditions& initial_;
  std::function<void(const std::string&)> tell_;
  RestEquations equations_;
  Newton newton_;
  AnalysisPoint point_ = at_rest();
  std::vector<double> r_, trial_r_, kept_matrix_;
};

}  // namespace trammel
