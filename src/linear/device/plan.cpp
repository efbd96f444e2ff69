#include "linear/device/plan.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "base/diagnostics.h"
#include "device_api/block_groups.h"
#include "linear/device/middle_fronts.h"
#include "linear/device/row_fronts.h"
#include "linear/device/row_solves.h"
#include "linear/host/dense_kernels.h"

namespace trammel {
namespace {

/// Small fronts, at most, that are taken by pairs of warps where a level has such: as many as a device runs
/// at once (132 multiprocessors with four each).
constexpr int few_small = 528;
/// Doubles of shared memory, at most, for blocks of a front's children.
constexpr int most_blocks_of_small = 1024, most_blocks_of_pair = 4096;

enum FrontClass { small_class, pair_class, middle_class, large_class, classes };

class Planner {
 public:
  Planner(const FrontTree& tree, std::size_t shared_memory, bool by_one_group)
      : tree_(tree), shared_memory_(shared_memory), by_one_group_(by_one_group) {}

  DevicePlan plan() {
    copy_tree();
    add_sums();
    make_children();
    make_entries();
    make_levels();
    place_factors();
    place_blocks();
    for (int child : plan_.child) {
      const DeviceFront& front = plan_.fronts[child];
      plan_.children.push_back({front.block, front.rows, front.border});
    }
    for (int level = 0; level < static_cast<int>(plan_.levels.size()); ++level) cut_large(level);
    return std::move(plan_);
  }

 private:
  void copy_tree();
  void add_sums();
  int add_sum(int parent, std::vector<int>::const_iterator begin, std::vector<int>::const_iterator end);
  void make_children();
  void make_entries();
  void make_levels();
  void make_batch(FrontBatch& batch, std::vector<int>& fronts, FrontClass what);
  void make_row_batch(FrontBatch& batch, const std::vector<int>& fronts, FrontClass what);
  void place_factors();
  void place_blocks();
  void cut_large(int level);
  void cut_panels(DeviceLevel& level);
  void cut_columns(DeviceLevel& level);
  FrontClass class_of(const DeviceFront& front) const;
  std::size_t middle_memory_of(const DeviceFront& front) const {
    return by_one_group_ ? front_memory(front.pivots, front.border)
                         : middle_memory(front.pivots, front.border);
  }
  /// Shared memory of a warp, beside others of its block; a group of a batch has it to itself.
  std::size_t memory_of_warp() const {
    return by_one_group_ ? shared_memory_ : shared_memory_ / most_groups_per_block / 16 * 16;
  }
  template <class F>
  TableRange pieces(const FrontBatch& batch, int fronts, F f);

  const FrontTree& tree_;
  std::size_t shared_memory_;
  bool by_one_group_;
  DevicePlan plan_;
  std::vector<int> parent_, level_;
  std::vector<std::vector<int>> children_;
};

FrontClass Planner::class_of(const DeviceFront& front) const {
  const int p = front.pivots, r = front.border, size = p + r;
  const bool solved_by_rows =
      size <= pair_front && row_solve_memory(p, r, staged_rest(size) * most_children) <= memory_of_warp();
  if (solved_by_rows && size <= small_front && row_front_memory(p, r, small_front, 0) <= memory_of_warp())
    return small_class;
  if (solved_by_rows && row_front_memory(p, r, pair_front, 0) <= shared_memory_) return pair_class;
  return middle_memory_of(front) <= shared_memory_ ? middle_class : large_class;
}

void Planner::copy_tree() {
  plan_.n = tree_.n;
  plan_.order = tree_.order;
  plan_.row = tree_.row;
  plan_.target = tree_.target;
  plan_.flops = tree_.flops;
  plan_.largest = tree_.largest;
  const int fronts = static_cast<int>(tree_.fronts.size());
  children_.resize(fronts);
  for (int s = 0; s < fronts; ++s) {
    const Front& front = tree_.fronts[s];
    const std::int64_t rows = front.pivots + front.border;
    if (rows * rows > std::numeric_limits<int>::max())
      fail(ExitCode::solver, "a front of {} rows is too large for a device: take the processor", rows);
    if (solve_memory(front.pivots, front.border) > shared_memory_)
      fail(ExitCode::solver, "a front of {} rows does not fit the {} bytes of shared memory in a solve", rows,
           shared_memory_);
    plan_.fronts.push_back({0, 0, front.first, front.pivots, front.border, front.rows, 0, 0, 0, 0});
    parent_.push_back(front.parent);
    children_[s].assign(tree_.child.begin() + tree_.child_start[s],
                        tree_.child.begin() + tree_.child_start[s + 1]);
  }
}

/// Inserts fronts without pivots that add up groups of children, until no front has more than most_children.
void Planner::add_sums() {
  const int fronts = static_cast<int>(plan_.fronts.size());
  for (int s = 0; s < fronts; ++s) {
    std::vector<int> list = std::move(children_[s]);
    while (static_cast<int>(list.size()) > most_children) {
      std::vector<int> sums;
      for (auto begin = list.cbegin(); begin != list.cend();) {
        const auto end = begin + std::min<std::ptrdiff_t>(most_children, list.cend() - begin);
        sums.push_back(end - begin > 1 ? add_sum(s, begin, end) : *begin);
        begin = end;
      }
      list = std::move(sums);
    }
    children_[s] = std::move(list);
  }
}

/// A front without pivots; its border: all rows that the children [begin, end) of `parent` update.
int Planner::add_sum(int parent, std::vector<int>::const_iterator begin,
                     std::vector<int>::const_iterator end) {
  const int sum = static_cast<int>(plan_.fronts.size());
  std::vector<int> positions;
  for (auto c = begin; c != end; ++c) {
    const int* target = plan_.target.data() + plan_.fronts[*c].rows;
    positions.insert(positions.end(), target, target + plan_.fronts[*c].border);
  }
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  for (auto c = begin; c != end; ++c) {
    int* target = plan_.target.data() + plan_.fronts[*c].rows;
    for (int i = 0; i < plan_.fronts[*c].border; ++i)
      target[i] = static_cast<int>(std::lower_bound(positions.begin(), positions.end(), target[i]) -
                                   positions.begin());
    parent_[*c] = sum;
  }
  const DeviceFront& up = plan_.fronts[parent];
  DeviceFront front{0, 0, up.first, 0, static_cast<int>(positions.size()), static_cast<int>(plan_.row.size()),
                    0, 0, 0,        0};
  for (int at : positions)
    plan_.row.push_back(at < up.pivots ? up.first + at : plan_.row[up.rows + at - up.pivots]);
  plan_.target.insert(plan_.target.end(), positions.begin(), positions.end());
  plan_.fronts.push_back(front);
  parent_.push_back(parent);
  children_.emplace_back(begin, end);
  ++plan_.sums;
  return sum;
}

void Planner::make_children() {
  for (size_t s = 0; s < plan_.fronts.size(); ++s) {
    plan_.fronts[s].child_begin = static_cast<int>(plan_.child.size());
    plan_.child.insert(plan_.child.end(), children_[s].begin(), children_[s].end());
    plan_.fronts[s].child_end = static_cast<int>(plan_.child.size());
  }
}

/// Offset of every value in its front without padding; ValueRun refers to padded fronts.
void Planner::make_entries() {
  const auto unpad = [](const Front& front, std::int64_t at) {
    const std::int64_t p = front.pivots, r = front.border, ld = padded(front.pivots),
                       ldb = padded(front.border);
    if (at < ld * p) return at / ld * p + at % ld;
    at -= ld * p;  // L and V follow each other
    return p * p + at / ldb * r + at % ldb;
  };
  for (size_t s = 0; s < tree_.fronts.size(); ++s) {
    const Front& front = tree_.fronts[s];
    DeviceFront& mine = plan_.fronts[s];
    mine.entry_begin = static_cast<int>(plan_.entry.size());
    for (int k = tree_.run_start[s]; k < tree_.run_start[s + 1]; ++k) {
      const ValueRun& run = tree_.runs[k];
      const std::int64_t step = run.length < 0 ? padded(front.border) : 1;
      for (int i = 0; i < std::abs(run.length); ++i)
        plan_.entry.push_back(
            {run.source + i, static_cast<int>(unpad(front, run.target - front.factor + i * step))});
    }
    mine.entry_end = static_cast<int>(plan_.entry.size());
  }
}

/// Moves the small fronts of a level to those of pairs where there are such and few small ones.
void join_few_small(std::vector<int>& small, std::vector<int>& pair) {
  if (pair.empty() || small.size() > few_small) return;
  pair.insert(pair.end(), small.begin(), small.end());
  small.clear();
}

/// A front's level is one above the highest level of its children.
void Planner::make_levels() {
  const int fronts = static_cast<int>(plan_.fronts.size());
  level_.assign(fronts, -1);
  std::vector<int> waiting(fronts), ready;
  for (int s = 0; s < fronts; ++s) {
    waiting[s] = static_cast<int>(children_[s].size());
    if (waiting[s] == 0) ready.push_back(s);
  }
  while (!ready.empty()) {
    const int level = static_cast<int>(plan_.levels.size());
    std::vector<int> next, by_class[classes];
    std::sort(ready.begin(), ready.end());
    for (int s : ready) {
      level_[s] = level;
      by_class[class_of(plan_.fronts[s])].push_back(s);
      if (const int up = parent_[s]; up >= 0 && --waiting[up] == 0) next.push_back(up);
    }
    DeviceLevel& made = plan_.levels.emplace_back();
    join_few_small(by_class[small_class], by_class[pair_class]);
    make_batch(made.small, by_class[small_class], small_class);
    make_batch(made.pair, by_class[pair_class], pair_class);
    make_batch(made.middle, by_class[middle_class], middle_class);
    make_batch(made.large, by_class[large_class], large_class);
    plan_.small += made.small.list.count();
    plan_.pair += made.pair.list.count();
    plan_.middle += made.middle.list.count();
    plan_.large += made.large.list.count();
    ready = std::move(next);
  }
}

/// Sorts fronts by falling number of pivots: those with a further panel are then the first ones of the list,
/// and the longest work starts first.
void Planner::make_batch(FrontBatch& batch, std::vector<int>& fronts, FrontClass what) {
  std::stable_sort(fronts.begin(), fronts.end(),
                   [&](int s, int t) { return plan_.fronts[s].pivots > plan_.fronts[t].pivots; });
  batch.list.begin = static_cast<int>(plan_.list.size());
  plan_.list.insert(plan_.list.end(), fronts.begin(), fronts.end());
  batch.list.end = static_cast<int>(plan_.list.size());
  for (int s : fronts) batch.with_pivots += plan_.fronts[s].pivots > 0;
  if (what == small_class || what == pair_class) return make_row_batch(batch, fronts, what);
  for (int s : fronts) {
    const DeviceFront& front = plan_.fronts[s];
    batch.factor_memory = std::max(batch.factor_memory, middle_memory_of(front));
    batch.solve_memory = std::max(batch.solve_memory, solve_memory(front.pivots, front.border));
  }
}

/// Shared memory of fronts whose rows threads keep: room for what children left, as far as there is some.
void Planner::make_row_batch(FrontBatch& batch, const std::vector<int>& fronts, FrontClass what) {
  const int lanes = what == small_class ? small_front : pair_front;
  std::size_t least = 0;
  for (int s : fronts) {
    int blocks = 0, rest = 0;
    for (int child : children_[s]) {
      blocks += staged_child(plan_.fronts[child].border);
      rest += staged_rest(plan_.fronts[child].border);
    }
    batch.blocks = std::max(batch.blocks, blocks);
    batch.rest = std::max(batch.rest, rest);
    least = std::max(least, row_front_memory(plan_.fronts[s].pivots, plan_.fronts[s].border, lanes, 0));
  }
  const std::size_t memory = what == small_class ? memory_of_warp() : shared_memory_;
  const int left = static_cast<int>(memory - std::min(memory, least)) / 8;
  batch.blocks =
      std::min({batch.blocks, left, what == small_class ? most_blocks_of_small : most_blocks_of_pair});
  batch.blocks = batch.blocks / 2 * 2;
  batch.rest = (batch.rest + 1) / 2 * 2;
  for (int s : fronts) {
    const DeviceFront& front = plan_.fronts[s];
    batch.factor_memory =
        std::max(batch.factor_memory, row_front_memory(front.pivots, front.border, lanes, batch.blocks));
    batch.solve_memory =
        std::max(batch.solve_memory, row_solve_memory(front.pivots, front.border, batch.rest));
  }
}

/// Places factors in the order in which they are computed and read.
void Planner::place_factors() {
  for (int s : plan_.list) {
    DeviceFront& front = plan_.fronts[s];
    const std::int64_t p = front.pivots, r = front.border;
    front.factor = plan_.factor_size;
    plan_.factor_size += p * p + 2 * p * r;
  }
}

/// Places contribution blocks. A block is live from its front's level to its parent's. Blocks with the same
/// lifetime are contiguous, in the first gap that is large enough.
void Planner::place_blocks() {
  const auto size_of = [&](int s) {
    const std::int64_t r = plan_.fronts[s].border;
    return parent_[s] < 0 ? 0 : r * r;
  };
  const int levels = static_cast<int>(plan_.levels.size());
  std::vector<std::map<int, std::vector<int>>> born(levels);  // level -> last level of its blocks -> fronts
  for (int s : plan_.list)
    if (size_of(s) > 0) born[level_[s]][level_[parent_[s]]].push_back(s);
  struct Chunk {
    std::int64_t begin, end;
    int last;
  };
  std::vector<Chunk> alive;  // by place
  for (int level = 0; level < levels; ++level) {
    std::erase_if(alive, [&](const Chunk& c) { return c.last < level; });
    for (const auto& [last, fronts] : born[level]) {
      std::int64_t size = 0, at = 0;
      for (int s : fronts) size += size_of(s);
      auto gap = alive.begin();
      for (; gap != alive.end() && gap->begin - at < size; ++gap) at = gap->end;
      alive.insert(gap, {at, at + size, last});
      plan_.block_size = std::max(plan_.block_size, at + size);
      for (int s : fronts) {
        plan_.fronts[s].block = at;
        at += size_of(s);
      }
    }
  }
}

/// Pieces of the first `fronts` fronts of a batch: f(front, add) calls add(part, i, j).
template <class F>
TableRange Planner::pieces(const FrontBatch& batch, int fronts, F f) {
  TableRange range{static_cast<int>(plan_.piece.size()), 0};
  for (int k = batch.list.begin; k < batch.list.begin + fronts; ++k) {
    const int s = plan_.list[k];
    f(plan_.fronts[s], [&](FrontPart part, int i, int j) { plan_.piece.push_back({s, part, i, j}); });
  }
  range.end = static_cast<int>(plan_.piece.size());
  return range;
}

template <class Add>
void add_tiles(FrontPart part, int m, int n, const Add& add) {
  for (int j = 0; j < n; j += product_tile)
    for (int i = 0; i < m; i += product_tile) add(part, i, j);
}

template <class Add>
void add_lines(FrontPart part, int begin, int end, const Add& add) {
  for (int i = begin; i < end; i += piece_lines) add(part, i, std::min(i + piece_lines, end));
}

void Planner::cut_panels(DeviceLevel& level) {
  const FrontBatch& batch = level.large;
  for (int first = 0;; first += panel_width) {
    PanelStep step{first, 0, 0, {}, {}};
    for (int k = batch.list.begin; k < batch.list.end; ++k) {
      const int p = plan_.fronts[plan_.list[k]].pivots;
      step.fronts += p > first;
      step.rows = std::max(step.rows, p - first);
    }
    if (step.fronts == 0) return;
    const auto lines = [&](const DeviceFront& front, const auto& add) {
      add_lines(FrontPart::d, first + panel_width, front.pivots, add);
      add_lines(FrontPart::l, 0, front.border, add);
      add_lines(FrontPart::v, 0, front.border, add);
      add_lines(FrontPart::d, 0, first, add);
    };
    const auto tiles = [&](const DeviceFront& front, const auto& add) {
      const int behind = front.pivots - first - panel_width;
      if (behind <= 0) return;
      add_tiles(FrontPart::d, behind, behind, add);
      add_tiles(FrontPart::l, front.border, behind, add);
      add_tiles(FrontPart::v, front.border, behind, add);
    };
    step.lines = pieces(batch, step.fronts, lines);
    step.tiles = pieces(batch, step.fronts, tiles);
    level.panels.push_back(step);
  }
}

void Planner::cut_columns(DeviceLevel& level) {
  level.columns.begin = static_cast<int>(plan_.column.size());
  for (int k = level.large.list.begin; k < level.large.list.end; ++k) {
    const int s = plan_.list[k];
    const DeviceFront& front = plan_.fronts[s];
    const int p = front.pivots, r = front.border;
    const auto column_of = [&](const FrontEntry& e) {
      if (e.target < p * p) return e.target / p;
      const int at = e.target - p * p;
      return at < p * r ? at / r : p + (at - p * r) % r;
    };
    const auto begin = plan_.entry.begin() + front.entry_begin, end = plan_.entry.begin() + front.entry_end;
    std::stable_sort(begin, end, [&](const auto& x, const auto& y) { return column_of(x) < column_of(y); });
    int entry = front.entry_begin;
    for (int j = 0; j < p + r; j += column_tile) {
      ColumnTile tile{s, j, std::min(j + column_tile, p + r), entry, entry};
      while (tile.entry_end < front.entry_end && column_of(plan_.entry[tile.entry_end]) < tile.end)
        ++tile.entry_end;
      entry = tile.entry_end;
      plan_.column.push_back(tile);
    }
  }
  level.columns.end = static_cast<int>(plan_.column.size());
}

void Planner::cut_large(int k) {
  DeviceLevel& level = plan_.levels[k];
  const FrontBatch& batch = level.large;
  if (batch.list.count() == 0) return;
  cut_columns(level);
  cut_panels(level);
  const int fronts = batch.with_pivots;
  level.products = pieces(batch, fronts, [](const DeviceFront& front, const auto& add) {
    add_tiles(FrontPart::c, front.border, front.border, add);
  });
  level.forward = pieces(batch, fronts, [](const DeviceFront& front, const auto& add) {
    for (int i = 0; i < front.border; i += border_rows) add(FrontPart::l, i, 0);
  });
  level.backward = pieces(batch, fronts, [](const DeviceFront& front, const auto& add) {
    for (int i = 0; front.border > 0 && i < front.pivots; i += dot_columns) add(FrontPart::v, i, 0);
  });
}

}  // namespace

FrontCost device_front_cost(int n) {
  FrontCost cost;
  cost.front = 200;
  if (n <= 512) return cost;  // a group of a batch takes one front after the other: there is no path
  cost.front = 1000;
  // As an H200 took for a level and for a pivot, factorization and solution together; only their ratio
  // counts.
  cost.path = {13000, 1000, small_front, most_children, 60};
  return cost;
}

DevicePlan make_device_plan(const FrontTree& tree, std::size_t shared_memory, bool by_one_group) {
  return Planner(tree, shared_memory, by_one_group).plan();
}

}  // namespace trammel
