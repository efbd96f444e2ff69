// Our own factorization on a device: launches the kernels of linear/device/fronts.h and solves.h level by
// level.
#include <algorithm>
#include <optional>

#include "device_api/arena.h"
#include "linear/device/elimination.h"
#include "linear/device/middle_fronts.h"
#include "linear/device/panels.h"
#include "linear/device/plan.h"
#include "linear/device/products.h"
#include "linear/device/row_fronts.h"
#include "linear/device/row_solves.h"
#include "linear/device/vectors.h"

namespace trammel {
namespace {

class DeviceMultifrontal final : public DeviceElimination {
 public:
  explicit DeviceMultifrontal(Device& device) : device_(device) {}

  const char* name() const override { return "multifrontal"; }
  void analyze(const ScaledMatrix& matrix, DeviceSystemInfo& info) override;
  bool launches_only() const override { return true; }
  bool factor() override;
  std::int64_t bytes() const override { return static_cast<std::int64_t>(arena_->bytes()); }
  void solve(const double* c, double* y) override;
  void correct(const double* r, double* y, double* kept) override;

 private:
  void copy(const DevicePlan& plan, const ScaledMatrix& matrix);
  void factor_level(const DeviceLevel& level);
  template <int Threads>
  void factor_panels(const DeviceLevel& level, const PanelStep& step);
  void forward_level(const DeviceLevel& level);
  void backward_level(const DeviceLevel& level);
  void solve_places(const double* c);
  template <class Kernel>
  void launch(const Kernel& kernel, int items, std::size_t shared = 0) {
    device_.launch(kernel, items, shared);
  }

  Device& device_;
  std::optional<DeviceArena> arena_;
  int n_ = 0;
  std::vector<DeviceLevel> levels_;
  FrontArrays arrays_{};
  std::size_t panel_capacity_ = 0;  ///< capacity of FactorPanels, doubles
  const int *list_ = nullptr, *order_ = nullptr;
  const FrontPiece* piece_ = nullptr;
  const ColumnTile* column_ = nullptr;
};

void DeviceMultifrontal::analyze(const ScaledMatrix& matrix, DeviceSystemInfo& info) {
  const std::size_t shared = std::min<std::size_t>(device_.info().shared_memory, most_shared_memory);
  panel_capacity_ = shared / 8;
  DevicePlan plan = make_device_plan(
      make_fronts(matrix.pattern, matrix.order, device_front_cost(matrix.pattern.n)), shared);
  info.fronts = static_cast<int>(plan.fronts.size());
  info.levels = static_cast<int>(plan.levels.size());
  info.small = plan.small;
  info.pair = plan.pair;
  info.middle = plan.middle;
  info.large = plan.large;
  info.sums = plan.sums;
  info.largest = plan.largest;
  info.flops = plan.flops;
  info.factor_bytes = 8 * plan.factor_size;
  info.block_bytes = 8 * plan.block_size;
  n_ = plan.n;
  arena_.emplace(device_);
  copy(plan, matrix);
  levels_ = std::move(plan.levels);
}

void DeviceMultifrontal::copy(const DevicePlan& plan, const ScaledMatrix& matrix) {
  DeviceArena& arena = *arena_;
  // The plan's entries refer to values by columns; the scaled matrix is by rows.
  std::vector<FrontEntry> entry = plan.entry;
  for (FrontEntry& e : entry) e.source = matrix.rows.place[e.source];
  for (const DeviceLevel& level : plan.levels)
    for (const FrontBatch* batch : {&level.small, &level.pair})
      for (int k = batch->list.begin; k < batch->list.end; ++k)
        place_entries_by_rows(plan.fronts[plan.list[k]], entry);
  const auto n = static_cast<std::size_t>(plan.n);
  const auto doubles = [&](auto size) { return arena.room<double>(static_cast<std::size_t>(size)); };
  order_ = matrix.unknown;
  device_.upload(matrix.unknown, plan.order.data(), plan.order.size() * sizeof(int));
  list_ = arena.copy(plan.list);
  piece_ = arena.copy(plan.piece);
  column_ = arena.copy(plan.column);
  arrays_ = {arena.copy(plan.fronts),
             arena.copy(plan.children),
             arena.copy(plan.row),
             arena.copy(plan.target),
             arena.copy(entry),
             matrix.value,
             matrix.pivot_tolerance,
             doubles(plan.factor_size),
             doubles(plan.block_size),
             matrix.inverse_pivot,
             arena.room<int>(n),
             arena.room<int>(n),
             doubles(n),
             doubles(plan.row.size())};
  arena.flush();
}

bool DeviceMultifrontal::factor() {
  for (const DeviceLevel& level : levels_) factor_level(level);
  return true;
}

void DeviceMultifrontal::factor_level(const DeviceLevel& level) {
  const int* list = list_;
  const FrontPiece* piece = piece_;
  launch(FactorSmallFronts{arrays_, list + level.small.list.begin, level.small.blocks},
         level.small.list.count(), level.small.factor_memory);
  launch(FactorPairFronts{arrays_, list + level.pair.list.begin, level.pair.blocks}, level.pair.list.count(),
         level.pair.factor_memory);
  launch(FactorMiddleFronts{arrays_, list + level.middle.list.begin}, level.middle.list.count(),
         level.middle.factor_memory);
  launch(AssembleColumns{arrays_, column_ + level.columns.begin}, level.columns.count(),
         AssembleColumns::memory);
  for (const PanelStep& step : level.panels) {
    if (step.rows <= 128)
      factor_panels<128>(level, step);
    else if (step.rows <= 256)
      factor_panels<256>(level, step);
    else
      factor_panels<panel_rows>(level, step);
    launch(SolveLines{arrays_, piece + step.lines.begin, step.first}, step.lines.count(), LineRoom::bytes);
    launch(SubtractTiles{arrays_, piece + step.tiles.begin, step.first}, step.tiles.count(),
           SubtractTiles::memory);
  }
  launch(SubtractTiles{arrays_, piece + level.products.begin, 0}, level.products.count(),
         SubtractTiles::memory);
}

/// The panels of a step by blocks of as few threads as their rows allow, so that many blocks share a
/// processor.
template <int Threads>
void DeviceMultifrontal::factor_panels(const DeviceLevel& level, const PanelStep& step) {
  const std::size_t capacity = std::min(PanelRoom::doubles(step.rows), panel_capacity_);
  launch(
      FactorPanels<Threads>{arrays_, list_ + level.large.list.begin, step.first, static_cast<int>(capacity)},
      step.fronts, 8 * capacity);
}

void DeviceMultifrontal::forward_level(const DeviceLevel& level) {
  const int* list = list_;
  for (const FrontBatch* batch : {&level.small, &level.pair})
    launch(ForwardRowFronts{arrays_, list + batch->list.begin, batch->rest}, batch->list.count(),
           batch->solve_memory);
  launch(ForwardMiddleFronts{arrays_, list + level.middle.list.begin}, level.middle.list.count(),
         level.middle.solve_memory);
  launch(ForwardPivots{arrays_, list + level.large.list.begin}, level.large.list.count(),
         level.large.solve_memory);
  launch(ForwardBorder{arrays_, piece_ + level.forward.begin}, level.forward.count(), ForwardBorder::memory);
}

void DeviceMultifrontal::backward_level(const DeviceLevel& level) {
  const int* list = list_;
  launch(BackwardBorder{arrays_, piece_ + level.backward.begin}, level.backward.count(),
         level.large.solve_memory);
  launch(BackwardPivots{arrays_, list + level.large.list.begin}, level.large.with_pivots,
         level.large.solve_memory);
  launch(BackwardMiddleFronts{arrays_, list + level.middle.list.begin}, level.middle.with_pivots,
         level.middle.solve_memory);
  for (const FrontBatch* batch : {&level.pair, &level.small})
    launch(BackwardRowFronts{arrays_, list + batch->list.begin}, batch->with_pivots, batch->solve_memory);
}

/// z = B^-1 c, indexed by places.
void DeviceMultifrontal::solve_places(const double* c) {
  launch(GatherPlaces{c, order_, arrays_.z}, n_);
  for (const DeviceLevel& level : levels_) forward_level(level);
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) backward_level(*level);
}

void DeviceMultifrontal::solve(const double* c, double* y) {
  solve_places(c);
  launch(ScatterPlaces{arrays_.z, order_, y}, n_);
}

void DeviceMultifrontal::correct(const double* r, double* y, double* kept) {
  solve_places(r);
  launch(AddPlaces{arrays_.z, order_, y, kept}, n_);
}

}  // namespace

std::unique_ptr<DeviceElimination> make_device_multifrontal(Device& device) {
  return std::make_unique<DeviceMultifrontal>(device);
}

}  // namespace trammel
