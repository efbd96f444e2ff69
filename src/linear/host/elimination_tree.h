// Elimination trees of symmetric patterns (Davis: Direct Methods for Sparse Linear Systems, SIAM 2006, 4.1
// and 4.4).
#pragma once

#include <utility>
#include <vector>

namespace trammel {

/// Parents of the n vertices, which are eliminated in ascending order; −1: a root. for_earlier(k, f) calls
/// f(i) for the neighbours i of k; those with i < k count. Liu's algorithm with path compression.
template <class ForEarlier>
std::vector<int> elimination_tree(int n, ForEarlier for_earlier) {
  std::vector<int> parent(n, -1), ancestor(n, -1);
  for (int k = 0; k < n; ++k) {
    for_earlier(k, [&](int i) {
      while (i != -1 && i < k) {
        const int up = std::exchange(ancestor[i], k);
        if (up == -1) parent[i] = k;
        i = up;
      }
    });
  }
  return parent;
}

/// Calls f(k, i) for every entry (k, i) of L, i < k, row by row, by traversing the row subtrees.
template <class ForEarlier, class F>
void for_entries_of_factor(const std::vector<int>& parent, ForEarlier for_earlier, F f) {
  const int n = static_cast<int>(parent.size());
  std::vector<int> mark(n, -1);
  for (int k = 0; k < n; ++k) {
    mark[k] = k;
    for_earlier(k, [&](int i) {
      for (; mark[i] != k; i = parent[i]) {
        mark[i] = k;
        f(k, i);
      }
    });
  }
}

}  // namespace trammel
