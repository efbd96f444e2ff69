// A search for an equilibrium by steps along which the forces do work: it goes down to a stable one.
#pragma once

#include <initializer_list>

#include "analysis/analysis_options.h"
#include "analysis/position_correction.h"
#include "analysis/statics/equilibrium_report.h"
#include "analysis/statics/static_problem.h"

namespace trammel {

/// Steps Δ from (K + σ M) Δ = F on the constraints: the larger σ, the shorter the step, and the nearer its
/// direction to that in which the mechanism would start from rest. A step is accepted where the forces do
/// work along it, and at least a tenth of the work that their derivatives promise:
///     ρ = (F₀ + F₁)·Δ / (F₀ + F₁')·Δ > 0.1,   F₁' = σ M Δ the forces expected at its end.
/// (F₀ + F₁)·Δ is twice the fall of a potential by the trapezoidal rule, without need of one. σ falls where
/// ρ > 1/2 and grows where ρ < 1/4 or a step is refused (after Conn, Gould, Toint, "Trust-Region Methods",
/// SIAM 2000, chapter 6).
class TrustRegion {
 public:
  static constexpr int enough = 250;  ///< iterations where the deck asks for no more
  /// `unit`: of σ, by which it rises from nothing; the square of a rate of the model [1/time²].
  TrustRegion(StaticProblem& problem, const EquilibriumOptions& options, double unit);
  /// Searches until IMBALANCE and ERROR are met. Throws Failure(solver); the state is then where the search
  /// ended.
  EquilibriumReport find(State& state);
  /// The same until `imbalance` is met, with at most `maxit` iterations; false where these were not enough.
  bool find_to(State& state, double imbalance, int maxit, EquilibriumReport& at);
  /// The end of a message about a failed search: the part that still moves and how far it has moved, or
  /// advice.
  std::string why(const State& begin, const State& end) const;

 private:
  double step(State& state, std::span<const double> correction);
  double too_long(const State& state, std::span<const double> correction, double ratio);
  void raise(std::initializer_list<double> to);
  double take(State& state, std::span<const double> correction, double scale, const CorrectionSize& size);

  StaticProblem& problem_;
  const EquilibriumOptions options_;
  double unit_;
  Coefficients c_;
  double sigma_ = 0;       ///< σ [1/time²]
  bool accepted_ = false;  ///< whether the last step was accepted
  Imbalance left_;
};

}  // namespace trammel
