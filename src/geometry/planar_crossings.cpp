#include "geometry/planar_crossings.h"

#include <algorithm>
#include <tuple>

#include "geometry/planar_roots.h"

namespace trammel {

namespace {

constexpr double share_of_rounding = 4e-15;  // of places, by the size of both curves

/// From the axes of a moving piece to those of the chord of another.
struct ToChord {
  Vec2d r;
  double c, s, mirror;

  Vec2d turn(const Vec2d& v) const { return {c * v.x - s * mirror * v.y, s * v.x + c * mirror * v.y}; }
  Vec2d place(const Vec2d& v) const { return r + turn(v); }
};

ToChord to_chord(const Vec2d& r, double c, double s, double mirror, const PlanarPiece& graph) {
  const Vec2d e = graph.along, d = r - graph.a;
  return {{dot(e, d), cross(e, d)}, c * e.x + s * e.y, s * e.x - c * e.y, mirror};
}

/// visit(t on the moving piece, t on the graph, whether it goes to the left of the graph) for all crossings.
/// True: an end of one of the pieces is within `rounding` of the other, and the neighbours may see it on
/// another side.
template <class Visit>
bool cross_pieces(const PlanarPiece& moving, const ToChord& to, const PlanarPiece& graph, double rounding,
                  Visit&& visit) {
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
bool cross_pieces_either_way(const PlanarPiece& p, const PlanarPose<double>& at, const PlanarPiece& q,
                             double rounding, Visit&& visit) {
  // The straighter one is the graph: then their distance bends one way.
  if (std::fabs(p.bend) >= std::fabs(q.bend))
    return cross_pieces(p, to_chord(at.r, at.c, at.s, at.mirror, q), q, rounding, visit);
  const Vec2d back = at.place_back({0, 0});
  return cross_pieces(q, to_chord(back, at.c, -at.mirror * at.s, at.mirror, p), p, rounding,
                      [&](double tq, double tp, bool into_p) { visit(tp, tq, (at.mirror > 0) != into_p); });
}

Pose<double> in_space(const PlanarPose<double>& p) {
  Pose<double> out{{p.r.x, p.r.y, 0}, Mat3d::identity()};
  out.A.m[0] = p.c, out.A.m[1] = -p.mirror * p.s;
  out.A.m[3] = p.s, out.A.m[4] = p.mirror * p.c;
  return out;
}

double size_of(const PlanarCurve& curve) {
  return norm(curve.tree.nodes[0].box.half);
}

}  // namespace

void PlanarCrossings::search_pair(int p, int q) {
  const bool doubtful =
      cross_pieces_either_way(first_->pieces[p], pose_, second_->pieces[q], share_of_rounding * size_,
                              [&](double tp, double tq, bool enters) {
                                list_.push_back({{p, q}, {tp, tq}, enters});
                              });
  doubtful_ = doubtful_ || doubtful;
}

void PlanarCrossings::search(const PlanarCurve& first, const PlanarPose<double>& pose,
                             const PlanarCurve& second) {
  first_ = &first, second_ = &second;
  pose_ = pose;
  list_.clear();
  doubtful_ = false;
  visit_near_pairs(second.tree.view(), first.tree.view(), in_space(pose), 1e-12 * size_,
                   [&](int q, int p) { search_pair(p, q); });
  std::sort(list_.begin(), list_.end(), [](const PlanarCrossing& a, const PlanarCrossing& b) {
    return std::tie(a.piece[0], a.t[0]) < std::tie(b.piece[0], b.t[0]);
  });
}

/// Whether crossings enter and leave in turn along both curves.
bool PlanarCrossings::in_turn() {
  const int n = static_cast<int>(list_.size());
  if (n % 2 != 0) return false;
  order_.resize(n);
  place_.resize(n);
  for (int k = 0; k < n; ++k) order_[k] = k;
  std::sort(order_.begin(), order_.end(), [&](int a, int b) {
    return std::tie(list_[a].piece[1], list_[a].t[1]) < std::tie(list_[b].piece[1], list_[b].t[1]);
  });
  for (int k = 0; k < n; ++k) {
    place_[order_[k]] = k;
    if (list_[k].enters == list_[(k + 1) % n].enters) return false;
    if (list_[order_[k]].enters == list_[order_[(k + 1) % n]].enters) return false;
  }
  return true;
}

bool PlanarCrossings::find(const PlanarCurve& first, const PlanarPose<double>& pose,
                           const PlanarCurve& second) {
  // Directions that lie along no edge but by chance, farther each time.
  static constexpr Vec2d directions[] = {{0, 0},          {0.7071, 0.3173}, {-0.4142, 0.9239},
                                         {-1.618, -1.13}, {2.236, -1.732},  {-3.317, 4.123},
                                         {7.071, 5.916},  {-11.18, -13.56}};
  size_ = size_of(first) + size_of(second);
  for (const Vec2d& d : directions) {
    shift_ = (1e-13 * size_) * d;
    PlanarPose<double> shifted = pose;
    shifted.r += shift_;
    search(first, shifted, second);
    if (!doubtful_ && in_turn()) return true;
  }
  list_.clear();
  return false;
}

int PlanarCrossings::along_second(int crossing, int step) const {
  const int n = static_cast<int>(list_.size());
  return order_[(place_[crossing] + step + n) % n];
}

bool crosses_itself(const PlanarCurve& curve) {
  const int n = static_cast<int>(curve.pieces.size());
  bool found = false;
  const PlanarPose<double> here;
  visit_near_pairs(curve.tree.view(), curve.tree.view(), in_space(here), 0, [&](int q, int p) {
    const int apart = (p - q + n) % n;
    if (p >= q || apart == 1 || apart == n - 1) return;
    cross_pieces_either_way(curve.pieces[p], here, curve.pieces[q], 0,
                            [&](double, double, bool) { found = true; });
  });
  return found;
}

}  // namespace trammel
