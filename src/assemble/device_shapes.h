// Shapes of groups in contact on a device: which are near each other and which are coupled, as NearShapes of
// the processor says, so that both hold the same lists at any time.
#pragma once

#include "assemble/contact_kernels.h"
#include "assemble/device_near_balls.h"
#include "device_api/arena.h"

namespace trammel {

class DeviceShapes {
 public:
  /// `table` is that of the device, in memory of the arena, which is not flushed yet. Nothing is near until
  /// take().
  DeviceShapes(DeviceArena& arena, ContactGroups& pool, const ContactGroups::Table& table);

  ShapeMargins margins(double* note) const { return {place_, margin_, note, count_}; }
  /// What is near and coupled on the processor now.
  void take();
  /// What is near, if the processor has found it anew since.
  void take_lists() {
    if (pool_.near->searches() != taken_) take_near();
  }
  void take_coupled();
  /// Shapes, whose frames the last evaluation has left in the table, have left their margins: finds what is
  /// near now, on the device, for both.
  void follow();

 private:
  void take_near();
  void take_margins();
  void make_room();

  Device& device_;
  ContactGroups& pool_;
  const ContactGroups::Table& table_;
  int count_;
  Vec3d* place_;
  double* margin_;
  DeviceNeighbours near_, coupled_;
  DeviceRoom<ContactGroups::PairWrench> of_pair_;
  DeviceNearBalls search_;
  std::vector<Pose<double>> frame_;
  long taken_ = -1;  ///< searches of the processor's until the lists that are here
};

}  // namespace trammel
