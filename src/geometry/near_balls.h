// Which of many balls are near each other: where contact of many bodies is looked for.
#pragma once

#include <span>
#include <vector>

#include "geometry/bvh.h"

namespace trammel {

/// A ball around a shape; of an infinite radius, around one without end.
struct BoundingBall {
  Vec3d center;
  double radius = 0;
};

/// Of every item some others, in ascending order.
struct Neighbours {
  std::vector<int> start{0};  ///< items + 1
  std::vector<int> other;
  std::span<const int> of(int item) const {
    return {other.data() + start[item], static_cast<std::size_t>(start[item + 1] - start[item])};
  }
  std::size_t size() const { return other.size(); }
};

/// Balls a, b with |c_a − c_b| ≤ r_a + r_b, both ways, of those for which wanted(a, b). By a tree of boxes:
/// n log n, whatever their sizes; each without end is held against all.
template <class Wanted>
Neighbours near_balls(std::span<const BoundingBall> balls, Wanted&& wanted) {
  const int count = static_cast<int>(balls.size());
  std::vector<int> bounded, endless, stack;
  std::vector<MiddleBox> boxes;
  for (int k = 0; k < count; ++k) {
    const double r = balls[k].radius;
    if (!std::isfinite(r)) {
      endless.push_back(k);
      continue;
    }
    bounded.push_back(k);
    boxes.push_back({balls[k].center, {r, r, r}});
  }
  const Bvh tree = build_bvh(std::span<const MiddleBox>(boxes.data(), boxes.size()));
  Neighbours out;
  for (int k = 0; k < count; ++k) {
    const std::size_t first = out.other.size();
    const BoundingBall& own = balls[k];
    const auto take = [&](int other) {
      if (other != k && wanted(k, other)) out.other.push_back(other);
    };
    if (std::isfinite(own.radius)) {
      for (const int other : endless) take(other);
      visit_within(tree, own.center, own.radius, stack, [&](int item) {
        const BoundingBall& b = balls[bounded[item]];
        if (norm(b.center - own.center) <= own.radius + b.radius) take(bounded[item]);
      });
      std::sort(out.other.begin() + static_cast<std::ptrdiff_t>(first), out.other.end());
    } else {
      for (int other = 0; other < count; ++other) take(other);
    }
    out.start.push_back(static_cast<int>(out.other.size()));
  }
  return out;
}

}  // namespace trammel
