#include "recovery/surface.h"

#include <algorithm>

namespace trammel {

namespace {

struct Keyed {
  SurfaceFace sorted, face;
};

}  // namespace

std::vector<SurfaceFace> surface_of(const ModalFields& f) {
  std::vector<Keyed> all;
  for (int e = 0; e < f.cells(); ++e) {
    const SolidKind* kind = solid_kind_of_cell(f.cell_type[e]);
    for (const SolidTopology::Face& corners : solid_topology(kind->family).faces) {
      Keyed k;
      for (int c = 0; c < 4; ++c)
        k.face[c] = f.cell_node[f.cell_start[e] + (corners[c] < 0 ? corners[c - 1] : corners[c])];
      k.sorted = k.face;
      std::sort(k.sorted.begin(), k.sorted.end());
      std::fill(std::unique(k.sorted.begin(), k.sorted.end()), k.sorted.end(), -1);
      all.push_back(k);
    }
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
