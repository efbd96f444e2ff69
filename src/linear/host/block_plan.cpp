#include "linear/host/block_plan.h"

#include <algorithm>
#include <map>
#include <utility>

#include "linear/host/dense_kernels.h"
#include "linear/host/fronts.h"

namespace trammel {
namespace {
/// Nanoseconds of a front, for merging; fitted. Small fronts stay small: zeros that larger ones would store
/// are read again in every solve. A body in two fronts doubles the blocks that they subtract from those
/// above.
constexpr FrontCost kCost{
    .front = 20, .entry = 0.35, .block = 0.3, .flop = 0.15, .torn_body = 45, .least_subtree = 1e5};

/// Rows of a front's border that are neighbours, there and in the front that takes them.
struct Piece {
  int row;     ///< first of them in the border
  int length;  ///< number of rows
  int place;   ///< of the first row, in the elimination order
  int owner;   ///< row of the list of fronts: the one that eliminates them, or a contribution
  int local;   ///< number of the first row among the owner's
};

class Planner {
 public:
  Planner(const SparsePattern& pattern, const std::vector<int>& order)
      : tree_(make_fronts(pattern, order, kCost, FrontVertices::by_neighbours)) {}

  BlockPlan make() {
    plan_.n = tree_.n;
    plan_.flops = tree_.flops;
    plan_.nonzeros = tree_.nonzeros;
    list_rows();
    place_rows();
    for (const BlockSubtree& subtree : plan_.subtrees) {
      begin_area();
      for (int f = subtree.begin; f < subtree.end; ++f) add_front(f);
    }
    begin_area();
    for (int f = plan_.top; f < plan_.end(); ++f) add_front(f);
    close_tables();
    return std::move(plan_);
  }

 private:
  /// A row of the list of fronts.
  struct Row {
    int front;             ///< of the tree; of a contribution, the root of its subtree
    int subtree;           ///< that it is eliminated with; −1: above all subtrees
    bool is_contribution;  ///< of a subtree, to the fronts above it
  };

  void list_rows();
  void place_rows();
  void place_front(int f);
  void place_contribution(int f);
  void leave_room();
  void begin_area();
  void add_front(int f);
  void find_pieces(int f);
  void clear(int f);
  void clear_contribution(int f);
  void add_updates(int f);
  void add_update(int f, const Piece& rows, const Piece& columns);
  void close_tables();

  bool is_front(int f) const { return !rows_[f].is_contribution; }
  const Front& front(int f) const { return tree_.fronts[rows_[f].front]; }
  /// Offsets of L and V from D, and the size of all three, in doubles. Of a contribution, which has C in
  /// their place: what BlockUpdate has for row i of C as X is i, for column j as Y border + j; and the size
  /// of C.
  std::int64_t l_of(int f) const {
    return is_front(f) ? static_cast<std::int64_t>(padded(front(f).pivots)) * front(f).pivots : 0;
  }
  std::int64_t v_of(int f) const {
    const Front& at = front(f);
    return is_front(f) ? l_of(f) + static_cast<std::int64_t>(padded(at.border)) * at.pivots : at.border;
  }
  std::int64_t size_of(int f) const {
    const Front& at = front(f);
    return is_front(f) ? 2 * v_of(f) - l_of(f) : static_cast<std::int64_t>(padded(at.border)) * at.border;
  }
  /// Rows of what a row of the list eliminates or sums.
  int width(int f) const { return is_front(f) ? front(f).pivots : front(f).border; }
  /// Position of a place in the border of a front.
  int in_border(const Front& at, int place) const {
    const int* begin = tree_.row.data() + at.rows;
    return static_cast<int>(std::lower_bound(begin, begin + at.border, place) - begin);
  }

  FrontTree tree_;
  BlockPlan plan_;
  std::vector<Row> rows_;
  std::vector<int> owner_;     ///< place -> row of the list
  std::vector<char> cleared_;  ///< rows that have a BlockClear
  std::vector<Piece> pieces_;  ///< of the present front
  std::int64_t area_ = 0;      ///< doubles of the present work area that have been in use
  std::map<std::int64_t, std::vector<std::int64_t>> free_;  ///< free room in it, by size
};

/// Subtree after subtree; then, as the tree has them, the fronts above, and each subtree's contribution where
/// its root stood. A subtree without anything above it has none.
void Planner::list_rows() {
  std::vector<int> subtree_of(tree_.fronts.size(), -1);
  for (int t = 0; t < static_cast<int>(tree_.subtrees.size()); ++t) {
    const Subtree& subtree = tree_.subtrees[t];
    const int begin = static_cast<int>(rows_.size());
    for (int s = subtree.begin; s < subtree.end; ++s) {
      subtree_of[s] = t;
      rows_.push_back({s, t, false});
    }
    plan_.subtrees.push_back({begin, static_cast<int>(rows_.size()), -1, subtree.work});
  }
  plan_.top = static_cast<int>(rows_.size());
  for (int s = 0; s < static_cast<int>(tree_.fronts.size()); ++s) {
    const int t = subtree_of[s];
    if (t < 0) {
      rows_.push_back({s, -1, false});
    } else if (s + 1 == tree_.subtrees[t].end && tree_.fronts[s].border > 0) {
      plan_.subtrees[t].contribution = static_cast<int>(rows_.size());
      rows_.push_back({s, -1, true});
    }
  }
}

void Planner::place_rows() {
  plan_.fronts.resize(rows_.size());
  plan_.slot.resize(tree_.n);
  owner_.resize(tree_.n);
  cleared_.assign(rows_.size(), 0);
  for (int f = 0; f < static_cast<int>(rows_.size()); ++f) {
    if (is_front(f))
      place_front(f);
    else
      place_contribution(f);
    const int t = rows_[f].subtree;
    if (!is_front(f) || (t >= 0 && f + 1 == plan_.subtrees[t].end)) leave_room();
  }
  plan_.fronts.emplace_back();  // closes the list
}

/// Kernels write whole registers: what one thread writes ends so far from what another does.
void Planner::leave_room() {
  plan_.lower_size += kBeyond;
  plan_.upper_size += kBeyond;
  plan_.unknown.resize(plan_.slots() + kBeyond, -1);
}

void Planner::place_front(int f) {
  const Front& at = front(f);
  const int slot = plan_.slots();
  plan_.fronts[f] = {0, plan_.lower_size, plan_.upper_size, slot, at.pivots, at.border, 0, 0, 0};
  if (at.pivots <= kSmallFront) {
    const std::int64_t size = at.pivots * (at.pivots - 1) / 2 + at.border * at.pivots;
    plan_.lower_size += size;
    plan_.upper_size += size;
  } else {
    plan_.lower_size += v_of(f);
    plan_.upper_size += v_of(f) - l_of(f);
    plan_.largest_pivots = std::max(plan_.largest_pivots, at.pivots);
    plan_.largest_border = std::max(plan_.largest_border, at.border);
  }
  plan_.unknown.resize(slot + padded(at.pivots), -1);
  for (int k = 0; k < at.pivots; ++k) {
    const int unknown = tree_.order[at.first + k];
    owner_[at.first + k] = f;
    plan_.slot[unknown] = slot + k;
    plan_.unknown[slot + k] = unknown;
  }
}

void Planner::place_contribution(int f) {
  plan_.fronts[f] = {0, plan_.contribution_size, 0, plan_.slots(), 0, front(f).border, 0, 0, 0};
  plan_.contribution_size += size_of(f);
  plan_.unknown.resize(plan_.slots() + padded(front(f).border), -1);
}

/// What follows is eliminated in a work area that nothing else uses meanwhile.
void Planner::begin_area() {
  area_ = 0;
  free_.clear();
}

void Planner::add_front(int f) {
  BlockFront& at = plan_.fronts[f];
  at.clears = static_cast<int>(plan_.clears.size());
  at.updates = static_cast<int>(plan_.updates.size());
  at.segments = static_cast<int>(plan_.segments.size());
  const int t = rows_[f].subtree;
  if (t >= 0 && f == plan_.subtrees[t].begin) clear_contribution(plan_.subtrees[t].contribution);
  find_pieces(f);
  if (is_front(f)) clear(f);
  for (const Piece& piece : pieces_) clear(piece.owner);
  for (const Piece& piece : pieces_)
    plan_.segments.push_back({plan_.fronts[piece.owner].slot + piece.local, piece.row, piece.length});
  add_updates(f);
  if (is_front(f)) free_[size_of(f)].push_back(at.work);
}

void Planner::find_pieces(int f) {
  const Front& at = front(f);
  const int t = rows_[f].subtree;
  pieces_.clear();
  for (int k = 0; k < at.border; ++k) {
    const int place = tree_.row[at.rows + k];
    int owner = owner_[place], local = place - front(owner).first;
    if (t >= 0 && rows_[owner].subtree != t) {
      owner = plan_.subtrees[t].contribution;
      local = in_border(front(owner), place);
    }
    const bool follows = !pieces_.empty() && pieces_.back().owner == owner &&
                         pieces_.back().local + pieces_.back().length == local;
    if (follows) {
      ++pieces_.back().length;
    } else {
      pieces_.push_back({k, 1, place, owner, local});
    }
  }
}

/// A front takes its matrix values now, if it has not.
void Planner::clear(int f) {
  if (cleared_[f]) return;
  cleared_[f] = 1;
  const std::int64_t size = size_of(f);
  std::vector<std::int64_t>& free = free_[size];
  std::int64_t& work = plan_.fronts[f].work;
  if (free.empty()) {
    work = area_;
    area_ += size;
    plan_.work_size = std::max(plan_.work_size, area_);
  } else {
    work = free.back();
    free.pop_back();
  }
  plan_.clears.push_back({work, static_cast<int>(size), static_cast<int>(plan_.values.size())});
  const int s = rows_[f].front, ldb = padded(front(f).border);
  for (int k = tree_.run_start[s]; k < tree_.run_start[s + 1]; ++k) {
    const ValueRun& run = tree_.runs[k];
    const int step = run.length < 0 ? ldb : 1;
    for (int i = 0; i < std::abs(run.length); ++i)
      plan_.values.push_back({run.source + i, static_cast<int>(run.target - front(f).factor) + i * step});
  }
  std::sort(plan_.values.begin() + plan_.clears.back().values, plan_.values.end(),
            [](const BlockValue& a, const BlockValue& b) { return a.source < b.source; });
}

/// A contribution, if there is one, begins with zeros, at the beginning of its subtree's work area.
void Planner::clear_contribution(int f) {
  if (f < 0) return;
  cleared_[f] = 1;
  area_ = size_of(f);
  plan_.work_size = std::max(plan_.work_size, area_);
  plan_.clears.push_back({0, static_cast<int>(area_), static_cast<int>(plan_.values.size())});
}

void Planner::add_updates(int f) {
  for (const Piece& columns : pieces_)
    for (const Piece& rows : pieces_)
      if (rows.owner >= columns.owner) add_update(f, rows, columns);
}

/// The part of L Vᵀ with these rows and columns, and its mirror image: to D, or L and V, of the columns'
/// front. Continues the last block where that is a longer one of the same.
void Planner::add_update(int f, const Piece& rows, const Piece& columns) {
  const int to = columns.owner;
  const std::int64_t work = plan_.fronts[to].work;
  const int l = static_cast<int>(l_of(f)), v = static_cast<int>(v_of(f));
  const std::int64_t column = columns.local;
  if (rows.owner == to) {
    const std::int64_t ld = padded(width(to));
    plan_.updates.push_back({work + rows.local + ld * column, static_cast<int>(ld), l + rows.row,
                             v + columns.row, rows.length, columns.length});
    return;
  }
  const std::int64_t ld = padded(front(to).border);
  const std::int64_t target = work + l_of(to) + in_border(front(to), rows.place) + ld * column;
  const std::int64_t mirrored = target + v_of(to) - l_of(to);
  const int below = l + rows.row, beside = v + rows.row;
  const std::size_t count = plan_.updates.size(), first = plan_.fronts[f].updates;
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
  BlockFront& end = plan_.fronts.back();
  end.clears = static_cast<int>(plan_.clears.size());
  end.updates = static_cast<int>(plan_.updates.size());
  end.segments = static_cast<int>(plan_.segments.size());
  plan_.clears.push_back({0, 0, static_cast<int>(plan_.values.size())});
  plan_.values.resize(plan_.values.size() + kValuesAhead, {0, 0});
  // They stay as long as the model.
  plan_.clears.shrink_to_fit();
  plan_.values.shrink_to_fit();
  plan_.updates.shrink_to_fit();
  plan_.segments.shrink_to_fit();
}

}  // namespace

BlockSchedule BlockPlan::schedule() const {
  return {fronts.data(),  clears.data(),   values.data(),
          updates.data(), segments.data(), fetched_ahead(lower_size)};
}

BlockPlan make_block_plan(const SparsePattern& pattern, const std::vector<int>& order) {
  return Planner(pattern, order).make();
}

}  // namespace trammel
