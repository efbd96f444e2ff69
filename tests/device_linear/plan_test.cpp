// The plan by itself: everything once, nothing before what it needs, no two things in one place.
#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "../linear/mechanisms.h"
#include "base/diagnostics.h"
#include "linear/device/plan.h"

namespace trammel::plan_test {
namespace {

using namespace test;

struct Planned {
  System system;
  FrontTree tree;
  DevicePlan plan;
  std::vector<int> level, parent;
};

Planned planned(const Mechanism& m, std::size_t shared_memory) {
  Planned p{make_system(m), {}, {}, {}, {}};
  const auto order = order_unknowns(p.system.graph, false, OrderingGoal::device_levels).unknowns;
  p.tree = make_fronts(p.system.pattern, order, device_front_cost(p.system.pattern.n));
  p.plan = make_device_plan(p.tree, shared_memory);
  p.level.assign(p.plan.fronts.size(), -1);
  p.parent.assign(p.plan.fronts.size(), -1);
  for (std::size_t k = 0; k < p.plan.levels.size(); ++k)
    for (const FrontBatch* batch :
         {&p.plan.levels[k].small, &p.plan.levels[k].pair, &p.plan.levels[k].middle, &p.plan.levels[k].large})
      for (int i = batch->list.begin; i < batch->list.end; ++i) {
        EXPECT_EQ(p.level[p.plan.list[i]], -1) << "twice";
        p.level[p.plan.list[i]] = static_cast<int>(k);
      }
  for (std::size_t s = 0; s < p.plan.fronts.size(); ++s)
    for (int c = p.plan.fronts[s].child_begin; c < p.plan.fronts[s].child_end; ++c)
      p.parent[p.plan.child[c]] = static_cast<int>(s);
  return p;
}

std::vector<Planned> all_plans() {
  std::vector<Planned> list;
  for (const Mechanism& m : topologies(1000)) list.push_back(planned(m, 227 * 1024));
  for (const Mechanism& m : {net(12), flexible_chain(3, 100), star(400)})
    list.push_back(planned(m, 16 * 1024));
  list.push_back(planned(flexible_chain(3, 250), 227 * 1024));
  return list;
}

TEST(DevicePlan, children_come_in_earlier_levels_and_are_few) {
  for (const Planned& p : all_plans()) {
    for (std::size_t s = 0; s < p.plan.fronts.size(); ++s) {
      ASSERT_GE(p.level[s], 0) << "in no list";
      const DeviceFront& front = p.plan.fronts[s];
      EXPECT_LE(front.child_end - front.child_begin, 16);
      if (p.parent[s] >= 0) {
        EXPECT_LT(p.level[s], p.level[p.parent[s]]);
      }
      EXPECT_EQ(p.parent[s] < 0, front.border == 0);
    }
  }
}

// Four warps share the memory of a block, whatever a device has of it.
TEST(DevicePlan, launches_fit_the_shared_memory) {
  for (const std::size_t memory : {16, 48, 64, 100, 227}) {
    for (const Mechanism& m : topologies(1000)) {
      const std::size_t most = memory * 1024;
      for (const DeviceLevel& level : planned(m, most).plan.levels) {
        EXPECT_LE(4 * level.small.factor_memory, most) << m.name << " " << memory;
        EXPECT_LE(4 * level.small.solve_memory, most) << m.name << " " << memory;
        EXPECT_LE(4 * level.pair.solve_memory, most) << m.name << " " << memory;
        for (const std::size_t block :
             {level.pair.factor_memory, level.middle.factor_memory, level.middle.solve_memory})
          EXPECT_LE(block, most) << m.name << " " << memory;
      }
    }
  }
}

// Through sums or not, a row of a child reaches the place of its parent's front that is the same unknown.
TEST(DevicePlan, targets_are_the_same_unknowns) {
  for (const Planned& p : all_plans()) {
    for (std::size_t s = 0; s < p.plan.fronts.size(); ++s) {
      if (p.parent[s] < 0) continue;
      const DeviceFront &front = p.plan.fronts[s], &up = p.plan.fronts[p.parent[s]];
      for (int i = 0; i < front.border; ++i) {
        const int at = p.plan.target[front.rows + i];
        ASSERT_LT(at, up.pivots + up.border);
        EXPECT_EQ(p.plan.row[front.rows + i],
                  at < up.pivots ? up.first + at : p.plan.row[up.rows + at - up.pivots]);
        if (i > 0) {
          EXPECT_GT(at, p.plan.target[front.rows + i - 1]);
        }
      }
    }
  }
}

TEST(DevicePlan, blocks_and_factors_do_not_overlap) {
  for (const Planned& p : all_plans()) {
    const int fronts = static_cast<int>(p.plan.fronts.size());
    std::int64_t sum = 0, factors = 0;
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
    for (int s = 0; s < fronts; ++s) {
      const DeviceFront& a = p.plan.fronts[s];
      const std::int64_t size = 1ll * a.border * a.border, all = 1ll * a.pivots * (a.pivots + 2 * a.border);
      ranges.emplace_back(a.factor, a.factor + all);
      factors += all;
      sum += size;
      if (p.parent[s] < 0) continue;
      EXPECT_LE(a.block + size, p.plan.block_size);
      for (int t = 0; t < s; ++t) {
        const DeviceFront& b = p.plan.fronts[t];
        if (p.parent[t] < 0 || p.level[t] > p.level[p.parent[s]] || p.level[s] > p.level[p.parent[t]])
          continue;
        EXPECT_TRUE(a.block + size <= b.block || b.block + 1ll * b.border * b.border <= a.block)
            << "blocks of " << s << " and " << t << " live at the same time";
      }
    }
    std::sort(ranges.begin(), ranges.end());
    for (std::size_t k = 1; k < ranges.size(); ++k) EXPECT_LE(ranges[k - 1].second, ranges[k].first);
    EXPECT_EQ(factors, p.plan.factor_size);
    EXPECT_LE(p.plan.block_size, sum);
    if (p.plan.levels.size() > 4) {
      EXPECT_LT(p.plan.block_size, sum) << "nothing was used again";
    }
  }
}

// Each value of the matrix stands at the row and the column that it has in the matrix.
TEST(DevicePlan, values_have_their_places) {
  for (const Planned& p : all_plans()) {
    const SparsePattern& a = p.system.pattern;
    std::vector<int> column(a.nonzeros()), seen(a.nonzeros(), 0);
    for (int j = 0; j < a.n; ++j)
      for (int k = a.column_start[j]; k < a.column_start[j + 1]; ++k) column[k] = j;
    for (const DeviceFront& f : p.plan.fronts) {
      const auto unknown = [&](int at) {
        return p.plan.order[at < f.pivots ? f.first + at : p.plan.row[f.rows + at - f.pivots]];
      };
      for (int e = f.entry_begin; e < f.entry_end; ++e) {
        const FrontEntry& entry = p.plan.entry[e];
        int at = entry.target, i = 0, j = 0;
        if (at < f.pivots * f.pivots) {
          i = at % f.pivots, j = at / f.pivots;
        } else {
          at -= f.pivots * f.pivots;
          i = f.pivots + at % f.border, j = at / f.border;
          if (j >= f.pivots) std::swap(i, j -= f.pivots);  // V is U^T
        }
        EXPECT_EQ(unknown(i), a.row[entry.source]);
        EXPECT_EQ(unknown(j), column[entry.source]);
        ++seen[entry.source];
      }
    }
    EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](int count) { return count == 1; }));
  }
}

// Pieces of large fronts cover what they are pieces of, once.
TEST(DevicePlan, pieces_cover_large_fronts) {
  int large = 0;
  for (const Planned& p : all_plans()) {
    for (const DeviceLevel& level : p.plan.levels) {
      const auto tiles = [&](TableRange range, int s, FrontPart part, int m, int n) {
        std::set<std::pair<int, int>> found;
        for (int k = range.begin; k < range.end; ++k) {
          const FrontPiece& piece = p.plan.piece[k];
          if (piece.front == s && piece.part == part) {
            EXPECT_TRUE(found.emplace(piece.i, piece.j).second);
          }
        }
        std::size_t count = 0;
        for (int i = 0; i < m; i += product_tile)
          for (int j = 0; j < n; j += product_tile, ++count) EXPECT_TRUE(found.count({i, j}));
        EXPECT_EQ(found.size(), count);
      };
      const auto lines = [&](TableRange range, int front, FrontPart part,
                             const std::vector<std::pair<int, int>>& wanted) {
        std::multiset<int> found, all;
        for (int k = range.begin; k < range.end; ++k) {
          const FrontPiece& piece = p.plan.piece[k];
          if (piece.front != front || piece.part != part) continue;
          EXPECT_LE(piece.j - piece.i, piece_lines);
          for (int i = piece.i; i < piece.j; ++i) found.insert(i);
        }
        for (const auto& [begin, end] : wanted)
          for (int i = begin; i < end; ++i) all.insert(i);
        EXPECT_EQ(found, all);
      };
      for (int k = level.large.list.begin; k < level.large.list.end; ++k, ++large) {
        const int s = p.plan.list[k];
        const DeviceFront& f = p.plan.fronts[s];
        int next = 0, entry = f.entry_begin;
        for (int c = level.columns.begin; c < level.columns.end; ++c) {
          const ColumnTile& tile = p.plan.column[c];
          if (tile.front != s) continue;
          EXPECT_EQ(tile.begin, next);
          EXPECT_EQ(tile.entry_begin, entry);
          next = tile.end;
          entry = tile.entry_end;
        }
        EXPECT_EQ(next, f.pivots + f.border);
        EXPECT_EQ(entry, f.entry_end);
        for (const PanelStep& step : level.panels) {
          const bool has = f.pivots > step.first;
          EXPECT_EQ(has, k - level.large.list.begin < step.fronts);
          const int behind = std::max(0, f.pivots - step.first - panel_width);
          tiles(step.tiles, s, FrontPart::d, behind, behind);
          tiles(step.tiles, s, FrontPart::l, behind > 0 ? f.border : 0, behind);
          tiles(step.tiles, s, FrontPart::v, behind > 0 ? f.border : 0, behind);
          if (!has) continue;
          lines(step.lines, s, FrontPart::d,
                {{step.first + panel_width, f.pivots}, {0, step.first}});  // beside the panel
          lines(step.lines, s, FrontPart::l, {{0, f.border}});
          lines(step.lines, s, FrontPart::v, {{0, f.border}});
        }
        if (f.pivots > 0) tiles(level.products, s, FrontPart::c, f.border, f.border);
      }
    }
  }
  EXPECT_GT(large, 5);
}

// A front of hundreds of children adds up sixteen at a time; the tree of the sums is as shallow as that
// allows.
TEST(DevicePlan, many_children_are_added_in_groups) {
  const Planned p = planned(star(2000), 227 * 1024);
  EXPECT_GT(p.plan.sums, 100);
  EXPECT_LE(static_cast<int>(p.plan.levels.size()), p.tree.levels + 3);  // 16^3 > 2000
}

TEST(DevicePlan, fronts_too_large_are_refused) {
  const System s = make_system(flexible_chain(2, 600));
  const auto order = order_unknowns(s.graph).unknowns;
  EXPECT_THROW(make_device_plan(make_fronts(s.pattern, order), 10 * 1024), Failure);
}

}  // namespace
}  // namespace trammel::plan_test
