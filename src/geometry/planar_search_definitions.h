// Definitions of PlanarSearch (planar_search.h).
#pragma once

#include "geometry/planar_crossings_definitions.h"
#include "geometry/planar_search.h"

namespace trammel {

namespace detail {

template <class T>
TRAMMEL_HD Vec2<T> in_scalar(const Vec2d& v) {
  return {T(v.x), T(v.y)};
}

inline constexpr double least_direction = 1e-9;  // of the boundary: a smaller sum of it has no direction

/// visit(piece, t, whether the line leaves the solid there) where the line from + s direction passes a curve.
template <class Visit>
TRAMMEL_HD void pass_pieces(const PlanarView& curve, const Vec2d& from, const Vec2d& direction,
                            Visit&& visit) {
  const double margin = 1e-12 * half_size(curve);
  visit_along_line(curve.tree, {from.x, from.y, 0}, {direction.x, direction.y, 0}, margin, [&](int p) {
    const PlanarPiece& piece = curve.piece[p];
    const Roots roots = roots_of([&](double t) {
      return ValueAndSlope{cross(direction, piece.at(t) - from), cross(direction, piece.slope(t))};
    });
    // A piece that goes to the left of the line has the solid behind.
    for (int k = 0; k < roots.count; ++k) visit(p, roots.t[k], roots.rising[k]);
  });
}

}  // namespace detail

/// Whether the solid holds a point; in its axes.
TRAMMEL_HD inline bool holds(const PlanarView& curve, const Vec2d& p) {
  bool inside = curve.area < 0;
  const Vec2d direction{0.9, 0.43588989435406736};  // along no edge but by chance
  detail::pass_pieces(curve, p, direction, [&](int n, double t, bool) {
    if (dot(direction, curve.piece[n].at(t) - p) > 0) inside = !inside;
  });
  return inside;
}

/// The pose of a curve in a frame of the second's axes with that origin.
template <class T>
TRAMMEL_HD PlanarPose<T> PlanarSearch<T>::pose_of(int curve, const Vec2d& origin) const {
  PlanarPose<T> at = pose_[curve];
  at.r = at.r - detail::in_scalar<T>(origin);
  return at;
}

/// t of a crossing with the derivatives of the pose: p(t₁) = q(t₂) to first order.
template <class T>
TRAMMEL_HD T PlanarSearch<T>::parameter(const PlanarCrossing& at, int curve) const {
  if constexpr (std::is_same_v<T, double>) {
    return at.t[curve];
  } else {
    const PlanarPiece &p = curve_[0]->piece[at.piece[0]], &q = curve_[1]->piece[at.piece[1]];
    Vec2<T> miss = pose_[0].place(detail::in_scalar<T>(p.at(at.t[0]))) - detail::in_scalar<T>(q.at(at.t[1]));
    miss.x.v = miss.y.v = 0;
    const Vec2d u = values(pose_[0]).turn(p.slope(at.t[0])), v = q.slope(at.t[1]);
    const Vec2<T> across = detail::in_scalar<T>(curve == 0 ? v : u);
    return at.t[curve] + cross(across, miss) * (1 / cross(u, v));
  }
}

/// The part of a curve inside the other, from a crossing to the next along it.
template <class T>
TRAMMEL_HD void PlanarSearch<T>::add_between(int curve, int from, int to, Boundary& sums) const {
  const PlanarCrossing &a = crossings_.along_first()[from], &b = crossings_.along_first()[to];
  const PlanarPose<T> at = pose_of(curve, sums.origin);
  const int n = curve_[curve]->pieces;
  const bool around = a.piece[curve] == b.piece[curve] && a.t[curve] > b.t[curve];
  int piece = a.piece[curve];
  T t = parameter(a, curve);
  for (bool first = around; first || piece != b.piece[curve]; first = false, piece = (piece + 1) % n) {
    add_part(curve_[curve]->piece[piece], t, T(1.0), at, sums.part[curve]);
    t = T(0.0);
  }
  add_part(curve_[curve]->piece[piece], t, parameter(b, curve), at, sums.part[curve]);
}

template <class T>
TRAMMEL_HD void PlanarSearch<T>::add_whole(int curve, Boundary& sums) const {
  for (int k = 0; k < curve_[curve]->pieces; ++k)
    add_part(curve_[curve]->piece[k], T(0.0), T(1.0), pose_of(curve, sums.origin), sums.part[curve]);
}

/// The overlap whose boundary goes through a crossing where the first curve enters.
template <class T>
TRAMMEL_HD void PlanarSearch<T>::walk(int start) {
  const Room<PlanarCrossing>& list = crossings_.along_first();
  const int n = list.size;
  Boundary sums;
  sums.origin = curve_[1]->piece[list[start].piece[1]].at(list[start].t[1]);
  const int step = pose_[0].mirror > 0 ? 1 : -1;
  int at = start;
  do {
    work_.seen[at] = 1;
    const int leaves = (at + 1) % n, next = crossings_.along_second(leaves, step);
    add_between(0, at, leaves, sums);
    step > 0 ? add_between(1, leaves, next, sums) : add_between(1, next, leaves, sums);
    at = next;
  } while (!work_.seen[at]);
  measure(sums);
}

/// Without crossings: a curve that is inside the other solid as a whole.
template <class T>
TRAMMEL_HD void PlanarSearch<T>::look_inside() {
  const PlanarPose<double> pose = values(pose_[0]);
  Boundary sums;
  sums.origin = pose.place(curve_[0]->piece[0].a);
  const bool first = holds(*curve_[1], sums.origin),
             second = holds(*curve_[0], pose.place_back(curve_[1]->piece[0].a));
  if (first) add_whole(0, sums);
  if (second) add_whole(1, sums);
  if (first || second) measure(sums);
}

/// How far along the direction the line leaves the solid, at the place nearest ahead, or else behind.
template <class T>
TRAMMEL_CALLED auto PlanarSearch<T>::exit(int curve, const Vec2<T>& from, const Vec2<T>& direction) const
    -> Exit {
  const PlanarPose<double> pose = values(pose_[curve]);
  const Vec2d start = pose.place_back(values(from)), along = pose.turn_back(values(direction));
  const PlanarView& c = *curve_[curve];
  const double ahead_of = -1e-12 * half_size(c);
  int best = -1;
  double nearest = 0, at = 0;
  detail::pass_pieces(c, start, along, [&](int p, double t, bool leaves) {
    if (!leaves) return;
    const double s = dot(along, c.piece[p].at(t) - start);
    const bool ahead = s >= ahead_of, best_ahead = nearest >= ahead_of;
    if (best >= 0 && (ahead != best_ahead ? !ahead : !(std::fabs(s) < std::fabs(nearest)))) return;
    best = p, nearest = s, at = t;
  });
  if (best < 0) return {false, T(0.0)};
  const Vec2<T> n = left_of(pose_[curve].turn(detail::in_scalar<T>(c.piece[best].slope(at))));
  const Vec2<T> place = pose_[curve].place(detail::in_scalar<T>(c.piece[best].at(at)));
  return {true, dot(n, place - from) / dot(n, direction)};
}

template <class T>
TRAMMEL_CALLED void PlanarSearch<T>::measure(const Boundary& sums) {
  // What the mirrored first goes around counts with its sign reversed.
  const double mirror = pose_[0].mirror;
  const T area = mirror * sums.part[0].area + sums.part[1].area;
  if (!(value_of(area) > 0)) return;
  const Vec2<T> moment = T(mirror) * sums.part[0].moment + sums.part[1].moment;
  const Vec2<T> centroid = detail::in_scalar<T>(sums.origin) + T(1.0 / area) * moment;
  // Outward normals are to the right: that of the second less that of the first, over two.
  const Vec2<T> across = T(-0.5) * left_of(sums.part[1].chord - T(mirror) * sums.part[0].chord);
  const double size = half_size(*curve_[0]) + half_size(*curve_[1]);
  const double wide = norm(values(across));
  const bool one_way = wide > detail::least_direction * std::sqrt(value_of(area));
  Vec2<T> n = across;
  if (upwards_) {
    n = {T(0.0), T(1.0)};
  } else if (!one_way) {
    n = pose_[0].place(detail::in_scalar<T>(curve_[0]->centroid)) - detail::in_scalar<T>(curve_[1]->centroid);
    if (curve_[0]->area < 0 || curve_[1]->area < 0) n = -n;
    if (!(norm(values(n)) > detail::least_direction * size)) n = pose_[0].turn({T(1.0), T(0.0)});
  }
  n = T(1.0 / norm(n)) * n;
  const Exit above = exit(1, centroid, n), below = exit(0, centroid, -n);
  T depth = above.distance + below.distance;
  Vec2<T> point = centroid + T(0.5 * (above.distance - below.distance)) * n;
  if (!above.found || !below.found || !(value_of(depth) > 0)) {
    using std::sqrt;
    depth = one_way ? T(area / norm(across)) : T(sqrt(area));
    point = centroid;
  }
  if (value_of(depth) > 1e-13 * size) work_.overlaps.push({depth, n, point, area, centroid});
}

template <class T>
TRAMMEL_HD bool PlanarSearch<T>::find(const PlanarView& first, const PlanarPose<T>& pose,
                                      const PlanarView& second) {
  work_.overlaps.clear();
  curve_[0] = &first, curve_[1] = &second;
  pose_[0] = pose;
  pose_[1] = {};
  const bool open = !crossings_.find(first, values(pose), second);
  if (open) return !work_.crossings.lacks();
  pose_[0].r += detail::in_scalar<T>(crossings_.shift());
  const Room<PlanarCrossing>& list = crossings_.along_first();
  if (list.size == 0) look_inside();
  if (!work_.seen.resize(list.size)) return false;
  for (unsigned char& seen : work_.seen) seen = 0;
  for (int k = 0; k < list.size; ++k)
    if (list[k].enters && !work_.seen[k]) walk(k);
  return !work_.overlaps.lacks();
}

/// Makes pieces and tree those of a block with that half edge, a power of two, by which they are exact.
template <class T>
TRAMMEL_HD bool PlanarSearch<T>::take_block(const PlanarView& block, double half) {
  const bool rooms = work_.block_pieces.resize(block.pieces);
  if (!work_.block_nodes.resize(block.tree.count) || !rooms) return false;
  if (work_.block_half == half) return true;
  work_.block_half = half;
  for (int k = 0; k < block.pieces; ++k) {
    PlanarPiece piece = block.piece[k];
    piece.a = half * piece.a;
    piece.b = half * piece.b;
    piece.length *= half;
    work_.block_pieces[k] = piece;
  }
  for (int k = 0; k < block.tree.count; ++k) work_.block_nodes[k] = scaled_node(block.tree.node[k], half);
  return true;
}

template <class T>
TRAMMEL_HD bool PlanarSearch<T>::find_cut(const PlanarView& curve, const PlanarPose<T>& pose,
                                          const PlanarView& block) {
  // A block below the axis that reaches beyond the curve everywhere, in steps of two.
  const Vec2d middle = values(pose).place(curve.centroid);
  const double half = power_of_two(4 * larger(curve.reach, -middle.y));
  if (!take_block(block, half)) return false;
  PlanarView below = block;
  below.piece = work_.block_pieces.begin();
  below.tree.node = work_.block_nodes.begin();
  below.area = half * half * block.area;
  below.centroid = half * block.centroid;
  below.reach = half * block.reach;
  PlanarPose<T> shifted = pose;
  shifted.r.x = pose.r.x - middle.x;
  upwards_ = true;
  if (!find(curve, shifted, below)) return false;
  for (PlanarOverlap<T>& overlap : work_.overlaps) {
    overlap.point.x = overlap.point.x + middle.x;
    overlap.centroid.x = overlap.centroid.x + middle.x;
  }
  return true;
}

}  // namespace trammel
