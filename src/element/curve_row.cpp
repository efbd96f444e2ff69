#include "element/curve_row.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace trammel {

namespace {

template <class T>
Vec3d values(const Vec3<T>& v) {
  return {value_of(v.x), value_of(v.y), value_of(v.z)};
}
template <class T>
Pose<double> values(const Pose<T>& p) {
  Pose<double> out;
  out.r = values(p.r);
  for (int k = 0; k < 9; ++k) out.A.m[k] = value_of(p.A.m[k]);
  return out;
}

/// I relative to J in the axes of J.
template <class T>
Pose<T> relative(const Pose<T>& I, const Pose<T>& J) {
  return {transpose_times(J.A, I.r - J.r), transpose_times(J.A, I.A)};
}

// ---- a point on a curve

/// α with all derivatives that T carries: two more steps of Newton's method with a constant slope make the
/// first and the second exact.
template <class T>
T foot(const CurveTable& curve, const Vec3<T>& d, double last) {
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

/// Length per parameter, a plain number: place rows measure along the curve near one point of it.
double metric(const CurveTable& curve, double alpha) {
  return norm(curve_point(curve, alpha).d1);
}

template <class T>
T point_value(const ConstraintRow& row, const CurveContact& contact, const Pose<T>& I, const Pose<T>& J) {
  const Vec3<T> d = transpose_times(J.A, I.r - J.r);
  const T alpha = foot(*contact.J, d, contact.last_J);
  if (row.kind == RowKind::curve_place) return (alpha - row.parameter) * metric(*contact.J, value_of(alpha));
  return dot(curve_normals(*contact.J, alpha).n[row.j], d - curve_point(*contact.J, alpha).c);
}

/// With w = d − c:  ∂α/∂d = c'/(c'·c' − w·c"),  ∂φ/∂d = n + (n'·w) ∂α/∂d; then as a separation along it.
template <class T>
RowGradient<T> point_gradient(const ConstraintRow& row, const CurveContact& contact, const Pose<T>& I,
                              const Pose<T>& J) {
  const Vec3<T> separation = I.r - J.r, d = transpose_times(J.A, separation);
  const T alpha = foot(*contact.J, d, contact.last_J);
  const CurvePoint<T> p = curve_point(*contact.J, alpha);
  const Vec3<T> w = d - p.c;
  const T one(1.0);
  Vec3<T> u = T(one / (dot(p.d1, p.d1) - dot(w, p.d2))) * p.d1;
  if (row.kind == RowKind::curve_place) {
    u = T(metric(*contact.J, value_of(alpha))) * u;
  } else {
    Dual<T, 1> moving;
    moving.v = alpha;
    moving.d[0] = one;
    const Vec3<Dual<T, 1>> n = curve_normals(*contact.J, moving).n[row.j];
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
T plane_cross(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.y - a.y * b.x;
}
template <class T>
T plane_dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y;
}

template <class T>
Touch<T> touch(const CurveContact& contact, const Pose<T>& I_in_J, const T& beta, const T& alpha) {
  Touch<T> t;
  const CurvePoint<T> local = curve_point(*contact.I, beta);
  t.p = {I_in_J.r + I_in_J.A * local.c, I_in_J.A * local.d1, I_in_J.A * local.d2};
  t.q = curve_point(*contact.J, alpha);
  t.f[0] = plane_cross(t.p.d1, t.q.d1);
  t.f[1] = plane_dot(t.p.c - t.q.c, t.q.d1);
  return t;
}

/// Inverse of ∂f/∂(β, α).
struct Inverse2 {
  double m[2][2];
};
Inverse2 inverse_slope(const Touch<double>& t) {
  const double a = plane_cross(t.p.d2, t.q.d1), b = plane_cross(t.p.d1, t.q.d2),
               c = plane_dot(t.p.d1, t.q.d1),
               d = plane_dot(t.p.c - t.q.c, t.q.d2) - plane_dot(t.q.d1, t.q.d1), det = a * d - b * c;
  return {{{d / det, -b / det}, {-c / det, a / det}}};
}

ContactPlace touching(const CurveContact& contact, const Pose<double>& I_in_J) {
  constexpr double longest = 0.1;  // as foot_parameter()
  ContactPlace at{contact.last_I, contact.last_J, false};
  for (int k = 0; k < 100 && !at.found; ++k) {
    const Touch<double> t = touch(contact, I_in_J, at.I, at.J);
    const Inverse2 s = inverse_slope(t);
    double step[2];
    for (int r = 0; r < 2; ++r) step[r] = -(s.m[r][0] * t.f[0] + s.m[r][1] * t.f[1]);
    const double most = std::max(std::abs(step[0]), std::abs(step[1]));
    if (!std::isfinite(most)) break;
    const double factor = most > longest ? longest / most : 1;
    at.I += factor * step[0];
    at.J += factor * step[1];
    // Rounding of f, divided by its slope, is some 1e-15 for curvatures that differ by a tenth or more.
    at.found = most < 1e-13;
  }
  return at;
}

template <class T>
Touch<T> touch_with_derivatives(const CurveContact& contact, const Pose<T>& I_in_J, T& alpha) {
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
Vec3<T> gap_normal(const Touch<T>& t) {
  using std::sqrt;
  const T inverse = T(1.0) / T(sqrt(plane_dot(t.q.d1, t.q.d1)));
  return {-inverse * t.q.d1.y, inverse * t.q.d1.x, T(0.0)};
}

template <class T>
T gap_value(const CurveContact& contact, const Pose<T>& I, const Pose<T>& J) {
  T alpha;
  const Touch<T> t = touch_with_derivatives(contact, relative(I, J), alpha);
  return dot(gap_normal(t), t.p.c - t.q.c);
}

/// The distance of nearest points changes as if they were fixed on their bodies: with n = ẑ × q'/|q'|
///   f_I = n, t_I = (p − r_I) × n, f_J = −n, t_J = −(p − r_J) × n.
template <class T>
RowGradient<T> gap_gradient(const CurveContact& contact, const Pose<T>& I, const Pose<T>& J) {
  T alpha;
  const Touch<T> t = touch_with_derivatives(contact, relative(I, J), alpha);
  const Vec3<T> n = J.A * gap_normal(t), arm = J.A * t.p.c;  // p from J
  RowGradient<T> g;
  g.fi = n;
  g.fj = -n;
  g.ti = cross(arm - (I.r - J.r), n);
  g.tj = -cross(arm, n);
  return g;
}

template <class T>
RowGradient<T> gradient_of(const ConstraintRow& row, const CurveContact& contact, const Pose<T>& I,
                           const Pose<T>& J) {
  return row.kind == RowKind::curve_gap ? gap_gradient(contact, I, J) : point_gradient(row, contact, I, J);
}
template <class T>
T value_at(const ConstraintRow& row, const CurveContact& contact, const Pose<T>& I, const Pose<T>& J) {
  return row.kind == RowKind::curve_gap ? gap_value(contact, I, J) : point_value(row, contact, I, J);
}

}  // namespace

ContactPlace contact_place(const CurveContact& contact, const Pose<double>& I, const Pose<double>& J) {
  if (contact.I) return touching(contact, relative(I, J));
  return {0, foot_parameter(*contact.J, transpose_times(J.A, I.r - J.r), contact.last_J), true};
}

double curve_row_value(const ConstraintRow& row, const CurveContact& contact, const Pose<double>& I,
                       const Pose<double>& J) {
  return value_at(row, contact, I, J);
}
TimeScalar curve_row_value(const ConstraintRow& row, const CurveContact& contact, const Pose<TimeScalar>& I,
                           const Pose<TimeScalar>& J) {
  return value_at(row, contact, I, J);
}
RowGradient<double> curve_row_gradient(const ConstraintRow& row, const CurveContact& contact,
                                       const Pose<double>& I, const Pose<double>& J) {
  return gradient_of(row, contact, I, J);
}

void curve_row_hessian(const ConstraintRow& row, const CurveContact& contact, const Pose<double>& I,
                       const Pose<double>& J, double weight, double (&h)[12][12]) {
  add_dual_hessian(I, J, weight, h,
                   [&](const auto& i, const auto& j) { return gradient_of(row, contact, i, j); });
}

ContactPlace nearest_contact(const CurveContact& contact, const Pose<double>& I, const Pose<double>& J) {
  static constexpr int most = 400;  // samples of a curve: 160000 pairs, once
  const auto count = [](const CurveTable& curve) { return std::min<int>(most, 16 * curve.segments()); };
  const Pose<double> r = relative(I, J);
  const int m = count(*contact.I), n = count(*contact.J);
  std::vector<Vec3d> q(n + 1);
  for (int k = 0; k <= n; ++k) q[k] = curve_point(*contact.J, -1 + 2.0 * k / n).c;
  CurveContact start = contact;
  double least = -1;
  for (int i = 0; i <= m; ++i) {
    const Vec3d p = r.r + r.A * curve_point(*contact.I, -1 + 2.0 * i / m).c;
    for (int k = 0; k <= n; ++k) {
      const Vec3d d = p - q[k];
      if (least >= 0 && plane_dot(d, d) >= least) continue;
      least = plane_dot(d, d);
      start.last_I = -1 + 2.0 * i / m;
      start.last_J = -1 + 2.0 * k / n;
    }
  }
  const ContactPlace at = touching(start, r);
  return at.found ? at : ContactPlace{start.last_I, start.last_J, false};
}

}  // namespace trammel
