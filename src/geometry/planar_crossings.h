// Where the boundaries of two solids in a plane cross, and how they go on from there. On the processor and on
// a device; definitions: planar_crossings_definitions.h.
#pragma once

#include "geometry/planar_pose.h"
#include "geometry/planar_view.h"
#include "geometry/room.h"

namespace trammel {

/// A place where the first curve goes into (or out of) the second solid; of both curves the piece, and t on
/// it.
struct PlanarCrossing {
  int piece[2];
  double t[2];
  bool enters;
};

/// What the search works in (owned_rooms.h).
struct PlanarCrossingWork {
  Room<PlanarCrossing> list;  ///< along the first
  Room<int> order, place;     ///< along the second

  TRAMMEL_HD bool lacks() const { return list.lacks() || order.lacks() || place.lacks(); }
  TRAMMEL_HD void renew() {}
  template <class F>
  void for_rooms(F&& f) {
    f(list), f(order), f(place);
  }
};

class PlanarCrossings {
 public:
  TRAMMEL_HD explicit PlanarCrossings(PlanarCrossingWork& work) : work_(work) {}

  /// The crossings of two curves, given the pose of the first in the axes of the second; as many enter as
  /// leave, in turn along either curve. Where rounding leaves them open, as for edges that lie in one line,
  /// the first is shifted by some 1e-13 of the size: shift(). False: that did not help, or the work space
  /// lacks room.
  TRAMMEL_HD bool find(const PlanarView& first, const PlanarPose<double>& pose, const PlanarView& second);

  TRAMMEL_HD const Room<PlanarCrossing>& along_first() const { return work_.list; }
  TRAMMEL_HD const Vec2d& shift() const { return shift_; }
  /// Of a crossing by its place in along_first(): which comes after (step 1) or before it (−1) along the
  /// second.
  TRAMMEL_HD int along_second(int crossing, int step) const;

 private:
  TRAMMEL_HD void search(const PlanarView& first, const PlanarPose<double>& pose, const PlanarView& second);
  TRAMMEL_HD bool in_turn();

  PlanarCrossingWork& work_;
  Vec2d shift_;
  double size_ = 0;        ///< of both
  bool doubtful_ = false;  ///< rounding may have decided where a crossing is
};

}  // namespace trammel
