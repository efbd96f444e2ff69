#include "assemble/device_shapes.h"

#include "device_api/reduce.h"

namespace trammel {

DeviceShapes::DeviceShapes(DeviceArena& arena, ContactGroups& pool, const ContactGroups::Table& table)
    : device_(arena.device()),
      pool_(pool),
      table_(table),
      count_(static_cast<int>(pool.shape.size())),
      place_(arena.filled(std::vector<Vec3d>(pool.shape.size()))),
      margin_(arena.filled(std::vector<double>(pool.shape.size(), -1))),  // all have left it
      way_(arena.room<double>(pool.shape.size())),
      note_(arena.room<double>(pool.shape.size())),
      rate_(arena.room<double>(pool.shape.size())),
      scratch_(arena.room<Place>(reduction_scratch(count_))),
      search_(device_, pool.near->shapes()),
      frame_(pool.shape.size()),
      way_here_(pool.shape.size()) {}

void DeviceShapes::take() {
  take_near();
  take_coupled();
}

void DeviceShapes::take_near() {
  near_.take(device_, pool_.near->near_list());
  take_margins();
}

/// With the lists that are in near_.
void DeviceShapes::take_margins() {
  const NearShapes& from = *pool_.near;
  taken_ = from.searches();
  make_room();
  if (from.margins().size() < pool_.shape.size()) return;  // nothing was found there
  device_.upload(place_, from.places().data(), from.places().size_bytes());
  device_.upload(margin_, from.margins().data(), from.margins().size_bytes());
}

void DeviceShapes::make_room() {
  ContactGroups::PairWrench* const room = of_pair_.at_least(device_, pool_.near->pairs());
  const NeighbourView near = near_.view();
  device_.upload(table_.near, &near, sizeof near);
  device_.upload(table_.of_pair, &room, sizeof room);
}

void DeviceShapes::take_coupled() {
  coupled_.take(device_, pool_.near->coupled_list());
  const NeighbourView coupled = coupled_.view();
  device_.upload(table_.coupled, &coupled, sizeof coupled);
}

/// On the device, with the lists in near_.
NearShapes::Search DeviceShapes::search() {
  return
      [this](std::span<const BoundingBall> balls, long* looks) { return search_.find(balls, near_, looks); };
}

void DeviceShapes::follow() {
  device_.download(frame_.data(), table_.frame, frame_.size() * sizeof(Pose<double>));
  pool_.near->update(frame_, search());
  take_margins();
}

void DeviceShapes::find_passages(const AssemblyView& w, double time, Place* found) {
  take_lists();
  device_.launch(WaysOfShapes{w, table_, {place_, margin_, note_, count_}, time, way_}, count_);
  launch_largest(device_, note_, count_, scratch_, found);
  device_.launch(PassagesOfShapes{w, table_, time, rate_}, count_);
  launch_largest(device_, rate_, count_, scratch_, found + 1);
}

void DeviceShapes::cover() {
  device_.download(frame_.data(), table_.frame, frame_.size() * sizeof(Pose<double>));
  device_.download(way_here_.data(), way_, way_here_.size() * sizeof(double));
  pool_.near->cover(frame_, way_here_, search());
  take_margins();
}

}  // namespace trammel
