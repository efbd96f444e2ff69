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

// ---- norms

/// Those that only read: what a step asks for at one time is joined by one launch. Equal terms ask the same,
/// as long as nothing has changed what they read.
struct StepTerms;

/// Replaces a negative sum of squares (rounding) by zero; NaN stays.
TRAMMEL_HD inline double nonnegative(double squares) {
  return squares < 0 ? 0 : squares;
}

/// max(1, |x|).
TRAMMEL_HD inline double at_least_one(double x) {
  return std::fabs(x) > 1 ? std::fabs(x) : 1.0;
}

/// |H e|² of the angles e of a body that turns: of the axes of ψ, θ, φ only those of ψ and φ are not
/// orthogonal (their angle is θ), and a planar body has one angle.
TRAMMEL_HD inline double squared_rotation(const BodyBlock& body, const double* e, double cos_theta) {
  if (!body.has_euler_angles()) return e[0] * e[0];
  return e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + 2 * cos_theta * e[0] * e[2];
}

/// Weighted squares of a body's part of a coordinate vector: Σ (x_i/Y_i)² over translations, |H δε|² over
/// rotations.
struct BodySquares {
  using Family = StepTerms;
  using Value = Total;
  static constexpr const char* name = "body_squares";
  static constexpr bool long_term = true;
  const BodyPlace* place;
  const double *x, *weight, *cos_theta;
  bool with_inertia = false;  ///< of those alone
  TRAMMEL_HD Total operator()(int b) const {
    double sum = 0;
    const int end = with_inertia ? place[b].moving_end() : place[b].angles();
    TRAMMEL_ROLLED
    for (int k = place[b].first; k < end; ++k) {
      const double d = x[k] / weight[k];
      sum += d * d;
    }
    if (!place[b].turns()) return {sum};
    sum += squared_rotation(place[b], x + place[b].angles(), cos_theta[b]);
    return {sum};
  }
  bool operator==(const BodySquares&) const = default;
};

/// |δẍ|, |ẍ|, |H δε̈|, |H ε̈| of a body: a correction of its accelerations, and these.
struct AccelerationCorrection {
  using Family = StepTerms;
  using Value = FourLargest;
  static constexpr const char* name = "acceleration_correction";
  static constexpr bool long_term = true;
  const BodyPlace* place;
  const double *correction, *a, *cos_theta;
  TRAMMEL_HD double length(int b, const double* x) const {
    double sum = 0;
    TRAMMEL_ROLLED
    for (int k = place[b].first; k < place[b].moving_end(); ++k) sum += x[k] * x[k];
    return std::sqrt(sum);
  }
  TRAMMEL_HD double rotation(int b, const double* x) const {
    if (!place[b].turns()) return 0;
    return std::sqrt(nonnegative(squared_rotation(place[b], x + place[b].angles(), cos_theta[b])));
  }
  TRAMMEL_HD FourLargest operator()(int b) const {
    return {{length(b, correction), length(b, a), rotation(b, correction), rotation(b, a)}};
  }
  bool operator==(const AccelerationCorrection&) const = default;
};

struct LargestEntry {
  using Family = StepTerms;
  using Value = Largest;
  static constexpr const char* name = "largest_entry";
  const double* x;
  TRAMMEL_HD Largest operator()(int i) const { return size_of(x[i], i); }
  /// The terms [begin, end) joined.
  Largest over(int begin, int end) const { return {largest_magnitude(x, begin, end)}; }
  bool operator==(const LargestEntry&) const = default;
};

/// |x_k| in units of max(1, |s_k|).
struct LargestRelative {
  using Family = StepTerms;
  using Value = Largest;
  static constexpr const char* name = "largest_relative";
  static constexpr bool of_scalars = true;
  const double *x, *s;
  TRAMMEL_HD Largest operator()(int k) const { return size_of(x[k] / at_least_one(s[k]), k); }
  bool operator==(const LargestRelative&) const = default;
};

/// A scalar's correction in units of the corrector's tolerance.
struct ScalarMeasure {
  using Family = StepTerms;
  using Value = Largest;
  static constexpr const char* name = "scalar_measure";
  static constexpr bool of_scalars = true;
  const double *correction, *s;
  const unsigned char* differential;
  double gain, allowed, algebraic;
  TRAMMEL_HD Largest operator()(int k) const {
    const double unit = at_least_one(s[k]);
    return differential[k] ? size_of(gain * correction[k] / (unit * allowed), k)
                           : size_of(correction[k] / (unit * algebraic), k);
  }
  bool operator==(const ScalarMeasure&) const = default;
};

/// m |ẍ| of a body.
struct InertiaForce {
  using Family = StepTerms;
  using Value = Largest;
  static constexpr const char* name = "inertia_force";
  static constexpr bool long_term = true;
  const BodyPlace* place;
  const double* a;
  TRAMMEL_HD Largest operator()(int b) const {
    if (place[b].moving_end() == place[b].first) return Largest::none();
    Largest largest = size_of(place[b].mass * a[place[b].first], b);
    TRAMMEL_ROLLED
    for (int k = place[b].first + 1; k < place[b].moving_end(); ++k)
      largest = join(largest, size_of(place[b].mass * a[k], b));
    return largest;
  }
  bool operator==(const InertiaForce&) const = default;
};

/// Y_i = max(1, max |q_i|) of a body's translations; the largest |q_i|.
struct UpdateWeights {
  using Value = Largest;
  static constexpr const char* name = "update_weights";
  const BodyPlace* place;
  const double* q;
  double* weight;
  TRAMMEL_HD Largest operator()(int b) const {
    Largest largest = Largest::none();
    TRAMMEL_ROLLED
    for (int k = place[b].first; k < place[b].angles(); ++k) {
      const Largest distance = size_of(q[k], k);
      if (distance.at.value > weight[k]) weight[k] = distance.at.value;
      largest = join(largest, distance);
    }
    return largest;
  }
};

/// Squared local error of a state, (1/12 − α/2 − α²) h³ X⃛ with X⃛ from divided differences of Ẋ; in the
/// first step (before = null) the larger first-order bound (γ − ½ + 1/12) h (Ẋ_{n+1} − Ẋ_n).
struct ScalarError {
  using Family = StepTerms;
  using Value = Total;
  static constexpr const char* name = "scalar_error";
  static constexpr bool of_scalars = true;
  const unsigned char* differential;
  const double *s, *sdot, *sdot_begin, *before;
  double h, h_before, first_constant, constant;
  TRAMMEL_HD Total operator()(int k) const {
    if (!differential[k]) return {0};
    const double slope = (sdot[k] - sdot_begin[k]) / h;
    double error = first_constant * h * h * slope;
    if (before) {
      const double slope_before = (sdot_begin[k] - before[k]) / h_before;
      error = constant * h * h * h * 2 * (slope - slope_before) / (h + h_before);
    }
    const double d = error / at_least_one(s[k]);
    return {d * d};
  }
  bool operator==(const ScalarError&) const = default;
};

/// Squares of the errors of states with a rate: (x_k / max(1, |s_k|))².
struct StateErrorSquares {
  using Family = StepTerms;
  using Value = Total;
  static constexpr const char* name = "state_error_squares";
  static constexpr bool of_scalars = true;
  const double *x, *s;
  double factor;
  const unsigned char* differential;
  TRAMMEL_HD Total operator()(int k) const {
    if (!differential[k]) return {0};
    const double d = factor * x[k] / at_least_one(s[k]);
    return {d * d};
  }
  bool operator==(const StateErrorSquares&) const = default;
};

/// Squares of the errors of a body's velocities: (x_i / max(1, |v_i|))² of translations, |H x|² over
/// max(1, |H v|²) of angles.
struct VelocityErrorSquares {
  using Family = StepTerms;
  using Value = Total;
  static constexpr const char* name = "velocity_error_squares";
  static constexpr bool long_term = true;
  const BodyPlace* place;
  const double *x, *v, *cos_theta;
  TRAMMEL_HD Total operator()(int b) const {
    double sum = 0;
    TRAMMEL_ROLLED
    for (int k = place[b].first; k < place[b].moving_end(); ++k) {
      const double d = x[k] / at_least_one(v[k]);
      sum += d * d;
    }
    if (!place[b].turns()) return {sum};
    const int at = place[b].angles();
    return {sum + nonnegative(squared_rotation(place[b], x + at, cos_theta[b])) /
                      at_least_one(squared_rotation(place[b], v + at, cos_theta[b]))};
  }
  bool operator==(const VelocityErrorSquares&) const = default;
};

/// Squared errors of the extrapolations of order 0..3 of entry first + i against value_i.
struct PredictorMisses {
  using Family = StepTerms;
  using Value = FourTotals;
  static constexpr const char* name = "predictor_misses";
  const double* u[4];
  double w1[2], w2[3], w3[4];
  int first;
  const double* value;
  /// Those of the entries from `from` on against `values`.
  TRAMMEL_HD PredictorMisses of(int from, const double* values) const {
    PredictorMisses m = *this;
    m.first = from;
    m.value = values;
    return m;
  }
  TRAMMEL_HD FourTotals operator()(int i) const {
    const int at = first + i;
    const double u0 = u[0][at], u1 = u[1][at], u2 = u[2][at], u3 = u[3][at], x = value[i];
    const double miss0 = x - u0, miss1 = x - (w1[0] * u0 + w1[1] * u1),
                 miss2 = x - (w2[0] * u0 + w2[1] * u1 + w2[2] * u2),
                 miss3 = x - (w3[0] * u0 + w3[1] * u1 + w3[2] * u2 + w3[3] * u3);
    return {{miss0 * miss0, miss1 * miss1, miss2 * miss2, miss3 * miss3}};
  }
  bool operator==(const PredictorMisses&) const = default;
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
  TRAMMEL_HD Total operator()(int b) const {
    if (!place[b].has_euler_angles() || !(always || needs_rebase(place[b], now.q))) return {0};
    rebase_body(place[b].angles(), basis[b], now, history, points, stored);
    return {1};
  }
};

struct StepTerms
    : TermFamily<BodySquares, AccelerationCorrection, LargestEntry, LargestRelative, ScalarMeasure,
                 InertiaForce, ScalarError, StateErrorSquares, VelocityErrorSquares, PredictorMisses> {
  static constexpr const char* name = "join_terms_of_a_step";
};

}  // namespace trammel
