// Re-basing of one body, for the host and for kernels: changes the constant rotations G and R of A = G
// A₃₁₃(ε) R and transforms all stored angles and rates exactly through (A, ω, α).
#pragma once

#include <cmath>

#include "assemble/view.h"
#include "base/unroll.h"
#include "math/rotation.h"

namespace trammel {

TRAMMEL_HD inline void store(const Vec3d& v, double* p) {
  for (int k = 0; k < 3; ++k) p[k] = v[k];
}

/// True when |sin θ| of the body is below 0.5, θ within π/6 of a multiple of π: it has to be re-based.
TRAMMEL_HD inline bool needs_rebase(const BodyBlock& body, const double* q) {
  if (!body.has_euler_angles()) return false;
  constexpr double one_over_pi = 0x1.45f306dc9c883p-2;
  const double half_turns = q[body.angles() + 1] * one_over_pi;
  return std::abs(half_turns - std::round(half_turns)) < 1.0 / 6;
}

/// True when ψ or φ of the body, whose rounding grows with the turns, is beyond 200 rad and twenty steps of
/// size h: it is better re-based, where a step hands on what is stored.
TRAMMEL_HD inline bool has_turned_far(const BodyBlock& body, const double* q, const double* v, double h) {
  if (!body.has_euler_angles()) return false;
  constexpr double far = 200, steps = 20;
  for (int k = body.angles(); k < body.angles() + 3; k += 2)
    if (std::abs(q[k]) > far && std::abs(q[k]) > steps * h * std::abs(v[k])) return true;
  return false;
}

/// Rotation matrix that maps the unit vector u to ẑ.
TRAMMEL_HD inline Mat3d align_with_z(const Vec3d& u) {
  Vec3d helper{};
  int smallest = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(u[k]) < std::abs(u[smallest])) smallest = k;
  helper[smallest] = 1;
  Vec3d x = cross(helper, u);
  x = (1 / norm(x)) * x;
  return transpose(Mat3d::from_columns(x, cross(u, x), u));
}

struct RotationalMotion {
  Mat3d A;
  Vec3d w, alpha;
};

TRAMMEL_CALLED inline RotationalMotion motion_of(const OrientationBasis& basis, const Vec3d& e,
                                                 const Vec3d& ed, const Vec3d& edd) {
  const AngularVelocityMap map(e);
  return {basis.G * rotation_313(e) * basis.R, basis.G * (map.E * ed),
          basis.G * (map.E * edd + map.rate(ed) * ed)};
}

/// ε, ε̇, ε̈ of a rotational motion in a basis: E ε̇ = Gᵀω,  E ε̈ = Gᵀα − Ė ε̇.
TRAMMEL_CALLED inline void coordinates_of(const RotationalMotion& m, const OrientationBasis& basis, double* q,
                                          double* v, double* a) {
  const Vec3d e = angles_313(transpose_times(basis.G, m.A) * transpose(basis.R));
  const AngularVelocityMap map(e);
  const Mat3d inverse_E = inverse(map.E);
  const Vec3d ed = inverse_E * transpose_times(basis.G, m.w);
  const Vec3d edd = inverse_E * (transpose_times(basis.G, m.alpha) - map.rate(ed) * ed);
  store(e, q);
  store(ed, v);
  store(edd, a);
}

/// R so that the third rotation axis is the present axis of rotation (along ω, else α, else body z), G so
/// that ψ = 0, θ = 90°, φ = 0: A = G Rx(90°) R.
TRAMMEL_CALLED inline OrientationBasis make_basis(const Mat3d& A, const Vec3d& w, const Vec3d& alpha) {
  constexpr double right_angle = 1.57079632679489661923;
  Vec3d axis = transpose_times(A, w);
  if (norm(axis) < 1e-12) axis = transpose_times(A, alpha);
  const double size = norm(axis);
  OrientationBasis basis;
  basis.R = size < 1e-12 ? Mat3d::identity() : align_with_z((1 / size) * axis);
  basis.G = orthonormalized(A * transpose(basis.R) * rotation_x(-right_angle));
  return basis;
}

/// Coordinates, velocities, accelerations at one stored time: of the present state or of the history.
struct CoordinatePoint {
  double *q, *v, *a;  ///< all generalized coordinates
};

/// A body whose angles, which begin at index `at`, were given over to another basis.
struct RebasedBody {
  int at;
  const OrientationBasis &old, &basis;
  Vec3d e, ed;                 ///< ε and ε̇ at the present time in the old basis
  Vec3d change;                ///< of ε̈ over the last step in the old basis
  CoordinatePoint now;         ///< in the new one, as all below
  CoordinatePoint step_begin;  ///< of the last step
};

/// Of a method that stores nothing else that depends on the basis of angles.
struct NothingStored {
  static constexpr const char* rebase_name = "rebase_bodies";
  TRAMMEL_HD void operator()(const RebasedBody&) const {}
};

/// Re-bases the body whose angles begin at index `at`: the present point, `points` points of the history, the
/// last of which is the beginning of the last step, and what a method stores besides.
template <class Stored>
TRAMMEL_HD void rebase_body(int at, OrientationBasis& basis, const CoordinatePoint& now,
                            const CoordinatePoint* history, int points, const Stored& stored) {
  const OrientationBasis old = basis;
  const Vec3d e = load(now.q + at), ed = load(now.v + at), edd = load(now.a + at);
  const CoordinatePoint step_begin = points > 0 ? history[points - 1] : now;
  const Vec3d change = edd - load(step_begin.a + at);
  const RotationalMotion present = motion_of(old, e, ed, edd);
  basis = make_basis(present.A, present.w, present.alpha);
  TRAMMEL_ROLLED
  for (int k = 0; k < points; ++k) {
    const CoordinatePoint& p = history[k];
    coordinates_of(motion_of(old, load(p.q + at), load(p.v + at), load(p.a + at)), basis, p.q + at, p.v + at,
                   p.a + at);
  }
  coordinates_of(present, basis, now.q + at, now.v + at, now.a + at);
  stored(RebasedBody{at, old, basis, e, ed, change, now, step_begin});
}

}  // namespace trammel
