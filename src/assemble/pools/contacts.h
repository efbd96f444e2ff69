// CONTACT: shapes of two bodies, each of the one against each of the other (element/contact.h).
#pragma once

#include <vector>

#include "assemble/pools/pool.h"
#include "assemble/tangent_writer.h"
#include "element/contact.h"
#if !defined(__CUDACC__)
#include "geometry/mesh_touch.h"
#endif

namespace trammel {

struct SolidMesh;

class Contacts : public PoolDefaults {
 public:
  static constexpr const char* name = "contacts";

  /// Markers at the centres of mass of both bodies, places of their shapes in the table, and the law.
  struct Item {
    int I, J;
    int first_I, first_J, end;  ///< of I [first_I, first_J), of J [first_J, end)
    ContactLaw law;
  };
  struct Table : PoolPlace {
    const Item* item;
    const PlacedShape* shape;
    const SolidMesh* const* solid;  ///< on the processor: models with meshes stay there
  };

  std::vector<Item> item;
  std::vector<PlacedShape> shape;
  std::vector<const SolidMesh*> solid;

  static const auto& elements(const auto& model) { return model.contacts; }

  template <class Model>
  explicit Contacts(const Model& model) {
    for (const auto& s : model.solids) solid.push_back(s.get());
    for (const auto& c : elements(model)) {
      const int first_I = static_cast<int>(shape.size());
      shape.insert(shape.end(), c.of_I.begin(), c.of_I.end());
      const int first_J = static_cast<int>(shape.size());
      shape.insert(shape.end(), c.of_J.begin(), c.of_J.end());
      item.push_back({c.I, c.J, first_I, first_J, static_cast<int>(shape.size()), c.law});
    }
  }
  template <class Place>
  Table table(Place&& place) {
    return {{}, place.table(item), place.table(shape), solid.data()};
  }
  template <class Element, class Need>
  static void needs(const auto&, const Element& c, Need&& need) {
    need(c.I, 2), need(c.J, 2);
  }

  template <class Tapes>
  TRAMMEL_HD static void wrench(const AssemblyView& w, const Table& t, int n, Tapes&&) {
    const Item& c = t.item[n];
    const MarkerKinematics<double>&I = w.array.marker[c.I], &J = w.array.marker[c.J];
    WrenchPair<double> sum;
    for_pairs(w, t, n, [&](const Pair&, const Incident<double>& at) {
      if (at.depth > 0) sum = sum + trammel::wrench(c.law, at, I, J);
    });
    store(sum, t.wrench_of(w, n));
  }

  template <class Writer>
  TRAMMEL_HD static void tangent(Writer& writer, const Table& t, int n) {
    const Item& c = t.item[n];
    for (int side = 0; side < 2; ++side) {
      double K[12][12] = {};  // position and velocity of one marker
      if (writer.numbers())
        for_pairs(writer.w, t, n, [&](const Pair& pair, const Incident<double>& at) {
          for (int level = 0; at.depth > 0 && level < 2; ++level)
            add_derivative(writer.w, t, c, pair, at, side, level, K);
        });
      writer.body_columns(t.first_wrench + n, c.I, c.J, side == 0 ? c.I : c.J, &K[0][0], 2, all_axes);
    }
  }

  TRAMMEL_HD static ContactOverlaps overlaps(const AssemblyView& w, const Table& t, int n) {
    ContactOverlaps out;
    for_pairs(w, t, n, [&](const Pair&, const Incident<double>& at) {
      out.count += at.depth > 0;
      out.depth = at.depth > out.depth ? at.depth : out.depth;
    });
    return out;
  }

 private:
  /// Which overlap of which two shapes.
  struct Pair {
    const PlacedShape &a, &b;
    int overlap;
  };

  /// visit(pair, overlap) for all pairs that may overlap; of others the overlap has only a depth, the
  /// negative distance of balls around them. Meshes that do not overlap have a depth of 0.
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
          visit(Pair{a, b, 0}, Incident<double>{-apart, {}, {}});
        else if (const int count = overlap_count(a, b); count > 0)
          for (int k = 0; k < count; ++k) visit(Pair{a, b, k}, overlap(a, at_I, b, at_J, k));
        else
          for_meshes(t, a, at_I, b, at_J, visit);
      }
    }
  }
  template <class Visit>
  TRAMMEL_HD static void for_meshes(const Table& t, const PlacedShape& a, const Pose<double>& at_I,
                                    const PlacedShape& b, const Pose<double>& at_J, Visit&& visit) {
#if !defined(__CUDACC__)
    const auto found = mesh_overlaps(t.solid, a, at_I, b, at_J);
    for (int k = 0; k < static_cast<int>(found.size()); ++k) visit(Pair{a, b, k}, found[k]);
    if (found.empty()) visit(Pair{a, b, 0}, Incident<double>{0, {}, {}});
#endif
  }

  template <class D>
  TRAMMEL_HD static Incident<D> overlap_in_duals(const Table& t, const Pair& pair, const Pose<D>& at_I,
                                                 const Pose<D>& at_J) {
#if !defined(__CUDACC__)
    if (overlap_count(pair.a, pair.b) == 0)
      return mesh_overlaps(t.solid, pair.a, at_I, pair.b, at_J)[pair.overlap];
#endif
    return overlap(pair.a, at_I, pair.b, at_J, pair.overlap);
  }

  /// Adds ∂(wrench pair)/∂(δr, δθ) (level 0) or ∂/∂(δv, δω) (level 1) of one marker, by dual numbers.
  TRAMMEL_HD static void add_derivative(const AssemblyView& w, const Table& t, const Item& c,
                                        const Pair& pair, const Incident<double>& now, int side, int level,
                                        double (&K)[12][12]) {
    using D = Dual<double, 6>;
    MarkerKinematics<D> m[2];
    const int marker[2] = {c.I, c.J};
    for (int p = 0; p < 2; ++p) {
      lift(w.array.marker[marker[p]], m[p]);
      if (p == side) seed(w.array.marker[marker[p]], level, m[p]);
    }
    Incident<D> at;
    if (level == 0) {
      at = overlap_in_duals<D>(t, pair, frame_of<D>(pair.a, m[0]), frame_of<D>(pair.b, m[1]));
    } else {
      at.depth = D(now.depth);
      for (int k = 0; k < 3; ++k) at.normal[k] = D(now.normal[k]), at.point[k] = D(now.point[k]);
    }
    const WrenchPair<D> u = trammel::wrench(c.law, at, m[0], m[1]);
    const Vec3<D>* part[4] = {&u.fi, &u.ti, &u.fj, &u.tj};
    for (int p = 0; p < 4; ++p)
      for (int k = 0; k < 3; ++k)
        for (int d = 0; d < 6; ++d) K[3 * p + k][6 * level + d] += (*part[p])[k].d[d];
  }
};

}  // namespace trammel
