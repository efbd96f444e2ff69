// What two solids in a plane have in common.
#pragma once

#include <span>
#include <vector>

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

/// Finds the overlaps of two solids. Work space, too. T: double, or Dual<double, N> of the pose.
template <class T>
class PlanarOverlaps {
 public:
  /// All overlaps, given the pose of the first in the axes of the second, in these; valid until the next
  /// call.
  std::span<const PlanarOverlap<T>> find(const PlanarCurve& first, const PlanarPose<T>& pose,
                                         const PlanarCurve& second);

  /// Of a curve with what is below the x axis.
  std::span<const PlanarOverlap<T>> find_cut(const PlanarCurve& curve, const PlanarPose<T>& pose);

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

  T parameter(const PlanarCrossing& at, int curve) const;
  void add_between(int curve, int from, int to, Boundary& sums) const;
  void add_whole(int curve, Boundary& sums) const;
  PlanarPose<T> pose_of(int curve, const Vec2d& origin) const;
  void walk(int start);
  void look_inside();
  Exit exit(int curve, const Vec2<T>& from, const Vec2<T>& direction);
  void measure(const Boundary& sums);

  const PlanarCurve* curve_[2] = {};
  PlanarPose<T> pose_[2];
  bool upwards_ = false;  ///< the normal is the y axis
  PlanarCrossings crossings_;
  std::vector<char> seen_;
  PlanarCurve block_;  ///< stands for what is below the x axis
  double block_half_ = 0;
  std::vector<PlanarOverlap<T>> overlaps_;
};

extern template class PlanarOverlaps<double>;
extern template class PlanarOverlaps<Dual<double, 3>>;

/// Whether the solid holds a point; in its axes.
bool holds(const PlanarCurve& curve, const Vec2d& p);

}  // namespace trammel
