// Which of many balls are near each other: where contact of many bodies is looked for.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "geometry/bvh.h"

namespace trammel {

/// A ball around a shape; of an infinite radius, around one without end.
struct BoundingBall {
  Vec3d center;
  double radius = 0;
};

/// Of every item some others, in ascending order, and both ways: who is among another's has that among its
/// own.
struct Neighbours {
  std::vector<int> start{0};  ///< items + 1
  std::vector<int> other;
  std::vector<int> pair;  ///< of each other: which pair it is, the same number both ways
  std::span<const int> of(int item) const {
    return {other.data() + start[item], static_cast<std::size_t>(start[item + 1] - start[item])};
  }
  std::size_t size() const { return other.size(); }
};

/// From `before`, of every item the earlier ones that go with it, in ascending order: those of item k are at
/// [first[k], first[k + 1]). Pairs have the numbers of their places there.
inline Neighbours both_ways(std::span<const int> first, std::span<const int> before) {
  const int count = static_cast<int>(first.size()) - 1;
  Neighbours out;
  out.start.assign(first.begin(), first.end());
  std::vector<int> later(count);
  for (const int k : before) ++later[k];
  for (int k = 0, sum = 0; k < count; ++k) {
    sum += later[k];
    out.start[k + 1] += sum;
  }
  out.other.resize(2 * before.size());
  out.pair.resize(2 * before.size());
  std::vector<int> next(out.start.begin(), out.start.end() - 1);
  const auto put = [&](int item, int other, int pair) {
    out.other[next[item]] = other;
    out.pair[next[item]++] = pair;
  };
  for (int k = 0; k < count; ++k)
    for (int pair = first[k]; pair < first[k + 1]; ++pair) {
      put(k, before[pair], pair);
      put(before[pair], k, pair);
    }
  return out;
}

/// Balls a, b with |c_a − c_b| ≤ r_a + r_b, of those for which wanted(a, b), which is wanted(b, a). By a
/// tree of boxes: n log n, whatever their sizes; each without end is held against all. `looks`, if given,
/// counts balls that are held against another.
template <class Wanted>
Neighbours near_balls(std::span<const BoundingBall> balls, Wanted&& wanted, long* looks = nullptr) {
  const int count = static_cast<int>(balls.size());
  std::vector<int> bounded, endless, first{0}, before;
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
  long looked = 0;
  for (int k = 0; k < count; ++k) {
    const auto begin = static_cast<std::ptrdiff_t>(before.size());
    const BoundingBall& own = balls[k];
    const auto take = [&](int other) {
      if (wanted(k, other)) before.push_back(other);
    };
    if (std::isfinite(own.radius)) {
      for (std::size_t n = 0; n < endless.size() && endless[n] < k; ++n, ++looked) take(endless[n]);
      visit_within(tree.view(), own.center, own.radius, [&](int item) {
        ++looked;
        const BoundingBall& b = balls[bounded[item]];
        if (bounded[item] < k && norm(b.center - own.center) <= own.radius + b.radius) take(bounded[item]);
      });
      std::sort(before.begin() + begin, before.end());
    } else {
      for (int other = 0; other < k; ++other, ++looked) take(other);
    }
    first.push_back(static_cast<int>(before.size()));
  }
  if (looks) *looks += looked;
  return both_ways(first, before);
}

}  // namespace trammel
