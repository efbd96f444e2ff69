// near_balls() on a device: kernels of near_kernels.h, sorts and sums of counts between them.
#pragma once

#include <span>
#include <vector>

#include "assemble/near_kernels.h"
#include "device_api/device.h"

namespace trammel {

/// Room on a device that grows where it must.
template <class T>
class DeviceRoom {
 public:
  /// At least n values, what they were is lost where there was less.
  T* at_least(Device& device, std::size_t n) {
    if (n > array_.size()) {
      array_ = {};  // before the larger one
      array_ = DeviceArray<T>(device, n + n / 2);
    }
    return array_.data();
  }
  T* data() { return array_.data(); }
  std::size_t size() const { return array_.size(); }

 private:
  DeviceArray<T> array_;
};

/// Lists of neighbours on a device, see Neighbours.
struct DeviceNeighbours {
  DeviceRoom<int> start, other, pair;
  NeighbourView view() { return {start.data(), other.data(), pair.data()}; }
  void take(Device& device, const Neighbours& from);
};

class DeviceNearBalls {
 public:
  /// Of those that may touch.
  DeviceNearBalls(Device& device, std::span<const ShapeOfGroup> shapes);

  /// As near_balls(): the lists here, and in `there`. Bits do not depend on the device.
  Neighbours find(std::span<const BoundingBall> balls, DeviceNeighbours& there, long* looks);

 private:
  SortedBalls sort_balls(std::span<const BoundingBall> balls);
  /// Sorted keys, and their items unless null, in one of the two rooms each.
  void sort(DeviceRoom<CellKey>& key, DeviceRoom<int>* item, int n);
  /// out[k] = Σ of x before k, n + 1 of them.
  void sums_before(const int* x, int n, int* out);
  int make_lists(int pairs, DeviceNeighbours& there);

  Device& device_;
  DeviceArray<ShapeOfGroup> shape_;
  DeviceRoom<BoundingBall> ball_;
  DeviceRoom<CellKey> cell_, pair_, key_there_;
  DeviceRoom<int> item_, item_there_, found_, first_, looks_, earlier_, number_;
  std::vector<DeviceRoom<int>> chunks_;  ///< of each level of sums: of chunks, and those before each
};

}  // namespace trammel
