#include "flexible/solid_kinds.h"

namespace trammel {

namespace {

using Family = SolidKind::Family;
using Edge = SolidTopology::Edge;
using Face = SolidTopology::Face;

constexpr Edge tetrahedron_edges[] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
constexpr Face tetrahedron_faces[] = {{0, 1, 2, -1}, {0, 1, 3, -1}, {1, 2, 3, -1}, {0, 2, 3, -1}};
constexpr Edge wedge_edges[] = {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}};
constexpr Face wedge_faces[] = {{0, 1, 2, -1}, {3, 4, 5, -1}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}};
constexpr Edge brick_edges[] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
constexpr Face brick_faces[] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

}  // namespace

const std::vector<SolidKind>& solid_kinds() {
  static const std::vector<SolidKind> kinds = {{"C3D4", 4, 10, Family::tetrahedron4},
                                               {"C3D10", 10, 24, Family::tetrahedron10},
                                               {"C3D6", 6, 13, Family::wedge6},
                                               {"C3D15", 15, 26, Family::wedge15},
                                               {"C3D8", 8, 12, Family::brick8},
                                               {"C3D8R", 8, 12, Family::brick8, true},
                                               {"C3D8I", 8, 12, Family::brick8, false, true},
                                               {"C3D20", 20, 25, Family::brick20},
                                               {"C3D20R", 20, 25, Family::brick20}};
  return kinds;
}

const SolidKind* solid_kind(std::string_view name) {
  for (const SolidKind& kind : solid_kinds())
    if (kind.name == name) return &kind;
  return nullptr;
}

const SolidKind* solid_kind_of_cell(int vtk) {
  for (const SolidKind& kind : solid_kinds())
    if (kind.vtk == vtk) return &kind;
  return nullptr;
}

SolidTopology solid_topology(Family family) {
  switch (family) {
    case Family::tetrahedron4:
    case Family::tetrahedron10:
      return {4, tetrahedron_edges, tetrahedron_faces};
    case Family::wedge6:
    case Family::wedge15:
      return {6, wedge_edges, wedge_faces};
    default:
      return {8, brick_edges, brick_faces};
  }
}

}  // namespace trammel
