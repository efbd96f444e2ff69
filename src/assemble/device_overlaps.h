// What searches for overlaps of meshes need on a device: tables of solids, and work spaces (owned_rooms.h)
// that grow.
#pragma once

#include <memory>
#include <vector>

#include "assemble/contact_kernels.h"
#include "device_api/arena.h"
#include "geometry/mesh_solid.h"
#include "geometry/owned_rooms.h"

namespace trammel {

/// Each mesh once.
MeshTables copy_meshes(DeviceArena& arena, const std::vector<std::shared_ptr<const SolidMesh>>& solids);

/// Work spaces of the elements of a pool. They have no room at first. One that lacked some gets half as much
/// again as was asked for, and the evaluation is repeated.
class DeviceOverlapRooms {
 public:
  /// `alike`: what one asks for all get, as elements may look at each other's pairs in tangents. The arena is
  /// not flushed yet.
  DeviceOverlapRooms(DeviceArena& arena, int count, bool alike);

  OverlapRooms rooms(double* note) const { return {work_, note, static_cast<int>(here_.size())}; }
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
