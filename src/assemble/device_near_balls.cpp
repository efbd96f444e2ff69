#include "assemble/device_near_balls.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace trammel {

void DeviceNeighbours::take(Device& device, const Neighbours& from) {
  const auto upload = [&](DeviceRoom<int>& to, const std::vector<int>& x) {
    to.at_least(device, x.size());
    if (!x.empty()) device.upload(to.data(), x.data(), x.size() * sizeof(int));
  };
  upload(start, from.start);
  upload(other, from.other);
  upload(pair, from.pair);
}

DeviceNearBalls::DeviceNearBalls(Device& device, std::span<const ShapeOfGroup> shapes)
    : device_(device), shape_(device, shapes) {}

Neighbours DeviceNearBalls::find(std::span<const BoundingBall> balls, DeviceNeighbours& there, long* looks) {
  const int n = static_cast<int>(balls.size());
  const SortedBalls sorted = sort_balls(balls);
  int* found = found_.at_least(device_, balls.size());
  int* looked = looks_.at_least(device_, balls.size());
  device_.launch(CountNear{sorted, found, looked}, n);
  int* first = first_.at_least(device_, balls.size() + 1);
  sums_before(found, n, first);
  int pairs = 0;
  device_.download(&pairs, first + n, sizeof pairs);
  pair_.at_least(device_, 2 * static_cast<std::size_t>(pairs));
  device_.launch(FillNear{sorted, first, pair_.data()}, n);
  there.start.at_least(device_, balls.size() + 1);
  const int entries = make_lists(pairs, there);
  device_.launch(StartLists{pair_.data(), entries, there.start.data()}, n + 1);

  Neighbours out;
  const auto bring = [&](std::vector<int>& to, int* from, std::size_t size) {
    to.resize(size);
    if (size > 0) device_.download(to.data(), from, size * sizeof(int));
  };
  bring(out.start, there.start.data(), balls.size() + 1);
  bring(out.other, there.other.data(), static_cast<std::size_t>(entries));
  bring(out.pair, there.pair.data(), static_cast<std::size_t>(entries));
  if (looks) {
    std::vector<int> of_each;
    bring(of_each, looked, balls.size());
    *looks = std::accumulate(of_each.begin(), of_each.end(), *looks);
  }
  return out;
}

SortedBalls DeviceNearBalls::sort_balls(std::span<const BoundingBall> balls) {
  const int n = static_cast<int>(balls.size());
  BoundingBall* ball = ball_.at_least(device_, balls.size());
  if (n > 0) device_.upload(ball, balls.data(), balls.size_bytes());
  const auto first = std::find_if(balls.begin(), balls.end(), CellGrid::has_end);
  const CellGrid grid{first == balls.end() ? Vec3d{} : first->center};
  cell_.at_least(device_, balls.size());
  item_.at_least(device_, balls.size());
  device_.launch(KeysOfCells{grid, ball, cell_.data(), item_.data()}, n);
  sort(cell_, &item_, n);
  const auto bounded = std::count_if(balls.begin(), balls.end(), CellGrid::has_end);
  return {grid, ball, shape_.data(), cell_.data(), item_.data(), static_cast<int>(bounded), n};
}

void DeviceNearBalls::sort(DeviceRoom<CellKey>& key, DeviceRoom<int>* item, int n) {
  const auto size = static_cast<std::size_t>(n);
  key_there_.at_least(device_, size);
  if (item) item_there_.at_least(device_, size);
  for (long run = 1; run < n; run *= 2) {
    device_.launch(MergeRuns{key.data(), item ? item->data() : nullptr, key_there_.data(),
                             item ? item_there_.data() : nullptr, static_cast<int>(run), n},
                   n);
    std::swap(key, key_there_);
    if (item) std::swap(*item, item_there_);
  }
}

void DeviceNearBalls::sums_before(const int* x, int n, int* out) {
  if (chunks_.empty()) chunks_.resize(12);  // of 64⁶ counts
  struct Level {
    const int* x;
    int n;
    int* out;
  };
  std::vector<Level> levels{{x, n, out}};
  while (levels.back().n > reduction_chunk) {
    const Level& below = levels.back();
    const int chunks = reduction_chunks(below.n);
    const std::size_t k = 2 * (levels.size() - 1);
    int* sum = chunks_[k].at_least(device_, static_cast<std::size_t>(chunks));
    device_.launch(SumChunksOfCounts{below.x, below.n, sum}, chunks);
    levels.push_back({sum, chunks, chunks_[k + 1].at_least(device_, static_cast<std::size_t>(chunks) + 1)});
  }
  const int* before = nullptr;
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    device_.launch(SpreadSums{level->x, before, level->n, level->out},
                   std::max(1, reduction_chunks(level->n)));
    before = level->out;
  }
}

/// Of the pairs that were filled: the number of entries of all lists.
int DeviceNearBalls::make_lists(int pairs, DeviceNeighbours& there) {
  const int entries = 2 * pairs;
  const auto size = static_cast<std::size_t>(entries);
  sort(pair_, nullptr, entries);
  int* earlier = earlier_.at_least(device_, size);
  int* number = number_.at_least(device_, size + 1);
  device_.launch(MarkEarlier{pair_.data(), earlier}, entries);
  sums_before(earlier, entries, number);
  there.other.at_least(device_, size);
  there.pair.at_least(device_, size);
  device_.launch(UnpackLists{pair_.data(), number, entries, there.other.data(), there.pair.data()}, entries);
  return entries;
}

}  // namespace trammel
