// Lists with numbers 0..n-1, built by counting sort.
#pragma once

#include <numeric>
#include <vector>

namespace trammel {

/// Lists stored one after the other: list b is item[start[b]] .. item[start[b + 1] - 1].
template <class T>
struct Buckets {
  std::vector<int> start;
  std::vector<T> item;
};

/// n lists of the items that for_items(put) adds by put(list, item), in that order. It is called twice and
/// must add the same items both times.
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
