#include "recovery/hot_spots.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/thread_pool.h"
#include "recovery/mode_sums.h"

namespace trammel {

namespace {

/// Records and nodes that are computed together: a block of stresses stays in the cache.
constexpr int kRecords = 64, kNodes = 128;

/// The worst of every node so far.
struct Worst {
  std::vector<double> rank;
  std::vector<float> value;
  std::vector<std::size_t> record;
  explicit Worst(std::size_t nodes)
      : rank(nodes, -std::numeric_limits<double>::infinity()), value(nodes), record(nodes) {}
};

/// Stresses of nodes [begin, end) at `count` records from `first` on, whose coordinates are q.
void judge(const ModalFields& f, const TensorMeasure& measure, int begin, int end, const float* q, int count,
           std::size_t first, Worst& worst) {
  thread_local std::vector<float> stress;
  stress.resize(static_cast<std::size_t>(end - begin) * tensor_components * count);
  mode_sums(f.stress.data() + static_cast<std::size_t>(begin) * tensor_components * f.modes(),
            (end - begin) * tensor_components, f.modes(), q, count, stress.data());
  for (int p = begin; p < end; ++p) {
    const float* s = stress.data() + static_cast<std::size_t>(p - begin) * tensor_components * count;
    for (int k = 0; k < count; ++k) {
      double at[tensor_components];
      for (int c = 0; c < tensor_components; ++c) at[c] = s[c * count + k];
      const double value = measure.of(at), rank = measure.rank(value);
      if (!(rank > worst.rank[p])) continue;
      worst.rank[p] = rank;
      worst.value[p] = static_cast<float>(value);
      worst.record[p] = first + k;
    }
  }
}

Worst worst_of_nodes(const ModalFields& f, ModalMotion& motion, const HotSpotOptions& options) {
  Worst worst(f.node_id.size());
  const int modes = f.modes(), blocks = (f.nodes() + kNodes - 1) / kNodes;
  std::vector<double> one(f.mode_id.size());
  std::vector<float> q(f.mode_id.size() * kRecords);
  for (std::size_t first = 0; first < motion.records(); first += kRecords) {
    const auto count = static_cast<int>(std::min<std::size_t>(kRecords, motion.records() - first));
    for (int k = 0; k < count; ++k) {
      motion.coordinates(first + k, one.data());
      for (int j = 0; j < modes; ++j) q[static_cast<std::size_t>(j) * count + k] = static_cast<float>(one[j]);
    }
    const auto block = [&](int b) {
      judge(f, *options.measure, b * kNodes, std::min(f.nodes(), (b + 1) * kNodes), q.data(), count, first,
            worst);
    };
    if (options.pool)
      options.pool->run(blocks, block);
    else
      for (int b = 0; b < blocks; ++b) block(b);
    if (options.progress)
      options.progress(static_cast<double>(first + count) / static_cast<double>(motion.records()));
  }
  return worst;
}

/// The stress of a spot at its time.
void set_stress(const ModalFields& f, ModalMotion& motion, HotSpot& spot) {
  std::vector<double> q(f.mode_id.size());
  motion.coordinates(spot.record, q.data());
  spot.time = motion.time(spot.record);
  tensor_sum(f.stress, spot.node, q, spot.stress);
}

}  // namespace

std::vector<HotSpot> hot_spots(const ModalFields& f, ModalMotion& motion, const HotSpotOptions& options) {
  const Worst worst = worst_of_nodes(f, motion, options);
  std::vector<int> order(f.node_id.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return worst.rank[a] != worst.rank[b] ? worst.rank[a] > worst.rank[b] : a < b;
  });
  std::vector<HotSpot> spots;
  for (const int p : order) {
    const auto near = std::find_if(spots.begin(), spots.end(), [&](const HotSpot& s) {
      return norm(f.position[p] - f.position[s.node]) <= options.radius;
    });
    if (near != spots.end()) {
      ++near->others;
    } else if (spots.size() < options.top) {
      spots.push_back({p, worst.value[p], 0, worst.record[p], {}, 0});
      set_stress(f, motion, spots.back());
    }
  }
  return spots;
}

}  // namespace trammel
