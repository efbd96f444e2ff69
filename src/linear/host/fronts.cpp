#include "linear/host/fronts.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/buckets.h"
#include "base/diagnostics.h"
#include "linear/host/block_places.h"
#include "linear/host/dense_kernels.h"
#include "linear/host/elimination_tree.h"
#include "linear/host/front_merging.h"

namespace trammel {
namespace {

/// Vertices of the compressed graph: neighbouring places whose columns have the same pattern. A flexible body
/// of a hundred coordinates then costs as much as one coordinate.
struct Groups {
  std::vector<int> of;     ///< place -> group
  std::vector<int> start;  ///< group -> first place; groups + 1
  std::vector<int> lower;  ///< earlier neighbours of each group, possibly repeated
  std::vector<int> lower_start;
  std::vector<int> last_of_body;  ///< group -> the last of the groups that coupled_to_next() joins it with
  int size() const { return static_cast<int>(start.size()) - 1; }
  int width(int g) const { return start[g + 1] - start[g]; }
};

/// Which groups are coupled to the next one though the pattern does not say so: groups of neighbouring
/// unknowns whose rows the groups behind them have, too. A rigid body's translations have no entries in
/// common; coupled they are one front with its angles, without any more rows.
std::vector<char> coupled_to_next(const Groups& groups, const SparsePattern& a,
                                  const std::vector<int>& order) {
  std::vector<char> coupled(groups.size(), 0);
  std::vector<int> mark(a.n, -1);  // run of groups that has the row
  for (int g = groups.size() - 1, run = 0; g >= 0; --g) {
    const int j = order[groups.start[g]];
    const auto begin = a.row.begin() + a.column_start[j], end = a.row.begin() + a.column_start[j + 1];
    const int last = groups.start[g + 1] - 1;
    const bool neighbours = g + 1 < groups.size() && order[last + 1] == order[last] + 1;
    for (int k = groups.start[g]; k <= last; ++k) mark[order[k]] = run;
    coupled[g] = neighbours && std::all_of(begin, end, [&](int i) { return mark[i] == run; });
    if (coupled[g]) continue;
    ++run;
    for (int k = groups.start[g]; k <= last; ++k) mark[order[k]] = run;
    std::for_each(begin, end, [&](int i) { mark[i] = run; });
  }
  return coupled;
}

Groups make_groups(const SparsePattern& a, const std::vector<int>& order, FrontVertices vertices) {
  Groups groups;
  const int n = a.n;
  groups.of.resize(n);
  const auto rows_of = [&](int place) {
    const int j = order[place];
    return std::pair(a.row.begin() + a.column_start[j], a.row.begin() + a.column_start[j + 1]);
  };
  for (int k = 0; k < n; ++k) {
    bool same = k > 0;
    if (same) {
      const auto [begin, end] = rows_of(k);
      const auto [before, before_end] = rows_of(k - 1);
      same = end - begin == before_end - before && std::equal(begin, end, before);
    }
    if (!same) groups.start.push_back(k);
    groups.of[k] = static_cast<int>(groups.start.size()) - 1;
  }
  groups.start.push_back(n);

  std::vector<char> coupled(groups.size(), 0);
  if (vertices == FrontVertices::by_neighbours) coupled = coupled_to_next(groups, a, order);
  groups.last_of_body.resize(groups.size());
  for (int g = groups.size() - 1; g >= 0; --g)
    groups.last_of_body[g] = coupled[g] ? groups.last_of_body[g + 1] : g;
  std::vector<int> group_of_unknown(n);
  for (int k = 0; k < n; ++k) group_of_unknown[order[k]] = groups.of[k];
  auto lower = in_buckets<int>(groups.size(), [&](auto put) {
    for (int g = 0; g < groups.size(); ++g) {
      const auto [begin, end] = rows_of(groups.start[g]);
      int last = -1;
      if (coupled[g]) put(g + 1, g);
      for (auto i = begin; i != end; ++i) {
        const int h = group_of_unknown[*i];
        if (h != g && h != last) put(std::max(g, h), std::min(g, h));
        last = h;
      }
    }
  });
  groups.lower = std::move(lower.item);
  groups.lower_start = std::move(lower.start);
  return groups;
}

/// Elimination tree of the groups.
MergingTree eliminate(const Groups& groups) {
  const int n = groups.size();
  const auto for_lower = [&](int g, auto f) {
    for (int k = groups.lower_start[g]; k < groups.lower_start[g + 1]; ++k) f(groups.lower[k]);
  };
  std::vector<int> parent = elimination_tree(n, for_lower);
  std::vector<double> width(n);
  for (int g = 0; g < n; ++g) width[g] = groups.width(g);
  std::vector<double> height = width;
  for_entries_of_factor(parent, for_lower, [&](int g, int h) { height[h] += width[g]; });
  return {std::move(parent), std::move(width), std::move(height)};
}

/// Postorder of the merged tree. Takes its lists of children apart.
std::vector<int> postorder(MergingTree& tree) {
  std::vector<int> sequence, stack;
  for (int root = 0; root < tree.size(); ++root) {
    if (tree.into[root] != root || tree.parent[root] >= 0) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const int v = stack.back();
      if (const int c = tree.first[v]; c >= 0) {
        tree.first[v] = tree.next[c];
        stack.push_back(c);
      } else {
        sequence.push_back(v);
        stack.pop_back();
      }
    }
  }
  return sequence;
}

class Builder {
 public:
  Builder(const SparsePattern& a, const std::vector<int>& order, const FrontCost& cost,
          FrontVertices vertices)
      : a_(a), order_(order), cost_(cost), groups_(make_groups(a, order, vertices)) {}

  FrontTree build() {
    tree_.n = a_.n;
    make_tree();
    make_borders();
    make_targets();
    make_runs();
    make_subtrees();
    make_work_rows();
    place_blocks(tree_);
    return std::move(tree_);
  }

 private:
  void make_tree();
  void coordinates_first();
  void make_borders();
  void make_targets();
  void make_runs();
  std::int64_t place_in_v(const Front& front, int pivot, int column) const;
  void make_subtrees();
  void make_work_rows();

  const SparsePattern& a_;
  const std::vector<int>& order_;
  const FrontCost& cost_;
  Groups groups_;
  std::vector<int> front_of_;      ///< group -> front
  std::vector<int> place_;         ///< group -> first place in the new order
  std::vector<int> front_groups_;  ///< groups by front, by their unknowns
  std::vector<int> group_start_;   ///< front -> its groups; fronts + 1
  FrontTree tree_;
};

void Builder::make_tree() {
  MergingTree merged = eliminate(groups_);
  merge_vertices(merged, cost_, groups_.last_of_body);
  const std::vector<int> sequence = postorder(merged);
  const int fronts = static_cast<int>(sequence.size()), n = groups_.size();
  std::vector<int> number(n, -1);
  for (int s = 0; s < fronts; ++s) number[sequence[s]] = s;
  front_of_.resize(n);
  for (int g = 0; g < n; ++g) front_of_[g] = number[merged.into[g]];
  auto of_front = in_buckets<int>(fronts, [&](auto put) {
    for (int g = 0; g < n; ++g) put(front_of_[g], g);
  });
  group_start_ = std::move(of_front.start);
  front_groups_ = std::move(of_front.item);
  coordinates_first();

  tree_.fronts.resize(fronts);
  tree_.order.reserve(a_.n);
  place_.resize(n);
  for (int s = 0; s < fronts; ++s) {
    Front& front = tree_.fronts[s];
    front.first = static_cast<int>(tree_.order.size());
    for (int k = group_start_[s]; k < group_start_[s + 1]; ++k) {
      const int g = front_groups_[k];
      place_[g] = static_cast<int>(tree_.order.size());
      for (int i = groups_.start[g]; i < groups_.start[g + 1]; ++i) tree_.order.push_back(order_[i]);
    }
    front.pivots = static_cast<int>(tree_.order.size()) - front.first;
    const int up = merged.parent[sequence[s]];
    front.parent = up < 0 ? -1 : number[up];
  }
  auto children_of = in_buckets<int>(fronts, [&](auto put) {
    for (int s = 0; s < fronts; ++s)
      if (const int p = tree_.fronts[s].parent; p >= 0) put(p, s);
  });
  tree_.child_start = std::move(children_of.start);
  tree_.child = std::move(children_of.item);
}

/// Within a front any sequence of pivots has the same entries. Ascending unknowns take coordinates before
/// multipliers: M is definite, and what it leaves of a multiplier is -Phi M^-1 Phi^T, while a multiplier that
/// came first would have what the links behind it leave, small against its column: an exchange of pivots.
void Builder::coordinates_first() {
  const auto unknown = [&](int g) { return order_[groups_.start[g]]; };
  for (std::size_t s = 0; s + 1 < group_start_.size(); ++s)
    std::sort(front_groups_.begin() + group_start_[s], front_groups_.begin() + group_start_[s + 1],
              [&](int g, int h) { return unknown(g) < unknown(h); });
}

/// Border of a front: the later neighbours of its groups, and what its children's borders have beyond it.
void Builder::make_borders() {
  const int n = groups_.size(), fronts = static_cast<int>(tree_.fronts.size());
  std::vector<int> mark(n, -1);
  const Buckets<int> upper = in_buckets<int>(n, [&](auto put) {
    for (int g = 0; g < n; ++g)
      for (int k = groups_.lower_start[g]; k < groups_.lower_start[g + 1]; ++k) put(groups_.lower[k], g);
  });

  std::vector<int> border, border_start(fronts + 1, 0);
  const auto earlier = [&](int g, int h) { return place_[g] < place_[h]; };
  std::int64_t rows = 0;
  for (int s = 0; s < fronts; ++s) {
    Front& front = tree_.fronts[s];
    const auto add = [&](int g) {
      if (front_of_[g] == s || mark[g] == s) return;
      mark[g] = s;
      border.push_back(g);
      front.border += groups_.width(g);
    };
    for (int k = group_start_[s]; k < group_start_[s + 1]; ++k) {
      const int g = front_groups_[k];
      for (int e = upper.start[g]; e < upper.start[g + 1]; ++e) add(upper.item[e]);
    }
    for (int k = tree_.child_start[s]; k < tree_.child_start[s + 1]; ++k) {
      const int c = tree_.child[k];
      for (int e = border_start[c]; e < border_start[c + 1]; ++e) add(border[e]);
    }
    std::sort(border.begin() + border_start[s], border.end(), earlier);
    border_start[s + 1] = static_cast<int>(border.size());
    rows += front.border;
  }
  if (rows > std::numeric_limits<int>::max())
    fail(ExitCode::solver, "multifrontal: {} rows of fronts are too many for this build", rows);
  tree_.row.reserve(rows);
  for (int s = 0; s < fronts; ++s) {
    tree_.fronts[s].rows = static_cast<int>(tree_.row.size());
    for (int e = border_start[s]; e < border_start[s + 1]; ++e) {
      const int g = border[e];
      for (int i = 0; i < groups_.width(g); ++i) tree_.row.push_back(place_[g] + i);
    }
  }
}

/// Positions of borders in the parents' fronts; sizes and operation counts.
void Builder::make_targets() {
  std::vector<int> at(tree_.n, -1);
  std::vector<double> path(tree_.fronts.size(), 0);
  tree_.target.resize(tree_.row.size());
  const int fronts = static_cast<int>(tree_.fronts.size());
  for (int s = 0; s < fronts; ++s) {
    Front& front = tree_.fronts[s];
    for (int k = 0; k < front.border; ++k) at[tree_.row[front.rows + k]] = front.pivots + k;
    for (int k = tree_.child_start[s]; k < tree_.child_start[s + 1]; ++k) {
      const Front& child = tree_.fronts[tree_.child[k]];
      for (int i = child.rows; i < child.rows + child.border; ++i) {
        const int place = tree_.row[i];
        tree_.target[i] = place < front.first + front.pivots ? place - front.first : at[place];
      }
    }
    front.factor = tree_.factor_size;
    const std::int64_t rows = padded(front.pivots) + 2 * static_cast<std::int64_t>(padded(front.border));
    tree_.factor_size += rows * front.pivots;
    const double flops = front_flops(front.pivots, front.border);
    tree_.flops += flops;
    tree_.work += cost_.of(front.pivots, front.border);
    tree_.nonzeros += 1.0 * front.pivots * front.pivots + 2.0 * front.pivots * front.border;
    tree_.largest = std::max(tree_.largest, front.pivots + front.border);
    tree_.largest_border = std::max(tree_.largest_border, front.border);
    path[s] += flops;
    tree_.longest_path = std::max(tree_.longest_path, path[s]);
    if (front.parent >= 0) path[front.parent] = std::max(path[front.parent], path[s]);
  }
  for (int s = fronts - 1; s >= 0; --s) {
    Front& front = tree_.fronts[s];
    front.depth = front.parent < 0 ? 0 : tree_.fronts[front.parent].depth + 1;
    tree_.levels = std::max(tree_.levels, front.depth + 1);
  }
}

/// Runs in the order in which their values are found; a value that continues the last run is appended to it.
struct FoundRuns {
  std::vector<ValueRun> own, far;   ///< runs in columns of D and L; in rows of V
  std::vector<int> own_of, far_of;  ///< front of each run

  void add_own(int front, std::int64_t target, int value, bool follows) {
    if (follows && !own.empty() && own_of.back() == front && own.back().source + own.back().length == value &&
        own.back().target + own.back().length == target) {
      ++own.back().length;
      return;
    }
    own.push_back({target, value, 1});
    own_of.push_back(front);
  }
  template <class Target>
  void add_far(int front, Target target, int value, bool follows) {
    if (follows && !far.empty() && far_of.back() == front && far.back().source - far.back().length == value) {
      --far.back().length;
      return;
    }
    far.push_back({target(), value, -1});
    far_of.push_back(front);
  }
};

/// Destinations of matrix values: the front of whichever of a value's two unknowns is eliminated first.
void Builder::make_runs() {
  const int fronts = static_cast<int>(tree_.fronts.size());
  std::vector<int> place(tree_.n), front_at(tree_.n), at(tree_.n, -1);
  for (int s = 0; s < fronts; ++s) {
    const Front& front = tree_.fronts[s];
    for (int k = front.first; k < front.first + front.pivots; ++k) place[tree_.order[k]] = k, front_at[k] = s;
  }
  FoundRuns runs;
  for (int s = 0; s < fronts; ++s) {
    const Front& front = tree_.fronts[s];
    for (int k = 0; k < front.border; ++k) at[tree_.row[front.rows + k]] = k;
    const std::int64_t ld = padded(front.pivots), ldb = padded(front.border);
    const std::int64_t below = front.factor + ld * front.pivots;
    for (int k = 0; k < front.pivots; ++k) {
      const int j = tree_.order[front.first + k];
      int last_place = -2;
      for (int e = a_.column_start[j]; e < a_.column_start[j + 1]; ++e) {
        const int i = place[a_.row[e]];
        const int owner = std::min(front_at[i], s);
        const bool follows = i == last_place + 1;
        last_place = i;
        if (owner == s)
          runs.add_own(s,
                       front_at[i] == s ? front.factor + i - front.first + ld * k : below + at[i] + ldb * k,
                       e, follows);
        else
          runs.add_far(
              owner, [&] { return place_in_v(tree_.fronts[owner], i, front.first + k); }, e, follows);
      }
    }
  }
  auto by_front = in_buckets<ValueRun>(fronts, [&](auto put) {
    for (std::size_t k = 0; k < runs.own.size(); ++k) put(runs.own_of[k], runs.own[k]);
    for (std::size_t k = 0; k < runs.far.size(); ++k) put(runs.far_of[k], runs.far[k]);
  });
  tree_.run_start = std::move(by_front.start);
  tree_.runs = std::move(by_front.item);
}

/// Offset in the factors of the value in a pivot's row and the column of a place in the front's border.
std::int64_t Builder::place_in_v(const Front& front, int pivot, int column) const {
  const int* begin = tree_.row.data() + front.rows;
  const auto position = std::lower_bound(begin, begin + front.border, column) - begin;
  const std::int64_t stride = padded(front.border);
  const std::int64_t v = front.factor + (padded(front.pivots) + stride) * front.pivots;
  return v + position + stride * (pivot - front.first);
}

/// Cuts the tree into subtrees, each for one thread: at most 1/48 of all work, but not less than starting a
/// thread is worth; with the fronts above them that wait for one subtree alone, next to which the others
/// below them are small: half of a chain is one subtree, however long. The cut depends on the tree alone, so
/// the bits do not depend on the number of threads.
void Builder::make_subtrees() {
  constexpr double kParts = 48;
  const int fronts = static_cast<int>(tree_.fronts.size());
  const double most = std::max(cost_.least_subtree, tree_.work / kParts);
  std::vector<double> below(fronts, 0);
  std::vector<int> begin(fronts), wave(fronts, 0);
  std::vector<char> whole(fronts);  // it and all below it belong to one subtree
  for (int s = 0; s < fronts; ++s) {
    const Front& front = tree_.fronts[s];
    const double own = cost_.of(front.pivots, front.border);
    int heaviest = -1;
    for (int k = tree_.child_start[s]; k < tree_.child_start[s + 1]; ++k)
      if (heaviest < 0 || below[tree_.child[k]] > below[heaviest]) heaviest = tree_.child[k];
    begin[s] = heaviest < 0 ? s : begin[tree_.child[tree_.child_start[s]]];
    whole[s] =
        below[s] + own <= most || (heaviest >= 0 && whole[heaviest] && below[s] - below[heaviest] <= own);
    below[s] += own;
    if (front.parent >= 0) below[front.parent] += below[s];
  }
  for (int s = 0; s < fronts; ++s) {
    const Front& front = tree_.fronts[s];
    if (!whole[s]) {
      tree_.top.push_back(s);
      if (front.parent >= 0) wave[front.parent] = std::max(wave[front.parent], wave[s] + 1);
    } else if (front.parent < 0 || !whole[front.parent]) {
      tree_.subtrees.push_back({begin[s], s + 1, below[s], tree_.n + tree_.buffer_size});
      tree_.buffer_size += front.border;
    }
  }
  std::stable_sort(tree_.top.begin(), tree_.top.end(), [&](int s, int t) { return wave[s] < wave[t]; });
  for (int k = 0; k < static_cast<int>(tree_.top.size()); ++k)
    if (wave[tree_.top[k]] == static_cast<int>(tree_.wave_start.size())) tree_.wave_start.push_back(k);
  tree_.wave_start.push_back(static_cast<int>(tree_.top.size()));
}

void Builder::make_work_rows() {
  tree_.work_row = tree_.row;
  std::vector<int> at(tree_.n, -1);
  for (const Subtree& subtree : tree_.subtrees) {
    const Front& root = tree_.fronts[subtree.end - 1];
    const int last = root.first + root.pivots;
    for (int k = 0; k < root.border; ++k) at[tree_.row[root.rows + k]] = subtree.buffer + k;
    for (int s = subtree.begin; s < subtree.end; ++s) {
      const Front& front = tree_.fronts[s];
      for (int k = front.rows; k < front.rows + front.border; ++k)
        if (tree_.row[k] >= last) tree_.work_row[k] = at[tree_.row[k]];
    }
  }
}

}  // namespace

FrontTree make_fronts(const SparsePattern& pattern, const std::vector<int>& order, const FrontCost& cost,
                      FrontVertices vertices) {
  return Builder(pattern, order, cost, vertices).build();
}

}  // namespace trammel
