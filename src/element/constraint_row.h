// Scalar constraint rows: the building blocks of every joint, primitive and motion.
//
// A row is φ(I, J) = 0 in the poses of two markers. With the variation (δr, δθ) of each marker
//   δφ = f_I·δr_I + t_I·δθ_I + f_J·δr_J + t_J·δθ_J,
// the reaction of multiplier λ on marker I is (−λ f_I, −λ t_I) in global axes (primer, Eq. 41–42).
#pragma once

#include "expression/marker_kinematics.h"
#include "math/angle.h"
#include "math/vec3.h"

namespace trammel {

enum class RowKind : unsigned char {
  separation_global,  ///< (r_I − r_J)·e_a                     a = 0..2 global axis
  separation,         ///< (r_I − r_J)·û_J                     axis j of J
  dot,                ///< û_I·ŵ_J                             axis i of I, axis j of J
  constant_velocity,  ///< x̂_I·ŷ_J ∓ ŷ_I·x̂_J          − for ẑ_I, ẑ_J of one sense, + (parameter > 0) opposed
  curve_normal,  ///< n_j(α)·(d − c(α)), d = r_I − r_J in axes of J: element/curve_row.h, as the next two
  curve_place,  ///< |c'| (α − parameter)
  curve_gap,    ///< distance of two curves
  angle_z,      ///< AZ(I,J) = atan2(x̂_I·ŷ_J, x̂_I·x̂_J), continuous
  screw,        ///< (r_I − r_J)·ẑ_J − p AZ/2π           p = pitch
  rack,         ///< (r_I − r_J)·ẑ_J + p AZ'             p = PD/2, AZ' spin of I about ẑ_I
  b1,
  b2,
  b3,  ///< body-fixed 1-2-3 angles of I in J
};

/// One row of an element: kind, axis i of I, axis j of J, parameter.
struct ConstraintRow {
  RowKind kind = RowKind::separation_global;
  signed char i = 0, j = 0;
  double parameter = 0.0;
};

/// Sign of the second product of a constant_velocity row, with which both shafts turn alike: spins about ẑ_I
/// and ẑ_J are equal when the axes have one sense, equal and opposite when both point away from the joint.
TRAMMEL_HD inline double constant_velocity_sign(const ConstraintRow& row) {
  return row.parameter > 0 ? 1.0 : -1.0;
}

/// Gradient of a row with respect to the variations of its two markers, global axes.
template <class T>
struct RowGradient {
  Vec3<T> fi, ti, fj, tj;
};

template <class T>
TRAMMEL_HD T row_angle(const T& sine, const T& cosine) {
  using std::atan2;
  return atan2(sine, cosine);
}

/// φ of a row. `last` is the last accepted value of its angle, which keeps angles continuous.
template <class T>
TRAMMEL_HD T row_value(const ConstraintRow& row, const Pose<T>& I, const Pose<T>& J, double last = 0.0) {
  const Vec3<T> d = I.r - J.r;
  const auto continued = [last](const T& angle) { return continued_angle(angle, last); };
  switch (row.kind) {
    case RowKind::separation_global:
      return d[row.j];
    case RowKind::separation:
      return dot(d, J.A.column(row.j));
    case RowKind::dot:
      return dot(I.A.column(row.i), J.A.column(row.j));
    case RowKind::constant_velocity:
      return dot(I.A.column(0), J.A.column(1)) +
             constant_velocity_sign(row) * dot(I.A.column(1), J.A.column(0));
    case RowKind::angle_z:
      // ADAMS: AZ = atan2(x̂_I·ŷ_J, x̂_I·x̂_J)
      return continued(row_angle(dot(I.A.column(0), J.A.column(1)), dot(I.A.column(0), J.A.column(0))));
    case RowKind::screw: {
      const T az = continued(row_angle(dot(I.A.column(0), J.A.column(1)), dot(I.A.column(0), J.A.column(0))));
      return dot(d, J.A.column(2)) - (row.parameter / 6.283185307179586477) * az;
    }
    case RowKind::rack: {
      // Spin of the pinion about its own axis ẑ_I, measured against the rack: the component in the
      // plane normal to ẑ_I of the travel direction ẑ_J, seen in I. Positive spin of I turns it back.
      const Vec3<T> w = J.A.column(2);
      const T spin = continued(row_angle(-dot(w, I.A.column(1)), dot(w, I.A.column(0))));
      return dot(d, w) + row.parameter * spin;
    }
    case RowKind::b1: {
      const Mat3<T> r = transpose_times(J.A, I.A);
      return continued(row_angle(-r(1, 2), r(2, 2)));
    }
    case RowKind::b2: {
      using std::sqrt;
      const Mat3<T> r = transpose_times(J.A, I.A);
      return row_angle(r(0, 2), T(sqrt(r(0, 0) * r(0, 0) + r(0, 1) * r(0, 1))));
    }
    case RowKind::b3: {
      const Mat3<T> r = transpose_times(J.A, I.A);
      return continued(row_angle(-r(0, 1), r(0, 0)));
    }
    case RowKind::curve_normal:
    case RowKind::curve_place:
    case RowKind::curve_gap:
      break;
  }
  return T{};
}

/// Adds `weight` × gradient of u_I·w_J (u, w given axes) to g.
template <class T>
TRAMMEL_HD void add_dot_gradient(const T& weight, const Vec3<T>& u, const Vec3<T>& w, RowGradient<T>& g) {
  // δ(u·w) = (δθ_I × u)·w + u·(δθ_J × w) = (u × w)·(δθ_I − δθ_J)
  const Vec3<T> t = weight * cross(u, w);
  g.ti += t;
  g.tj -= t;
}

/// Adds weight × gradient of angle = atan2(s, c), s = u1·w1, c = u2·w2 to g.
template <class T>
TRAMMEL_HD void add_angle_gradient(const T& weight, const Vec3<T>& u1, const Vec3<T>& w1, const Vec3<T>& u2,
                                   const Vec3<T>& w2, double sign_s, RowGradient<T>& g) {
  const T s = sign_s * dot(u1, w1), c = dot(u2, w2);
  const T inverse = weight / (s * s + c * c);
  add_dot_gradient(T(inverse * c * sign_s), u1, w1, g);
  add_dot_gradient(T(-inverse * s), u2, w2, g);
}

/// Adds the gradient of d·û_J.
template <class T>
TRAMMEL_HD void add_separation_gradient(const Vec3<T>& d, const Vec3<T>& u, RowGradient<T>& g) {
  g.fi += u;
  g.fj -= u;
  g.tj += cross(u, d);  // d·(δθ_J × u) = δθ_J·(u × d)
}

template <class T>
TRAMMEL_HD RowGradient<T> row_gradient(const ConstraintRow& row, const Pose<T>& I, const Pose<T>& J) {
  RowGradient<T> g;
  const Vec3<T> d = I.r - J.r;
  const T one(1.0);
  switch (row.kind) {
    case RowKind::separation_global:
      g.fi[row.j] = T(1.0);
      g.fj[row.j] = T(-1.0);
      break;
    case RowKind::separation:
      add_separation_gradient(d, J.A.column(row.j), g);
      break;
    case RowKind::dot:
      add_dot_gradient(one, I.A.column(row.i), J.A.column(row.j), g);
      break;
    case RowKind::constant_velocity:
      add_dot_gradient(one, I.A.column(0), J.A.column(1), g);
      add_dot_gradient(T(constant_velocity_sign(row)), I.A.column(1), J.A.column(0), g);
      break;
    case RowKind::angle_z:
      add_angle_gradient(one, I.A.column(0), J.A.column(1), I.A.column(0), J.A.column(0), 1.0, g);
      break;
    case RowKind::screw:
      add_separation_gradient(d, J.A.column(2), g);
      add_angle_gradient(T(-row.parameter / 6.283185307179586477), I.A.column(0), J.A.column(1),
                         I.A.column(0), J.A.column(0), 1.0, g);
      break;
    case RowKind::rack: {
      const Vec3<T> w = J.A.column(2);
      add_separation_gradient(d, w, g);
      add_angle_gradient(T(row.parameter), I.A.column(1), w, I.A.column(0), w, -1.0, g);
      break;
    }
    case RowKind::b1:
      add_angle_gradient(one, I.A.column(2), J.A.column(1), I.A.column(2), J.A.column(2), -1.0, g);
      break;
    case RowKind::b2: {
      // sin b2 = x̂_J·ẑ_I;  δb2 = δ(sin b2)/cos b2
      using std::sqrt;
      const T s = dot(I.A.column(2), J.A.column(0));
      add_dot_gradient(T(1.0 / sqrt(1.0 - s * s)), I.A.column(2), J.A.column(0), g);
      break;
    }
    case RowKind::b3:
      add_angle_gradient(one, I.A.column(1), J.A.column(0), I.A.column(0), J.A.column(0), -1.0, g);
      break;
    case RowKind::curve_normal:
    case RowKind::curve_place:
    case RowKind::curve_gap:
      break;
  }
  return g;
}

/// True when the gradient of the row never changes: no tangent of its reaction.
TRAMMEL_HD inline bool row_is_linear(const ConstraintRow& row) {
  return row.kind == RowKind::separation_global;
}
/// True when the row reads curves: it has functions of its own.
TRAMMEL_HD inline bool row_is_curve(const ConstraintRow& row) {
  return row.kind >= RowKind::curve_normal && row.kind <= RowKind::curve_gap;
}
/// True when the row, and so its tangent, sees orientations only.
TRAMMEL_HD inline bool row_is_rotational(const ConstraintRow& row) {
  return !row_is_curve(row) && row.kind != RowKind::separation_global && row.kind != RowKind::separation &&
         row.kind != RowKind::screw && row.kind != RowKind::rack;
}
/// True when the row contains an angle (that of b2 stays within a quarter turn, the others count
/// revolutions).
TRAMMEL_HD inline bool row_has_angle(const ConstraintRow& row) {
  return row.kind >= RowKind::angle_z;
}

/// True when the row is an angle that counts revolutions, and nothing else.
TRAMMEL_HD inline bool row_is_angle(const ConstraintRow& row) {
  return row.kind == RowKind::angle_z || row.kind == RowKind::b1 || row.kind == RowKind::b3;
}

/// weight × derivative of a gradient, gradient(Pose<D>, Pose<D>) with D = Dual<double, 6>, added to h: dual
/// numbers along δr and δA = [δθ]×A of each marker in turn.
template <class Gradient>
TRAMMEL_HD void add_dual_hessian(const Pose<double>& I, const Pose<double>& J, double weight,
                                 double (&h)[12][12], const Gradient& gradient) {
  using D = Dual<double, 6>;
  for (int side = 0; side < 2; ++side) {
    Pose<D> p[2];
    const Pose<double>* in[2] = {&I, &J};
    for (int m = 0; m < 2; ++m) {
      for (int k = 0; k < 3; ++k) p[m].r[k] = D(in[m]->r[k]);
      for (int k = 0; k < 9; ++k) p[m].A.m[k] = D(in[m]->A.m[k]);
      if (m != side) continue;
      for (int k = 0; k < 3; ++k) p[m].r[k].d[k] = 1.0;
      for (int k = 0; k < 3; ++k) {  // δA = [e_k]× A
        Vec3d axis{};
        axis[k] = 1.0;
        const Mat3d dA = skew(axis) * in[m]->A;
        for (int e = 0; e < 9; ++e) p[m].A.m[e].d[3 + k] = dA.m[e];
      }
    }
    const RowGradient<D> g = gradient(p[0], p[1]);
    const Vec3<D>* part[4] = {&g.fi, &g.ti, &g.fj, &g.tj};
    for (int b = 0; b < 4; ++b)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 6; ++c) h[3 * b + r][6 * side + c] += weight * (*part[b])[r].d[c];
  }
}

/// True when the row is made of products of marker axes.
TRAMMEL_HD inline bool row_is_of_dots(const ConstraintRow& row) {
  return row.kind == RowKind::dot || row.kind == RowKind::constant_velocity;
}

/// φ̇ and φ̈ of a row along the motion of its markers.
struct RowRates {
  double first = 0, second = 0;
};

/// Adds those of a row in closed form: of products of axes and of separations. False of other rows.
///   u̇ = ω × u,  ü = α × u + ω × u̇ of an axis u;  with n = u × w of the product u·w of an axis of I and one
///   of J, Ω = ω_I − ω_J:  (u·w)˙ = Ω·n,  (u·w)¨ = Ω̇·n + Ω·(u̇ × w + u × ẇ)
TRAMMEL_HD inline bool add_closed_rates(const ConstraintRow& row, const MarkerKinematics<double>& I,
                                        const MarkerKinematics<double>& J, RowRates& rate) {
  if (row.kind == RowKind::separation_global) {
    rate.first += I.v[row.j] - J.v[row.j];
    rate.second += I.a[row.j] - J.a[row.j];
    return true;
  }
  if (row_is_of_dots(row)) {
    const Vec3d turning = I.w - J.w, turned = I.alpha - J.alpha;
    const auto add = [&](const Vec3d& u, const Vec3d& w, double factor) {
      const Vec3d n = factor * cross(u, w);
      const Vec3d n_rate = factor * (cross(cross(I.w, u), w) + cross(u, cross(J.w, w)));
      rate.first += dot(turning, n);
      rate.second += dot(turned, n) + dot(turning, n_rate);
    };
    if (row.kind == RowKind::dot) {
      add(I.A.column(row.i), J.A.column(row.j), 1.0);
    } else {
      add(I.A.column(0), J.A.column(1), 1.0);
      add(I.A.column(1), J.A.column(0), constant_velocity_sign(row));
    }
    return true;
  }
  if (row.kind == RowKind::separation) {  // d·u, u of J
    const Vec3d u = J.A.column(row.j), u_rate = cross(J.w, u);
    const Vec3d d = I.r - J.r, d_rate = I.v - J.v;
    rate.first += dot(d_rate, u) + dot(d, u_rate);
    rate.second +=
        dot(I.a - J.a, u) + 2 * dot(d_rate, u_rate) + dot(d, cross(J.alpha, u) + cross(J.w, u_rate));
    return true;
  }
  return false;
}

/// Adds weight·w̃ũ for every product u·w of the row (u of I, w of J). With B the sum,
///   t_I = u × w = −t_J,  δt_I = (δθ_I × u) × w + u × (δθ_J × w) = B δθ_I − Bᵀ δθ_J.
TRAMMEL_HD inline void add_dot_curvature(const ConstraintRow& row, const Pose<double>& I,
                                         const Pose<double>& J, double weight, Mat3d& B) {
  const auto add = [&](const Vec3d& u, const Vec3d& w, double factor) {
    const double uw = factor * dot(u, w);
    B += outer(u, factor * w) - Mat3d::diagonal(uw, uw, uw);  // w̃ũ = u wᵀ − (u·w) 1
  };
  if (row.kind == RowKind::dot) {
    add(I.A.column(row.i), J.A.column(row.j), weight);
  } else {
    add(I.A.column(0), J.A.column(1), weight);
    add(I.A.column(1), J.A.column(0), weight * constant_velocity_sign(row));
  }
}

/// Adds weight · ∂(f_I, t_I, f_J, t_J)/∂(δr_I, δθ_I, δr_J, δθ_J) to h, the derivative of the gradient along
/// the variations δA = [δθ]×A, in closed form: of products of axes and of separations. False of other rows.
TRAMMEL_HD inline bool add_closed_hessian(const ConstraintRow& row, const Pose<double>& I,
                                          const Pose<double>& J, double weight, double (&h)[12][12]) {
  const auto add = [&](int block_row, int block_column, const Mat3d& m, double factor) {
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) h[3 * block_row + r][3 * block_column + c] += weight * factor * m(r, c);
  };
  if (row.kind == RowKind::separation_global) return true;
  if (row_is_of_dots(row)) {
    Mat3d B{};
    add_dot_curvature(row, I, J, 1.0, B);
    add(1, 1, B, 1.0);
    add(1, 3, transpose(B), -1.0);
    add(3, 1, B, -1.0);
    add(3, 3, transpose(B), 1.0);
    return true;
  }
  if (row.kind == RowKind::separation) {
    // f_I = u, t_J = u × d;  δu = −ũ δθ_J,  δt_J = ũ δd + d̃ũ δθ_J
    const Vec3d u = J.A.column(row.j), d = I.r - J.r;
    const Mat3d us = skew(u);
    add(0, 3, us, -1.0);
    add(2, 3, us, 1.0);
    add(3, 0, us, 1.0);
    add(3, 2, us, -1.0);
    add(3, 3, skew(d) * us, 1.0);
    return true;
  }
  return false;
}

/// The same of any row, by dual numbers where there is no closed form.
TRAMMEL_HD inline void row_hessian(const ConstraintRow& row, const Pose<double>& I, const Pose<double>& J,
                                   double weight, double (&h)[12][12]) {
  if (add_closed_hessian(row, I, J, weight, h)) return;
  add_dual_hessian(I, J, weight, h, [&](const auto& i, const auto& j) { return row_gradient(row, i, j); });
}

}  // namespace trammel
