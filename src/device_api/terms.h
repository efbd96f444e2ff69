// Sums and maxima over terms that are computed while they are reduced. Chunks of terms are joined, then
// chunks of the results, and so on, sums in order: the same bits on every machine.
#pragma once

#include "device_api/group_terms.h"

namespace trammel {

/// Results of reductions and how two are joined: a sum, four sums, four maxima, or the larger Place. Those
/// that are is_largest may be joined by any tree that keeps the order of the terms: the bits are the same.
struct Total {
  double x;
  static constexpr const char* name = "join_totals";
  TRAMMEL_HD static Total none() { return {0}; }
};
TRAMMEL_HD inline Total join(const Total& a, const Total& b) {
  return {a.x + b.x};
}
struct FourTotals {
  double x[4];
  static constexpr const char* name = "join_four_totals";
  TRAMMEL_HD static FourTotals none() { return {{0, 0, 0, 0}}; }
};
TRAMMEL_HD inline FourTotals join(const FourTotals& a, const FourTotals& b) {
  return {{a.x[0] + b.x[0], a.x[1] + b.x[1], a.x[2] + b.x[2], a.x[3] + b.x[3]}};
}
/// Four maxima, each NaN if one of its terms is.
struct FourLargest {
  static constexpr bool is_largest = true;
  double x[4];
  static constexpr const char* name = "join_four_largest";
  TRAMMEL_HD static FourLargest none() { return {{0, 0, 0, 0}}; }
};
TRAMMEL_HD inline FourLargest join(const FourLargest& a, const FourLargest& b) {
  FourLargest out = a;
  for (int k = 0; k < 4; ++k)
    if (!(b.x[k] <= a.x[k]) && a.x[k] == a.x[k]) out.x[k] = b.x[k];
  return out;
}
/// The largest value and its index.
struct Largest {
  static constexpr bool is_largest = true;
  Place at;
  static constexpr const char* name = "join_largest";
  TRAMMEL_HD static Largest none() { return {{-1, -1}}; }
};
TRAMMEL_HD inline Largest join(const Largest& a, const Largest& b) {
  return {larger(a.at, b.at)};
}
/// |x| with index i.
TRAMMEL_HD inline Largest size_of(double x, int i) {
  return {{std::fabs(x), i}};
}

/// Terms with a `Family` only read, others may write what they compute; a `long_term` has loops of its own.
template <class T>
inline constexpr bool is_reading_term = requires {
  typename T::Family;
};
template <class T>
inline constexpr bool is_long_term = requires {
  T::long_term;
};

/// Joins chunk c of terms. A term is a struct with `name`, `Value` and Value operator()(int i); where the
/// processor has a faster way, over(begin, end) joins many.
template <class Term>
struct JoinTerms {
  using Value = typename Term::Value;
  static constexpr const char* name = Term::name;
  static constexpr int threads = 32;
  static constexpr std::size_t memory = reduction_chunk * sizeof(Value);
  Term term;
  int n;
  Value* out;
  /// By a thread of the processor.
  void operator()(int c) const {
    const int begin = c * reduction_chunk, end = end_of(c);
    if constexpr (requires { term.over(begin, end); }) {
      out[c] = term.over(begin, end);
    } else {
      Value sum = Value::none();
      for (int i = begin; i < end; ++i) sum = join(sum, term(i));
      out[c] = sum;
    }
  }
  template <class Group>
  TRAMMEL_HD void operator()(int c, const Group& group) const {
    if constexpr (is_alone<Group>) {
      (*this)(c);
    } else {
      const int begin = c * reduction_chunk;
      constexpr int at_once = is_reading_term<Term> && !is_long_term<Term> ? 2 : 1;
      join_chunk<at_once, 8>(group, term, begin, end_of(c) - begin, group.shared(), out + c);
    }
  }
  TRAMMEL_HD int end_of(int c) const {
    const int end = (c + 1) * reduction_chunk;
    return end < n ? end : n;
  }
};

/// Results of chunks, as terms of the next level.
template <class V>
struct ResultTerm {
  using Value = V;
  static constexpr const char* name = V::name;
  const V* x;
  TRAMMEL_HD V operator()(int i) const { return x[i]; }
};

}  // namespace trammel
