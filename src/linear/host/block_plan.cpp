#include "linear/host/block_plan.h"

#include <algorithm>
#include <map>
#include <utility>

#include "linear/host/dense_kernels.h"
#include "linear/host/fronts.h"

namespace trammel {
namespace {
/// Nanoseconds of a front, for merging; fitted. Small fronts stay small: zeros that larger ones would store
/// are read again in every solve.
constexpr FrontCost kCost{.front = 20, .entry = 0.35, .block = 0.3, .flop = 0.15};

/// Rows of a front's border that are neighbours, and pivots of one later front.
struct Piece {
  int row;    ///< in the border
  int place;  ///< of the first row
  int length;
  int owner;  ///< front that eliminates them
};

class Planner {
 public:
  Planner(const SparsePattern& pattern, const std::vector<int>& order)
      : tree_(make_fronts(pattern, order, kCost, FrontVertices::by_neighbours)) {}

  BlockPlan make() {
    plan_.n = tree_.n;
    plan_.flops = tree_.flops;
    plan_.nonzeros = tree_.nonzeros;
    place_fronts();
    cleared_.assign(tree_.fronts.size(), 0);
    for (int s = 0; s < static_cast<int>(tree_.fronts.size()); ++s) {
      BlockFront& front = plan_.fronts[s];
      front.clears = static_cast<int>(plan_.clears.size());
      front.updates = static_cast<int>(plan_.updates.size());
      front.segments = static_cast<int>(plan_.segments.size());
      find_pieces(s);
      clear(s);
      for (const Piece& piece : pieces_) clear(piece.owner);
      for (const Piece& piece : pieces_)
        plan_.segments.push_back({slot_of(piece.owner, piece.place), piece.row, piece.length});
      add_updates(s);
      free_[size_of(tree_.fronts[s])].push_back(front.work);
    }
    close_tables();
    return std::move(plan_);
  }

 private:
  void place_fronts();
  void find_pieces(int s);
  void clear(int s);
  void add_updates(int s);
  void add_update(int s, const Piece& rows, const Piece& columns);
  void close_tables();

  int slot_of(int front, int place) const {
    return plan_.fronts[front].slot + place - tree_.fronts[front].first;
  }
  std::int64_t l_of(const Front& front) const {
    return static_cast<std::int64_t>(padded(front.pivots)) * front.pivots;
  }
  std::int64_t v_of(const Front& front) const {
    return l_of(front) + static_cast<std::int64_t>(padded(front.border)) * front.pivots;
  }
  std::int64_t size_of(const Front& front) const { return 2 * v_of(front) - l_of(front); }
  /// Position of a place in the border of a front.
  int in_border(const Front& front, int place) const {
    const int* begin = tree_.row.data() + front.rows;
    return static_cast<int>(std::lower_bound(begin, begin + front.border, place) - begin);
  }

  FrontTree tree_;
  BlockPlan plan_;
  std::vector<int> owner_;                                  ///< place -> front
  std::vector<char> cleared_;                               ///< fronts that have a BlockClear
  std::vector<Piece> pieces_;                               ///< of the present front
  std::map<std::int64_t, std::vector<std::int64_t>> free_;  ///< free room in the work area, by size
};

void Planner::place_fronts() {
  plan_.fronts.resize(tree_.fronts.size());
  plan_.slot.resize(tree_.n);
  owner_.resize(tree_.n);
  for (int s = 0; s < static_cast<int>(tree_.fronts.size()); ++s) {
    const Front& front = tree_.fronts[s];
    const int slot = plan_.slots();
    plan_.fronts[s] = {0, plan_.lower_size, plan_.upper_size, slot, front.pivots, front.border, 0, 0, 0};
    if (front.pivots <= kSmallFront) {
      const std::int64_t size = front.pivots * (front.pivots - 1) / 2 + front.border * front.pivots;
      plan_.lower_size += size;
      plan_.upper_size += size;
    } else {
      plan_.lower_size += v_of(front);
      plan_.upper_size += v_of(front) - l_of(front);
    }
    plan_.unknown.resize(slot + padded(front.pivots), -1);
    for (int k = 0; k < front.pivots; ++k) {
      const int unknown = tree_.order[front.first + k];
      owner_[front.first + k] = s;
      plan_.slot[unknown] = slot + k;
      plan_.unknown[slot + k] = unknown;
    }
    if (front.pivots <= kSmallFront) continue;
    plan_.largest_pivots = std::max(plan_.largest_pivots, front.pivots);
    plan_.largest_border = std::max(plan_.largest_border, front.border);
  }
}

void Planner::find_pieces(int s) {
  const Front& front = tree_.fronts[s];
  pieces_.clear();
  for (int k = 0; k < front.border; ++k) {
    const int place = tree_.row[front.rows + k];
    const bool follows = !pieces_.empty() && pieces_.back().owner == owner_[place] &&
                         pieces_.back().place + pieces_.back().length == place;
    if (follows) {
      ++pieces_.back().length;
    } else {
      pieces_.push_back({k, place, 1, owner_[place]});
    }
  }
}

/// Front `s` takes its matrix values now, if it has not.
void Planner::clear(int s) {
  if (cleared_[s]) return;
  cleared_[s] = 1;
  const Front& front = tree_.fronts[s];
  const std::int64_t size = size_of(front);
  std::vector<std::int64_t>& free = free_[size];
  std::int64_t& work = plan_.fronts[s].work;
  if (free.empty()) {
    work = plan_.work_size;
    plan_.work_size += size;
  } else {
    work = free.back();
    free.pop_back();
  }
  plan_.clears.push_back({work, static_cast<int>(size), static_cast<int>(plan_.values.size())});
  const int ldb = padded(front.border);
  for (int k = tree_.run_start[s]; k < tree_.run_start[s + 1]; ++k) {
    const ValueRun& run = tree_.runs[k];
    const int step = run.length < 0 ? ldb : 1;
    for (int i = 0; i < std::abs(run.length); ++i)
      plan_.values.push_back({run.source + i, static_cast<int>(run.target - front.factor) + i * step});
  }
  std::sort(plan_.values.begin() + plan_.clears.back().values, plan_.values.end(),
            [](const BlockValue& a, const BlockValue& b) { return a.source < b.source; });
}

void Planner::add_updates(int s) {
  for (const Piece& columns : pieces_)
    for (const Piece& rows : pieces_)
      if (rows.owner >= columns.owner) add_update(s, rows, columns);
}

/// The part of C with these rows and columns, and its mirror image: to D, or L and V, of the columns' front.
/// Continues the last block where that is a longer one of the same.
void Planner::add_update(int s, const Piece& rows, const Piece& columns) {
  const Front &from = tree_.fronts[s], &to = tree_.fronts[columns.owner];
  const std::int64_t work = plan_.fronts[columns.owner].work;
  const int l = static_cast<int>(l_of(from)), v = static_cast<int>(v_of(from));
  const std::int64_t column = columns.place - to.first;
  if (rows.owner == columns.owner) {
    const std::int64_t ld = padded(to.pivots);
    plan_.updates.push_back({work + rows.place - to.first + ld * column, static_cast<int>(ld), l + rows.row,
                             v + columns.row, rows.length, columns.length});
    return;
  }
  const std::int64_t ld = padded(to.border);
  const std::int64_t target = work + l_of(to) + in_border(to, rows.place) + ld * column;
  const std::int64_t mirrored = target + v_of(to) - l_of(to);
  const int below = l + rows.row, beside = v + rows.row;
  const std::size_t count = plan_.updates.size(), first = plan_.fronts[s].updates;
  if (count >= first + 2) {
    BlockUpdate &lower = plan_.updates[count - 2], &upper = plan_.updates[count - 1];
    const bool follows = lower.y == v + columns.row && upper.y == l + columns.row &&
                         lower.target + lower.rows == target && upper.target + upper.rows == mirrored &&
                         lower.x + lower.rows == below && upper.x + upper.rows == beside;
    if (follows) {
      lower.rows += rows.length;
      upper.rows += rows.length;
      return;
    }
  }
  plan_.updates.push_back(
      {target, static_cast<int>(ld), below, v + columns.row, rows.length, columns.length});
  plan_.updates.push_back(
      {mirrored, static_cast<int>(ld), beside, l + columns.row, rows.length, columns.length});
}

void Planner::close_tables() {
  BlockFront end;
  end.clears = static_cast<int>(plan_.clears.size());
  end.updates = static_cast<int>(plan_.updates.size());
  end.segments = static_cast<int>(plan_.segments.size());
  plan_.fronts.push_back(end);
  plan_.clears.push_back({0, 0, static_cast<int>(plan_.values.size())});
  plan_.values.resize(plan_.values.size() + kValuesAhead, {0, 0});
}

}  // namespace

BlockSchedule BlockPlan::schedule() const {
  return {static_cast<int>(fronts.size()) - 1,
          fronts.data(),
          clears.data(),
          values.data(),
          updates.data(),
          segments.data()};
}

BlockPlan make_block_plan(const SparsePattern& pattern, const std::vector<int>& order) {
  return Planner(pattern, order).make();
}

}  // namespace trammel
