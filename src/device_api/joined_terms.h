// Several reductions by two launches: one joins chunks of all their terms, one joins the results of these.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "device_api/terms.h"

namespace trammel {

/// Kinds of terms that one launch can join. A family derives from it and has a `name`; each of its terms
/// calls it `Family`.
template <class... Terms>
struct TermFamily {
  static constexpr std::size_t size = std::max({sizeof(Terms)...});
  template <class Term>
  static constexpr int kind() {
    int k = -1, i = 0;
    ((k = std::is_same_v<Term, Terms> ? i : k, ++i), ...);
    return k;
  }
  /// f(term) of the term that stands at `at`.
  template <class F>
  TRAMMEL_HD static void visit(int kind, const void* at, F&& f) {
    int i = 0;
    ((i++ == kind ? f(*static_cast<const Terms*>(at)) : void()), ...);
  }
};

/// Reductions that are joined together are at most so many.
inline constexpr int most_joined = 8;

/// Chunks of the terms of several reductions.
template <class Family>
struct JoinFamily {
  static constexpr const char* name = Family::name;
  static constexpr bool is_large = true;
  static constexpr int threads = 32;
  static constexpr std::size_t memory = reduction_chunk * sizeof(FourTotals);
  struct Item {
    int kind, first, n;  ///< its first chunk among all, and its terms
    void* out;           ///< of its chunks
    alignas(double) unsigned char term[Family::size];
  };
  Item item[most_joined];
  int items;
  template <class Group>
  TRAMMEL_HD void operator()(int c, const Group& group) const {
    int k = 0;
    TRAMMEL_UNROLLED(most_joined)
    for (int next = 1; next < most_joined; ++next) k += (next < items) & (c >= item[next].first);
    const Item& at = item[k];
    Family::visit(at.kind, at.term, [&]<class Term>(const Term& term) {
      static_assert(JoinTerms<Term>::memory <= memory);
      JoinTerms<Term>{term, at.n, static_cast<typename Term::Value*>(at.out)}(c - at.first, group);
    });
  }
};

/// The results of chunks of several reductions, a group of threads for each. Sums: tiles of them, and so on;
/// those of a level lie behind those of the one before.
struct FinishReductions {
  static constexpr const char* name = "finish_reductions";
  static constexpr int threads = 256;
  using Values = TermFamily<Total, FourTotals, FourLargest, Largest>;
  static constexpr std::size_t memory = std::max(
      {TileSum<1>::memory, TileSum<4>::memory, threads * sizeof(FourLargest), threads * sizeof(Largest)});
  struct Item {
    int kind, n;
    void *from, *out;
  };
  Item item[most_joined];
  template <class Group>
  TRAMMEL_HD void operator()(int k, const Group& group) const {
    const Item& at = item[k];
    Values::visit(at.kind, at.from, [&]<class V>(const V&) {
      if constexpr (requires { V::is_largest; })
        find_largest(group, static_cast<const V*>(at.from), at.n, static_cast<V*>(at.out));
      else
        sum<sizeof(V) / sizeof(double)>(group, static_cast<double*>(at.from), at.n,
                                        static_cast<double*>(at.out));
    });
  }

 private:
  template <class Group, class V>
  TRAMMEL_HD static void find_largest(const Group& group, const V* from, int n, V* out) {
    const V mine = largest_of_own<4>(group, ResultTerm<V>{from}, 0, n),
            all = largest_of_threads<8>(group, mine, group.shared());
    if (group.rank() == 0) *out = all;
  }
  template <int width, class Group>
  TRAMMEL_HD static void sum(const Group& group, double* from, int n, double* out) {
    while (true) {
      const int tiles = reduction_tiles(n);
      double* to = tiles > 1 ? from + static_cast<std::size_t>(n) * width : out;
      for (int t = 0; t < tiles; ++t) {
        const std::size_t begin = static_cast<std::size_t>(t) * reduction_tile;
        const int left = n - t * reduction_tile;
        TileSum<width>::join(group, from + begin * width, left < reduction_tile ? left : reduction_tile,
                             to + t * width);
      }
      if (tiles == 1) return;
      group.sync();
      from = to;
      n = tiles;
    }
  }
};

}  // namespace trammel
