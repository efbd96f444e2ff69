// Rows of PTCV and CVCV: a point of I on a curve of J, a curve of I that touches a curve of J.
//
// Where on the curves the contact is follows from the poses: α (and β on the other curve) is no unknown of
// the system, but is found in every evaluation from
//   PTCV  (d − c(α))·c'(α) = 0                           d = Aᵀ_J (r_I − r_J)
//   CVCV  p'(β) × q'(α) = 0,  (p(β) − q(α))·q'(α) = 0      in the x-y plane of J, p the curve of I
// by Newton's method from the parameters at the last accepted step. Derivatives of the rows of any order come
// from further steps of this iteration with dual numbers.
#pragma once

#include <type_traits>

#include "element/constraint_row.h"
#include "expression/curve_table.h"
#include "math/plain_values.h"

namespace trammel {

/// The curves of an element and the last accepted parameters on them; PTCV has the one of J only.
struct CurveContact {
  CurveView I, J;
  double last_I = 0, last_J = 0;
};

/// Parameters at the contact.
struct ContactPlace {
  double I = 0, J = 0;
  bool found = true;  ///< false: there is none near the last one
};

/// Whether a parameter lies beyond the ends of an open curve.
TRAMMEL_HD inline bool left_curve(const CurveView& curve, double parameter) {
  constexpr double rounding = 1e-9;  // beside the parameter's range of 2; far below its change in a step
  return curve.points > 0 && !curve.closed && std::fabs(parameter) > 1 + rounding;
}

namespace curve_rows {

/// The larger of two magnitudes.
TRAMMEL_HD inline double larger_size(double a, double b) {
  a = std::fabs(a), b = std::fabs(b);
  return a < b ? b : a;
}

/// I relative to J in the axes of J.
template <class T>
TRAMMEL_HD Pose<T> relative(const Pose<T>& I, const Pose<T>& J) {
  return {transpose_times(J.A, I.r - J.r), transpose_times(J.A, I.A)};
}

// ---- a point on a curve

/// α with all derivatives that T carries: two more steps of Newton's method with a constant slope make the
/// first and the second exact.
template <class T>
TRAMMEL_HD T foot(const CurveView& curve, const Vec3<T>& d, double last) {
  const double at = foot_parameter(curve, values(d), last);
  if constexpr (std::is_same_v<T, double>) {
    return at;
  } else {
    const CurvePoint<double> p = curve_point(curve, at);
    const double slope = dot(p.d1, p.d1) - dot(values(d) - p.c, p.d2);
    T alpha(at);
    for (int k = 0; k < 2; ++k) {
      const CurvePoint<T> here = curve_point(curve, alpha);
      alpha += dot(d - here.c, here.d1) * (1 / slope);
    }
    return alpha;
  }
}

/// |c'|, length per parameter, without derivatives: a curve_place row measures along the curve near one
/// point.
TRAMMEL_HD inline double metric(const CurveView& curve, double alpha) {
  return norm(curve_point(curve, alpha).d1);
}

template <class T>
TRAMMEL_HD T point_value(const ConstraintRow& row, const CurveContact& contact, const Pose<T>& I,
                         const Pose<T>& J) {
  const Vec3<T> d = transpose_times(J.A, I.r - J.r);
  const T alpha = foot(contact.J, d, contact.last_J);
  if (row.kind == RowKind::curve_place) return (alpha - row.parameter) * metric(contact.J, value_of(alpha));
  return dot(curve_normals(contact.J, alpha).n[row.j], d - curve_point(contact.J, alpha).c);
}

/// With w = d − c:  u = ∂φ/∂d = n + (n'·w) ∂α/∂d,  ∂α/∂d = c'/(c'·c' − w·c"); then φ varies as a separation
/// along u.
template <class T>
TRAMMEL_HD RowGradient<T> point_gradient(const ConstraintRow& row, const CurveContact& contact,
                                         const Pose<T>& I, const Pose<T>& J) {
  const Vec3<T> separation = I.r - J.r, d = transpose_times(J.A, separation);
  const T alpha = foot(contact.J, d, contact.last_J);
  const CurvePoint<T> p = curve_point(contact.J, alpha);
  const Vec3<T> w = d - p.c;
  const T one(1.0);
  Vec3<T> u = T(one / (dot(p.d1, p.d1) - dot(w, p.d2))) * p.d1;
  if (row.kind == RowKind::curve_place) {
    u = T(metric(contact.J, value_of(alpha))) * u;
  } else {
    Dual<T, 1> moving;
    moving.v = alpha;
    moving.d[0] = one;
    const Vec3<Dual<T, 1>> n = curve_normals(contact.J, moving).n[row.j];
    const T turn = n.x.d[0] * w.x + n.y.d[0] * w.y + n.z.d[0] * w.z;
    u = Vec3<T>{n.x.v, n.y.v, n.z.v} + turn * u;
  }
  RowGradient<T> g;
  add_separation_gradient(separation, J.A * u, g);
  return g;
}

// ---- a curve on a curve

template <class T>
struct Touch {
  CurvePoint<T> p, q;  ///< in the axes of J
  T f[2];              ///< p' × q', (p − q)·q'
};

template <class T>
TRAMMEL_HD T plane_cross(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.y - a.y * b.x;
}
template <class T>
TRAMMEL_HD T plane_dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y;
}

template <class T>
TRAMMEL_HD Touch<T> touch(const CurveContact& contact, const Pose<T>& I_in_J, const T& beta, const T& alpha) {
  Touch<T> t;
  const CurvePoint<T> local = curve_point(contact.I, beta);
  t.p = {I_in_J.r + I_in_J.A * local.c, I_in_J.A * local.d1, I_in_J.A * local.d2};
  t.q = curve_point(contact.J, alpha);
  t.f[0] = plane_cross(t.p.d1, t.q.d1);
  t.f[1] = plane_dot(t.p.c - t.q.c, t.q.d1);
  return t;
}

/// Inverse of ∂f/∂(β, α).
struct Inverse2 {
  double m[2][2];
};
TRAMMEL_HD inline Inverse2 inverse_slope(const Touch<double>& t) {
  const double a = plane_cross(t.p.d2, t.q.d1), b = plane_cross(t.p.d1, t.q.d2),
               c = plane_dot(t.p.d1, t.q.d1),
               d = plane_dot(t.p.c - t.q.c, t.q.d2) - plane_dot(t.q.d1, t.q.d1), det = a * d - b * c;
  return {{{d / det, -b / det}, {-c / det, a / det}}};
}

TRAMMEL_CALLED inline ContactPlace touching(const CurveContact& contact, const Pose<double>& I_in_J) {
  constexpr double longest = 0.1;  // change of a parameter in one iteration, as in foot_parameter()
  ContactPlace at{contact.last_I, contact.last_J, false};
  for (int k = 0; k < 100 && !at.found; ++k) {
    const Touch<double> t = touch(contact, I_in_J, at.I, at.J);
    const Inverse2 s = inverse_slope(t);
    double step[2];
    for (int r = 0; r < 2; ++r) step[r] = -(s.m[r][0] * t.f[0] + s.m[r][1] * t.f[1]);
    const double most = larger_size(step[0], step[1]);
    if (most - most != 0) break;  // not a number
    const double factor = most > longest ? longest / most : 1;
    at.I += factor * step[0];
    at.J += factor * step[1];
    // Rounding of f, divided by its slope, is some 1e-15 for curvatures that differ by a tenth or more.
    at.found = most < 1e-13;
  }
  return at;
}

template <class T>
TRAMMEL_HD Touch<T> touch_with_derivatives(const CurveContact& contact, const Pose<T>& I_in_J, T& alpha) {
  const Pose<double> plain = values(I_in_J);
  const ContactPlace at = touching(contact, plain);
  T beta(at.I);
  alpha = T(at.J);
  if constexpr (!std::is_same_v<T, double>) {
    const Inverse2 s = inverse_slope(touch(contact, plain, at.I, at.J));
    for (int k = 0; k < 2; ++k) {
      const Touch<T> t = touch(contact, I_in_J, beta, alpha);
      beta -= s.m[0][0] * t.f[0] + s.m[0][1] * t.f[1];
      alpha -= s.m[1][0] * t.f[0] + s.m[1][1] * t.f[1];
    }
  }
  return touch(contact, I_in_J, beta, alpha);
}

/// ẑ × q'/|q'|
template <class T>
TRAMMEL_HD Vec3<T> gap_normal(const Touch<T>& t) {
  using std::sqrt;
  const T inverse = T(1.0) / T(sqrt(plane_dot(t.q.d1, t.q.d1)));
  return {-inverse * t.q.d1.y, inverse * t.q.d1.x, T(0.0)};
}

template <class T>
TRAMMEL_HD T gap_value(const CurveContact& contact, const Pose<T>& I, const Pose<T>& J) {
  T alpha;
  const Touch<T> t = touch_with_derivatives(contact, relative(I, J), alpha);
  return dot(gap_normal(t), t.p.c - t.q.c);
}

/// The distance of nearest points changes as if they were fixed on their bodies: with n = ẑ × q'/|q'|
///   f_I = n, t_I = (p − r_I) × n, f_J = −n, t_J = −(p − r_J) × n.
template <class T>
TRAMMEL_HD RowGradient<T> gap_gradient(const CurveContact& contact, const Pose<T>& I, const Pose<T>& J) {
  T alpha;
  const Touch<T> t = touch_with_derivatives(contact, relative(I, J), alpha);
  const Vec3<T> n = J.A * gap_normal(t), arm = J.A * t.p.c;  // arm: p from the origin of J
  RowGradient<T> g;
  g.fi = n;
  g.fj = -n;
  g.ti = cross(arm - (I.r - J.r), n);
  g.tj = -cross(arm, n);
  return g;
}

template <class T>
TRAMMEL_HD RowGradient<T> gradient_of(const ConstraintRow& row, const CurveContact& contact, const Pose<T>& I,
                                      const Pose<T>& J) {
  return row.kind == RowKind::curve_gap ? gap_gradient(contact, I, J) : point_gradient(row, contact, I, J);
}
template <class T>
TRAMMEL_HD T value_at(const ConstraintRow& row, const CurveContact& contact, const Pose<T>& I,
                      const Pose<T>& J) {
  return row.kind == RowKind::curve_gap ? gap_value(contact, I, J) : point_value(row, contact, I, J);
}

}  // namespace curve_rows

TRAMMEL_CALLED inline ContactPlace contact_place(const CurveContact& contact, const Pose<double>& I,
                                                 const Pose<double>& J) {
  if (contact.I.points > 0) return curve_rows::touching(contact, curve_rows::relative(I, J));
  const Vec3d r = transpose_times(J.A, I.r - J.r);
  const double foot = foot_parameter(contact.J, r, contact.last_J);
  return {0, foot, is_foot(contact.J, r, foot)};
}

/// φ, also as a jet in time; its gradient; weight × derivative of the gradient added to h, as row_hessian().
template <class T>
TRAMMEL_CALLED T curve_row_value(const ConstraintRow& row, const CurveContact& contact, const Pose<T>& I,
                                 const Pose<T>& J) {
  return curve_rows::value_at(row, contact, I, J);
}
TRAMMEL_CALLED inline RowGradient<double> curve_row_gradient(const ConstraintRow& row,
                                                             const CurveContact& contact,
                                                             const Pose<double>& I, const Pose<double>& J) {
  return curve_rows::gradient_of(row, contact, I, J);
}
TRAMMEL_CALLED inline void curve_row_hessian(const ConstraintRow& row, const CurveContact& contact,
                                             const Pose<double>& I, const Pose<double>& J, double weight,
                                             double (&h)[12][12]) {
  add_dual_hessian(I, J, weight, h,
                   [&](const auto& i, const auto& j) { return curve_rows::gradient_of(row, contact, i, j); });
}

/// The pair of parameters at which two curves touch, or are nearest, searched everywhere on both.
ContactPlace nearest_contact(const CurveContact& contact, const Pose<double>& I, const Pose<double>& J);

}  // namespace trammel
