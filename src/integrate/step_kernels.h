// Vector kernels of a step; an item is a coordinate, multiplier, scalar or body (device_api/kernel.h,
// device_api/terms.h). Formulas: integrate/methods/hht.h.
#pragma once

#include "assemble/view.h"
#include "base/unroll.h"
#include "device_api/joined_terms.h"
#include "integrate/rebase_body.h"

namespace trammel {

/// Kernels and terms with the constant `of_scalars` have scalars as items: models without them need no code
/// for them.
template <class T>
inline constexpr bool is_of_scalars = requires {
  T::of_scalars;
};

/// The arrays of State that a step changes, on the host or on a device.
struct StateArrays {
  double *q, *v, *a, *lambda, *s, *sdot;
  OrientationBasis* basis;
};

/// α, β, γ of HHT and Newmark; α = 0: Newmark's own formulas.
struct NewmarkFormulas {
  double alpha, beta, gamma;
  bool second_order;  ///< false: Eq. 10 of the paper, a_{n+1} = q̈_{n+1}
};

/// Past points of a vector function, the latest first, and their weights in an extrapolation.
struct Extrapolation {
  const double* u[4];
  double w[4];
  TRAMMEL_HD double operator()(int i) const {
    return w[0] * u[0][i] + w[1] * u[1][i] + w[2] * u[2][i] + w[3] * u[3][i];
  }
};

// ---- prediction

/// a_n ← q̈_n + (h/h')(a_n − q̈_n); the same for scalars, whose `begin` is Ẋ_n.
struct MatchStep {
  static constexpr const char* name = "match_step";
  const double *begin, *stored;
  double* matched;
  double ratio;
  TRAMMEL_HD void operator()(int i) const { matched[i] = begin[i] + ratio * (stored[i] - begin[i]); }
};

/// q̈ by extrapolation; a, q and q̇ by the formulas.
struct PredictCoordinates {
  static constexpr const char* name = "predict_coordinates";
  Extrapolation past;
  const double *q_begin, *v_begin, *a_begin, *aux_begin;
  double *q, *v, *a, *aux;
  double h;
  NewmarkFormulas f;
  TRAMMEL_HD void operator()(int i) const {
    const double qdd = past(i), y = f.second_order ? (1 + f.alpha) * qdd - f.alpha * a_begin[i] : qdd;
    a[i] = qdd;
    aux[i] = y;
    q[i] = q_begin[i] + h * v_begin[i] + h * h * ((0.5 - f.beta) * aux_begin[i] + f.beta * y);
    v[i] = v_begin[i] + h * ((1 - f.gamma) * aux_begin[i] + f.gamma * y);
  }
};

struct PredictMultipliers {
  static constexpr const char* name = "predict_multipliers";
  Extrapolation past;
  int first;
  double* lambda;
  TRAMMEL_HD void operator()(int k) const { lambda[k] = past(first + k); }
};

/// Rates of states and values of others.
struct PredictRates {
  static constexpr const char* name = "predict_rates";
  static constexpr bool of_scalars = true;
  Extrapolation past;
  int first;
  const unsigned char* differential;
  double *s, *sdot;
  TRAMMEL_HD void operator()(int k) const { (differential[k] ? sdot : s)[k] = past(first + k); }
};

struct PredictScalars {
  static constexpr const char* name = "predict_scalars";
  static constexpr bool of_scalars = true;
  Extrapolation past;
  int first;
  const unsigned char* differential;
  const double *s_begin, *sdot_begin, *aux_begin;
  double *s, *sdot, *aux;
  double h;
  NewmarkFormulas f;
  TRAMMEL_HD void operator()(int k) const {
    const double u = past(first + k);
    if (!differential[k]) {
      s[k] = u;
      return;
    }
    sdot[k] = u;
    aux[k] = (1 + f.alpha) * u - f.alpha * sdot_begin[k];
    s[k] = s_begin[k] + h * ((1 - f.gamma) * aux_begin[k] + f.gamma * aux[k]);
  }
};

// ---- correction: δq̈ = Δ/(1+α), δq̇ = γhΔ, δq = βh²Δ; states alike; Δ added to λ and algebraic scalars

struct ApplyToCoordinates {
  static constexpr const char* name = "apply_to_coordinates";
  const double* correction;
  double *q, *v, *a, *aux;
  double da, dv, dq;
  TRAMMEL_HD void operator()(int i) const {
    const double d = correction[i];
    if (aux) aux[i] += d;
    a[i] += da * d;
    v[i] += dv * d;
    q[i] += dq * d;
  }
};

struct ApplyToScalars {
  static constexpr const char* name = "apply_to_scalars";
  static constexpr bool of_scalars = true;
  const double* correction;
  const unsigned char* differential;
  double *s, *sdot, *aux;
  double rate, state;
  TRAMMEL_HD void operator()(int k) const {
    const double d = correction[k];
    if (!differential[k]) {
      s[k] += d;
      return;
    }
    if (aux) aux[k] += d;
    sdot[k] += rate * d;
    s[k] += state * d;
  }
};

/// Adds a correction Δ at one point of time: to Ẋ of states, to the values of others.
struct CorrectRates {
  static constexpr const char* name = "correct_rates";
  static constexpr bool of_scalars = true;
  const double* x;
  const unsigned char* differential;
  double *s, *sdot;
  TRAMMEL_HD void operator()(int k) const { (differential[k] ? sdot : s)[k] += x[k]; }
};

/// y += factor x, and y ← factor x.
struct AddMultiple {
  static constexpr const char* name = "add_multiple";
  const double* x;
  double factor;
  double* y;
  TRAMMEL_HD void operator()(int i) const { y[i] += factor * x[i]; }
};
struct TakeMultiple {
  static constexpr const char* name = "take_multiple";
  const double* x;
  double factor;
  double* y;
  TRAMMEL_HD void operator()(int i) const { y[i] = factor * x[i]; }
};
/// y ← (x − y) factor.
struct Difference {
  static constexpr const char* name = "difference";
  const double* x;
  double factor;
  double* y;
  TRAMMEL_HD void operator()(int i) const { y[i] = factor * (x[i] - y[i]); }
};

/// y_i ← ±x with pseudo-random signs (the top bit of Knuth's multiplicative hash of i).
struct FillSigns {
  static constexpr const char* name = "fill_signs";
  double* y;
  double x;
  TRAMMEL_HD void operator()(int i) const { y[i] = (static_cast<unsigned>(i) * 2654435769u) >> 31 ? x : -x; }
};

// ---- between steps

/// Y_i = max(1, max |q_i|) of a body's translations; the largest of these |q_i|, and of its angles, which
/// grow from turn to turn; |ψ̇| + |θ̇| + |φ̇|.
struct UpdateWeights {
  using Value = FourLargest;
  static constexpr const char* name = "update_weights";
  const BodyPlace* place;
  const double *q, *v;
  double* weight;
  TRAMMEL_HD FourLargest operator()(int b) const {
    const int angles = place[b].angles();
    double farthest = 0, turned = 0, rate = 0;
    TRAMMEL_ROLLED
    for (int k = place[b].first; k < angles + place[b].rotations; ++k) {
      const double size = std::fabs(q[k]);
      double& largest = k < angles ? farthest : turned;
      if (size > largest) largest = size;
      if (k >= angles)
        rate += std::fabs(v[k]);
      else if (size > weight[k])
        weight[k] = size;
    }
    return {{farthest, turned, rate, 0}};
  }
};

/// What is extrapolated for scalars: Ẋ of differential ones, the value of algebraic ones.
struct ScalarHistory {
  static constexpr const char* name = "scalar_history";
  static constexpr bool of_scalars = true;
  const unsigned char* differential;
  const double *s, *sdot;
  double* u;
  TRAMMEL_HD void operator()(int k) const { u[k] = differential[k] ? sdot[k] : s[k]; }
};

/// Re-bases a body that needs it, with its history and what the method stores; the sum counts them.
template <class Stored>
struct RebaseBodies {
  using Value = Total;
  static constexpr const char* name = Stored::rebase_name;
  const BodyPlace* place;
  OrientationBasis* basis;
  CoordinatePoint now, history[5];
  int points;
  Stored stored;
  bool always;
  double h = INFINITY;  ///< of steps that hand on what is stored
  TRAMMEL_HD Total operator()(int b) const {
    const bool wanted = always ? place[b].has_euler_angles()
                               : needs_rebase(place[b], now.q) || has_turned_far(place[b], now.q, now.v, h);
    if (!wanted) return {0};
    rebase_body(place[b].angles(), basis[b], now, history, points, stored);
    return {1};
  }
};

}  // namespace trammel
