// CONTACT: shapes of two bodies, each of the one against each of the other (element/contact.h).
//
// With STICTION each pair of shapes has a creep z, three scalars in the axes of J:
//   ż = Σ g ż_k / Σ g  over its overlaps, of depths g;  ż = −(V/Δ) z where there is none.
// Where there are many, only those whose shapes are near each other have places in the matrix.
#pragma once

#include <vector>

#include "assemble/pools/contact_passage.h"
#include "assemble/pools/pool.h"
#include "assemble/tangent_writer.h"

namespace trammel {

class Contacts : public PoolDefaults {
 public:
  static constexpr const char* name = "contacts";
  static constexpr bool has_residual = true;
  static constexpr bool runs_user_code = true;
  static constexpr bool in_groups = false;  // its code is as large as that of all others together

  /// Markers of both bodies to which their shapes are fixed, places of their shapes in the table, and the
  /// law.
  struct Item {
    int I, J;
    int first_I, first_J, end;  ///< of I [first_I, first_J), of J [first_J, end)
    int creep, first_sum;       ///< first scalar of its creep, −1: none; first of its pairs' sums
    ContactLaw law;
    TRAMMEL_HD int pairs() const { return creep < 0 ? 0 : (first_J - first_I) * (end - first_J); }
  };
  /// Σ g ż and Σ g of a pair of shapes.
  struct CreepSum {
    Vec3d rate;
    double depth;
  };
  struct Table : PoolPlace {
    const Item* item;
    const PlacedShape* shape;
    ShapeTables tables;
    CreepSum* sum;
    unsigned char* coupled;  ///< null: all are
  };
  /// From this many on, places in the matrix are for those that are near.
  static constexpr std::size_t many = 64;
  /// A CONTACT must be coupled when it is near by the first part (is_near); with it those are that may follow
  /// soon.
  static constexpr double near_part = 0.5, soon_part = 2;

  std::vector<Item> item;
  std::vector<PlacedShape> shape;
  std::vector<MeshView> solid;
  std::vector<PlanarView> curve;
  std::vector<CreepSum> sum;
  std::vector<unsigned char> coupled;  ///< of many, each: it has its places in the matrix

  static const auto& elements(const auto& model) { return model.contacts; }

  template <class Model>
  explicit Contacts(const Model& model) {
    for (const auto& s : model.solids) solid.push_back(view(*s));
    for (const auto& s : model.planar_curves) curve.push_back(view(*s));
    for (const auto& c : elements(model)) {
      const int first_I = static_cast<int>(shape.size());
      shape.insert(shape.end(), c.of_I.begin(), c.of_I.end());
      const int first_J = static_cast<int>(shape.size());
      shape.insert(shape.end(), c.of_J.begin(), c.of_J.end());
      item.push_back({c.I, c.J, first_I, first_J, static_cast<int>(shape.size()), c.creep,
                      static_cast<int>(sum.size()), c.law});
      sum.resize(sum.size() + item.back().pairs());
    }
    if (item.size() >= many) coupled.assign(item.size(), 0);
  }
  template <class Place>
  Table table(Place&& place) {
    return {{},
            place.table(item),
            place.table(shape),
            {mesh_tables(solid.data()), planar_tables(curve.data()), nullptr},
            place.array(sum),
            coupled.empty() ? nullptr : place.array(coupled)};
  }
  template <class Element, class Need>
  static void needs(const auto&, const Element& c, Need&& need) {
    need(c.I, 2), need(c.J, 2);
  }

  template <class Tapes>
  TRAMMEL_HD static void wrench(const AssemblyView& w, const Table& t, int n, Tapes&&) {
    const Item& c = t.item[n];
    const MarkerKinematics<double>&I = w.array.marker[c.I], &J = w.array.marker[c.J];
    for (int p = 0; p < c.pairs(); ++p) t.sum[c.first_sum + p] = {};
    WrenchPair<double> sum;
    for_pairs(w, t, n, [&](const ShapePair& pair, const Incident<double>& at) {
      if (!(at.depth > 0)) return;
      if (c.creep < 0) {
        sum = sum + trammel::wrench(c.law, at, I, J, instant(w, c.law, pair));
        return;
      }
      const int p = place_of(t, c, pair);
      Creep<double> creep{load(w.state.s + c.creep + 3 * p), {}};
      sum = sum + trammel::wrench(c.law, at, I, J, instant(w, c.law, pair), &creep);
      CreepSum& of_pair = t.sum[c.first_sum + p];
      of_pair.rate += at.depth * creep.rate;
      of_pair.depth += at.depth;
    });
    store(sum, t.wrench_of(w, n));
  }

  /// Behind that of scalars, which have no expression here: − ż.
  TRAMMEL_HD static void residual(const AssemblyView& w, const Table& t, int n, double* r) {
    const Item& c = t.item[n];
    for (int p = 0; t.in_force(n) && p < c.pairs(); ++p) {
      const CreepSum& of_pair = t.sum[c.first_sum + p];
      const double* z = w.state.s + c.creep + 3 * p;
      double* row = r + w.table.first_scalar() + c.creep + 3 * p;
      for (int k = 0; k < 3; ++k)
        row[k] -= of_pair.depth > 0 ? of_pair.rate[k] / of_pair.depth : -recovery(c.law) * z[k];
    }
  }

  template <class Writer>
  TRAMMEL_HD static void tangent(Writer& writer, const Table& t, int n) {
    if (t.coupled && !t.coupled[n]) return;
    const Item& c = t.item[n];
    const AssemblyView& w = writer.w;
    for (int side = 0; side < 2; ++side) {
      double K[12][12] = {};  // position and velocity of one marker
      if (writer.numbers())
        for_pairs(w, t, n, [&](const ShapePair& pair, const Incident<double>& at) {
          for (int level = 0; at.depth > 0 && level < 2; ++level)
            add_derivatives(
                contact_in_duals(w, t.tables, n, c.law, c.I, c.J, pair, at,
                                 static_cast<ContactVariation>(2 * side + level), creep_of(w, t, c, pair))
                    .wrench,
                6 * level, K);
        });
      writer.body_columns(t.first_wrench + n, c.I, c.J, side == 0 ? c.I : c.J, &K[0][0], 2, all_axes);
    }
    for (int p = 0; p < c.pairs(); ++p) creep_entries(writer, t, n, p);
  }

  /// With passages within a time from now.
  TRAMMEL_HD static ContactOverlaps overlaps(const AssemblyView& w, const Table& t, int n, double time) {
    ContactOverlaps out;
    const Item& c = t.item[n];
    const MarkerKinematics<double>&I = w.array.marker[c.I], &J = w.array.marker[c.J];
    for_pairs(w, t, n, [&](const ShapePair&, const Incident<double>& at) {
      out.depth = at.depth > out.depth ? at.depth : out.depth;
      out.count += at.depth > 0;
      if (!(at.depth > 0) || !(c.law.poisson || c.law.damping > 0)) return;
      const double turn = normal_turn(c.law, at.depth, -dot(velocity_over(at, I, J), at.normal));
      if (!(out.turn <= turn)) out.turn = turn;
    });
    out.passage = passage(w, t, n, out.count > 0, time);
    return out;
  }

  /// No overlap slips faster: |v_I − v_J| + |ω_I| r_I + |ω_J| (|r_I − r_J| + r_I), r_I the reach of I's
  /// shapes from its marker, or the same of J's where those of I have no end.
  static double most_slip(const Table& t, int n, const MarkerKinematics<double>& I,
                          const MarkerKinematics<double>& J) {
    const Item& c = t.item[n];
    const auto bound = [&](int first, int end, const MarkerKinematics<double>& of,
                           const MarkerKinematics<double>& other) {
      double reach = 0;
      for (int i = first; i < end; ++i) {
        const double of_shape = norm(frame_of(t.shape[i], of).r - of.r) + t.shape[i].reach;
        reach = of_shape > reach ? of_shape : reach;
      }
      if (!(reach < HUGE_VAL)) return HUGE_VAL;
      return norm(of.v - other.v) + norm(of.w) * reach + norm(other.w) * (norm(of.r - other.r) + reach);
    };
    const double of_I = bound(c.first_I, c.first_J, I, J);
    return of_I < HUGE_VAL ? of_I : bound(c.first_J, c.end, J, I);
  }

  /// visit(slip) for all overlaps.
  template <class Visit>
  static void for_slips(const AssemblyView& w, const Table& t, int n, Visit&& visit) {
    const Item& c = t.item[n];
    const MarkerKinematics<double>&I = w.array.marker[c.I], &J = w.array.marker[c.J];
    for_pairs(w, t, n, [&](const ShapePair&, const Incident<double>& at) {
      if (at.depth > 0) visit(slip_of(at, I, J));
    });
  }

  /// Whether two of its shapes are nearer to each other than `part` of what the smaller reaches. That of
  /// STICTION always is: its states have rows of their own.
  TRAMMEL_HD static bool is_near(const Table& t, int n, const MarkerKinematics<double>& I,
                                 const MarkerKinematics<double>& J, double part) {
    const Item& c = t.item[n];
    if (c.creep >= 0) return true;
    for (int i = c.first_I; t.in_force(n) && i < c.first_J; ++i) {
      const Vec3d at_I = frame_of(t.shape[i], I).r;
      for (int j = c.first_J; j < c.end; ++j) {
        const double a = t.shape[i].reach, b = t.shape[j].reach;
        if (norm(at_I - frame_of(t.shape[j], J).r) - a - b < part * (a < b ? a : b)) return true;
      }
    }
    return false;
  }

  /// Whether it has no places in the matrix and must have them soon, where markers are now.
  TRAMMEL_HD static bool lacks_places(const AssemblyView& w, const Table& t, int n) {
    const Item& c = t.item[n];
    return t.coupled && !t.coupled[n] && is_near(t, n, w.array.marker[c.I], w.array.marker[c.J], near_part);
  }

  /// visit(pair, overlap, force) for all overlaps.
  template <class Visit>
  static void for_forces(const AssemblyView& w, const Table& t, int n, Visit&& visit) {
    const Item& c = t.item[n];
    for_pairs(w, t, n, [&](const ShapePair& pair, const Incident<double>& at) {
      if (!(at.depth > 0)) return;
      Creep<double> creep;
      const double* z = creep_of(w, t, c, pair);
      if (z) creep.z = load(z);
      visit(pair, at,
            contact_force(c.law, at, w.array.marker[c.I], w.array.marker[c.J], instant(w, c.law, pair),
                          z ? &creep : nullptr));
    });
  }

 private:
  /// The first of its shapes; touches: some overlap.
  TRAMMEL_HD static double passage(const AssemblyView& w, const Table& t, int n, bool touches, double time) {
    const Item& c = t.item[n];
    double first = HUGE_VAL;
    for (int i = c.first_I; time > 0 && i < c.first_J; ++i)
      for (int j = c.first_J; j < c.end; ++j) {
        const PlacedShape &a = t.shape[i], &b = t.shape[j];
        const double of_pair = passage_of(t.tables, n, a, moving_shape(w, t.tables, c.I, a), b,
                                          moving_shape(w, t.tables, c.J, b), touches, time);
        first = of_pair < first ? of_pair : first;
      }
    return first;
  }

  /// visit(pair, overlap) for all pairs that may overlap; of others the overlap has only a depth, the
  /// negative distance of balls around them.
  template <class Visit>
  TRAMMEL_HD static void for_pairs(const AssemblyView& w, const Table& t, int n, Visit&& visit) {
    const Item& c = t.item[n];
    const Pose<double>&I = w.array.marker[c.I], &J = w.array.marker[c.J];
    for (int i = c.first_I; i < c.first_J; ++i) {
      const Pose<double> at_I = frame_of(t.shape[i], I);
      for (int j = c.first_J; j < c.end; ++j) {
        const PlacedShape &a = t.shape[i], &b = t.shape[j];
        const Pose<double> at_J = frame_of(b, J);
        const double apart = norm(at_I.r - at_J.r) - a.reach - b.reach;
        if (apart > 0)
          visit(ShapePair{a, b, 0}, Incident<double>{-apart, {}, {}});
        else
          for_overlaps(t.tables, n, a, at_I, b, at_J, visit);
      }
    }
  }

  // ---- creep

  TRAMMEL_HD static double recovery(const ContactLaw& law) { return law.stick_speed / law.deformation; }
  /// Which of its pairs it is.
  TRAMMEL_HD static int place_of(const Table& t, const Item& c, const ShapePair& pair) {
    const int i = static_cast<int>(&pair.a - t.shape) - c.first_I;
    const int j = static_cast<int>(&pair.b - t.shape) - c.first_J;
    return i * (c.end - c.first_J) + j;
  }
  TRAMMEL_HD static const double* creep_of(const AssemblyView& w, const Table& t, const Item& c,
                                           const ShapePair& pair) {
    return c.creep < 0 ? nullptr : w.state.s + c.creep + 3 * place_of(t, c, pair);
  }

  /// Derivative of Σ g ż (rows 0 to 2) and Σ g (row 3) of a pair, and by creep that of the wrench.
  struct CreepDerivatives {
    double of_sums[4][12] = {};
    double of_wrench[12][6] = {};
  };
  TRAMMEL_HD static void add_creep_derivatives(const AssemblyView& w, const Table& t, int n, int p,
                                               ContactVariation by, int first, CreepDerivatives& out) {
    const Item& c = t.item[n];
    for_pairs(w, t, n, [&](const ShapePair& pair, const Incident<double>& at) {
      if (!(at.depth > 0) || place_of(t, c, pair) != p) return;
      const ContactDuals u =
          contact_in_duals(w, t.tables, n, c.law, c.I, c.J, pair, at, by, creep_of(w, t, c, pair));
      for (int d = 0; d < 6; ++d) {
        for (int k = 0; k < 3; ++k) out.of_sums[k][first + d] += (u.depth * u.creep.rate[k]).d[d];
        out.of_sums[3][first + d] += u.depth.d[d];
      }
      if (by == ContactVariation::creep) add_derivatives(u.wrench, 0, out.of_wrench);
    });
  }

  /// Rows of the creep of pair p by both bodies, and the columns of creep.
  template <class Writer>
  TRAMMEL_HD static void creep_entries(Writer& writer, const Table& t, int n, int p) {
    const Item& c = t.item[n];
    const AssemblyView& w = writer.w;
    const CreepSum& now = t.sum[c.first_sum + p];
    const int row = w.table.first_scalar() + c.creep + 3 * p;
    // ∂ż = (∂Σ g ż − ż ∂Σ g)/Σ g
    const auto to_rate = [&](double(&m)[4][12]) {
      for (int k = 0; k < 3; ++k)
        for (int d = 0; d < 12; ++d)
          m[k][d] = now.depth > 0 ? (m[k][d] - now.rate[k] / now.depth * m[3][d]) / now.depth : 0;
    };
    for (int side = 0; side < 2; ++side) {
      const int marker = side == 0 ? c.I : c.J, body = writer.body_of(marker);
      if (body < 0) continue;
      CreepDerivatives by;
      if (writer.numbers() && now.depth > 0)
        for (int level = 0; level < 2; ++level)
          add_creep_derivatives(w, t, n, p, static_cast<ContactVariation>(2 * side + level), 6 * level, by);
      to_rate(by.of_sums);
      writer.for_columns(marker, [&](const typename Writer::Columns& to) {
        for (int k = 0; k < 3; ++k) {
          double out[Writer::most_columns] = {};
          if (writer.numbers()) writer.project(by.of_sums[k], 2, marker, to, out);
          for (int d = 0; d < to.count; ++d) writer.put(row + k, to.first + d, -out[d]);
        }
      });
    }
    CreepDerivatives by;
    if (writer.numbers() && now.depth > 0) add_creep_derivatives(w, t, n, p, ContactVariation::creep, 0, by);
    to_rate(by.of_sums);
    WrenchColumns columns;
    for (int r = 0; r < 12; ++r)
      for (int k = 0; k < 3; ++k) columns.m[r][k] = by.of_wrench[r][k] * writer.c.state;
    writer.wrench_columns(t.first_wrench + n, c.I, c.J, {row, 3, -1}, columns, all_axes);
    for (int k = 0; k < 3; ++k)
      for (int d = 0; d < 3; ++d) {
        const double apart = k == d ? -recovery(c.law) : 0;
        writer.put(row + k, row + d, -(now.depth > 0 ? by.of_sums[k][d] : apart) * writer.c.state);
      }
  }
};

}  // namespace trammel
