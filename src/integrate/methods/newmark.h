// Newmark's method with a fixed step size. Source: N. M. Newmark, "A method of computation for structural
// dynamics" (1959), applied to the index-3 equations, which hold at t_{n+1}:
//   q_{n+1} = q_n + h q̇_n + h² [(½−β) q̈_n + β q̈_{n+1}],   q̇_{n+1} = q̇_n + h [(1−γ) q̈_n + γ q̈_{n+1}]
//   X_{n+1} = X_n + h [(1−γ) Ẋ_n + γ Ẋ_{n+1}]
// γ > ½ damps and is of first order; the local error is δ = (β − 1/6) h² (q̈_{n+1} − q̈_n) in positions.
#pragma once

#include <cmath>

#include "integrate/method_defaults.h"

namespace trammel {

struct IntegratorOptions;

struct NewmarkMethod : MethodDefaults {
  static constexpr bool has_graph = true, velocities_apart = true;
  static constexpr const char* graph_name = "judge_iteration_of_newmark";
  NewmarkFormulas formulas{};  ///< α = 0
  bool mass_jacobian = false;
  double* aux;  ///< HHT's a and y, one entry per coordinate and scalar: q̈ and Ẋ here

  static NewmarkMethod of(const IntegratorOptions& options, bool constrained);
  static bool same_formulas(const IntegratorOptions& a, const IntegratorOptions& b);

  template <class Visit>
  void arrays(const ModelSizes& n, Visit&& visit) {
    visit(aux, n.coordinates + n.scalars);
  }

  /// δq̈ = Δ, δq̇ = γhΔ, δq = βh²Δ; states alike.
  TRAMMEL_HD Coefficients coefficients(double h, bool) const {
    return {1, formulas.gamma * h, formulas.beta * h * h, formulas.gamma * h, 1};
  }
  /// [M Φqᵀ; Φq 0] leaves out γh C + βh² K and ∂(Φqᵀλ)/∂q: iterations converge as h² ‖M⁻¹K‖ (the quasi-Newton
  /// matrix of "ME451 Kinematics and Dynamics of Machine Systems", University of Wisconsin, on Newmark's
  /// method).
  TRAMMEL_HD Coefficients of_jacobian(const Coefficients& c) const {
    return mass_jacobian ? Coefficients::of_accelerations() : c;
  }
  TRAMMEL_HD double position_error(double h) const { return std::fabs(formulas.beta - 1.0 / 6) * h * h; }
  /// The bound of error_of_states() has a difference of two rates, that of HHT one of four (hence ½).
  TRAMMEL_HD double rounding_in_states(double of_correction) const {
    return 0.5 * state_constant() / formulas.gamma * of_correction;
  }
  /// K of the bound K h (Ẋ_{n+1} − Ẋ_n) on the local error of states: (γ − ½) h² Ẍ plus h³/12 X⃛ of the
  /// trapezoidal rule.
  TRAMMEL_HD double state_constant() const { return formulas.gamma - 0.5 + 1.0 / 12; }

  template <class Core>
  TRAMMEL_HD void predict(Core& core, const Extrapolation& past, double h) {
    const StateArrays &now = core.motion.now, &begin = core.motion.begin;
    const ModelSizes& n = core.n;
    core.run(
        PredictCoordinates{past, begin.q, begin.v, begin.a, begin.a, now.q, now.v, now.a, aux, h, formulas},
        n.coordinates);
    core.run(PredictMultipliers{past, n.coordinates, now.lambda}, n.multipliers);
    core.run(PredictScalars{past, n.first_scalar(), core.run.differential(), begin.s, begin.sdot, begin.sdot,
                            now.s, now.sdot, aux + n.coordinates, h, formulas},
             n.scalars);
  }
  template <class Core>
  TRAMMEL_HD void local_error(Core& core, double h) {
    core.run.copy(core.motion.delta, core.motion.begin.a, core.n.coordinates);
    core.run(Difference{core.motion.now.a, position_error(h), core.motion.delta}, core.n.coordinates);
  }
  template <class Core>
  TRAMMEL_HD auto error_of_states(Core& core, double h) const {
    return core.run.reduce(ScalarError{core.run.differential(), core.motion.now.s, core.motion.now.sdot,
                                       core.motion.begin.sdot, nullptr, h, 0, state_constant(), 0},
                           core.n.scalars);
  }
};

}  // namespace trammel
