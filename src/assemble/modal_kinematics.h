// Kinematics of markers at nodes of flexible bodies, and their variation by modal coordinates q. In the axes
// of the body's frame, whose axes in global axes are A:
//
//   σ = s + Σ φ_j q_j,   ϑ = Σ φ*_j q_j,   r = x + A σ,   axes A exp(ϑ̃) A₀
//   v = ẋ + ω × Aσ + A u̇,   ω_p = ω + A T(ϑ) ϑ̇                                    (math/rotation_vector.h)
//
// The axes are turned by exp(ϑ̃), not by its linear part 1 + ϑ̃, so that they stay at right angles and the
// derivative of what a joint holds is exact.
#pragma once

#include "assemble/view.h"
#include "math/rotation_vector.h"

namespace trammel {

/// Σ φ_j x_j and Σ φ*_j x_j of a node in body axes, for modal coordinates or their rates x. Shapes have 6
/// numbers per mode.
struct ModalSum {
  Vec3d u, turn;
};
TRAMMEL_HD inline ModalSum modal_sum(const double* shape, const double* q, int modes) {
  ModalSum sum;
  for (int j = 0; j < modes; ++j, shape += 6)
    for (int i = 0; i < 3; ++i) {
      sum.u[i] += shape[i] * q[j];
      sum.turn[i] += shape[3 + i] * q[j];
    }
  return sum;
}

/// d/dt (T(ϑ) ϑ̇) = T ϑ̈ + Ṫ ϑ̇, for any scalar type.
template <class T>
TRAMMEL_HD Vec3<T> spin_rate(const Vec3<T>& turn, const Vec3<T>& rate, const Vec3<T>& second) {
  Vec3<Dual<T, 1>> moving, velocity;
  for (int i = 0; i < 3; ++i) {
    moving[i].v = turn[i], moving[i].d[0] = rate[i];
    velocity[i].v = rate[i], velocity[i].d[0] = second[i];
  }
  const Vec3<Dual<T, 1>> spin = spin_of(moving, velocity);
  return {spin.x.d[0], spin.y.d[0], spin.z.d[0]};
}

/// Displacement Aφ_j and rotation A T φ*_j of a node by mode j, global axes; after update_node().
TRAMMEL_HD inline void update_mode_shape(const AssemblyView& w, int node, int j) {
  const NodePlace& place = w.table.node[node];
  const double* shape = w.table.node_shape + 6 * static_cast<long>(place.shape + j);
  const Mat3d& A = w.array.body[w.table.flexible[place.flexible].body].A;
  w.array.mode_shape[place.shape + j] = {A * load(shape), w.array.node[node].turning * load(shape + 3)};
}

/// Kinematics of a marker at a node, as update_marker() has it for other markers.
TRAMMEL_HD inline void update_node(const AssemblyView& w, const WantedMarker& wanted) {
  const int m = wanted.marker, level = wanted.level;
  const Marker& marker = w.table.marker[m];
  const BodyKinematics& k = w.array.body[marker.body];
  const NodePlace& place = w.table.node[marker.node];
  const FlexiblePlace& flexible = w.table.flexible[place.flexible];
  const double* shape = w.table.node_shape + 6 * static_cast<long>(place.shape);
  const ModalSum now = modal_sum(shape, w.state.q + flexible.first, flexible.modes);
  MarkerKinematics<double>& out = w.array.marker[m];
  const Vec3d s = k.A * (marker.s + now.u);
  w.array.arm[m] = s;
  out.r = k.x + s;
  NodeMotion& motion = w.array.node[marker.node];
  motion.turn = now.turn;
  motion.turning = k.A * spin_matrix(now.turn);
  if (level < 1) return;
  out.A = k.A * (rotation_by(now.turn) * marker.A);
  if (level < 2) return;
  const ModalSum rate = modal_sum(shape, w.state.v + flexible.first, flexible.modes);
  motion.v = k.A * rate.u;
  motion.w = motion.turning * rate.turn;
  const Vec3d ws = cross(k.w, s);
  out.v = k.v + ws + motion.v;
  out.w = k.w + motion.w;
  if (level < 3) return;
  // a = ẍ + α × s + ω × (ω × s) + 2 ω × Au̇ + Aü,   α_p = α + ω × ω' + A d(Tϑ̇)/dt with ω' = A Tϑ̇
  const ModalSum second = modal_sum(shape, w.state.a + flexible.first, flexible.modes);
  motion.a = k.A * second.u;
  motion.alpha = k.A * spin_rate(now.turn, rate.turn, second.turn);
  out.a = k.a + cross(k.alpha, s) + cross(k.w, ws) + 2.0 * cross(k.w, motion.v) + motion.a;
  out.alpha = k.alpha + cross(k.w, motion.w) + motion.alpha;
}
/// The same, and the shapes of all modes at the node.
[[gnu::noinline]] TRAMMEL_CALLED inline void update_node_marker(const AssemblyView& w,
                                                                const WantedMarker& wanted) {
  update_node(w, wanted);
  const int node = w.table.marker[wanted.marker].node;
  const int modes = w.table.flexible[w.table.node[node].flexible].modes;
  for (int j = 0; j < modes; ++j) update_mode_shape(w, node, j);
}

/// Derivatives of the spin of a node with the rotation ϑ, ϑ̇ and ϑ̈, in body axes.
TRAMMEL_HD inline SpinDerivatives spin_derivatives(const Vec3d& turn, const Vec3d& rate,
                                                   const Vec3d& second) {
  using D = Dual<double, 6>;
  Vec3<D> t, r, s;
  for (int i = 0; i < 3; ++i) {
    t[i] = D::variable(turn[i], i);
    r[i] = D::variable(rate[i], 3 + i);
    s[i] = second[i];
  }
  const Vec3<D> change = spin_rate(t, r, s);
  for (int i = 0; i < 3; ++i) r[i] = rate[i];
  const Vec3<D> spin = spin_of(t, r);
  SpinDerivatives d;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      d.spin(i, k) = spin[i].d[k];
      d.rate(i, k) = change[i].d[k];
      d.rate_by_rate(i, k) = change[i].d[3 + k];
    }
  return d;
}

/// How a correction of a modal coordinate enters the tangent; where accelerations are solved for,
/// quasi-static modes have a factor c of their own, theory.md (66c).
TRAMMEL_HD inline Coefficients coefficients_of_mode(const AssemblyView& w, const FlexiblePlace& place,
                                                    int mode) {
  Coefficients c = w.point->c;
  if (c.settling && w.table.settling) c.c = w.table.settling[place.first + mode];
  return c;
}

/// Derivatives of the spin of a node, global axes, from which its variations by all modes are made.
TRAMMEL_HD inline void update_node_spin(const AssemblyView& w, int node) {
  const NodePlace& place = w.table.node[node];
  const FlexiblePlace& flexible = w.table.flexible[place.flexible];
  const double* shape = w.table.node_shape + 6 * static_cast<long>(place.shape);
  const Mat3d& A = w.array.body[flexible.body].A;
  const ModalSum now = modal_sum(shape, w.state.q + flexible.first, flexible.modes),
                 rate = modal_sum(shape, w.state.v + flexible.first, flexible.modes),
                 second = modal_sum(shape, w.state.a + flexible.first, flexible.modes);
  const SpinDerivatives d = spin_derivatives(now.turn, rate.turn, second.turn);
  w.array.node_spin[node] = {A * d.spin, A * d.rate, A * d.rate_by_rate};
}
/// Variation of a marker at a node by mode j of its body, after update_node_spin().
TRAMMEL_HD inline void update_mode_variation(const AssemblyView& w, int node, int j) {
  const NodePlace& place = w.table.node[node];
  const FlexiblePlace& flexible = w.table.flexible[place.flexible];
  const BodyKinematics& k = w.array.body[flexible.body];
  const SpinDerivatives& spin = w.array.node_spin[node];
  const Coefficients c = coefficients_of_mode(w, flexible, j);
  const Vec3d own = load(w.table.node_shape + 6 * static_cast<long>(place.shape + j) + 3);
  const Vec3d &r = w.array.mode_shape[place.shape + j].r, &turn = w.array.mode_shape[place.shape + j].turn;
  const Vec3d wr = cross(k.w, r);
  // δω = c ∂(ATϑ̇)/∂ϑ φ* + b AT φ*;  δα = ω × δω + c ∂β/∂ϑ φ* + b ∂β/∂ϑ̇ φ* + a AT φ*,  β = A d(Tϑ̇)/dt
  const Vec3d of_spin = c.c * (spin.spin * own) + c.b * turn;
  Vec3d* by = w.array.mode_variation[place.shape + j].by;
  by[0] = c.c * r;
  by[1] = c.c * turn;
  by[2] = c.b * r + c.c * wr;
  by[3] = of_spin;
  by[4] = c.a * r + 2.0 * c.b * wr + c.c * (cross(k.alpha, r) + cross(k.w, wr));
  by[5] = cross(k.w, of_spin) + c.c * (spin.rate * own) + c.b * (spin.rate_by_rate * own) + c.a * turn;
}
/// Variations of a marker at a node by all modes of its body, at the configuration of the last
/// update_node_marker().
TRAMMEL_HD inline void update_node_variation(const AssemblyView& w, int node) {
  update_node_spin(w, node);
  const int modes = w.table.flexible[w.table.node[node].flexible].modes;
  for (int j = 0; j < modes; ++j) update_mode_variation(w, node, j);
}

/// ∂(T(ϑ)ᵀ τ)/∂ϑ for a moment τ in body axes.
TRAMMEL_HD inline Mat3d turning_derivative(const Vec3d& turn, const Vec3d& moment) {
  using D = Dual<double, 3>;
  Vec3<D> t, m;
  for (int i = 0; i < 3; ++i) {
    t[i] = -D::variable(turn[i], i);  // T(ϑ)ᵀ = T(−ϑ)
    m[i] = moment[i];
  }
  const Vec3<D> out = spin_of(t, m);
  Mat3d G;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) G(i, k) = out[i].d[k];
  return G;
}

}  // namespace trammel
