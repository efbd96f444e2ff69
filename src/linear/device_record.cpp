// Arrays of a DeviceSystem and the launches that its graphs are made of.
#include <algorithm>
#include <limits>
#include <span>

#include "device/reduce.h"
#include "linear/device_solves.h"
#include "linear/device_system.h"
#include "linear/device_vectors.h"

namespace trammel {
namespace {

/// Columns of the pattern and, by rows, what SystemResidual reads.
struct RowView {
  std::vector<int> start, column, place;
};

RowView by_rows(const SparsePattern& a) {
  RowView rows{std::vector<int>(a.n + 1, 0), std::vector<int>(a.row.size()), std::vector<int>(a.row.size())};
  for (int i : a.row) ++rows.start[i + 1];
  for (int i = 0; i < a.n; ++i) rows.start[i + 1] += rows.start[i];
  std::vector<int> next(rows.start.begin(), rows.start.end() - 1);
  for (int j = 0; j < a.n; ++j)
    for (int k = a.column_start[j]; k < a.column_start[j + 1]; ++k) {
      rows.place[k] = next[a.row[k]]++;
      rows.column[rows.place[k]] = j;
    }
  return rows;
}

template <class T>
DeviceArray<T> stored(Device& device, std::int64_t& bytes, const std::vector<T>& values) {
  bytes += static_cast<std::int64_t>(values.size() * sizeof(T));
  return DeviceArray<T>(device, std::span<const T>(values));
}

template <class T>
void make(Device& device, std::int64_t& bytes, DeviceArray<T>& array, std::int64_t size) {
  bytes += size * static_cast<std::int64_t>(sizeof(T));
  array = DeviceArray<T>(device, static_cast<std::size_t>(size));
}

}  // namespace

void DeviceSystem::store_pattern(const DevicePlan& plan) {
  std::int64_t& bytes = info_.bytes;
  const auto keep = [&](const auto& values) { return stored(device_, bytes, values); };
  RowView rows = by_rows(pattern_);
  store_.column_start = keep(pattern_.column_start);
  store_.row = keep(pattern_.row);
  store_.row_start = keep(rows.start);
  store_.row_column = keep(rows.column);
  store_.row_place = keep(rows.place);
  store_.order = keep(plan.order);
  store_.front = keep(plan.fronts);
  store_.child = keep(plan.child);
  store_.border = keep(plan.row);
  store_.target = keep(plan.target);
  store_.list = keep(plan.list);
  // The plan counts values as they are given; the scaled matrix lies by rows.
  std::vector<FrontEntry> entry = plan.entry;
  for (FrontEntry& e : entry) e.source = rows.place[e.source];
  store_.entry = keep(entry);
  store_.column = keep(plan.column);
  store_.piece = keep(plan.piece);
  row_place_ = std::move(rows.place);
}

void DeviceSystem::make_arrays(const DevicePlan& plan) {
  const std::int64_t n = plan.n;
  const auto of = [&](auto& array, std::int64_t size) { make(device_, info_.bytes, array, size); };
  of(store_.value, pattern_.nonzeros());
  for (auto* v :
       {&store_.row_factor, &store_.column_factor, &store_.column_largest, &store_.ratio, &store_.inverse,
        &store_.z, &store_.c, &store_.y, &store_.r, &store_.w, &store_.kept, &store_.error})
    of(*v, n);
  of(store_.exchange, n);
  of(store_.permutation, n);
  of(store_.factor, plan.factor_size);
  of(store_.block, plan.block_size);
  of(store_.buffer, static_cast<std::int64_t>(plan.row.size()));
  of(store_.scratch, static_cast<std::int64_t>(reduction_scratch(plan.n)));
  of(store_.scratch_of_w, static_cast<std::int64_t>(reduction_scratch(plan.n)));
  arrays_ = {store_.front.data(), store_.child.data(),   store_.border.data(),   store_.target.data(),
             store_.entry.data(), store_.value.data(),   limits.pivot_tolerance, store_.factor.data(),
             store_.block.data(), store_.inverse.data(), store_.exchange.data(), store_.permutation.data(),
             store_.z.data(),     store_.buffer.data()};
  info_.factor_bytes = 8 * plan.factor_size;
  info_.block_bytes = 8 * plan.block_size;
}

/// Both graphs of solve() end with the same reduction of the same array, so `worst_` serves them all: it is
/// the last place of the same scratch, as for the pivots.
void DeviceSystem::record(const DevicePlan& plan) {
  const auto graph_of = [&](long& launches, auto&& add_all) {
    recorded_ = 0;
    auto graph = device_.graph(add_all);
    launches = recorded_;
    return graph;
  };
  factorization_ = graph_of(info_.factor_launches, [&] { record_factorization(plan); });
  solve_ = graph_of(info_.solve_launches, [&] { record_solve(plan, false); });
  refinement_ = graph_of(info_.refinement_launches, [&] { record_solve(plan, true); });
  info_.factor_launches += 1;  // the scaling, which knows where the values are
  info_.solve_launches += 2;   // c = R b and x = C y
}

template <class Kernel>
void DeviceSystem::add(const Kernel& kernel, int items, std::size_t shared) {
  device_.launch(kernel, items, shared);
  recorded_ += items > 0;
}

/// The largest of n values, at the same place whichever values they are.
const Place* DeviceSystem::add_largest(const double* x, int n, Place* scratch) {
  int left = n;
  do {
    ++recorded_;
    left = reduction_chunks(left);
  } while (left > 1);
  return launch_largest(device_, x, n, scratch);
}

void DeviceSystem::record_factorization(const DevicePlan& plan) {
  for (const DeviceLevel& level : plan.levels) record_level(level);
  add(PivotRatios{store_.inverse.data(), store_.order.data(), store_.column_largest.data(),
                  store_.ratio.data(), std::numeric_limits<double>::infinity()},
      plan.n);
  worst_ = add_largest(store_.ratio.data(), plan.n, store_.scratch.data());
}

void DeviceSystem::record_level(const DeviceLevel& level) {
  const int* list = store_.list.data();
  const FrontPiece* piece = store_.piece.data();
  add(FactorSmallFronts{arrays_, list + level.small.list.begin}, level.small.list.count(),
      level.small.factor_memory);
  add(FactorMiddleFronts{arrays_, list + level.middle.list.begin}, level.middle.list.count(),
      level.middle.factor_memory);
  add(AssembleColumns{arrays_, store_.column.data() + level.columns.begin}, level.columns.count());
  for (const PanelStep& step : level.panels) {
    const std::size_t wanted = static_cast<std::size_t>(step.rows) * panel_width;
    const std::size_t capacity = std::min(wanted, panel_capacity_);
    add(FactorPanels{arrays_, list + level.large.list.begin, step.first, static_cast<int>(capacity)},
        step.fronts, panel_memory(capacity));
    add(SolveLines{arrays_, piece + step.lines.begin, step.first}, step.lines.count());
    add(SubtractTiles{arrays_, piece + step.tiles.begin, step.first}, step.tiles.count(),
        SubtractTiles::memory);
  }
  add(SubtractTiles{arrays_, piece + level.products.begin, 0}, level.products.count(), SubtractTiles::memory);
}

void DeviceSystem::record_forward(const DeviceLevel& level) {
  const int* list = store_.list.data();
  add(ForwardSmallFronts{arrays_, list + level.small.list.begin}, level.small.list.count(),
      level.small.solve_memory);
  add(ForwardMiddleFronts{arrays_, list + level.middle.list.begin}, level.middle.list.count(),
      level.middle.solve_memory);
  add(ForwardPivots{arrays_, list + level.large.list.begin}, level.large.list.count(),
      level.large.solve_memory);
  add(ForwardBorder{arrays_, store_.piece.data() + level.forward.begin}, level.forward.count());
}

void DeviceSystem::record_backward(const DeviceLevel& level) {
  const int* list = store_.list.data();
  add(BackwardBorder{arrays_, store_.piece.data() + level.backward.begin}, level.backward.count(),
      level.large.solve_memory);
  add(BackwardPivots{arrays_, list + level.large.list.begin}, level.large.with_pivots,
      level.large.solve_memory);
  add(BackwardMiddleFronts{arrays_, list + level.middle.list.begin}, level.middle.with_pivots,
      level.middle.solve_memory);
  add(BackwardSmallFronts{arrays_, list + level.small.list.begin}, level.small.with_pivots,
      level.small.solve_memory);
}

/// y = B^-1 c, or y <- y + B^-1 r, and the backward error of y.
void DeviceSystem::record_solve(const DevicePlan& plan, bool refine) {
  const int n = plan.n;
  const int* order = store_.order.data();
  double *z = store_.z.data(), *y = store_.y.data(), *r = store_.r.data(), *w = store_.w.data();
  add(GatherPlaces{refine ? r : store_.c.data(), order, z}, n);
  for (const DeviceLevel& level : plan.levels) record_forward(level);
  for (auto level = plan.levels.rbegin(); level != plan.levels.rend(); ++level) record_backward(*level);
  if (refine)
    add(AddPlaces{z, order, y, store_.kept.data()}, n);
  else
    add(ScatterPlaces{z, order, y}, n);
  add(SystemResidual{store_.row_start.data(), store_.row_column.data(), store_.value.data(), y,
                     store_.c.data(), r, w},
      n);
  const Place* largest = add_largest(w, n, store_.scratch_of_w.data());
  add(SystemErrors{r, w, largest, store_.error.data()}, n);
  worst_ = add_largest(store_.error.data(), n, store_.scratch.data());
}

}  // namespace trammel
