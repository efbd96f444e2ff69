// Orientation by body-fixed 3-1-3 Euler angles ε = (ψ, θ, φ), and the maps that the equations of motion use.
// Source: ADAMS/Solver primer, Eq. 9–12; global-axes form of the angular velocity.
#pragma once

#include "math/vec3.h"

namespace trammel {

/// A₃₁₃ = Rz(ψ) Rx(θ) Rz(φ).
template <class T>
TRAMMEL_HD Mat3<T> rotation_313(const Vec3<T>& e) {
  using std::cos, std::sin;
  const T cs = cos(e.x), ss = sin(e.x), ct = cos(e.y), st = sin(e.y), cf = cos(e.z), sf = sin(e.z);
  Mat3<T> a;
  a(0, 0) = cs * cf - ss * ct * sf;
  a(0, 1) = -cs * sf - ss * ct * cf;
  a(0, 2) = ss * st;
  a(1, 0) = ss * cf + cs * ct * sf;
  a(1, 1) = -ss * sf + cs * ct * cf;
  a(1, 2) = -cs * st;
  a(2, 0) = st * sf;
  a(2, 1) = st * cf;
  a(2, 2) = ct;
  return a;
}

/// Results and measures take two axes for parallel where the sine between them is less: it may be the
/// rounding of a motion in a plane, in which the directions of ψ and φ are random.
inline constexpr double parallel_sine = 1e-10;

/// The 3-1-3 angles of A; ψ, φ in (−π, π], θ in [0, π]. Where sin θ < `least_sine`: φ = 0, and θ is 0 or π.
TRAMMEL_HD inline Vec3d angles_313(const Mat3d& a, double least_sine = 1e-14) {
  const double st = std::hypot(a(0, 2), a(1, 2));
  if (st < least_sine) return {std::atan2(a(1, 0), a(0, 0)), a(2, 2) > 0 ? 0.0 : std::acos(-1.0), 0.0};
  return {std::atan2(a(0, 2), -a(1, 2)), std::atan2(st, a(2, 2)), std::atan2(a(2, 0), a(2, 1))};
}

/// Angular-velocity map of the 3-1-3 angles and its derivatives; all 3×3. A₃₁₃ maps to some frame;
///   E(ψ,θ): ω = E ε̇ in the axes of that frame (columns: the three rotation axes).
struct AngularVelocityMap {
  Mat3d E, E_psi, E_theta, E_psi_psi, E_psi_theta, E_theta_theta;

  TRAMMEL_HD explicit AngularVelocityMap(const Vec3d& e) {
    const double cs = std::cos(e.x), ss = std::sin(e.x), ct = std::cos(e.y), st = std::sin(e.y);
    E = Mat3d{{0, cs, ss * st, 0, ss, -cs * st, 1, 0, ct}};
    E_psi = Mat3d{{0, -ss, cs * st, 0, cs, ss * st, 0, 0, 0}};
    E_theta = Mat3d{{0, 0, ss * ct, 0, 0, -cs * ct, 0, 0, -st}};
    E_psi_psi = Mat3d{{0, -cs, -ss * st, 0, -ss, cs * st, 0, 0, 0}};
    E_psi_theta = Mat3d{{0, 0, cs * ct, 0, 0, ss * ct, 0, 0, 0}};
    E_theta_theta = Mat3d{{0, 0, -ss * st, 0, 0, cs * st, 0, 0, -ct}};
  }
  /// Ė along ε̇.
  TRAMMEL_HD Mat3d rate(const Vec3d& ed) const { return ed.x * E_psi + ed.y * E_theta; }
  /// ∂(E ε̇)/∂ε.
  TRAMMEL_HD Mat3d velocity_gradient(const Vec3d& ed) const {
    return Mat3d::from_columns(E_psi * ed, E_theta * ed, Vec3d{});
  }
  /// ∂(E ε̈ + Ė ε̇)/∂ε.
  TRAMMEL_HD Mat3d acceleration_gradient(const Vec3d& ed, const Vec3d& edd) const {
    return Mat3d::from_columns(E_psi * edd + (ed.x * E_psi_psi + ed.y * E_psi_theta) * ed,
                               E_theta * edd + (ed.x * E_psi_theta + ed.y * E_theta_theta) * ed, Vec3d{});
  }
  /// ∂(Eᵀ n)/∂ε for constant n.
  TRAMMEL_HD Mat3d moment_gradient(const Vec3d& n) const {
    return Mat3d::from_columns(transpose_times(E_psi, n), transpose_times(E_theta, n), Vec3d{});
  }
};

/// Rotations about z and x by an angle in radians.
inline Mat3d rotation_z(double a) {
  const double c = std::cos(a), s = std::sin(a);
  return Mat3d{{c, -s, 0, s, c, 0, 0, 0, 1}};
}
TRAMMEL_HD inline Mat3d rotation_x(double a) {
  const double c = std::cos(a), s = std::sin(a);
  return Mat3d{{1, 0, 0, 0, c, -s, 0, s, c}};
}

/// exp([v]×): rotation by |v| about v.
inline Mat3d rotation_vector(const Vec3d& v) {
  const double angle = norm(v);
  const double a = angle < 1e-8 ? 1.0 - angle * angle / 6 : std::sin(angle) / angle;
  const double b = angle < 1e-8 ? 0.5 - angle * angle / 24 : (1 - std::cos(angle)) / (angle * angle);
  const Mat3d s = skew(v);
  return Mat3d::identity() + a * s + b * (s * s);
}

/// Nearest orthonormal right-handed frame (Gram–Schmidt on z, x): removes rounding after products.
TRAMMEL_HD inline Mat3d orthonormalized(const Mat3d& a) {
  Vec3d z = a.column(2);
  z = (1 / norm(z)) * z;
  Vec3d x = a.column(0) - dot(a.column(0), z) * z;
  x = (1 / norm(x)) * x;
  return Mat3d::from_columns(x, cross(z, x), z);
}

}  // namespace trammel
