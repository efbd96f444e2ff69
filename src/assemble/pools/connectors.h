// Forces that depend on the motion of two markers alone: SPRINGDAMPER, BUSHING, FIELD, BEAM
// (element/force_law.h).
#pragma once

#include <tuple>
#include <type_traits>
#include <variant>

#include "assemble/pools/pool.h"
#include "assemble/tangent_writer.h"
#include "element/force_law.h"

namespace trammel {

/// A law: which alternative of ForceLaw it is, and its index among the laws of that kind.
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
/// Appends a law to the vector of its kind.
template <class... Laws>
LawPlace append_law(std::tuple<std::vector<Laws>...>& vectors, const std::variant<Laws...>& law) {
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
template <class... Laws, class F>
LawPointers<Laws...> map_laws(const std::tuple<std::vector<Laws>...>& vectors, F f) {
  return std::apply([&](const auto&... v) { return detail::law_pointers(f(v)...); }, vectors);
}

/// Laws of every kind, or of the first alone: f(law), as std::visit.
struct AnyLaw {
  template <class Laws, class F>
  TRAMMEL_HD static auto visit(const Laws& laws, const LawPlace& at, const F& f) {
    return laws.visit(at, f);
  }
};
struct FirstLaw {
  template <class Laws, class F>
  TRAMMEL_HD static auto visit(const Laws& laws, const LawPlace& at, const F& f) {
    return f(laws.laws[at.index]);
  }
};

/// Functions with a parameter Kind are for elements with such laws.
template <class Laws>
struct ConnectorsOf : PoolDefaults {
  static constexpr const char* name = "connectors";
  static constexpr bool has_angles = true, along_line = true;

  /// Markers, first revolution counter (−1: none), and the law.
  struct Item {
    int I, J, angle;
    LawPlace law;
  };
  struct Table : PoolPlace {
    const Item* item;
    typename LawTablesOf<Laws>::Pointers laws;
  };

  std::vector<Item> item;
  typename LawTablesOf<Laws>::Vectors laws;

  static const auto& elements(const auto& model) { return model.connectors; }

  template <class Model>
  explicit ConnectorsOf(const Model& model) {
    for (const auto& f : elements(model)) item.push_back({f.I, f.J, f.angle, append_law(laws, f.law)});
  }
  template <class Place>
  Table table(Place&& place) {
    return {{}, place.table(item), map_laws(laws, [&](const auto& of_kind) { return place.table(of_kind); })};
  }
  template <class Element, class Need>
  static void needs(const auto&, const Element& f, Need&& need) {
    need(f.I, 2), need(f.J, 2);
  }

  template <class Kind = AnyLaw, class Tapes>
  TRAMMEL_HD static void wrench(const AssemblyView& w, const Table& t, int n, Tapes&&) {
    const Item& f = t.item[n];
    const MarkerKinematics<double>&I = w.array.marker[f.I], &J = w.array.marker[f.J];
    const double* last = f.angle >= 0 ? w.state.angle + f.angle : nullptr;
    store(Kind::visit(t.laws, f.law, [&](const auto& law) { return trammel::wrench(law, I, J, last); }),
          t.wrench_of(w, n));
  }

  template <class Kind = AnyLaw, class Writer>
  TRAMMEL_HD static void tangent(Writer& writer, const Table& t, int n) {
    const Item& f = t.item[n];
    TRAMMEL_ROLLED
    for (int side = 0; side < 2; ++side) {
      double K[12][12] = {};  // position and velocity of one marker
      if (writer.numbers()) {
        TRAMMEL_ROLLED
        for (int level = 0; level < 2; ++level) derivative<Kind>(writer.w, t, f, side, level, K);
      }
      writer.body_columns(t.first_wrench + n, f.I, f.J, side == 0 ? f.I : f.J, &K[0][0], 2, all_axes);
    }
  }

  /// Present values of those of AX, AY, AZ whose revolutions the law counts.
  template <class Kind = AnyLaw>
  TRAMMEL_HD static void angles(const AssemblyView& w, const Table& t, int n, double* angle) {
    const Item& f = t.item[n];
    if (f.angle < 0) return;
    const CountedAngles use = Kind::visit(t.laws, f.law, [](const auto& law) { return counted_angles(law); });
    for (int k = 0; k < use.count; ++k)
      angle[f.angle + k] =
          continued_angle(projected_angle(w.array.marker[f.I].A, w.array.marker[f.J].A, use.first + k),
                          w.state.angle[f.angle + k]);
  }

 private:
  /// ∂(wrench pair)/∂(δr, δθ) (level 0) or ∂/∂(δv, δω) (level 1) of one marker by dual numbers.
  template <class Kind>
  TRAMMEL_HD static void derivative(const AssemblyView& w, const Table& t, const Item& f, int side, int level,
                                    double (&K)[12][12]) {
    const double* last = f.angle >= 0 ? w.state.angle + f.angle : nullptr;
    using D = Dual<double, 6>;
    MarkerKinematics<D> m[2];
    const int marker[2] = {f.I, f.J};
    for (int p = 0; p < 2; ++p) {
      lift(w.array.marker[marker[p]], m[p]);
      if (p == side) seed(w.array.marker[marker[p]], level, m[p]);
    }
    const WrenchPair<D> u =
        Kind::visit(t.laws, f.law, [&](const auto& law) { return trammel::wrench(law, m[0], m[1], last); });
    const Vec3<D>* part[4] = {&u.fi, &u.ti, &u.fj, &u.tj};
    for (int p = 0; p < 4; ++p)
      for (int k = 0; k < 3; ++k)
        for (int d = 0; d < 6; ++d) K[3 * p + k][6 * level + d] = (*part[p])[k].d[d];
  }
};

using Connectors = ConnectorsOf<ForceLaw>;

}  // namespace trammel
