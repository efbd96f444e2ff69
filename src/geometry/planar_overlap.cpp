#include "geometry/planar_overlap.h"

#include "geometry/planar_search_definitions.h"

namespace trammel {

namespace {

PlanarCurve make_unit_square() {
  const Vec2d corner[] = {{1, 0}, {-1, 0}, {-1, -2}, {1, -2}};
  PlanarPath path;
  for (int k = 0; k < 4; ++k) path.add_line(corner[k], corner[(k + 1) % 4]);
  return make_planar_curve(path);
}

}  // namespace

const PlanarView& unit_square() {
  static const PlanarCurve square = make_unit_square();
  static const PlanarView seen = view(square);
  return seen;
}

bool holds(const PlanarCurve& curve, const Vec2d& p) {
  return holds(view(curve), p);
}

template <class T>
std::span<const PlanarOverlap<T>> PlanarOverlaps<T>::find(const PlanarCurve& first, const PlanarPose<T>& pose,
                                                          const PlanarCurve& second) {
  const PlanarView one = view(first), other = view(second);
  const auto& found =
      rooms_.run([&](PlanarWork<T>& work) { return PlanarSearch<T>(work).find(one, pose, other); });
  return {found.overlaps.begin(), found.overlaps.end()};
}

template <class T>
std::span<const PlanarOverlap<T>> PlanarOverlaps<T>::find_cut(const PlanarCurve& curve,
                                                              const PlanarPose<T>& pose) {
  const PlanarView solid = view(curve);
  const auto& found = rooms_.run(
      [&](PlanarWork<T>& work) { return PlanarSearch<T>(work).find_cut(solid, pose, unit_square()); });
  return {found.overlaps.begin(), found.overlaps.end()};
}

template class PlanarOverlaps<double>;
template class PlanarOverlaps<Dual<double, 3>>;

}  // namespace trammel
