// Where the boundaries of two solids in a plane cross, and how they go on from there.
#pragma once

#include <array>
#include <vector>

#include "geometry/planar_curve.h"
#include "geometry/planar_pose.h"

namespace trammel {

/// A place where the first curve goes into (or out of) the second solid; of both curves the piece, and t on
/// it.
struct PlanarCrossing {
  int piece[2];
  double t[2];
  bool enters;
};

/// Work space, too: once it has seen the largest case it allocates nothing.
class PlanarCrossings {
 public:
  /// The crossings of two curves, given the pose of the first in the axes of the second; as many enter as
  /// leave, in turn along either curve. Where rounding leaves them open, as for edges that lie in one line,
  /// the first is shifted by some 1e-13 of the size: shift(). False: that did not help.
  bool find(const PlanarCurve& first, const PlanarPose<double>& pose, const PlanarCurve& second);

  const std::vector<PlanarCrossing>& along_first() const { return list_; }
  const Vec2d& shift() const { return shift_; }
  /// Of a crossing by its place in along_first(): which comes after (step 1) or before it (−1) along the
  /// second.
  int along_second(int crossing, int step) const;

 private:
  void search(const PlanarCurve& first, const PlanarPose<double>& pose, const PlanarCurve& second);
  void search_pair(int p, int q);
  bool in_turn();

  const PlanarCurve *first_ = nullptr, *second_ = nullptr;
  PlanarPose<double> pose_;
  Vec2d shift_;
  double size_ = 0;        ///< of both
  bool doubtful_ = false;  ///< rounding may have decided where a crossing is
  std::vector<PlanarCrossing> list_;
  std::vector<int> order_, place_;  ///< along the second
};

}  // namespace trammel
