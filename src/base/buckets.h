// Lists by number, sorted by counting.
#pragma once

#include <numeric>
#include <vector>

namespace trammel {

/// Lists behind one another: that of b is item[start[b]] .. item[start[b + 1]].
template <class T>
struct Buckets {
  std::vector<int> start;
  std::vector<T> item;
};

/// n lists of what `for_items` gives: it calls put(list, item) for each, the same in both of two passes.
/// Items keep the order in which they are given.
template <class T, class ForItems>
Buckets<T> in_buckets(int n, ForItems for_items) {
  Buckets<T> out{std::vector<int>(n + 1, 0), {}};
  for_items([&](int list, const T&) { ++out.start[list + 1]; });
  std::partial_sum(out.start.begin(), out.start.end(), out.start.begin());
  out.item.resize(out.start.back());
  std::vector<int> next(out.start.begin(), out.start.end() - 1);
  for_items([&](int list, const T& item) { out.item[next[list]++] = item; });
  return out;
}

}  // namespace trammel
