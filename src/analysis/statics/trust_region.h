// A search for an equilibrium along ways on which the forces do work: it goes down to a stable one.
#pragma once

#include "analysis/analysis_options.h"
#include "analysis/position_correction.h"
#include "analysis/statics/equilibrium_report.h"
#include "analysis/statics/static_problem.h"

namespace trammel {

/// Steps (K + σ M) Δ = F on the constraints, the larger σ the shorter and the nearer to the direction in
/// which the mechanism would start from rest. A step is taken where the forces F do work along it, and as
/// much as their derivatives promise:
///     ρ = (F₀ + F₁)·Δ / (F₀ + F₁')·Δ > 0.1,   F₁' = σ M Δ the forces expected at its end.
/// F₀ + F₁ is twice the fall of a potential by the trapezoidal rule, without need of one. σ falls where ρ is
/// near 1 and grows where a step is refused (after Conn, Gould, Toint, "Trust-Region Methods", SIAM 2000,
/// chapter 6).
class TrustRegion {
 public:
  TrustRegion(StaticProblem& problem, const EquilibriumOptions& options);
  /// To IMBALANCE and ERROR. Throws Failure(solver); the state is then where the search ended.
  EquilibriumReport find(State& state);
  /// As find(), to an imbalance and at most that many iterations; false where these were not enough.
  bool find_to(State& state, double imbalance, int maxit, EquilibriumReport& at);
  /// The end of a message where it was not found: what still moves, and how far it has come.
  std::string why(const State& begin, const State& end) const;

 private:
  double step(State& state, std::span<const double> correction);
  double too_long(const State& state, std::span<const double> correction, double ratio);
  double take(State& state, std::span<const double> correction, double scale, const CorrectionSize& size);

  StaticProblem& problem_;
  const EquilibriumOptions options_;
  Coefficients c_;
  double sigma_ = 0;       ///< σ [1/time²]
  bool accepted_ = false;  ///< the last step
  Imbalance left_;
};

}  // namespace trammel
