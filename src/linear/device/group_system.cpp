#include "linear/device/group_system.h"

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

/// The fronts of a plan in the order of its levels, leaves first.
std::vector<int> by_levels(const DevicePlan& plan) {
  std::vector<int> list;
  for (const DeviceLevel& level : plan.levels)
    for (const FrontBatch* batch : {&level.small, &level.pair, &level.middle})
      list.insert(list.end(), plan.list.begin() + batch->list.begin, plan.list.begin() + batch->list.end);
  return list;
}

/// Doubles of shared memory for what the children of a front leave, at most, where its solves are those of
/// few rows.
int rest_of_children(const DevicePlan& plan) {
  int most = 0;
  for (const DeviceFront& f : plan.fronts) {
    if (f.pivots + f.border > pair_front) continue;
    int rest = 0;
    for (int k = f.child_begin; k < f.child_end; ++k) rest += staged_rest(plan.children[k].border);
    most = std::max(most, rest);
  }
  return (most + 1) / 2 * 2;
}

}  // namespace

GroupTables make_group_tables(const SparsePattern& pattern, const DevicePlan& plan) {
  if (plan.large > 0)
    fail(ExitCode::unsupported, "a front of {} rows is too large for a group of threads", plan.largest);
  GroupTables tables{in_slices(pattern), plan.entry, by_levels(plan)};
  for (FrontEntry& e : tables.entry) e.source = tables.rows.place[e.source];
  for (const DeviceFront& f : plan.fronts) place_entries_by_rows(f, tables.entry);
  return tables;
}

GroupSystem make_group_system(DeviceArena& arena, const SparsePattern& pattern, const DevicePlan& plan,
                              const GroupTables& tables, const Scaling& scaling, const GuardLimits& limits) {
  const std::size_t n = plan.n;
  GroupSystem s{};
  s.n = plan.n;
  s.fronts = static_cast<int>(tables.list.size());
  s.rest = rest_of_children(plan);
  s.memory = group_memory(plan);
  s.list = arena.copy(tables.list);
  s.column_start = arena.copy(pattern.column_start);
  s.row = arena.copy(pattern.row);
  s.slice = arena.copy(tables.rows.begin);
  s.row_count = arena.copy(tables.rows.count);
  s.slice_column = arena.copy(tables.rows.column);
  s.slice_place = arena.copy(tables.rows.place);
  s.order = arena.copy(plan.order);
  s.limits = limits;
  s.row_factor = arena.copy(scaling.row);
  s.column_factor = arena.copy(scaling.column);
  s.value = arena.room<double>(tables.rows.column.size());
  for (double** v : {&s.column_largest, &s.ratio, &s.c, &s.y, &s.r, &s.w, &s.kept, &s.error})
    *v = arena.room<double>(n);
  s.largest = arena.room<Place>(1);
  s.front = {arena.copy(plan.fronts),
             arena.copy(plan.children),
             arena.copy(plan.row),
             arena.copy(plan.target),
             arena.copy(tables.entry),
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
