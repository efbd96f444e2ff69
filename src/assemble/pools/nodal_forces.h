// NFORCE: wrenches on its pairs of markers and their tangent.
#pragma once

#include "assemble/pools/pool.h"
#include "assemble/tangent_writer.h"
#include "element/nodal_force.h"
#include "math/angle.h"

namespace trammel {

struct NodalForces : PoolDefaults {
  static constexpr const char* name = "nodal_forces";
  static constexpr bool has_angles = true, has_room = true;
  static constexpr int grain = 1;

  struct Item {
    NodalLaw law;
    const int* I;  ///< markers, law.n of them
    int J, angle;  ///< angle: first of three revolution counters per pair
    int pair;      ///< its first among those of all
  };
  struct Table : PoolPlace {
    const Item* item;
  };

  /// An element's numbers where the model has them.
  struct Numbers {
    const std::vector<int>* I;
    const std::vector<double>*k, *c, *force, *length;
    int J, angle, pair;
  };
  std::vector<Numbers> numbers;

  static const auto& elements(const auto& model) { return model.nodal_forces; }

  template <class Model>
  explicit NodalForces(const Model& model) {
    int pair = 0;
    for (const auto& f : elements(model)) {
      numbers.push_back({&f.I, &f.k, &f.c, &f.force, &f.length, f.J, f.angle, pair});
      pair += f.count();
    }
  }
  template <class Place>
  Table table(Place&& place) {
    std::vector<Item> item;
    for (const Numbers& f : numbers)
      item.push_back({{static_cast<int>(f.I->size()), place.table(*f.k), place.table(*f.c),
                       place.table(*f.force), place.table(*f.length)},
                      place.table(*f.I),
                      f.J,
                      f.angle,
                      f.pair});
    return {{}, place.keep(std::move(item))};
  }
  template <class Element, class Need>
  static void needs(const auto&, const Element& f, Need&& need) {
    need(f.J, 2);
    for (const int I : f.I) need(I, 2);
  }

  /// Components on each I and their wrench pairs.
  template <class Tapes>
  TRAMMEL_HD static void wrench(const AssemblyView& w, const Table& t, int n, Tapes&& tapes) {
    const Item& f = t.item[n];
    double* e = tapes.room(room_of(f.law.n));
    motion(w, f, e);
    for (int i = 0; i < f.law.n; ++i) {
      double components[6];
      nodal_components(f.law, i, e, e + 6 * f.law.n, components);
      store(balanced_wrench(components, w.array.marker[f.I[i]], w.array.marker[f.J]),
            t.wrench_of(w, f.pair + i));
    }
  }

  TRAMMEL_HD static void angles(const AssemblyView& w, const Table& t, int n, double* angle) {
    const Item& f = t.item[n];
    for (int i = 0; i < f.law.n; ++i) {
      const Vec3d a = projected_angles(w.array.marker[f.I[i]].A, w.array.marker[f.J].A);
      for (int k = 0; k < 3; ++k) {
        const int slot = f.angle + 3 * i + k;
        angle[slot] = continued_angle(a[k], w.state.angle[slot]);
      }
    }
  }

  /// Every pair by variations of every marker. A marker I_k moves e_k alone, J all of them; besides, the
  /// wrench of pair i turns with J and has the arm from J to I_i.
  template <class Writer>
  TRAMMEL_HD static void tangent(Writer& writer, const Table& t, int n) {
    const AssemblyView& w = writer.w;
    const Item& f = t.item[n];
    const int pairs = f.law.n;
    double* e = writer.sink.room(room_of(pairs));
    double* now = e + 12 * pairs;                                // components on each I
    double* K = now + 6 * pairs;                                 // per pair 12 × 12
    Motion* moved = reinterpret_cast<Motion*>(K + 144 * pairs);  // of the markers I that move against J
    for (int k = 0; k < 144 * pairs; ++k) K[k] = 0;
    if (writer.numbers()) {
      motion(w, f, e);
      for (int i = 0; i < pairs; ++i) {
        double components[6];
        nodal_components(f.law, i, e, e + 6 * pairs, components);
        for (int r = 0; r < 6; ++r) now[6 * i + r] = components[r];
      }
    }
    for (int moving = 0; moving <= pairs; ++moving) {
      for (int level = 0; writer.numbers() && level < 2; ++level)
        derivative(w, f, moving, level, now, moved, K);
      for (int i = 0; i < pairs; ++i)
        writer.body_columns(t.first_wrench + f.pair + i, f.I[i], f.J, moving == pairs ? f.J : f.I[moving],
                            K + 144 * i, 2, all_axes);
    }
  }

  template <class Element>
  static int room_size(const Element& f) {
    return room_of(f.count());
  }
  /// Numbers that an element with n pairs has room for.
  TRAMMEL_HD static constexpr int room_of(int n) {
    return static_cast<int>(162 + sizeof(Motion) / sizeof(double)) * n;
  }

 private:
  using D = Dual<double, 6>;
  /// Motion of a marker in J with the derivatives along six directions.
  struct Motion {
    D e[6], rate[6];
  };

  /// e and, behind all of them, ė of the markers I in J.
  TRAMMEL_HD static void motion(const AssemblyView& w, const Item& f, double* e) {
    for (int i = 0; i < f.law.n; ++i) {
      double ei[6], ri[6];
      relative_motion(w.array.marker[f.I[i]], w.array.marker[f.J], w.state.angle + f.angle + 3 * i, ei, ri);
      for (int k = 0; k < 6; ++k) {
        e[6 * i + k] = ei[k];
        e[6 * (f.law.n + i) + k] = ri[k];
      }
    }
  }

  /// The blocks of all pairs by variations of marker I[moving], or of J, at one level: into K.
  TRAMMEL_HD static void derivative(const AssemblyView& w, const Item& f, int moving, int level,
                                    const double* now, Motion* moved, double* K) {
    const int n = f.law.n, first = moving == n ? 0 : moving, last = moving == n ? n : moving + 1;
    MarkerKinematics<D> I, J;
    lift(w.array.marker[f.J], J);
    if (moving == n) seed(w.array.marker[f.J], level, J);
    const auto lift_I = [&](int i) {
      lift(w.array.marker[f.I[i]], I);
      if (moving == i) seed(w.array.marker[f.I[i]], level, I);
    };
    for (int k = first; k < last; ++k) {
      lift_I(k);
      relative_motion(I, J, w.state.angle + f.angle + 3 * k, moved[k].e, moved[k].rate);
    }
    for (int i = 0; i < n; ++i) {
      D components[6];
      for (int r = 0; r < 6; ++r) components[r] = D(now[6 * i + r]);
      for (int k = first; k < last; ++k)
        add_nodal_variation(f.law, i, k, moved[k].e, moved[k].rate, components);
      lift_I(i);
      const WrenchPair<D> u = balanced_wrench(components, I, J);
      const Vec3<D>* part[4] = {&u.fi, &u.ti, &u.fj, &u.tj};
      for (int p = 0; p < 4; ++p)
        for (int r = 0; r < 3; ++r)
          for (int d = 0; d < 6; ++d) K[144 * i + 12 * (3 * p + r) + 6 * level + d] = (*part[p])[r].d[d];
    }
  }
};

}  // namespace trammel
