#include "linear/group_system.h"

#include <algorithm>

#include "base/diagnostics.h"

namespace trammel {

std::size_t group_memory(const DevicePlan& plan) {
  std::size_t bytes = 0;
  for (const DeviceFront& f : plan.fronts)
    bytes = std::max({bytes, front_memory(f.pivots, f.border), solve_memory(f.pivots, f.border)});
  return bytes;
}

namespace {

/// The fronts of a plan by levels, leaves first.
std::vector<int> by_levels(const DevicePlan& plan) {
  std::vector<int> list;
  for (const DeviceLevel& level : plan.levels)
    for (const FrontBatch* batch : {&level.small, &level.middle})
      list.insert(list.end(), plan.list.begin() + batch->list.begin, plan.list.begin() + batch->list.end);
  return list;
}

}  // namespace

GroupSystem make_group_system(DeviceArena& arena, const SparsePattern& pattern, const DevicePlan& plan,
                              const Scaling& scaling, const GuardLimits& limits) {
  if (plan.large > 0)
    fail(ExitCode::unsupported, "a front of {} rows is too large for a group of threads", plan.largest);
  const RowView rows = by_rows(pattern);
  std::vector<FrontEntry> entry = plan.entry;
  for (FrontEntry& e : entry) e.source = rows.place[e.source];
  const std::vector<int> list = by_levels(plan);
  const std::size_t n = plan.n;
  GroupSystem s{};
  s.n = plan.n;
  s.fronts = static_cast<int>(list.size());
  s.list = arena.copy(list);
  s.column_start = arena.copy(pattern.column_start);
  s.row = arena.copy(pattern.row);
  s.row_place = arena.copy(rows.place);
  s.row_start = arena.copy(rows.start);
  s.row_column = arena.copy(rows.column);
  s.order = arena.copy(plan.order);
  s.limits = limits;
  s.row_factor = arena.copy(scaling.row);
  s.column_factor = arena.copy(scaling.column);
  s.value = arena.room<double>(pattern.nonzeros());
  for (double** v : {&s.column_largest, &s.ratio, &s.c, &s.y, &s.r, &s.w, &s.kept, &s.error})
    *v = arena.room<double>(n);
  s.largest = arena.room<Place>(1);
  s.front = {arena.copy(plan.fronts),
             arena.copy(plan.child),
             arena.copy(plan.row),
             arena.copy(plan.target),
             arena.copy(entry),
             s.value,
             limits.pivot_tolerance,
             arena.room<double>(static_cast<std::size_t>(plan.factor_size)),
             arena.room<double>(static_cast<std::size_t>(plan.block_size)),
             arena.room<double>(n),
             arena.room<int>(n),
             arena.room<int>(n),
             arena.room<double>(n),
             arena.room<double>(plan.row.size())};
  return s;
}

}  // namespace trammel
