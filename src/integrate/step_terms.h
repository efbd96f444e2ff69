// What a step measures: terms of reductions (device_api/terms.h), whose results decide about iterations and
// step sizes. An item is a body, coordinate, multiplier or scalar.
#pragma once

#include "assemble/view.h"
#include "base/unroll.h"
#include "device_api/joined_terms.h"
#include "integrate/step_kernels.h"

namespace trammel {

/// Those that only read: what a step asks for at one time is joined by one launch. Equal terms ask the same,
/// as long as nothing has changed what they read.
struct StepTerms;

/// Replaces a negative sum of squares (rounding) by zero; NaN stays.
TRAMMEL_HD inline double nonnegative(double squares) {
  return squares < 0 ? 0 : squares;
}

/// The largest of the mean squares of bodies as a root: the measure (28) in docs/theory.md.
TRAMMEL_HD inline double root_of(const Largest& mean_squares) {
  return std::sqrt(nonnegative(mean_squares.at.value));
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

/// Its mean over so many coordinates of a body, of modes over six at most: others that stand still, bodies
/// or modes, hide no error.
TRAMMEL_HD inline double mean_of_body(double squares, int coordinates) {
  constexpr int most_coordinates = 6;
  if (coordinates == 0) return 0;
  return squares / (coordinates < most_coordinates ? coordinates : most_coordinates);
}

/// Weighted mean square of a body's part of a coordinate vector, (28) in docs/theory.md: (x_i/Y_i)² of
/// translations, |H δε|² of rotations.
struct BodyMeanSquare {
  using Family = StepTerms;
  using Value = Largest;
  static constexpr const char* name = "body_mean_square";
  static constexpr bool long_term = true;
  const BodyPlace* place;
  const double *x, *weight, *cos_theta;
  bool with_inertia = false;  ///< of those alone
  TRAMMEL_HD int end_of(int b) const { return with_inertia ? place[b].moving_end() : place[b].angles(); }
  TRAMMEL_CALLED double of(int b) const {
    double sum = 0;
    const int end = end_of(b);
    TRAMMEL_ROLLED
    for (int k = place[b].first; k < end; ++k) {
      const double d = x[k] / weight[k];
      sum += d * d;
    }
    if (place[b].turns()) sum += squared_rotation(place[b], x + place[b].angles(), cos_theta[b]);
    return mean_of_body(nonnegative(sum), end - place[b].first + place[b].rotations);
  }
  TRAMMEL_HD Largest operator()(int b) const { return size_of(of(b), b); }
  bool operator==(const BodyMeanSquare&) const = default;
};

/// Σ x_k² of a body's translations, or of modes, that have inertia.
TRAMMEL_HD inline double squared_translation(const BodyPlace& body, const double* x) {
  double sum = 0;
  TRAMMEL_ROLLED
  for (int k = body.first; k < body.weighing_end; ++k) sum += x[k] * x[k];
  return sum;
}

/// |δẍ|, |ẍ|, |H δε̈|, |H ε̈| of a body: a correction of its accelerations, and these.
struct AccelerationCorrection {
  using Family = StepTerms;
  using Value = FourLargest;
  static constexpr const char* name = "acceleration_correction";
  static constexpr bool long_term = true;
  const BodyPlace* place;
  const double *correction, *a, *cos_theta;
  TRAMMEL_CALLED double length(int b, const double* x) const {
    return std::sqrt(squared_translation(place[b], x));
  }
  TRAMMEL_CALLED double rotation(int b, const double* x) const {
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

/// The unit in which errors of a scalar k are judged: max(Y, |s|) with Y = 1, or its own, unit[k].
TRAMMEL_HD inline double unit_of_scalar(const double* unit, int k, double s) {
  const double least = unit ? unit[k] : 1.0, size = std::fabs(s);
  return size > least ? size : least;
}

/// A scalar's correction in units of the corrector's tolerance.
struct ScalarMeasure {
  using Family = StepTerms;
  using Value = Largest;
  static constexpr const char* name = "scalar_measure";
  static constexpr bool of_scalars = true;
  const double *correction, *s;
  const unsigned char* differential;
  double gain, allowed, algebraic;
  const double* unit = nullptr;  ///< StepMotion::state_unit
  TRAMMEL_HD Largest operator()(int k) const {
    const double one = unit_of_scalar(unit, k, s[k]);
    return differential[k] ? size_of(gain * correction[k] / (one * allowed), k)
                           : size_of(correction[k] / (one * algebraic), k);
  }
  bool operator==(const ScalarMeasure&) const = default;
};

/// Local error of a state beside max(1, |X|), (1/12 − α/2 − α²) h³ X⃛ with X⃛ from divided differences of Ẋ; in
/// the first step (before = null) the larger first-order bound (γ − ½ + 1/12) h (Ẋ_{n+1} − Ẋ_n).
struct ScalarError {
  using Family = StepTerms;
  using Value = Largest;
  static constexpr const char* name = "scalar_error";
  static constexpr bool of_scalars = true;
  const unsigned char* differential;
  const double *s, *sdot, *sdot_begin, *before;
  double h, h_before, first_constant, constant;
  TRAMMEL_HD Largest operator()(int k) const {
    if (!differential[k]) return Largest::none();
    const double slope = (sdot[k] - sdot_begin[k]) / h;
    double error = first_constant * h * h * slope;
    if (before) {
      const double slope_before = (sdot_begin[k] - before[k]) / h_before;
      error = constant * h * h * h * 2 * (slope - slope_before) / (h + h_before);
    }
    return size_of(error / at_least_one(s[k]), k);
  }
  bool operator==(const ScalarError&) const = default;
};

/// Errors of states with a rate: |x_k| / max(Y_k, |s_k|).
struct StateError {
  using Family = StepTerms;
  using Value = Largest;
  static constexpr const char* name = "state_error";
  static constexpr bool of_scalars = true;
  const double *x, *s;
  double factor;
  const unsigned char* differential;
  const double* unit = nullptr;  ///< StepMotion::state_unit
  TRAMMEL_HD Largest operator()(int k) const {
    return differential[k] ? size_of(factor * x[k] / unit_of_scalar(unit, k, s[k]), k) : Largest::none();
  }
  bool operator==(const StateError&) const = default;
};

/// Mean square of the errors of a body's velocities: (x_i / max(1, |v_i|))² of translations, |H x|² over
/// max(1, |H v|²) of angles.
struct VelocityMeanSquare {
  using Family = StepTerms;
  using Value = Largest;
  static constexpr const char* name = "velocity_mean_square";
  static constexpr bool long_term = true;
  const BodyPlace* place;
  const double *x, *v, *cos_theta;
  TRAMMEL_HD int end_of(int b) const { return place[b].moving_end(); }
  TRAMMEL_CALLED double of(int b) const {
    double sum = 0;
    const int end = end_of(b);
    TRAMMEL_ROLLED
    for (int k = place[b].first; k < end; ++k) {
      const double d = x[k] / at_least_one(v[k]);
      sum += d * d;
    }
    const int at = place[b].angles();
    if (place[b].turns())
      sum += nonnegative(squared_rotation(place[b], x + at, cos_theta[b])) /
             at_least_one(squared_rotation(place[b], v + at, cos_theta[b]));
    return mean_of_body(sum, end - place[b].first + place[b].rotations);
  }
  TRAMMEL_HD Largest operator()(int b) const { return size_of(of(b), b); }
  bool operator==(const VelocityMeanSquare&) const = default;
};

/// The same of bodies that do more than tremble: their velocities change by more than the error, or have the
/// mean square `quiet` at least. Forces that alternate from step to step and hardly change velocities stop
/// nothing: bodies at rest on stiff contacts tremble by less than ERROR, which long steps damp and short ones
/// do not.
struct LastingVelocityError : VelocityMeanSquare {
  static constexpr const char* name = "lasting_velocity_error";
  const double* change;
  double quiet;
  TRAMMEL_HD Largest operator()(int b) const {
    const double error = of(b), changed = VelocityMeanSquare{place, change, v, cos_theta}.of(b);
    return changed < quiet && changed < error ? Largest{{0, b}} : size_of(error, b);
  }
  bool operator==(const LastingVelocityError&) const = default;
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

/// The constraint rows in which coordinates of a body b are: row[start[b]] to row[start[b + 1] − 1], counted
/// as multipliers are.
struct BodyRows {
  const int *start, *row;
  bool operator==(const BodyRows&) const = default;
  /// The largest |x| of these.
  TRAMMEL_HD double largest(int b, const double* x) const {
    double most = 0;
    TRAMMEL_ROLLED
    for (int k = start[b]; k < start[b + 1]; ++k) {
      const double size = std::fabs(x[row[k]]);
      if (most == most && !(size <= most)) most = size;  // NaN stays
    }
    return most;
  }
};

/// |(ẍ, k H ε̈)| of a body, k its radius of gyration: rotations as they move its mass. Of a body without mass
/// |H ε̈|.
struct BodyAcceleration {
  using Family = StepTerms;
  using Value = Largest;
  static constexpr const char* name = "body_acceleration";
  static constexpr bool long_term = true;
  const BodyPlace* place;
  const double *x, *cos_theta;
  TRAMMEL_CALLED double of(int b, const double* a) const {
    const BodyPlace& body = place[b];
    double sum = squared_translation(body, a);
    if (body.turns())
      sum += body.gyration * body.gyration *
             nonnegative(squared_rotation(body, a + body.angles(), cos_theta[b]));
    return std::sqrt(sum);
  }
  TRAMMEL_HD Largest operator()(int b) const { return size_of(of(b, x), b); }
  bool operator==(const BodyAcceleration&) const = default;
};

/// Accelerations that count for little: a small one, and what rounding of positions is in any.
struct LeastAcceleration {
  double size = 0, rounding = 0;
  bool operator==(const LeastAcceleration&) const = default;
};

/// What the forces on a body are like: the largest of its multipliers and of m |(ẍ, k H ε̈)|, at least m times
/// a small acceleration; of modes that of their frame, where it is larger. Changes of multipliers and
/// accelerations are measured beside it, those of a light body beside a heavy one by what acts on the light
/// one.
struct BodyForces {
  BodyAcceleration acceleration;
  BodyRows rows;
  const double *lambda, *lambda_before;
  LeastAcceleration least;
  TRAMMEL_HD double mass(int b) const { return acceleration.place[b].mass; }
  TRAMMEL_HD double rounding(int b) const { return mass(b) * least.rounding; }
  TRAMMEL_HD double operator()(int b) const {
    const int frame = acceleration.place[b].frame;
    const double own = of(b), its_frame = frame == b ? own : of(frame);
    return own > its_frame ? own : its_frame;
  }
  bool operator==(const BodyForces&) const = default;

 private:
  TRAMMEL_CALLED double of(int b) const {
    // Multipliers of the step before, of a row about to vanish, would be a wrong measure.
    constexpr double memory = 1e-3;
    const double reactions = rows.largest(b, lambda), before = memory * rows.largest(b, lambda_before),
                 size = acceleration.of(b, acceleration.x),
                 inertial = mass(b) * (least.size > size ? least.size : size);
    const double constraints = before > reactions ? before : reactions;
    return constraints > inertial ? constraints : inertial;
  }
};
/// A change, less what rounding is in it, beside a size; nothing where there is no size. NaN stays.
TRAMMEL_HD inline double beside(double change, double size, double rounding = 0) {
  return nonnegative(change - rounding) / (size > 0 ? size : static_cast<double>(INFINITY));
}

/// The change of multipliers and accelerations of a body beside its forces, over what is allowed: |Δλ| of its
/// multipliers, in the units of the model whether forces or moments, and m |δ(ẍ, k H ε̈)|, the latter of
/// bodies whose local error, as the last attempt estimated it, has at most the mean square `most_error`.
struct ForceChange {
  using Family = StepTerms;
  using Value = Largest;
  static constexpr const char* name = "force_change";
  static constexpr bool long_term = true;
  BodyForces forces;
  BodyMeanSquare error;
  const double *acceleration, *multipliers;  ///< their changes; multipliers null: not looked at
  double most_error, allowed_acceleration, allowed_multipliers;
  TRAMMEL_HD Largest operator()(int b) const {
    const double size = forces(b), rounding = forces.rounding(b);
    double change = 0;
    if (multipliers)
      change = beside(forces.rows.largest(b, multipliers), size, rounding) / allowed_multipliers;
    if (error.of(b) > most_error) return size_of(change, b);
    const double moved = forces.mass(b) * forces.acceleration.of(b, acceleration);
    const double of_acceleration = beside(moved, size, rounding) / allowed_acceleration;
    const bool is_more = of_acceleration > change || of_acceleration != of_acceleration;  // NaN stays
    return size_of(is_more ? of_acceleration : change, b);
  }
  bool operator==(const ForceChange&) const = default;
};

/// The residual of a body's equations of motion over what may be left of it: what changes its acceleration,
/// that of the frame of modes where it is larger, by a share of itself, or by so little. Moments count as
/// forces at the radius of gyration.
struct Unbalanced {
  using Family = StepTerms;
  using Value = Largest;
  static constexpr const char* name = "unbalanced_forces";
  static constexpr bool long_term = true;
  BodyAcceleration acceleration;
  const double* residual;
  double share;
  LeastAcceleration least;
  TRAMMEL_HD Largest operator()(int b) const {
    const BodyPlace& body = acceleration.place[b];
    double size = std::sqrt(squared_translation(body, residual));
    if (body.gyration > 0) {
      double moments = 0;
      TRAMMEL_ROLLED
      for (int k = body.angles(); k < body.angles() + body.rotations; ++k)
        moments += residual[k] * residual[k];
      moments = std::sqrt(moments) / body.gyration;
      if (moments > size || moments != moments) size = moments;  // NaN stays
    }
    const double own = of(b), its_frame = body.frame == b ? own : of(body.frame);
    return size_of(beside(size, own > its_frame ? own : its_frame, body.mass * least.rounding), b);
  }
  bool operator==(const Unbalanced&) const = default;

 private:
  TRAMMEL_HD double of(int b) const {
    const double size = share * acceleration.of(b, acceleration.x);
    return acceleration.place[b].mass * (size > least.size ? size : least.size);
  }
};

/// m |ẍ| of a body, and m κ² ω², the moments by which its inertia turns: all forces of a rotor that runs
/// free.
struct InertiaForce {
  using Family = StepTerms;
  using Value = Largest;
  static constexpr const char* name = "inertia_force";
  static constexpr bool long_term = true;
  const BodyPlace* place;
  const double *v, *a, *cos_theta;
  TRAMMEL_HD Largest operator()(int b) const {
    Largest largest = Largest::none();
    TRAMMEL_ROLLED
    for (int k = place[b].first; k < place[b].weighing_end; ++k)
      largest = join(largest, size_of(place[b].mass * a[k], b));
    const double speed = AccelerationCorrection{place, v, a, cos_theta}.rotation(b, v) * place[b].gyration;
    return join(largest, size_of(place[b].mass * speed * speed, b));
  }
  bool operator==(const InertiaForce&) const = default;
};

struct StepTerms
    : TermFamily<BodyMeanSquare, AccelerationCorrection, LargestEntry, LargestRelative, ScalarMeasure,
                 BodyAcceleration, ForceChange, Unbalanced, InertiaForce, ScalarError, StateError,
                 VelocityMeanSquare, LastingVelocityError, PredictorMisses> {
  static constexpr const char* name = "join_terms_of_a_step";
};

}  // namespace trammel
