// What searches for overlaps without closed form need on a device: tables of meshes and of planar curves, and
// work spaces (owned_rooms.h) that grow.
#pragma once

#include <memory>
#include <vector>

#include "assemble/contact_kernels.h"
#include "device_api/arena.h"
#include "geometry/mesh_solid.h"
#include "geometry/owned_rooms.h"
#include "geometry/planar_curve.h"

namespace trammel {

/// How many work spaces searches for overlaps take: one for each CONTACT, one for each shape of a group; none
/// where all overlaps have a closed form.
struct OverlapSearches {
  OverlapSearches(const Contacts& of_contacts, const ContactGroups& groups);
  int all() const { return contacts + shapes; }
  int contacts = 0, shapes = 0;
};

/// Each mesh and each curve once.
MeshTables copy_meshes(DeviceArena& arena, const std::vector<std::shared_ptr<const SolidMesh>>& solids);
PlanarTables copy_curves(DeviceArena& arena, const std::vector<std::shared_ptr<const PlanarCurve>>& curves);

/// Work spaces of the elements of a pool. They have no room at first. One that lacked some gets half as much
/// again as was asked for, and the evaluation is repeated.
class DeviceOverlapRooms {
 public:
  /// `alike`: what one asks for all get, as elements may look at each other's pairs in tangents. The arena is
  /// not flushed yet.
  DeviceOverlapRooms(DeviceArena& arena, int count, bool alike);

  OverlapRooms rooms(double* note) const { return {work_, note, static_cast<int>(here_.size())}; }
  /// Memory of the lists.
  std::size_t bytes() const;
  /// Enlarges those that lacked room in the last evaluation. Waits for the device.
  void enlarge();

 private:
  void enlarge(int k, const RoomSizes& sizes);

  Device& device_;
  const bool alike_;
  std::vector<OverlapWork> here_;
  OverlapWork* work_;
  std::vector<DeviceArray<unsigned char>> memory_;  ///< of each
};

}  // namespace trammel
