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
  struct Item {
    int kind, first, n;  ///< its first chunk among all, and its terms
    void* out;           ///< of its chunks
    alignas(double) unsigned char term[Family::size];
  };
  Item item[most_joined];
  int items;
  TRAMMEL_HD void operator()(int c) const {
    int k = 0;
    while (k + 1 < items && c >= item[k + 1].first) ++k;
    const Item& at = item[k];
    Family::visit(at.kind, at.term, [&]<class Term>(const Term& term) {
      JoinTerms<Term>{term, at.n, static_cast<typename Term::Value*>(at.out)}(c - at.first);
    });
  }
};

/// The results of chunks of several reductions, a group of threads for each: chunks of them, and so on. Those
/// of a level lie behind those of the one before.
struct FinishReductions {
  static constexpr const char* name = "finish_reductions";
  static constexpr int threads = 256;
  using Values = TermFamily<Total, FourTotals, FourLargest, Largest>;
  struct Item {
    int kind, n;
    void *from, *out;
  };
  Item item[most_joined];
  template <class Group>
  TRAMMEL_HD void operator()(int k, const Group& group) const {
    const Item& at = item[k];
    Values::visit(at.kind, at.from, [&]<class V>(const V&) {
      V* from = static_cast<V*>(at.from);
      for (int n = at.n; n > 1;) {
        const int chunks = reduction_chunks(n);
        V* to = chunks > 1 ? from + n : static_cast<V*>(at.out);
        const JoinTerms<ResultTerm<V>> join{{from}, n, to};
        for (int c = group.rank(); c < chunks; c += group.size()) join(c);
        group.sync();
        from = to;
        n = chunks;
      }
    });
  }
};

}  // namespace trammel
