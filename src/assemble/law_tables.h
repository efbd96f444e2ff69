// The parameters of force laws by kind, for code that has no std::variant: a device's.
#pragma once

#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/hd.h"
#include "element/force_law.h"

namespace trammel {

/// Which kind of ForceLaw, and its place among those of the kind.
struct LawPlace {
  int kind, index;
};

template <class... Laws>
struct LawPointers;
template <class Law>
struct LawPointers<Law> {
  const Law* laws;
  template <class F>
  TRAMMEL_HD auto visit(const LawPlace& at, const F& f) const {
    return f(laws[at.index]);
  }
};
template <class Law, class... Rest>
struct LawPointers<Law, Rest...> {
  const Law* laws;
  LawPointers<Rest...> rest;
  /// f(law), as std::visit.
  template <class F>
  TRAMMEL_HD auto visit(const LawPlace& at, const F& f) const {
    return at.kind == 0 ? f(laws[at.index]) : rest.visit({at.kind - 1, at.index}, f);
  }
};

template <class Variant>
struct LawTablesOf;
template <class... Laws>
struct LawTablesOf<std::variant<Laws...>> {
  using Pointers = LawPointers<Laws...>;
  using Vectors = std::tuple<std::vector<Laws>...>;
};
/// Pointers to the laws of each kind.
using LawTables = LawTablesOf<ForceLaw>::Pointers;
/// The vectors that they point to.
using LawVectors = LawTablesOf<ForceLaw>::Vectors;

/// Appends a law to the vector of its kind.
inline LawPlace append_law(LawVectors& vectors, const ForceLaw& law) {
  const int index = std::visit(
      [&](const auto& l) {
        auto& table = std::get<std::vector<std::decay_t<decltype(l)>>>(vectors);
        table.push_back(l);
        return static_cast<int>(table.size()) - 1;
      },
      law);
  return {static_cast<int>(law.index()), index};
}

namespace detail {
template <class Law>
LawPointers<Law> law_pointers(const Law* laws) {
  return {laws};
}
template <class Law, class... Rest>
LawPointers<Law, Rest...> law_pointers(const Law* laws, const Rest*... rest) requires(sizeof...(Rest) > 0) {
  return {laws, law_pointers(rest...)};
}
}  // namespace detail

/// The pointers that f gives for the vector of each kind.
template <class F>
LawTables map_laws(const LawVectors& vectors, F f) {
  return std::apply([&](const auto&... v) { return detail::law_pointers(f(v)...); }, vectors);
}
inline LawTables law_pointers(const LawVectors& vectors) {
  return map_laws(vectors, [](const auto& laws) { return laws.data(); });
}

}  // namespace trammel
