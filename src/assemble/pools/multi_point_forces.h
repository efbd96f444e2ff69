// Multi-point forces (NFORCE): wrenches on their pairs of markers and their tangent.
#pragma once

#include "assemble/pools/pool.h"
#include "assemble/tangent_writer.h"
#include "element/multi_point_law.h"
#include "math/angle.h"

namespace trammel {

template <class Laws>
struct MultiPointForcesOf : PoolDefaults {
  static constexpr const char* name = "multi_point_forces";
  static constexpr bool has_angles = true, has_room = true;
  static constexpr int grain = 1;

  struct Item {
    int law;
    MultiPointParameters parameters;
    const int *I, *J;  ///< markers of its pairs
    int angle;         ///< its first revolution counter
    int pair;          ///< index of its first pair among those of all elements
    TRAMMEL_HD int pairs() const { return parameters.pairs; }
    /// Marker k of I_0 … I_n−1, J_0 … J_n−1.
    TRAMMEL_HD int end(int k) const { return k < pairs() ? I[k] : J[k - pairs()]; }
    TRAMMEL_HD bool is_of_pair(int marker, int p) const { return I[p] == marker || J[p] == marker; }
  };
  struct Table : PoolPlace {
    const Item* item;
  };

  /// The numbers of an element, where the model has them.
  struct Numbers {
    const std::vector<int>*I, *J;
    const std::vector<double>* parameters;
    int law, angle, pair;
  };
  std::vector<Numbers> numbers;

  static const auto& elements(const auto& model) { return model.multi_point_forces; }

  template <class Model>
  explicit MultiPointForcesOf(const Model& model) {
    int pair = 0;
    for (const auto& f : elements(model)) {
      numbers.push_back({&f.I, &f.J, &f.parameters, f.law, f.angle, pair});
      pair += f.pairs();
    }
  }
  template <class Place>
  Table table(Place&& place) {
    std::vector<Item> item;
    for (const Numbers& f : numbers)
      item.push_back({f.law,
                      {static_cast<int>(f.I->size()), place.table(*f.parameters)},
                      place.table(*f.I),
                      place.table(*f.J),
                      f.angle,
                      f.pair});
    return {{}, place.keep(std::move(item))};
  }
  template <class Element, class Need>
  static void needs(const auto&, const Element& f, Need&& need) {
    f.for_ends([&](int marker) { need(marker, 2); });
  }

  /// Components of each pair and their wrenches.
  template <class Tapes>
  TRAMMEL_HD static void wrench(const AssemblyView& w, const Table& t, int n, Tapes&& tapes) {
    const Item& f = t.item[n];
    Laws::visit(f.law, [&]<class Law>(Law) {
      double* x = tapes.room(room_of<Law>(f.pairs()));
      motion<Law>(w, f, x);
      for (int i = 0; i < f.pairs(); ++i) {
        double components[Law::components];
        Law::force(f.parameters, i, x, components);
        store(Law::wrench(components, w.array.marker[f.I[i]], w.array.marker[f.J[i]]),
              t.wrench_of(w, f.pair + i));
      }
    });
  }

  TRAMMEL_HD static void angles(const AssemblyView& w, const Table& t, int n, double* angle) {
    const Item& f = t.item[n];
    Laws::visit(f.law, [&]<class Law>(Law) {
      constexpr CountedAngles use = Law::counted;
      for (int i = 0; i < f.pairs(); ++i)
        for (int k = 0; k < use.count; ++k) {
          const int slot = f.angle + use.count * i + k;
          const double a = projected_angle(w.array.marker[f.I[i]].A, w.array.marker[f.J[i]].A, use.first + k);
          angle[slot] = continued_angle(a, w.state.angle[slot]);
        }
    });
  }

  /// Every pair by variations of every marker. A marker changes the features of its own pairs, and their
  /// wrenches turn with it.
  template <class Writer>
  TRAMMEL_HD static void tangent(Writer& writer, const Table& t, int n) {
    const Item& f = t.item[n];
    Laws::visit(f.law, [&]<class Law>(Law) { tangent_of<Law>(writer, t, f); });
  }

  template <class Element>
  static int room_size(const Element& f) {
    int size = 0;
    Laws::visit(f.law, [&]<class Law>(Law) { size = room_of<Law>(f.pairs()); });
    return size;
  }

 private:
  using D = Dual<double, 6>;

  /// Numbers that an element of n pairs has room for: features, components, blocks of 12 × 12, features in
  /// dual numbers.
  template <class Law>
  TRAMMEL_HD static constexpr int room_of(int n) {
    constexpr int dual = sizeof(D) / sizeof(double);
    return (Law::features + Law::components + 144 + dual * Law::features) * n;
  }
  template <class Law>
  TRAMMEL_HD static const double* last(const AssemblyView& w, const Item& f, int pair) {
    return w.state.angle + f.angle + Law::counted.count * pair;
  }
  template <class Law>
  TRAMMEL_HD static void motion(const AssemblyView& w, const Item& f, double* x) {
    for (int i = 0; i < f.pairs(); ++i)
      Law::motion(w.array.marker[f.I[i]], w.array.marker[f.J[i]], last<Law>(w, f, i), x + Law::features * i);
  }

  template <class Law, class Writer>
  TRAMMEL_HD static void tangent_of(Writer& writer, const Table& t, const Item& f) {
    const AssemblyView& w = writer.w;
    const int pairs = f.pairs();
    double* x = writer.sink.room(room_of<Law>(pairs));
    double* now = x + Law::features * pairs;           // components of each pair
    double* K = now + Law::components * pairs;         // per pair 12 × 12
    D* moved = reinterpret_cast<D*>(K + 144 * pairs);  // features of each pair
    for (int k = 0; k < 144 * pairs; ++k) K[k] = 0;
    if (writer.numbers()) {
      motion<Law>(w, f, x);
      for (int i = 0; i < pairs; ++i) Law::force(f.parameters, i, x, now + Law::components * i);
    }
    for (int k = 0; k < 2 * pairs; ++k) {
      const int marker = f.end(k);
      bool done = writer.body_of(marker) < 0;
      for (int before = 0; !done && before < k; ++before) done = f.end(before) == marker;
      if (done) continue;
      for (int level = 0; writer.numbers() && level < 2; ++level)
        derivative<Law>(w, f, marker, level, now, moved, K);
      for (int i = 0; i < pairs; ++i)
        writer.body_columns(t.first_wrench + f.pair + i, f.I[i], f.J[i], marker, K + 144 * i, 2, all_axes);
    }
  }

  /// A marker in dual numbers, constant unless it is `moving`, which varies at one level. The last one asked
  /// for is kept.
  struct Varied {
    const AssemblyView& w;
    int moving, level, kept = -1;
    MarkerKinematics<D> m;
    TRAMMEL_HD Varied(const AssemblyView& view, int moving_marker, int of_level)
        : w(view), moving(moving_marker), level(of_level) {}
    TRAMMEL_HD const MarkerKinematics<D>& at(int marker) {
      if (marker == kept) return m;
      kept = marker;
      lift(w.array.marker[marker], m);
      if (marker == moving) seed(w.array.marker[marker], level, m);
      return m;
    }
  };

  /// The blocks of all pairs by variations of one marker, at one level: into K.
  template <class Law>
  TRAMMEL_HD static void derivative(const AssemblyView& w, const Item& f, int moving, int level,
                                    const double* now, D* moved, double* K) {
    constexpr bool closed_form = requires(const MultiPointParameters& p, D* d) {
      Law::add_variation(p, 0, 0, d, d);
    };
    const int n = f.pairs();
    Varied I(w, moving, level), J(w, moving, level);
    for (int k = 0; k < n; ++k)
      if (!closed_form || f.is_of_pair(moving, k))
        Law::motion(I.at(f.I[k]), J.at(f.J[k]), last<Law>(w, f, k), moved + Law::features * k);
    for (int i = 0; i < n; ++i) {
      D components[Law::components];
      if constexpr (closed_form) {
        for (int r = 0; r < Law::components; ++r) components[r] = D(now[Law::components * i + r]);
        for (int k = 0; k < n; ++k)
          if (f.is_of_pair(moving, k))
            Law::add_variation(f.parameters, i, k, moved + Law::features * k, components);
      } else {
        Law::force(f.parameters, i, moved, components);
      }
      const WrenchPair<D> u = Law::wrench(components, I.at(f.I[i]), J.at(f.J[i]));
      const Vec3<D>* part[4] = {&u.fi, &u.ti, &u.fj, &u.tj};
      for (int p = 0; p < 4; ++p)
        for (int r = 0; r < 3; ++r)
          for (int d = 0; d < 6; ++d) K[144 * i + 12 * (3 * p + r) + 6 * level + d] = (*part[p])[r].d[d];
    }
  }
};

using MultiPointForces = MultiPointForcesOf<MultiPointLaws>;

}  // namespace trammel
