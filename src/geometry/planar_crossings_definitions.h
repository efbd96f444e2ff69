// Definitions of PlanarCrossings (planar_crossings.h).
#pragma once

#include "geometry/planar_crossings.h"
#include "geometry/planar_roots.h"

namespace trammel {

namespace detail {

inline constexpr double share_of_rounding = 4e-15;  // of places, by the size of both curves

/// From the axes of a moving piece to those of the chord of another.
struct ToChord {
  Vec2d r;
  double c, s, mirror;

  TRAMMEL_HD Vec2d turn(const Vec2d& v) const {
    return {c * v.x - s * mirror * v.y, s * v.x + c * mirror * v.y};
  }
  TRAMMEL_HD Vec2d place(const Vec2d& v) const { return r + turn(v); }
};

TRAMMEL_HD inline ToChord to_chord(const Vec2d& r, double c, double s, double mirror,
                                   const PlanarPiece& graph) {
  const Vec2d e = graph.along, d = r - graph.a;
  return {{dot(e, d), cross(e, d)}, c * e.x + s * e.y, s * e.x - c * e.y, mirror};
}

/// visit(t on the moving piece, t on the graph, whether it goes to the left of the graph) for all crossings.
/// True: an end of one of the pieces is within `rounding` of the other, and the neighbours may see it on
/// another side.
template <class Visit>
TRAMMEL_HD bool cross_pieces(const PlanarPiece& moving, const ToChord& to, const PlanarPiece& graph,
                             double rounding, Visit&& visit) {
  bool doubtful = false;
  const auto beside = [&](double x) { return x > -rounding && x < graph.length + rounding; };
  const Roots roots = roots_of([&](double t) {
    const Vec2d x = to.place(moving.at(t)), d = to.turn(moving.slope(t));
    const PlanarPiece::Height h = graph.height(x.x);
    if ((t == 0 || t == 1) && std::fabs(x.y - h.y) < rounding) doubtful = doubtful || beside(x.x);
    return ValueAndSlope{x.y - h.y, d.y - h.slope * d.x};
  });
  for (int k = 0; k < roots.count; ++k) {
    const double x = to.place(moving.at(roots.t[k])).x;
    doubtful = doubtful || std::fabs(x) < rounding || std::fabs(x - graph.length) < rounding;
    if (x >= 0 && x < graph.length) visit(roots.t[k], graph.height(x).t, roots.rising[k]);
  }
  return doubtful;
}

/// visit(t on p, t on q, whether p goes into the solid of q); `at`: the pose of p's curve in the axes of q's.
template <class Visit>
TRAMMEL_HD bool cross_pieces_either_way(const PlanarPiece& p, const PlanarPose<double>& at,
                                        const PlanarPiece& q, double rounding, Visit&& visit) {
  // The straighter one is the graph: then their distance bends one way.
  if (std::fabs(p.bend) >= std::fabs(q.bend))
    return cross_pieces(p, to_chord(at.r, at.c, at.s, at.mirror, q), q, rounding, visit);
  const Vec2d back = at.place_back({0, 0});
  return cross_pieces(q, to_chord(back, at.c, -at.mirror * at.s, at.mirror, p), p, rounding,
                      [&](double tq, double tp, bool into_p) { visit(tp, tq, (at.mirror > 0) != into_p); });
}

TRAMMEL_HD inline Pose<double> in_space(const PlanarPose<double>& p) {
  Pose<double> out{{p.r.x, p.r.y, 0}, Mat3d::identity()};
  out.A.m[0] = p.c, out.A.m[1] = -p.mirror * p.s;
  out.A.m[3] = p.s, out.A.m[4] = p.mirror * p.c;
  return out;
}

/// Directions that lie along no edge but by chance, farther each time; the first is none.
TRAMMEL_HD inline Vec2d shift_direction(int k) {
  constexpr double x[] = {0, 0.7071, -0.4142, -1.618, 2.236, -3.317, 7.071, -11.18},
                   y[] = {0, 0.3173, 0.9239, -1.13, -1.732, 4.123, 5.916, -13.56};
  return {x[k], y[k]};
}
inline constexpr int shift_directions = 8;

}  // namespace detail

TRAMMEL_HD inline void PlanarCrossings::search(const PlanarView& first, const PlanarPose<double>& pose,
                                               const PlanarView& second) {
  Room<PlanarCrossing>& list = work_.list;
  list.clear();
  doubtful_ = false;
  visit_near_pairs(second.tree, first.tree, detail::in_space(pose), 1e-12 * size_, [&](int q, int p) {
    const bool doubtful = detail::cross_pieces_either_way(first.piece[p], pose, second.piece[q],
                                                          detail::share_of_rounding * size_,
                                                          [&](double tp, double tq, bool enters) {
                                                            list.push({{p, q}, {tp, tq}, enters});
                                                          });
    doubtful_ = doubtful_ || doubtful;
  });
  if (list.lacks()) return;
  sort(list.begin(), list.size, [](const PlanarCrossing& a, const PlanarCrossing& b) {
    return a.piece[0] != b.piece[0] ? a.piece[0] < b.piece[0] : a.t[0] < b.t[0];
  });
}

/// Whether crossings enter and leave in turn along both curves.
TRAMMEL_HD inline bool PlanarCrossings::in_turn() {
  const Room<PlanarCrossing>& list = work_.list;
  const Room<int>&order = work_.order, &place = work_.place;
  const int n = list.size;
  if (n % 2 != 0) return false;
  const bool rooms = work_.order.resize(n);
  if (!work_.place.resize(n) || !rooms) return false;
  for (int k = 0; k < n; ++k) order[k] = k;
  sort(order.begin(), n, [&](int a, int b) {
    const PlanarCrossing &p = list[a], &q = list[b];
    return p.piece[1] != q.piece[1] ? p.piece[1] < q.piece[1] : p.t[1] < q.t[1];
  });
  for (int k = 0; k < n; ++k) {
    place[order[k]] = k;
    if (list[k].enters == list[(k + 1) % n].enters) return false;
    if (list[order[k]].enters == list[order[(k + 1) % n]].enters) return false;
  }
  return true;
}

TRAMMEL_HD inline bool PlanarCrossings::find(const PlanarView& first, const PlanarPose<double>& pose,
                                             const PlanarView& second) {
  size_ = half_size(first) + half_size(second);
  for (int k = 0; k < detail::shift_directions; ++k) {
    shift_ = (1e-13 * size_) * detail::shift_direction(k);
    PlanarPose<double> shifted = pose;
    shifted.r += shift_;
    search(first, shifted, second);
    if (!work_.list.lacks() && !doubtful_ && in_turn()) return true;
    if (work_.lacks()) return false;
  }
  work_.list.clear();
  return false;
}

TRAMMEL_HD inline int PlanarCrossings::along_second(int crossing, int step) const {
  const int n = work_.list.size;
  return work_.order[(work_.place[crossing] + step + n) % n];
}

}  // namespace trammel
