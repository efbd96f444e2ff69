#include "linear/host/front_merging.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace trammel {

MergingTree::MergingTree(std::vector<int> parents, std::vector<double> widths, std::vector<double> heights)
    : parent(std::move(parents)),
      width(std::move(widths)),
      height(std::move(heights)),
      first(parent.size(), -1),
      next(parent.size(), -1),
      children(parent.size(), 0),
      into(parent.size()) {
  std::iota(into.begin(), into.end(), 0);
  for (int v = size() - 1; v >= 0; --v) {
    const int p = parent[v];
    if (p < 0) continue;
    next[v] = first[p];
    first[p] = v;
    ++children[p];
  }
}

namespace {

/// Merges the child at `link`, a place in the list of p, into p: all rows of the parent then reach the
/// child's columns, width w_c + w_p, height w_c + h_p. The child's children take its place in the list.
/// Returns the place behind them.
int* merge_child(MergingTree& tree, int p, int* link) {
  const int c = *link, after = tree.next[c];
  tree.into[c] = p;
  tree.width[p] += tree.width[c];
  tree.height[p] += tree.width[c];
  tree.children[p] += tree.children[c] - 1;
  *link = tree.first[c];
  while (*link >= 0) {
    tree.parent[*link] = p;
    link = &tree.next[*link];
  }
  *link = after;
  return link;
}

/// Parents have higher numbers: those that theirs were merged into are final.
void finish_merging(MergingTree& tree) {
  for (int v = tree.size() - 1; v >= 0; --v) tree.into[v] = tree.into[tree.into[v]];
}

/// Merges children into parents, from the leaves up, where cost(merged) <= cost(child) + cost(parent) and
/// allowed(parent, child). Calls done(p) when p has its children.
template <class Allowed, class Done>
void merge_where_cheaper(MergingTree& tree, const FrontCost& cost, const std::vector<int>& last_of_body,
                         const Allowed& allowed, const Done& done) {
  const auto of = [&](double w, double h) { return cost.of(w, h - w); };
  for (int p = 0; p < tree.size(); ++p) {
    if (tree.into[p] != p) continue;
    for (int* link = &tree.first[p]; *link >= 0;) {
      const int c = *link;
      const double w = tree.width[c] + tree.width[p], h = tree.width[c] + tree.height[p];
      const double torn = last_of_body[c] == last_of_body[p] ? cost.torn_body : 0;
      if (of(w, h) <= of(tree.width[c], tree.height[c]) + of(tree.width[p], tree.height[p]) + torn &&
          allowed(p, c))
        merge_child(tree, p, link);  // its children are considered next
      else
        link = &tree.next[c];
    }
    done(p);
  }
  finish_merging(tree);
}

/// Lengths of paths in a tree of fronts, by PathCost.
class Paths {
 public:
  Paths(MergingTree& tree, const PathCost& cost) : tree_(tree), cost_(cost), below_(tree.size(), 0) {}

  /// From the leaves up, merges those children into their parent that end the longest paths, as many as make
  /// the longest path to the parent shortest.
  void shorten() {
    for (int p = 0; p < tree_.size(); ++p) {
      if (tree_.into[p] != p) continue;
      while (const int count = worth_merging(p)) {
        int* link = &tree_.first[p];
        for (int k = 0; k < count; ++k) link = merge_child(tree_, p, link);
      }
      measure(p);
    }
    finish_merging(tree_);
  }

  /// Keeps the longest path to a root as a limit for what merging makes of others.
  void set_limit() {
    above_.assign(tree_.size(), 0);
    limit_ = 0;
    for (int v = tree_.size() - 1; v >= 0; --v) {
      if (tree_.into[v] != v) continue;
      if (const int p = tree_.parent[v]; p >= 0) above_[v] = above_[p] + own(p);
      limit_ = std::max(limit_, above_[v] + below_[v]);
    }
  }
  /// Whether the child c may be merged into p: no path becomes longer than the limit, nor has p too many
  /// children. `below`: longest path to a child of p; that to a child of c is shorter.
  bool leaves_limit(int p, int c, double below) const {
    const double w = tree_.width[c] + tree_.width[p], h = tree_.width[c] + tree_.height[p];
    const int children = tree_.children[p] + tree_.children[c] - 1;
    return above_[p] + cost_.of(w, h) + below <= limit_ &&
           (children <= cost_.most_children || children <= tree_.children[p]);
  }

  double longest_to_child(int p) const {
    double longest = 0;
    for (int c = tree_.first[p]; c >= 0; c = tree_.next[c]) longest = std::max(longest, below_[c]);
    return longest;
  }
  /// Notes the longest path to p, p's own cost included.
  void measure(int p) { below_[p] = longest_to_child(p) + own(p); }

 private:
  double own(int p) const { return cost_.of(tree_.width[p], tree_.height[p]); }

  /// Puts the children of p in falling order of paths; how many of the first ones to merge, 0: none.
  int worth_merging(int p) {
    sort_children(p);
    double width = tree_.width[p], height = tree_.height[p], inner = 0, best = longest_to_child(p) + own(p);
    int count = 0, best_count = 0, children = tree_.children[p];
    for (int c = tree_.first[p]; c >= 0; c = tree_.next[c]) {
      width += tree_.width[c];
      height += tree_.width[c];
      if (height > cost_.most_rows) break;
      ++count;
      children += tree_.children[c] - 1;
      inner = std::max(inner, longest_to_child(c));
      if (children > cost_.most_children && children > tree_.children[p]) continue;
      const int rest = tree_.next[c];
      const double length = std::max(inner, rest >= 0 ? below_[rest] : 0) + cost_.of(width, height);
      if (length < best) best = length, best_count = count;
    }
    return best_count;
  }
  void sort_children(int p) {
    list_.clear();
    for (int c = tree_.first[p]; c >= 0; c = tree_.next[c]) list_.push_back(c);
    std::stable_sort(list_.begin(), list_.end(), [&](int c, int d) { return below_[c] > below_[d]; });
    int* link = &tree_.first[p];
    for (const int c : list_) {
      *link = c;
      link = &tree_.next[c];
    }
    *link = -1;
  }

  MergingTree& tree_;
  const PathCost& cost_;
  std::vector<double> below_;  ///< the longest path from a leaf, with the vertex
  std::vector<double> above_;  ///< the path to the root, without it
  double limit_ = 0;
  std::vector<int> list_;
};

}  // namespace

void merge_vertices(MergingTree& tree, const FrontCost& cost, const std::vector<int>& last_of_body) {
  const auto always = [](int, int) { return true; };
  const auto nothing = [](int) {};
  if (cost.path.most_rows == 0) return merge_where_cheaper(tree, cost, last_of_body, always, nothing);
  FrontCost first = cost;
  first.front = cost.path.least_front;
  merge_where_cheaper(tree, first, last_of_body, always, nothing);
  Paths paths(tree, cost.path);
  paths.shorten();
  paths.set_limit();
  int parent = -1;
  double below = 0;
  merge_where_cheaper(
      tree, cost, last_of_body,
      [&](int p, int c) {
        if (p != std::exchange(parent, p)) below = paths.longest_to_child(p);
        return paths.leaves_limit(p, c, below);
      },
      [&](int p) { paths.measure(p); });
}

}  // namespace trammel
