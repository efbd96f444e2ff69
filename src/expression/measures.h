// The kinematic measures DX ... WDTM, UVX..UVZ and ORIENT: values for any scalar, and gradients with respect
// to the markers' kinematics. Host and device.
#pragma once

#include "expression/functions.h"
#include "expression/tape.h"
#include "math/angle.h"
#include "math/rotation.h"

namespace trammel {

/// Static properties of a measure: TapeMarker::level of each of its markers i, j, k, l (0: unused), and the
/// number of values of `Leaf::component`.
struct MeasureInfo {
  Measure measure;
  std::string_view name;
  int level[4];
  int components;
};
/// Properties of a measure; the table is in the order of the enumeration.
const MeasureInfo& measure_info(Measure measure);
int measure_count();

namespace functions {

// ---- measures that are components or magnitudes of a difference vector

enum class Difference { displacement, velocity, angular_velocity, acceleration, angular_acceleration, none };
constexpr int magnitude = 3, separation_rate = 4;

struct VectorMeasure {
  Difference difference = Difference::none;
  int component = 0;  ///< 0, 1, 2 along the axes of k; magnitude; separation_rate
};

TRAMMEL_HD inline VectorMeasure vector_measure(Measure m) {
  const auto offset = [m](Measure first) { return static_cast<int>(m) - static_cast<int>(first); };
  switch (m) {
    case Measure::dx:
    case Measure::dy:
    case Measure::dz:
    case Measure::dm:
      return {Difference::displacement, offset(Measure::dx)};
    case Measure::vx:
    case Measure::vy:
    case Measure::vz:
    case Measure::vm:
    case Measure::vr:
      return {Difference::velocity, offset(Measure::vx)};
    case Measure::wx:
    case Measure::wy:
    case Measure::wz:
    case Measure::wm:
      return {Difference::angular_velocity, offset(Measure::wx)};
    case Measure::accx:
    case Measure::accy:
    case Measure::accz:
    case Measure::accm:
      return {Difference::acceleration, offset(Measure::accx)};
    case Measure::wdtx:
    case Measure::wdty:
    case Measure::wdtz:
    case Measure::wdtm:
      return {Difference::angular_acceleration, offset(Measure::wdtx)};
    default:
      return {};
  }
}

/// Difference of i and j observed (differentiated) in frame l, in global axes, with r = r_i - r_j, v = v_i -
/// v_j, ω and α of l:
///   displacement r;  velocity v - ω×r;  angular velocity ω_i - ω_j;
///   acceleration a - α×r + ω×(ω×r) - 2ω×v;  angular acceleration α_i - α_j - ω×(ω_i - ω_j).
template <class S>
TRAMMEL_HD Vec3<S> difference(Difference d, const MarkerKinematics<S>& i, const MarkerKinematics<S>& j,
                              const MarkerKinematics<S>& l) {
  switch (d) {
    case Difference::displacement:
      return i.r - j.r;
    case Difference::velocity:
      return i.v - j.v - cross(l.w, i.r - j.r);
    case Difference::angular_velocity:
      return i.w - j.w;
    case Difference::angular_acceleration:
      return i.alpha - j.alpha - cross(l.w, i.w - j.w);
    case Difference::acceleration: {
      const Vec3<S> r = i.r - j.r, v = i.v - j.v;
      return i.a - j.a - cross(l.alpha, r) + cross(l.w, cross(l.w, r) - S(2.0) * v);
    }
    default:
      return {};
  }
}

// ---- rotation angles about one axis

/// AX = atan2(-z_i·y_j, z_i·z_j), AY = atan2(z_i·x_j, z_i·z_j), AZ = atan2(x_i·y_j, x_i·x_j):
/// atan2(sign a·b, a·c) with a an axis of i and b, c axes of j.
struct AxisAngle {
  int a, b, c;
  double sign;
};
TRAMMEL_HD inline bool is_axis_angle(Measure m) {
  return m == Measure::ax || m == Measure::ay || m == Measure::az;
}
TRAMMEL_HD inline AxisAngle axis_angle(Measure m) {
  if (m == Measure::ax) return {2, 1, 2, -1.0};
  if (m == Measure::ay) return {2, 0, 2, 1.0};
  return {0, 1, 0, 1.0};
}

/// `last` is the last accepted value: returned, with derivative 0, where the axis of i is normal to the plane
/// of the angle, which is then undefined.
template <class S>
TRAMMEL_HD S axis_angle_value(Measure m, const MarkerKinematics<S>& i, const MarkerKinematics<S>& j,
                              double last) {
  const AxisAngle t = axis_angle(m);
  const Vec3<S> a = i.A.column(t.a);
  const S p = t.sign * dot(a, j.A.column(t.b)), q = dot(a, j.A.column(t.c));
  if (value_of(p) == 0 && value_of(q) == 0) return S(last);
  using std::atan2;
  return continued_angle(S(atan2(p, q)), last);
}

// ---- other angles of A = A_jᵀ A_i, all level 1

/// Body 3-1-3 angles: ψ = atan2(A13, -A23), θ = atan2(√(A13²+A23²), A33) in [0, π], φ = atan2(A31, A32).
/// Where sin θ < parallel_sine only ψ + φ (or ψ - φ) is determined: φ = 0, ψ = atan2(A21, A11).
template <class S>
TRAMMEL_HD S euler_angle(Measure m, const Mat3<S>& A) {
  const Vec3<S> sine = {A(0, 2), A(1, 2), S(0.0)};
  if (m == Measure::theta) return arc_tangent2(safe_norm(sine), A(2, 2));
  const bool singular_point = value_of(dot(sine, sine)) < parallel_sine * parallel_sine;
  if (m == Measure::psi)
    return singular_point ? arc_tangent2(A(1, 0), A(0, 0)) : arc_tangent2(A(0, 2), S(-A(1, 2)));
  return singular_point ? S(0.0) : arc_tangent2(A(2, 0), A(2, 1));
}

/// Body 3-2-1 angles: YAW = atan2(A21, A11), PITCH = asin A31 (minus the second 3-2-1 angle),
/// ROLL = atan2(A32, A33).
template <class S>
TRAMMEL_HD S yaw_pitch_roll(Measure m, const Mat3<S>& A) {
  if (m == Measure::yaw) return arc_tangent2(A(1, 0), A(0, 0));
  if (m == Measure::roll) return arc_tangent2(A(2, 1), A(2, 2));
  return arc_tangent2(A(2, 0), safe_norm(Vec3<S>{A(0, 0), A(1, 0), S(0.0)}));
}

/// The sign, +1 or −1, with which Euler parameters e of A equal those of its 3-1-3 angles,
///   cos(θ/2) cos((ψ+φ)/2), sin(θ/2) cos((ψ−φ)/2), sin(θ/2) sin((ψ−φ)/2), cos(θ/2) sin((ψ+φ)/2).
TRAMMEL_HD inline double euler_parameter_sign(const Mat3d& A, const double (&e)[4]) {
  const double psi = euler_angle(Measure::psi, A), phi = euler_angle(Measure::phi, A),
               half = 0.5 * euler_angle(Measure::theta, A), sum = 0.5 * (psi + phi),
               difference = 0.5 * (psi - phi);
  const double along = std::cos(half) * (e[0] * std::cos(sum) + e[3] * std::sin(sum)) +
                       std::sin(half) * (e[1] * std::cos(difference) + e[2] * std::sin(difference));
  return along < 0 ? -1.0 : 1.0;
}

/// Euler parameter e_c, c = 0..3, of A (Shepperd's method: divide by the largest one), up to the sign
/// euler_parameter_sign().
///   4 e_n² = 1 + tr A (n = 0), 1 + 2 A_nn - tr A (n = 1..3).
template <class S>
TRAMMEL_HD S euler_parameter(const Mat3<S>& A, int c) {
  using std::sqrt;
  const S trace = A(0, 0) + A(1, 1) + A(2, 2);
  int largest = 0;
  double most = value_of(trace);
  for (int n = 0; n < 3; ++n)
    if (value_of(A(n, n)) > most) {
      most = value_of(A(n, n));
      largest = n + 1;
    }
  S e[4];
  if (largest == 0) {
    e[0] = 0.5 * S(sqrt(1.0 + trace));
    const S scale = 0.25 / e[0];
    e[1] = scale * (A(2, 1) - A(1, 2));
    e[2] = scale * (A(0, 2) - A(2, 0));
    e[3] = scale * (A(1, 0) - A(0, 1));
  } else {
    const int n = largest - 1, p = (n + 1) % 3, q = (n + 2) % 3;
    e[1 + n] = 0.5 * S(sqrt(1.0 + 2.0 * A(n, n) - trace));
    const S scale = 0.25 / e[1 + n];
    e[0] = scale * (A(q, p) - A(p, q));
    e[1 + p] = scale * (A(p, n) + A(n, p));
    e[1 + q] = scale * (A(q, n) + A(n, q));
  }
  Mat3d plain;
  for (int k = 0; k < 9; ++k) plain.m[k] = value_of(A.m[k]);
  const double now[4] = {value_of(e[0]), value_of(e[1]), value_of(e[2]), value_of(e[3])};
  return euler_parameter_sign(plain, now) * e[c];
}

/// Interior angle at J of the triangle I J K, in [0, π].
template <class S>
TRAMMEL_HD S included_angle(const Vec3<S>& i, const Vec3<S>& j, const Vec3<S>& k, EvalError& error) {
  const Vec3<S> a = i - j, b = k - j;
  if (!(value_of(dot(a, a)) > 0 && value_of(dot(b, b)) > 0)) error = EvalError::coincident_markers;
  return arc_tangent2(safe_norm(cross(a, b)), dot(a, b));
}

// ---- values

/// Value of a measure of poses without an analytic gradient, with operands i, j, k = m[0..2]: INCANG, of
/// three positions; PSI ... ORIENT, of two orientations. Frame: Pose or MarkerKinematics.
template <class S, template <class> class Frame>
TRAMMEL_HD S pose_measure_value(Measure measure, int component, const Frame<S>* const* m, EvalError& error) {
  if (measure == Measure::incang) return included_angle(m[0]->r, m[1]->r, m[2]->r, error);
  switch (measure) {
    case Measure::psi:
    case Measure::theta:
    case Measure::phi:
      return euler_angle(measure, transpose_times(m[1]->A, m[0]->A));
    case Measure::yaw:
    case Measure::pitch:
    case Measure::roll:
      return yaw_pitch_roll(measure, transpose_times(m[1]->A, m[0]->A));
    case Measure::uvx:
    case Measure::uvy:
    case Measure::uvz:
      return dot(m[0]->A.column(static_cast<int>(measure) - static_cast<int>(Measure::uvx)),
                 m[1]->A.column(component));
    case Measure::euler_parameter:
      return euler_parameter(transpose_times(m[1]->A, m[0]->A), component);
    default:
      return S(0.0);
  }
}

/// Value of a measure with operands i, j, k, l = m[0..3] (unused ones may be any marker). last_angle: last
/// accepted value of AX, AY, AZ, else unused.
template <class S>
TRAMMEL_HD S measure_value(Measure measure, int component, const MarkerKinematics<S>* const* m,
                           double last_angle, EvalError& error) {
  const VectorMeasure vm = vector_measure(measure);
  if (vm.difference != Difference::none) {
    const Vec3<S> u = difference(vm.difference, *m[0], *m[1], *m[3]);
    if (vm.component == magnitude) return safe_norm(u);
    if (vm.component != separation_rate) return dot(u, m[2]->A.column(vm.component));
    const Vec3<S> r = m[0]->r - m[1]->r;
    const S distance = safe_norm(r);
    if (value_of(distance) == 0) {
      error = EvalError::coincident_markers;
      return S(0.0);
    }
    return dot(u, r) / distance;
  }
  if (is_axis_angle(measure)) return axis_angle_value(measure, *m[0], *m[1], last_angle);
  return pose_measure_value(measure, component, m, error);
}

// ---- gradients: blocks of 18 numbers per marker, (δr, δθ, δv, δω, δa, δα), added to

template <class T>
TRAMMEL_HD void add(T* block, const Vec3<T>& u) {
  for (int k = 0; k < 3; ++k) block[k] = block[k] + u[k];
}

/// Adds s ∂(vector measure). With ū = s ∂value/∂u and u from difference() above:
///   velocity:      r_i += ω×ū,  v_i += ū,  ω_l += ū×r
///   acceleration:  r_i += α×ū + ω×(ω×ū),  v_i += 2ω×ū,  a_i += ū,  α_l += ū×r,
///                  ω_l += (ω×r)×ū + r×(ū×ω) - 2 v×ū
///   angular acc.:  ω_i += ω×ū,  α_i += ū,  ω_l += ū×(ω_i-ω_j);   j: the negative of i; k: θ_k += s axis×u.
template <class T>
TRAMMEL_HD void vector_measure_gradient(const VectorMeasure& vm, const MarkerKinematics<T>* const* m,
                                        const T& s, T* const* out) {
  const MarkerKinematics<T>&i = *m[0], &j = *m[1], &l = *m[3];
  const Vec3<T> r = i.r - j.r, v = i.v - j.v, u = difference(vm.difference, i, j, l);
  Vec3<T> ubar, on_r, on_v, on_w, on_a, on_alpha;
  if (vm.component == magnitude) {
    const T length = safe_norm(u);
    if (value_of(length) == 0) return;
    ubar = (s / length) * u;
  } else if (vm.component == separation_rate) {
    const T distance = safe_norm(r);
    if (value_of(distance) == 0) return;
    const Vec3<T> n = (1.0 / distance) * r;
    ubar = s * n;
    on_r = (s / distance) * (u - dot(u, n) * n);
  } else {
    const Vec3<T> axis = m[2]->A.column(vm.component);
    ubar = s * axis;
    add(out[2] + 3, s * cross(axis, u));
  }
  switch (vm.difference) {
    case Difference::displacement:
      on_r = ubar;
      break;
    case Difference::velocity:
      on_r += cross(l.w, ubar);
      on_v = ubar;
      add(out[3] + 9, cross(ubar, r));
      break;
    case Difference::angular_velocity:
      on_w = ubar;
      break;
    case Difference::acceleration:
      on_r = cross(l.alpha, ubar) + cross(l.w, cross(l.w, ubar));
      on_v = T(2.0) * cross(l.w, ubar);
      on_a = ubar;
      add(out[3] + 15, cross(ubar, r));
      add(out[3] + 9, cross(cross(l.w, r), ubar) + cross(r, cross(ubar, l.w)) - T(2.0) * cross(v, ubar));
      break;
    case Difference::angular_acceleration:
      on_w = cross(l.w, ubar);
      on_alpha = ubar;
      add(out[3] + 9, cross(ubar, i.w - j.w));
      break;
    default:
      break;
  }
  const Vec3<T>* parts[6] = {&on_r, nullptr, &on_v, &on_w, &on_a, &on_alpha};
  for (int p = 0; p < 6; ++p) {
    if (parts[p] == nullptr) continue;
    add(out[0] + 3 * p, *parts[p]);
    add(out[1] + 3 * p, -*parts[p]);
  }
}

/// Adds s ∂atan2(p, q) = s (q δp - p δq)/(p² + q²), with δ(a·b) = δθ_i·(a×b) + δθ_j·(b×a).
template <class T>
TRAMMEL_HD void axis_angle_gradient(Measure measure, const MarkerKinematics<T>* const* m, const T& s,
                                    T* const* out) {
  const AxisAngle t = axis_angle(measure);
  const Vec3<T> a = m[0]->A.column(t.a), b = m[1]->A.column(t.b), c = m[1]->A.column(t.c);
  const T p = t.sign * dot(a, b), q = dot(a, c), square = p * p + q * q;
  if (value_of(square) == 0) return;
  const Vec3<T> g = (t.sign * (s * q / square)) * cross(a, b) - (s * p / square) * cross(a, c);
  add(out[0] + 3, g);
  add(out[1] + 3, -g);
}

/// Moves the lifted pose of marker m along axis k, or turns it about that: δr_k or δθ_k is `one`, and 0 makes
/// the pose a constant again.
template <class T>
TRAMMEL_HD void set_direction(const Pose<T>& m, bool turns, int k, double one, Pose<Dual<T, 1>>& lifted) {
  Vec3<T> direction;
  direction[k] = T(one);
  for (int n = 0; n < 3 && !turns; ++n) lifted.r[n].d[0] = direction[n];
  for (int c = 0; c < 3 && turns; ++c) {  // δA = [δθ]× A, column by column δθ × a
    const Vec3<T> change = cross(direction, m.A.column(c));
    for (int n = 0; n < 3; ++n) lifted.A(n, c).d[0] = change[n];
  }
}

/// Adds s times the gradient of pose_measure_value() by dual numbers, one direction at a time: the lifted
/// poses lie on the stack of every thread of a device, and for second derivatives their numbers are duals of
/// duals.
template <class T>
TRAMMEL_HD void pose_measure_gradient(Measure measure, int component, const MarkerKinematics<T>* const* m,
                                      const T& s, T* const* out) {
  Pose<Dual<T, 1>> lifted[3];
  const Pose<Dual<T, 1>>* operands[3] = {&lifted[0], &lifted[1], &lifted[2]};
  for (int n = 0; n < 3; ++n) {
    for (int k = 0; k < 3; ++k) lifted[n].r[k].v = m[n]->r[k];
    for (int k = 0; k < 9; ++k) lifted[n].A.m[k].v = m[n]->A.m[k];
  }
  const bool turns = measure != Measure::incang;
  for (int n = 0; n < (turns ? 2 : 3); ++n)
    for (int k = 0; k < 3; ++k) {
      set_direction(*m[n], turns, k, 1.0, lifted[n]);
      EvalError ignored = EvalError::none;  // the value was computed without error before
      const Dual<T, 1> value = pose_measure_value(measure, component, operands, ignored);
      T& entry = out[n][(turns ? 3 : 0) + k];
      entry = entry + s * value.d[0];
      set_direction(*m[n], turns, k, 0.0, lifted[n]);
    }
}

/// Whether measure_gradient() has formulas for it; the other measures are level 1 functions of two markers'
/// orientations, or of three positions (INCANG).
TRAMMEL_HD inline bool has_analytic_gradient(Measure measure) {
  return vector_measure(measure).difference != Difference::none || is_axis_angle(measure);
}

/// Adds s times the gradient of a measure to the blocks out[0..3] of its markers i, j, k, l.
template <class T>
TRAMMEL_HD void measure_gradient(Measure measure, int component, const MarkerKinematics<T>* const* m,
                                 const T& s, T* const* out) {
  const VectorMeasure vm = vector_measure(measure);
  if (vm.difference != Difference::none) {
    vector_measure_gradient(vm, m, s, out);
  } else if (is_axis_angle(measure)) {
    axis_angle_gradient(measure, m, s, out);
  } else {
    pose_measure_gradient(measure, component, m, s, out);
  }
}

}  // namespace functions

/// The value of AX, AY or AZ nearest to `last`: updates the revolution counters after each accepted step.
double continuous_angle(Measure measure, const MarkerKinematics<double>& i, const MarkerKinematics<double>& j,
                        double last);

}  // namespace trammel
