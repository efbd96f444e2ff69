#include "recovery/surface.h"

#include <algorithm>

namespace trammel {

namespace {

/// Faces by corners of cells, as VTK numbers them: tetrahedra 10 and 24, bricks 12 and 25, wedges 13 and 26.
const std::vector<SurfaceFace>& faces_of(int cell_type) {
  static const std::vector<SurfaceFace> tetrahedron = {
      {0, 2, 1, 1}, {0, 1, 3, 3}, {1, 2, 3, 3}, {0, 3, 2, 2}};
  static const std::vector<SurfaceFace> wedge = {
      {0, 2, 1, 1}, {3, 4, 5, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}};
  static const std::vector<SurfaceFace> brick = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                                 {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  static const std::vector<SurfaceFace> none;
  switch (cell_type) {
    case 10:
    case 24:
      return tetrahedron;
    case 13:
    case 26:
      return wedge;
    case 12:
    case 25:
      return brick;
    default:
      return none;
  }
}

struct Keyed {
  SurfaceFace sorted, face;
};

}  // namespace

std::vector<SurfaceFace> surface_of(const ModalFields& f) {
  std::vector<Keyed> all;
  for (int e = 0; e < f.cells(); ++e)
    for (const SurfaceFace& corners : faces_of(f.cell_type[e])) {
      Keyed k;
      for (int c = 0; c < 4; ++c) k.face[c] = f.cell_node[f.cell_start[e] + corners[c]];
      k.sorted = k.face;
      std::sort(k.sorted.begin(), k.sorted.end());
      std::fill(std::unique(k.sorted.begin(), k.sorted.end()), k.sorted.end(), -1);
      all.push_back(k);
    }
  std::sort(all.begin(), all.end(), [](const Keyed& a, const Keyed& b) { return a.sorted < b.sorted; });
  std::vector<SurfaceFace> out;
  for (std::size_t k = 0; k < all.size();) {
    std::size_t next = k + 1;
    while (next < all.size() && all[next].sorted == all[k].sorted) ++next;
    if (next == k + 1) out.push_back(all[k].face);
    k = next;
  }
  return out;
}

}  // namespace trammel
