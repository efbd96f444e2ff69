// Forces whose size is a function expression: SFORCE, VFORCE, VTORQUE, GFORCE, MFORCE.
//
// An MFORCE of size e and load case L is Q_j = e L_j on the modal coordinates q_j of its body, beside its
// wrench on the frame. −Q_j in the rows of modal coordinates is written by FlexibleBodies, −∂Q_j/∂Δ here.
#pragma once

#include <algorithm>

#include "assemble/pools/pool.h"
#include "assemble/tangent_writer.h"
#include "element/applied_force.h"

namespace trammel {

/// Forces of every kind.
struct AnyForce {
  static constexpr bool constant = false;
  TRAMMEL_HD static const AppliedForce& known(const AppliedForce& law) { return law; }
  TRAMMEL_HD static int count(const AppliedForce& law) { return law.kind == AppliedKind::vector ? 6 : 1; }
};
/// Forces of one component, which is constant.
struct ConstantForce {
  static constexpr bool constant = true;
  static constexpr int kinds = 2;  ///< the first ones of AppliedKind
  static bool covers(const AppliedForce& law) { return static_cast<int>(law.kind) < kinds; }
  /// The same law, of a kind that the compiler knows to be one of these.
  TRAMMEL_HD static AppliedForce known(AppliedForce law) {
    law.kind = static_cast<AppliedKind>(static_cast<int>(law.kind) % kinds);
    return law;
  }
  TRAMMEL_HD static int count(const AppliedForce&) { return 1; }
};
static_assert(static_cast<int>(AppliedKind::translation) == 0 &&
              static_cast<int>(AppliedKind::rotation) == 1);

/// Functions with a parameter Kind are for elements with such forces.
struct AppliedForces : PoolDefaults {
  static constexpr const char* name = "applied_forces";
  static constexpr bool has_room = true, along_line = true;

  struct Item {
    AppliedForce law;
    int I, J, RM;
    int components[6], result[6];
    int first, modes;    ///< MFORCE: first modal coordinate of its body, and their number
    const double* load;  ///< MFORCE: L; else null
    TRAMMEL_HD int count() const { return AnyForce::count(law); }
  };
  struct Table : PoolPlace {
    const Item* item;
  };

  std::vector<Item> item;
  std::vector<const std::vector<double>*> load;  ///< L of each item

  static const auto& elements(const auto& model) { return model.expression_forces; }

  template <class Model>
  explicit AppliedForces(const Model& model) {
    for (const auto& f : elements(model)) {
      item.push_back({f.law, f.I, f.J, f.RM, {}, {}, 0, 0, nullptr});
      load.push_back(&f.load);
      std::copy_n(f.components, 6, item.back().components);
      std::copy_n(f.result, 6, item.back().result);
      if (f.flexible < 0) continue;
      item.back().first = model.flexible_bodies[f.flexible].first;
      item.back().modes = model.flexible_bodies[f.flexible].modes;
    }
  }
  template <class Place>
  Table table(Place&& place) {
    std::vector<Item> items = item;
    for (std::size_t k = 0; k < items.size(); ++k)
      if (items[k].modes > 0) items[k].load = place.table(*load[k]);
    return {{}, place.keep(std::move(items))};
  }
  template <class Element, class Need>
  static void needs(const auto&, const Element& f, Need&& need) {
    need(f.I, 1), need(f.J, 1), need(f.RM, 1);
  }

  /// Σ e_k U_k: components times the wrenches of unit components.
  template <class Kind = AnyForce, class Tapes>
  TRAMMEL_HD static void wrench(const AssemblyView& w, const Table& t, int n, Tapes&&) {
    const Item& f = t.item[n];
    const AppliedForce& law = Kind::known(f.law);
    const Pose<double>&I = w.array.marker[f.I], &J = w.array.marker[f.J], &RM = w.array.marker[f.RM];
    WrenchPair<double> sum;
    for (int k = 0; k < Kind::count(law); ++k)
      if (f.components[k] >= 0)
        sum = sum + w.array.tape_value[3 * f.components[k] + f.result[k]] * unit_wrench(law, k, I, J, RM);
    store(sum, t.wrench_of(w, n));
  }

  template <class Kind = AnyForce, class Writer>
  TRAMMEL_HD static void tangent(Writer& writer, const Table& t, int n) {
    const AssemblyView& w = writer.w;
    const Item& f = t.item[n];
    const AppliedForce& law = Kind::known(f.law);
    const int element = t.first_wrench + n;
    const Pose<double>&I = writer.pose(f.I), &J = writer.pose(f.J), &RM = writer.pose(f.RM);
    double e[6] = {};
    WrenchPair<double> U[6];
    for (int k = 0; k < Kind::count(law); ++k) {
      if (f.components[k] < 0) continue;
      U[k] = unit_wrench(law, k, I, J, RM);
      if (writer.numbers()) e[k] = w.array.tape_value[3 * f.components[k] + f.result[k]];
    }
    const int marker[3] = {f.I, f.J, f.RM};
    TRAMMEL_ROLLED
    for (int side = 0; side < 3; ++side) {
      if (side == 2 && law.kind != AppliedKind::vector) continue;
      // Force and torque on I do not depend on where I is; the moment on J does, and matters where J is on a
      // body.
      if (side == 0 && law.kind == AppliedKind::vector && writer.body_of(f.J) < 0) continue;
      double K[12][6] = {};
      if (writer.numbers()) geometry_derivative<Kind>(w, f, law, e, side, K);
      writer.body_columns(element, f.I, f.J, marker[side], &K[0][0], 1, all_axes);
    }
    if constexpr (!Kind::constant)
      for (int k = 0; k < f.count(); ++k)
        if (f.components[k] >= 0) component_columns(writer, element, f, k, U[k]);
  }

 private:
  /// What component k adds by the unknowns that its expression reads.
  template <class Writer>
  TRAMMEL_HD static void component_columns(Writer& writer, int element, const Item& f, int k,
                                           const WrenchPair<double>& U) {
    writer.for_tape_columns(
        f.components[k], f.result[k],
        [&](const double* g, const auto& to, int moved) {
          writer.unit_columns(element, f.I, f.J, U, g, to, moved);
          for (int j = 0; j < f.modes; ++j)
            for (int i = 0; i < to.count; ++i) writer.put(f.first + j, to.first + i, -f.load[j] * g[i]);
        },
        [&](const double* g, int level, int moved) {
          writer.unit_node_gradient(element, f.I, f.J, U, g, level, moved);
        });
  }

  /// ∂(Σ e_k U_k)/∂(pose of I, J or RM), which are sides 0, 1, 2.
  template <class Kind>
  TRAMMEL_HD static void geometry_derivative(const AssemblyView& w, const Item& f, const AppliedForce& law,
                                             const double (&e)[6], int side, double (&K)[12][6]) {
    using D = Dual<double, 6>;
    const int marker[3] = {f.I, f.J, f.RM};
    Pose<D> p[3];
    for (int s = 0; s < 3; ++s) {
      MarkerKinematics<D> m;
      lift(w.array.marker[marker[s]], m);
      if (s == side) seed(w.array.marker[marker[s]], 0, m);
      p[s] = {m.r, m.A};
    }
    for (int k = 0; k < Kind::count(law); ++k) {
      if (f.components[k] < 0) continue;
      const WrenchPair<D> u = unit_wrench(law, k, p[0], p[1], p[2]);
      const Vec3<D>* part[4] = {&u.fi, &u.ti, &u.fj, &u.tj};
      for (int q = 0; q < 4; ++q)
        for (int i = 0; i < 3; ++i)
          for (int d = 0; d < 6; ++d) K[3 * q + i][d] += e[k] * (*part[q])[i].d[d];
    }
  }
};

}  // namespace trammel
