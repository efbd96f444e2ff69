// CURVE: a cubic spline, or straight lines, through points in space; parameter from -1 to 1.
#pragma once

#include <cmath>
#include <vector>

#include "expression/spline_table.h"
#include "math/dual.h"
#include "math/vec3.h"

namespace trammel {

/// Coordinates are in the axes of the marker that carries the curve.
///   c(α) and the reference normal u(α) are piecewise cubic with continuous second derivative; u is the
///     rotation-minimizing frame at the points (W. Wang et al., ACM Trans. Graph. 27 (2008) 2, double
///     reflection), or the z axis for a curve in a plane z = constant. Closed curves are periodic.
/// With straight lines c is piecewise linear: slope and normals are discontinuous at the points, where
/// `slope` is the mean of both sides.
struct CurveTable {
  int id = 0;
  bool closed = false;
  bool straight = false;
  std::vector<double> alpha;  ///< parameter of each point, from -1 to 1, increasing with the chords
  std::vector<Vec3d> point, slope, normal, normal_slope;
  int segments() const { return static_cast<int>(alpha.size()) - 1; }
};

/// A curve as plain pointers, for host and device.
struct CurveView {
  int id = 0, points = 0;  ///< points 0: no curve
  bool closed = false, straight = false;
  const double* alpha = nullptr;
  const Vec3d *point = nullptr, *slope = nullptr, *normal = nullptr, *normal_slope = nullptr;

  CurveView() = default;
  CurveView(const CurveTable& c)  // implicit: a table can be used as its view
      : CurveView(c, [](const auto& numbers) { return numbers.data(); }) {}
  /// place(vector): address of its numbers.
  template <class Place>
  CurveView(const CurveTable& c, Place&& place)
      : id(c.id),
        points(static_cast<int>(c.alpha.size())),
        closed(c.closed),
        straight(c.straight),
        alpha(place(c.alpha)),
        point(place(c.point)),
        slope(place(c.slope)),
        normal(place(c.normal)),
        normal_slope(place(c.normal_slope)) {}
  TRAMMEL_HD int segments() const { return points - 1; }
};

/// Ends of an open curve are not-a-knot (it is then the cubic B-spline through its points). The last point of
/// a closed curve equals the first. Throws Failure(ExitCode::input) with the reason, without the statement.
CurveTable make_curve_table(int id, const std::vector<Vec3d>& points, bool closed, bool straight = false);

/// One coordinate (0..2) as a spline over α from -1 to 1, for the function CURVE; bounded.
SplineTable coordinate_spline(const CurveTable& curve, int coordinate);

/// Slopes at the points of a periodic cubic spline, y[n-1] = y[0].
void periodic_slopes(const double* x, const double* y, int n, double* slopes);

/// c, c', c" at a parameter. An open curve is extrapolated by the cubics at its ends.
template <class S>
struct CurvePoint {
  Vec3<S> c, d1, d2;
};

namespace curves {

/// The segment that contains a parameter, and where it starts (including revolutions of closed curves).
struct Place {
  int segment = 0;
  double from = 0;  ///< parameter of the segment's first point, plus revolutions
};
TRAMMEL_HD inline Place place_of(const CurveView& curve, double alpha) {
  const double turns = curve.closed ? 2 * std::floor(0.5 * (alpha + 1)) : 0;
  const int k = functions::interval_of(curve.alpha, curve.points, alpha - turns);
  return {k, curve.alpha[k] + turns};
}

/// Value or derivative, at distance u from its start, of the line of segment k. Measured is from the nearer
/// end: from a far one rounding would be that of the line's length, not of the place.
template <class S>
TRAMMEL_HD Vec3<S> line(const Vec3d* value, int k, double h, const S& u, int order) {
  const bool late = value_of(u) > h / 2;
  const Vec3d& end = value[k + (late ? 1 : 0)];
  Vec3<S> out;
  for (int c = 0; c < 3; ++c) {
    const double chord = (value[k + 1][c] - value[k][c]) / h;
    out[c] = order == 0 ? S(end[c] + chord * (late ? S(u - h) : u)) : S(order == 1 ? chord : 0.0);
  }
  return out;
}

/// Value or derivative, at distance u from its start, of the cubic of segment k with the given end values and
/// slopes, or of the line.
template <class S>
TRAMMEL_HD Vec3<S> cubic(const Vec3d* value, const Vec3d* slope, int k, double h, const S& u, int order,
                         bool straight = false) {
  if (straight) return line(value, k, h, u, order);
  Vec3<S> out;
  for (int c = 0; c < 3; ++c) {
    const double chord = (value[k + 1][c] - value[k][c]) / h, m0 = slope[k][c], m1 = slope[k + 1][c];
    out[c] = functions::cubic_derivative(value[k][c], m0, (3.0 * chord - 2.0 * m0 - m1) / h,
                                         (m0 + m1 - 2.0 * chord) / (h * h), u, order);
  }
  return out;
}

}  // namespace curves

template <class S>
TRAMMEL_HD CurvePoint<S> curve_point(const CurveView& curve, const S& alpha) {
  const curves::Place at = curves::place_of(curve, value_of(alpha));
  const double h = curve.alpha[at.segment + 1] - curve.alpha[at.segment];
  const S u = alpha - at.from;
  return {curves::cubic(curve.point, curve.slope, at.segment, h, u, 0, curve.straight),
          curves::cubic(curve.point, curve.slope, at.segment, h, u, 1, curve.straight),
          curves::cubic(curve.point, curve.slope, at.segment, h, u, 2, curve.straight)};
}

/// Two unit normals at a parameter with tangent t: n1 = u - t (t.u), normalized, and n2 = t × n1.
template <class S>
struct CurveNormals {
  Vec3<S> n[2];
};
template <class S>
TRAMMEL_HD CurveNormals<S> curve_normals(const CurveView& curve, const S& alpha) {
  const curves::Place at = curves::place_of(curve, value_of(alpha));
  const double h = curve.alpha[at.segment + 1] - curve.alpha[at.segment];
  const S u = alpha - at.from, one(1.0);
  const Vec3<S> d1 = curves::cubic(curve.point, curve.slope, at.segment, h, u, 1, curve.straight);
  const Vec3<S> reference = curves::cubic(curve.normal, curve.normal_slope, at.segment, h, u, 0);
  const Vec3<S> t = S(one / norm(d1)) * d1;
  const Vec3<S> across = reference - dot(t, reference) * t;
  const Vec3<S> n1 = S(one / norm(across)) * across;
  return {{n1, cross(t, n1)}};
}

/// The parameter in [-1, 1] of the point nearest to r, by a search of all segments.
double nearest_parameter(const CurveView& curve, const Vec3d& r);

namespace curves {

/// A straight line of a curve, counted on over revolutions of closed curves.
struct Line {
  double from, to;  ///< parameters of its ends
  Vec3d along;      ///< c'
  double foot;      ///< of the foot of the perpendicular from r, or beyond the ends
  Vec3d off;        ///< r less the nearest point between its ends
};
TRAMMEL_HD inline int line_at(const CurveView& curve, double alpha) {
  const Place at = place_of(curve, alpha);
  const int turns = static_cast<int>(std::floor(0.5 * (at.from - curve.alpha[at.segment]) + 0.5));
  return at.segment + turns * curve.segments();
}
TRAMMEL_HD inline Line line_of(const CurveView& curve, const Vec3d& r, int line) {
  const int lines = curve.segments();
  const int turn = curve.closed ? (line - ((line % lines) + lines) % lines) / lines : 0,
            k = line - turn * lines;
  const double from = curve.alpha[k] + 2 * turn, to = curve.alpha[k + 1] + 2 * turn;
  const Vec3d along = (1 / (to - from)) * (curve.point[k + 1] - curve.point[k]), w = r - curve.point[k];
  const double foot = from + dot(w, along) / dot(along, along);
  const double inside = foot < from ? from : foot > to ? to : foot;
  return {from, to, along, foot, w - (inside - from) * along};
}

/// Foot point on straight lines: moves from line to line while the foot lies beyond the end, and on to a line
/// beside the last one that is nearer. At a corner whose both lines lead back to it, the end of the line that
/// was reached last, by a rounding inside: a point that is kept on that line goes on around the corner.
TRAMMEL_HD inline double straight_foot(const CurveView& curve, const Vec3d& r, double last) {
  const int lines = curve.segments();
  int line = line_at(curve, last), came = 0;
  Line at = line_of(curve, r, line);
  for (int walked = 0; walked < lines; ++walked) {
    const int step = at.foot < at.from && (curve.closed || line > 0)         ? -1
                     : at.foot > at.to && (curve.closed || line + 1 < lines) ? 1
                                                                             : 0;
    if (step == 0) break;
    constexpr double inside = 1e-15;
    if (step == -came)
      return step < 0 ? at.from + inside * (1 + std::fabs(at.from)) : at.to - inside * (1 + std::fabs(at.to));
    line += step;
    came = step;
    at = line_of(curve, r, line);
  }
  double nearest = at.foot, distance = dot(at.off, at.off);
  for (int side = -1; side <= 1; side += 2) {
    if (!curve.closed && (line + side < 0 || line + side >= lines)) continue;
    const Line beside = line_of(curve, r, line + side);
    if (beside.foot <= beside.from || beside.foot >= beside.to || dot(beside.off, beside.off) >= distance)
      continue;
    nearest = beside.foot;
    distance = dot(beside.off, beside.off);
  }
  return nearest;
}

}  // namespace curves

/// Parameter near `last` at which the distance from r is stationary: (r - c)·c' = 0, by Newton's method; for
/// straight lines by straight_foot(). What is found where there is no such parameter: is_foot() tells.
TRAMMEL_CALLED inline double foot_parameter(const CurveView& curve, const Vec3d& r, double last) {
  if (curve.straight) return curves::straight_foot(curve, r, last);
  double longest = 0.1, before = 0;  // step limit in α (range 2), to stay on the branch; the last step
  double alpha = last;
  for (int k = 0; k < 100; ++k) {
    const CurvePoint<double> p = curve_point(curve, alpha);
    const Vec3d w = r - p.c;
    const double square = dot(p.d1, p.d1);
    // Beyond the centre of curvature the distance has a maximum; the Gauss-Newton step leads away from it.
    const double second = square - dot(w, p.d2);
    const double step = dot(w, p.d1) / (second > 0.1 * square ? second : square);
    if (step - step != 0) break;  // not a number
    // A step back has gone past the foot; where the curve turns sharply steps would go to and fro for ever.
    if (step * before < 0 && longest > 0.5 * std::fabs(before)) longest = 0.5 * std::fabs(before);
    before = step < -longest ? -longest : step > longest ? longest : step;
    alpha += before;
    if (std::fabs(before) <= 4e-16 * (1 + std::fabs(alpha))) break;  // two roundings of α
  }
  return alpha;
}

/// Whether the point at alpha is where the distance from r is stationary, to a millionth of the curve's
/// length: not at a corner, or where the search has come to no end.
TRAMMEL_CALLED inline bool is_foot(const CurveView& curve, const Vec3d& r, double alpha) {
  const CurvePoint<double> p = curve_point(curve, alpha);
  return std::fabs(dot(r - p.c, p.d1)) <= 2e-6 * dot(p.d1, p.d1);
}

/// The least cosine of the angles by which a curve of straight lines turns at the corners between two
/// parameters; 1: it passes none. Negative: the velocity on one line leads from the next one back over the
/// corner.
TRAMMEL_CALLED inline double sharpest_turn(const CurveView& curve, double from, double to) {
  double least = 1;
  if (!curve.straight) return least;
  const double begin = from < to ? from : to, end = from < to ? to : from;
  for (int line = curves::line_at(curve, begin); curve.closed || line + 1 < curve.segments(); ++line) {
    const curves::Line here = curves::line_of(curve, Vec3d{}, line),
                       next = curves::line_of(curve, Vec3d{}, line + 1);
    if (here.to >= end) break;
    if (!(here.to > begin)) continue;
    const double turn = dot(here.along, next.along) / (norm(here.along) * norm(next.along));
    if (turn < least) least = turn;
  }
  return least;
}

}  // namespace trammel
