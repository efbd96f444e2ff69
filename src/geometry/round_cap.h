// What a plane cuts off a solid of revolution, a frustum or a torus: integrals over the angle about its axis.
#pragma once

#include <cmath>
#include <type_traits>

#include "geometry/cap.h"
#include "geometry/nearest.h"
#include "math/dual.h"

namespace trammel::detail {

inline constexpr double half_turn = 3.14159265358979323846;

/// visit(x, weight) for the 20 places of Gauss's rule between 0 and 1.
template <class Visit>
TRAMMEL_HD void gauss(Visit&& visit) {
  constexpr double at[10] = {0.0034357004074525377, 0.018014036361043106, 0.043882785874337048,
                             0.080441514088890595,  0.1268340467699246,   0.18197315963674249,
                             0.24456649902458646,   0.31314695564229023,  0.38610707442917747,
                             0.46173673943325133};
  constexpr double weight[10] = {0.0088070035695760589, 0.020300714900193469, 0.031336024167054534,
                                 0.041638370788352377,  0.050965059908620221, 0.059097265980759206,
                                 0.065844319224588319,  0.071048054659191021, 0.074586493236301871,
                                 0.076376693565362919};
#if defined(__CUDACC__)
#pragma unroll 1
#endif
  for (int k = 0; k < 10; ++k) {
    visit(at[k], weight[k]);
    visit(1 - at[k], weight[k]);
  }
}

/// visit(cos, sin) for 32 angles about the axis, equally spaced from 0.
template <class Visit>
TRAMMEL_HD void turn_about(Visit&& visit) {
#if defined(__CUDACC__)
#pragma unroll 1
#endif
  for (int k = 0; k < 32; ++k) visit(std::cos(half_turn * k / 16), std::sin(half_turn * k / 16));
}

/// The angle, from the lowest generator on, at which 2 s sin²(ψ/2) is the share of r that makes `deep` zero:
/// how far a circle of radius r, tilted by asin s and deep below a plane at its lowest point, is below it.
template <class T>
TRAMMEL_CALLED T angle_below(const T& deep, const T& s, double r) {
  using std::asin;
  using std::sqrt;
  if (!(value_of(deep) > 0)) return T(0.0);
  if (!(value_of(deep) < 2 * r * value_of(s))) return T(half_turn);
  return T(2.0) * asin(T(sqrt(T(deep / (2.0 * r * s)))));
}

/// A frustum and the plane n·x = d in the half plane through the axis and the lowest generator: a coordinate
/// along that, and z; n = (−s, c) there.
template <class T>
struct TiltedFrustum {
  double length, radius[2];
  T s, c;
  T deep[2];  ///< how far the lowest points of the circles at z = 0 and z = length are below the plane
  int low;    ///< the lower of these circles

  TRAMMEL_HD TiltedFrustum(const double* size, const T& tilt, const T& along, const T& d)
      : length(size[0]), radius{size[1], size[2]}, s(tilt), c(along) {
    deep[0] = d + s * radius[0];
    deep[1] = d + s * radius[1] - c * length;
    low = value_of(deep[0]) >= value_of(deep[1]) ? 0 : 1;
  }
};

/// Volume and moment of one half, about the point above the lowest one in the plane.
template <class T>
struct HalfMoments {
  T volume = T(0.0), x = T(0.0), z = T(0.0);

  /// The cone over a piece of surface `area` about (x, z), as high as `height`.
  TRAMMEL_HD void add_cone(const T& area, const T& height, const T& at_x, const T& at_z) {
    const T third = T(1.0 / 3) * area * height;
    volume = volume + third;
    x = x + T(0.75) * third * at_x;
    z = z + T(0.75) * third * at_z;
  }
};

/// The flat face at one end, as far as `angle`: strips across.
template <class T>
TRAMMEL_CALLED void add_flat_face(const TiltedFrustum<T>& f, int end, const T& angle, HalfMoments<T>& sum) {
  using std::sin;
  const double r = f.radius[end], far = f.radius[f.low], z = end == f.low ? 0 : f.length * (end - f.low);
  const T at_z = z - f.deep[f.low] * f.c;
  gauss([&](double t, double weight) {
    const T psi = t * angle, half = sin(T(0.5 * psi)), across = r * sin(psi);
    sum.add_cone(T(weight * angle * across * across), end == 0 ? T(-at_z) : at_z,
                 T(r - far - 2.0 * r * half * half + f.deep[f.low] * f.s), at_z);
  });
}

/// The round face between two angles; on each generator what is below is one piece.
template <class T>
TRAMMEL_CALLED void add_round_face(const TiltedFrustum<T>& f, const T& from, const T& to,
                                   HalfMoments<T>& sum) {
  using std::cos;
  using std::sin;
  const double change = f.radius[1] - f.radius[0], slant = std::hypot(f.length, change);
  const double nr = f.length / slant, nz = -change / slant, far = f.radius[f.low];
  const T& deepest = f.deep[f.low];
  gauss([&](double t, double weight) {
    const T psi = from + t * (to - from), half = sin(T(0.5 * psi)), fall = 2.0 * half * half;
    const T below[2] = {f.deep[0] - f.radius[0] * f.s * fall, f.deep[1] - f.radius[1] * f.s * fall};
    const bool under[2] = {value_of(below[0]) > 0, value_of(below[1]) > 0};
    if (!under[0] && !under[1]) return;
    const T passes = under[0] && under[1] ? T(0.0) : T(below[0] / (below[0] - below[1]));
    const T begin = under[0] ? T(0.0) : passes, end = under[1] ? T(1.0) : passes;
    const T height = far * nr * fall + deepest * (f.s * nr * (1.0 - fall) - f.c * nz);
    for (int k = 0; k < 2; ++k) {  // Gauss again, exact up to cubes
      const double place = k == 0 ? 0.21132486540518712 : 0.78867513459481288;
      const T along = begin + place * (end - begin), r = f.radius[0] + change * along;
      sum.add_cone(T(0.5 * weight * slant * (to - from) * (end - begin) * r), height,
                   T(r - far - r * fall + deepest * f.s),
                   T(f.length * (along - static_cast<double>(f.low)) - deepest * f.c));
    }
  });
}

/// The round face between the angles where both circles are below and where neither is. What is below of a
/// generator ends at 1/(a + b sin²(ψ/2)) of its length: in pieces over which that denominator is one to four.
template <class T>
TRAMMEL_CALLED void add_round_rest(const TiltedFrustum<T>& f, const T& from, const T& to,
                                   HalfMoments<T>& sum) {
  const double bend = (f.radius[1] - f.radius[0]) * value_of(f.s),
               start = value_of(f.deep[0]) - value_of(f.deep[1]);
  const auto denominator = [&](double psi) {
    const double half = std::sin(0.5 * psi);
    return start + 2 * bend * half * half;
  };
  const double last = denominator(value_of(to));
  T begin = from;
  double now = denominator(value_of(from));
  for (int piece = 0; piece < 60 && bend != 0; ++piece) {
    const bool grows = std::fabs(last) > std::fabs(now);
    const double next = grows ? 4 * now : now / 4;
    if (grows ? !(std::fabs(next) < std::fabs(last)) : !(std::fabs(next) > std::fabs(last))) break;
    const double square = (next - start) / (2 * bend);
    if (!(square > 0 && square < 1)) break;
    const double psi = 2 * std::asin(std::sqrt(square));
    if (!(psi > value_of(begin) && psi < value_of(to))) break;
    add_round_face(f, begin, T(psi), sum);
    begin = T(psi);
    now = next;
  }
  add_round_face(f, begin, to, sum);
}

/// How far the surface is from (x, z) along −n.
template <class T>
TRAMMEL_CALLED T way_down(const double* size, const T& s, const T& c, const T& x, const T& z) {
  const double slant = std::hypot(size[0], size[2] - size[1]);
  const double nr = size[0] / slant, nz = (size[1] - size[2]) / slant;
  T least = T(HUGE_VAL);
  const auto side = [&](const T& slope, const T& distance) {
    if (!(value_of(slope) > 0)) return;
    const T way = distance / slope;
    if (value_of(way) < value_of(least)) least = way;
  };
  side(c, z);
  side(T(-c), T(size[0] - z));
  side(T(s * nr - c * nz), T((size[1] - x) * nr - z * nz));
  side(T(-s * nr - c * nz), T((size[1] + x) * nr - z * nz));
  return least;
}

/// Whether a plane that is hardly tilted passes the round face alone, and so little that 32 angles give what
/// it cuts off to rounding.
template <class T>
TRAMMEL_HD bool passes_all_round(const TiltedFrustum<T>& f) {
  const double s = value_of(f.s), c = std::fabs(value_of(f.c));
  const int high = 1 - f.low;
  return s <= 0.1 * c && s * std::fabs(f.radius[1] - f.radius[0]) <= 0.1 * c * f.length &&
         value_of(f.deep[f.low]) >= 2 * s * f.radius[f.low] && value_of(f.deep[high]) <= 0;
}

/// The part below a plane that passes the round face alone: about the axis by sectors between it and that
/// face. Without the direction of the tilt, which has no derivatives where there is none.
template <class T>
TRAMMEL_CALLED Vec3<T> centroid_below_all_round(const double* size, const Vec3<T>& n, const T& d) {
  const bool up = value_of(n.z) > 0;  // else seen from the other end
  const double r0 = up ? size[1] : size[2], slope = (up ? size[2] - size[1] : size[1] - size[2]) / size[0];
  const T c = up ? n.z : T(-n.z), offset = up ? d : T(d - size[0] * n.z), z0 = offset / c;
  T volume = T(0.0);
  Vec3<T> moment;
  turn_about([&](double x, double y) {
    const T across = x * n.x + y * n.y, z1 = (offset - r0 * across) / (c + slope * across);
    const T r1 = r0 + slope * z1;
    const T a = r0 * z1, b = r1 * z0;  // triangles (0, 0), (r0, 0), (r1, z1) and (0, 0), (r1, z1), (0, z0)
    volume = volume + T(1.0 / 6) * (a * (r0 + r1) + b * r1);
    const T out = T(1.0 / 12) * (a * (r0 * r0 + r0 * r1 + r1 * r1) + b * r1 * r1);
    moment.x = moment.x + x * out;
    moment.y = moment.y + y * out;
    moment.z = moment.z + T(1.0 / 24) * (a * (r0 * z1 + 2.0 * r1 * z1) + b * (r1 * z0 + 2.0 * r1 * z1));
  });
  Vec3<T> centroid = T(1.0 / volume) * moment;
  if (!up) centroid.z = size[0] - centroid.z;
  return centroid;
}

template <class T>
TRAMMEL_CALLED Cap<T> cap_of_frustum(const double* size, const Vec3<T>& n, const T& d) {
  Vec3<T> uphill;
  const T s = length_and_direction({n.x, n.y, T(0.0)}, {T(1.0), T(0.0), T(0.0)}, uphill);
  const TiltedFrustum<T> f(size, s, n.z, d);
  const T& deepest = f.deep[f.low];
  Cap<T> out;
  out.depth = deepest;
  if (!(value_of(deepest) > 0)) return out;
  const double far = f.radius[f.low], z_low = f.low == 0 ? 0 : f.length;
  if (passes_all_round(f)) {
    out.centroid = centroid_below_all_round(size, n, d);
    const T x = value_of(s) > 0 ? T(-1.0 * dot(out.centroid, uphill)) : T(0.0);
    out.depth = d - dot(n, out.centroid) + way_down(size, s, n.z, x, out.centroid.z);
    return out;
  }
  T angle[2];
  for (int end = 0; end < 2; ++end) angle[end] = angle_below(f.deep[end], s, f.radius[end]);
  const int first = value_of(angle[0]) <= value_of(angle[1]) ? 0 : 1;
  HalfMoments<T> sum;
  for (int end = 0; end < 2; ++end)
    if (value_of(angle[end]) > 0 && f.radius[end] > 0) add_flat_face(f, end, angle[end], sum);
  if (value_of(angle[first]) > 0) add_round_face(f, T(0.0), angle[first], sum);
  if (value_of(angle[1 - first]) > value_of(angle[first]))
    add_round_rest(f, angle[first], angle[1 - first], sum);
  // Where the volume is no number, the part is where it is deepest.
  const bool thin = !(value_of(sum.volume) > 0);
  const T x = thin ? T(deepest * s) : T(sum.x / sum.volume),
          z = thin ? T(-1.0 * deepest * f.c) : T(sum.z / sum.volume);
  const T at_x = far - deepest * s + x, at_z = z_low + deepest * f.c + z;
  out.centroid = T(-1.0 * at_x) * uphill + Vec3<T>{T(0.0), T(0.0), at_z};
  out.depth = s * x - f.c * z + way_down(size, s, f.c, at_x, at_z);
  return out;
}

/// θ − sin θ cos θ, to rounding also where it is small: the area of a segment of a disc of radius 1 that is
/// seen from its middle under 2 θ.
template <class T>
TRAMMEL_CALLED T segment_area(const T& theta, const T& sine, const T& cosine) {
  if (value_of(theta) > 0.5) return theta - sine * cosine;
  const T y = 4.0 * theta * theta;
  T series = T(1.0);
  for (int k = 16; k >= 4; k -= 2) series = 1.0 - y * series / (1.0 * k * (k + 1));
  return T(2.0 / 3) * theta * theta * theta * series;
}

/// Integrals over what of a torus is below a plane, by the angle about the axis.
template <class T>
struct TorusSlice {
  T volume = T(0.0), out = T(0.0), up = T(0.0);  ///< of 1, of the distance from the axis, of z

  /// `across`, `along`: n in the plane of the slice, from the axis and along z; `deep`: of its lowest point.
  TRAMMEL_HD TorusSlice(const double* size, const T& across, const T& along, const T& deep) {
    using std::asin;
    using std::cos;
    using std::sin;
    using std::sqrt;
    const double ring = size[0], tube = size[1];
    const T m = sqrt(T(across * across + along * along));
    const bool whole = !(value_of(deep) < 2 * tube * value_of(m));
    if (!(value_of(deep) > 0)) return;
    const T theta = whole ? T(half_turn) : T(2.0 * asin(T(sqrt(T(deep / (2.0 * tube * m))))));
    const T sine = whole ? T(0.0) : T(sin(theta)), cosine = whole ? T(-1.0) : T(cos(theta));
    const T area = segment_area(theta, sine, cosine), cube = sine * sine * sine;
    const T a = tube * tube * area, first = T(2.0 / 3) * tube * tube * tube * cube;
    const double fourth = tube * tube * tube * tube / 4;
    const T along_n = fourth * (area + 2.0 * cube * cosine),
            beside = fourth * (area - T(2.0 / 3) * cube * cosine);
    const T q = whole ? T(0.0) : T(across / m), p = whole ? T(1.0) : T(along / m);
    volume = ring * a - q * first;
    out = ring * ring * a - 2.0 * ring * q * first + q * q * along_n + p * p * beside;
    up = q * p * (along_n - beside) - ring * p * first;
  }
};

/// sin²(ψ/2) of the angle ψ, from the lowest slice on, up to which the lowest (side = 1) or the highest (−1)
/// points of the slices are below the plane; deep: how far the lowest of all is.
template <class T>
TRAMMEL_CALLED T torus_reaches(const double* size, const T& s, const T& deep, int side) {
  using std::sqrt;
  const double ring = size[0], tube = size[1];
  // m = √(1 − 4 s² τ (1 − τ)); the lowest point rises by 2 s R τ + r (1 − m), the highest is r (1 + m) above.
  const auto below = [&](const auto& tau, const auto& tilt, const auto& depth) {
    using S = std::decay_t<decltype(tau)>;
    const S square = 4.0 * tilt * tilt * tau * (1.0 - tau), m = sqrt(S(1.0 - square));
    const S rise = side > 0 ? S(square / (1.0 + m)) : S(1.0 + m);
    return S(depth - 2.0 * ring * tilt * tau - tube * rise);
  };
  const double tilt = value_of(s), depth = value_of(deep);
  if (!(below(0.0, tilt, depth) > 0)) return T(0.0);
  if (!(below(1.0, tilt, depth) < 0)) return T(1.0);
  double low = 0, high = 1;
  for (int k = 0; k < 60 && high - low > 1e-16 * high; ++k) {
    const double middle = 0.5 * (low + high);
    (below(middle, tilt, depth) > 0 ? low : high) = middle;
  }
  const double tau = 0.5 * (low + high);
  using One = Dual<double, 1>;
  const double slope = below(One::variable(tau, 0), One(tilt), One(depth)).d[0];
  return T(tau) - below(T(tau), s, deep) / T(slope);
}

/// The slices from one angle to another, crowded at both ends, where the integrands have roots.
template <class T>
TRAMMEL_CALLED void add_slices(const double* size, const T& s, const T& c, const T& deep, const T& from,
                               const T& to, HalfMoments<T>& sum) {
  using std::cos;
  using std::sin;
  using std::sqrt;
  gauss([&](double t, double weight) {
    const double crowd = 0.5 * (1 - std::cos(half_turn * t)),
                 speed = 0.5 * half_turn * std::sin(half_turn * t);
    const T psi = from + crowd * (to - from), half = sin(T(0.5 * psi)), tau = half * half;
    const T square = 4.0 * s * s * tau * (1.0 - tau), m = sqrt(T(1.0 - square));
    const T below = deep - 2.0 * size[0] * s * tau - size[1] * square / (1.0 + m);
    const T cosine = 1.0 - 2.0 * tau, w = weight * speed * (to - from);
    const TorusSlice<T> slice(size, T(-1.0 * s * cosine), c, below);
    sum.volume = sum.volume + w * slice.volume;
    sum.x = sum.x + w * cosine * slice.out;
    sum.z = sum.z + w * slice.up;
  });
}

/// How far the hull of a torus, whose hole is filled up to its highest circles, is from (x, z) along −n.
template <class T>
TRAMMEL_CALLED T way_down_in_hull(const double* size, const T& s, const T& c, const T& x, const T& z) {
  using std::sqrt;
  const double ring = size[0], tube = size[1];
  if (value_of(c) != 0) {
    const T flat = value_of(c) > 0 ? T((z + tube) / c) : T((z - tube) / c);
    if (std::fabs(value_of(x) + value_of(flat) * value_of(s)) <= ring) return flat;
  }
  const T off = x - ring, back = off * s - z * c;
  return sqrt(T(back * back + tube * tube - off * off - z * z)) - back;
}

/// The line along n through the centroid may pass through the hole: its end is where it leaves the hull.
template <class T>
TRAMMEL_CALLED Cap<T> cap_of_torus(const double* size, const Vec3<T>& n, const T& d) {
  using std::asin;
  using std::sqrt;
  Vec3<T> uphill;
  const T s = length_and_direction({n.x, n.y, T(0.0)}, {T(1.0), T(0.0), T(0.0)}, uphill);
  const double ring = size[0], tube = size[1];
  Cap<T> out;
  out.depth = d + ring * s + tube;
  if (!(value_of(out.depth) > 0)) return out;
  const double tilt = value_of(s);
  if (2 * ring * tilt < 0.2 * value_of(out.depth) && value_of(out.depth) < tube) {  // touches all round
    T volume = T(0.0);
    Vec3<T> moment;
    turn_about([&](double x, double y) {
      const T across = x * n.x + y * n.y, m = sqrt(T(across * across + n.z * n.z));
      const TorusSlice<T> slice(size, across, n.z, T(d - ring * across + tube * m));
      volume = volume + slice.volume;
      moment = moment + Vec3<T>{T(x * slice.out), T(y * slice.out), slice.up};
    });
    if (!(value_of(volume) > 0)) return out;
    out.centroid = T(1.0 / volume) * moment;
    const T x = tilt > 0 ? T(-1.0 * dot(out.centroid, uphill)) : T(0.0);
    out.depth = d - dot(n, out.centroid) + way_down_in_hull(size, s, n.z, x, out.centroid.z);
    return out;
  }
  T angle[3] = {T(0.0), T(0.0), T(0.0)};
  for (int side = -1; side <= 1; side += 2) {
    const T tau = torus_reaches(size, s, out.depth, side);
    const T psi =
        value_of(tau) < 1 ? (value_of(tau) > 0 ? T(2.0 * asin(T(sqrt(tau)))) : T(0.0)) : T(half_turn);
    angle[side < 0 ? 1 : 2] = psi;
  }
  // Between them slices may come near to being below as a whole once more, and they turn fast at a quarter.
  const double offset = value_of(d), c = value_of(n.z),
               nearly = offset > 0 ? ring * c * c / (offset * tilt) : 1;
  const double once_more = nearly < 1 ? std::acos(nearly) : 0, quarter = 0.5 * half_turn;
  HalfMoments<T> sum;
  T begin = angle[0];
  const T ends[4] = {angle[1], T(once_more), T(quarter), angle[2]};
  for (const T& end : ends) {
    if (!(value_of(end) > value_of(begin) && value_of(end) <= value_of(angle[2]))) continue;
    add_slices(size, s, n.z, out.depth, begin, end, sum);
    begin = end;
  }
  const bool thin = !(value_of(sum.volume) > 0);
  const T x = thin ? T(ring + tube * s) : T(sum.x / sum.volume),
          z = thin ? T(-tube * n.z) : T(sum.z / sum.volume);
  out.centroid = T(-1.0 * x) * uphill + Vec3<T>{T(0.0), T(0.0), z};
  out.depth = d + s * x - n.z * z + way_down_in_hull(size, s, n.z, x, z);
  return out;
}

}  // namespace trammel::detail
