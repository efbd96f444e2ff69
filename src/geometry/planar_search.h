// What two solids in a plane have in common, on the processor and on a device; definitions:
// planar_search_definitions.h.
#pragma once

#include "geometry/planar_crossings.h"
#include "geometry/planar_sums.h"

namespace trammel {

/// One connected part of the common area.
template <class T>
struct PlanarOverlap {
  T depth;
  Vec2<T> normal;  ///< unit, towards the first
  Vec2<T> point;   ///< in the middle between both boundaries
  T area;
  Vec2<T> centroid;
};

/// What the search works in (owned_rooms.h).
template <class T>
struct PlanarWork {
  PlanarCrossingWork crossings;
  Room<unsigned char> seen;  ///< of each crossing
  Room<PlanarOverlap<T>> overlaps;
  double block_half = 0;  ///< half edge of the block that stands for a half-space; 0: there is none yet
  Room<PlanarPiece> block_pieces;
  Room<BvhNode> block_nodes;

  TRAMMEL_HD void renew() {
    crossings.renew();
    block_half = 0;
  }
  template <class F>
  void for_rooms(F&& f) {
    crossings.for_rooms(f);
    f(seen), f(overlaps), f(block_pieces), f(block_nodes);
  }
};

/// T: double, or Dual<double, N> of the pose. Both functions leave what they find in `overlaps` of the work
/// space, valid until the next call, and return false where a list there had no room for all.
template <class T>
class PlanarSearch {
 public:
  TRAMMEL_HD explicit PlanarSearch(PlanarWork<T>& work) : work_(work), crossings_(work.crossings) {}

  /// All overlaps, given the pose of the first in the axes of the second, in these.
  TRAMMEL_HD bool find(const PlanarView& first, const PlanarPose<T>& pose, const PlanarView& second);

  /// Of a curve with what is below the x axis. `block`: a square from (-1, -2) to (1, 0).
  TRAMMEL_HD bool find_cut(const PlanarView& curve, const PlanarPose<T>& pose, const PlanarView& block);

 private:
  /// Over the boundary of one overlap, about `origin`; of the parts of either curve apart.
  struct Boundary {
    Vec2d origin;
    PlanarSums<T> part[2];
  };
  struct Exit {
    bool found;
    T distance;
  };

  TRAMMEL_HD T parameter(const PlanarCrossing& at, int curve) const;
  TRAMMEL_HD void add_between(int curve, int from, int to, Boundary& sums) const;
  TRAMMEL_HD void add_whole(int curve, Boundary& sums) const;
  TRAMMEL_HD PlanarPose<T> pose_of(int curve, const Vec2d& origin) const;
  TRAMMEL_HD void walk(int start);
  TRAMMEL_HD void look_inside();
  TRAMMEL_CALLED Exit exit(int curve, const Vec2<T>& from, const Vec2<T>& direction) const;
  TRAMMEL_CALLED void measure(const Boundary& sums);
  TRAMMEL_HD bool take_block(const PlanarView& block, double half);

  PlanarWork<T>& work_;
  PlanarCrossings crossings_;
  const PlanarView* curve_[2] = {};
  PlanarPose<T> pose_[2];
  bool upwards_ = false;  ///< the normal is the y axis
};

}  // namespace trammel
