#include "geometry/planar_crossings.h"

#include "geometry/planar_crossings_definitions.h"
#include "geometry/planar_curve.h"

namespace trammel {

bool crosses_itself(const PlanarCurve& curve) {
  const int n = static_cast<int>(curve.pieces.size());
  bool found = false;
  const PlanarPose<double> here;
  const TreeView tree = curve.tree.view();
  visit_near_pairs(tree, tree, detail::in_space(here), 0, [&](int q, int p) {
    const int apart = (p - q + n) % n;
    if (p >= q || apart == 1 || apart == n - 1) return;
    detail::cross_pieces_either_way(curve.pieces[p], here, curve.pieces[q], 0,
                                    [&](double, double, bool) { found = true; });
  });
  return found;
}

}  // namespace trammel
