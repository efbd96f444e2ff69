// A search for an equilibrium by steps along which the forces do work: it goes down to a stable one.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "analysis/analysis_options.h"
#include "analysis/position_correction.h"
#include "analysis/statics/equilibrium_report.h"
#include "analysis/statics/state_corrections.h"
#include "analysis/statics/static_problem.h"

namespace trammel {

/// Steps Δ from (K + σ M) Δ = F on the constraints: the larger σ, the shorter the step, and the nearer its
/// direction to that in which the mechanism would start from rest. A step is accepted where the forces do
/// work along it, and at least a tenth of the work that their derivatives promise:
///     ρ = (F₀ + F₁)·Δ / (F₀ + F₁')·Δ > 0.1,   F₁' = σ M Δ the forces expected at its end.
/// (F₀ + F₁)·Δ is twice the fall of a potential by the trapezoidal rule, without need of one. σ falls where
/// ρ > 1/2 and grows where ρ < 1/4 or a step is refused (after Conn, Gould, Toint, "Trust-Region Methods",
/// SIAM 2000, chapter 6). Scalars go to where they are at the end of the step before it: what they put on
/// bodies is among F₀. Where bodies are balanced without and with that, before and after, no work tells a
/// good step from a bad one: it is accepted where the imbalance of scalars does not grow.
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
  /// A step on trial: the state at its end, and what tells whether it is one.
  struct Trial {
    State state;
    double work = 0;     ///< F₀·Δ
    double inertia = 0;  ///< Δ·MΔ
    double ratio = 0;    ///< ρ
    bool fits = false;   ///< the imbalance is below IMBALANCE before and after
    /// Whether bodies are balanced before and after, scalars not, and their imbalance does not grow.
    bool of_scalars = false;
  };
  bool unhindered() const { return sigma_ <= std::max(options_.stability, 1e-300); }
  bool found(const NewtonProgress& progress, double imbalance, FurtherIterations& further);
  Trial try_step(const State& state, std::span<const double> correction, double scale);
  double step(State& state, std::span<const double> correction);
  double too_long(const State& state, std::span<const double> correction, double ratio);
  void raise(std::initializer_list<double> to);
  bool take(State& state, std::span<const double> correction, double scale);

  StaticProblem& problem_;
  const EquilibriumOptions options_;
  double unit_;
  Coefficients c_;
  double sigma_ = 0;                        ///< σ [1/time²]
  bool accepted_ = false;                   ///< whether the last step was accepted
  double part_of_rates_ = 1;                ///< of the rates of states, which are √σ
  bool leapt_ = false;                      ///< whether they have been the least at once
  std::optional<StateCorrections> states_;  ///< of the last step that nothing hindered
  std::string limit_;                       ///< what the last step that was too long exceeded, in words
  Imbalance left_;
};

}  // namespace trammel
