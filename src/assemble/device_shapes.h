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

  /// Launches a look for shapes that would pass each other within a time: ContactGroups::passage_rate(),
  /// the largest, in found[1]. In found[0]: shape_left where the list of those near may not hold for that
  /// time; cover() makes it do so, and the look is to be launched again.
  void find_passages(const AssemblyView& w, double time, Place* found);
  void cover();

 private:
  void take_near();
  void take_margins();
  void make_room();

  NearShapes::Search search();

  Device& device_;
  ContactGroups& pool_;
  const ContactGroups::Table& table_;
  int count_;
  Vec3d* place_;
  double* margin_;
  double *way_, *note_, *rate_;  ///< of each shape, for find_passages()
  Place* scratch_;
  DeviceNeighbours near_, coupled_;
  DeviceRoom<ContactGroups::PairWrench> of_pair_;
  DeviceNearBalls search_;
  std::vector<Pose<double>> frame_;
  std::vector<double> way_here_;
  long taken_ = -1;  ///< searches of the processor's until the lists that are here
};

}  // namespace trammel
