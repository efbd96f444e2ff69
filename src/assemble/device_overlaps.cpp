#include "assemble/device_overlaps.h"

#include <algorithm>

#include "geometry/mesh_overlap.h"
#include "geometry/planar_overlap.h"

namespace trammel {

namespace {

MeshView copy_mesh(DeviceArena& arena, const MeshView& from) {
  MeshView to = from;
  to.vertex = arena.copy(from.vertex, from.vertices);
  to.triangle = arena.copy(from.triangle, from.triangles);
  to.edge = arena.copy(from.edge, from.edges);
  to.triangle_edge = arena.copy(from.triangle_edge, from.triangles);
  to.vertex_edge = arena.copy(from.vertex_edge, 2 * static_cast<std::size_t>(from.edges));
  to.first_edge = arena.copy(from.first_edge, from.vertices + 1);
  to.shell = arena.copy(from.shell, from.vertices);
  to.shell_vertex = arena.copy(from.shell_vertex, from.shells);
  to.normal = arena.copy(from.normal, from.vertices);
  to.tree.node = arena.copy(from.tree.node, from.tree.count);
  return to;
}

PlanarView copy_curve(DeviceArena& arena, const PlanarView& from) {
  PlanarView to = from;
  to.piece = arena.copy(from.piece, from.pieces);
  to.tree.node = arena.copy(from.tree.node, from.tree.count);
  return to;
}

bool is_searched(const PlacedShape& s) {
  return s.mesh >= 0 || s.curve >= 0;
}

/// Of two lists of sizes the larger each.
RoomSizes largest(RoomSizes a, const RoomSizes& b) {
  if (a.empty()) return b;
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = std::max(a[k], b[k]);
  return a;
}

}  // namespace

OverlapSearches::OverlapSearches(const Contacts& of_contacts, const ContactGroups& groups) {
  for (const PlacedShape& s : of_contacts.shape)
    if (is_searched(s)) contacts = static_cast<int>(of_contacts.item.size());
  for (const ContactGroups::Shape& s : groups.shape)
    if (is_searched(s.placed)) shapes = static_cast<int>(groups.shape.size());
}

MeshTables copy_meshes(DeviceArena& arena, const std::vector<std::shared_ptr<const SolidMesh>>& solids) {
  std::vector<MeshView> views;
  for (const auto& solid : solids) views.push_back(copy_mesh(arena, view(*solid)));
  const MeshView block = copy_mesh(arena, unit_block());
  return {arena.copy(views), arena.copy(&block, 1)};
}

PlanarTables copy_curves(DeviceArena& arena, const std::vector<std::shared_ptr<const PlanarCurve>>& curves) {
  std::vector<PlanarView> views;
  for (const auto& curve : curves) views.push_back(copy_curve(arena, view(*curve)));
  const PlanarView block = copy_curve(arena, unit_square());
  return {arena.copy(views), arena.copy(&block, 1)};
}

DeviceOverlapRooms::DeviceOverlapRooms(DeviceArena& arena, int count, bool alike)
    : device_(arena.device()), alike_(alike), here_(count), work_(arena.filled(here_)), memory_(count) {}

/// Room of those sizes for both searches in work space k, as a tangent looks at what an evaluation has found.
void DeviceOverlapRooms::enlarge(int k, const RoomSizes& sizes) {
  OverlapWork& work = here_[k];
  const std::size_t now = lay_out(work.now, sizes, nullptr);
  const std::size_t bytes = now + lay_out(work.in_duals, sizes, nullptr);
  memory_[k] = {};
  memory_[k] = DeviceArray<unsigned char>(device_, bytes);
  device_.clear(memory_[k].data(), bytes);
  lay_out(work.now, sizes, memory_[k].data());
  lay_out(work.in_duals, sizes, memory_[k].data() + now);
  work.lacks = false;
}

void DeviceOverlapRooms::enlarge() {
  const int count = static_cast<int>(here_.size());
  device_.download(here_.data(), work_, here_.size() * sizeof(OverlapWork));
  RoomSizes most;
  for (int k = 0; k < count; ++k) {
    OverlapWork& work = here_[k];
    if (!work.lacks) continue;
    const RoomSizes sizes = largest(enlarged(work.now), enlarged(work.in_duals));
    if (alike_)
      most = largest(std::move(most), sizes);
    else
      enlarge(k, sizes);
  }
  for (int k = 0; k < count && !most.empty(); ++k) enlarge(k, most);
  device_.upload(work_, here_.data(), here_.size() * sizeof(OverlapWork));
}

std::size_t DeviceOverlapRooms::bytes() const {
  std::size_t sum = 0;
  for (const auto& block : memory_) sum += block.size();
  return sum;
}

}  // namespace trammel
