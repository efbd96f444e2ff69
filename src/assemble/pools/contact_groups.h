// CONTACT of many bodies: the shapes of each of them against those of others that are near (near_shapes.h).
// An element is a body of a group, with the sum of the wrenches on it. The wrench of a pair is found once,
// before bodies add up theirs, so that momenta are exact.
#pragma once

#include <vector>

#include "assemble/near_shapes.h"
#include "assemble/pools/contact_passage.h"
#include "assemble/pools/pool.h"
#include "assemble/tangent_writer.h"
#include "base/parallel.h"

namespace trammel {

class ContactGroups : public PoolDefaults {
 public:
  static constexpr const char* name = "contact_groups";
  static constexpr bool in_groups = false;
  static constexpr int grain = 32;

  /// Marker of the body to which its shapes are fixed; they are [first, last) of all.
  struct Item {
    int marker, first, last;
  };
  struct Shape {
    PlacedShape placed;
    int marker, group;
  };
  /// Of two shapes, on their bodies, at the markers there: I the first in the table.
  using PairWrench = WrenchPair<double>;
  struct Table : PoolPlace {
    const Item* item;
    const Shape* shape;
    const ContactLaw* law;            ///< of each group
    const unsigned char* group_acts;  ///< of each group: not deactivated
    ShapeTables tables;
    Pose<double>* frame;  ///< of each shape, ground axes
    NeighbourView *near, *coupled;
    PairWrench** of_pair;  ///< points to those of the pairs near now
  };

  std::vector<Item> item;
  std::vector<Shape> shape;
  std::vector<ContactLaw> law;
  std::vector<MeshView> solid;
  std::vector<Pose<double>> frame;
  std::vector<double> way;  ///< how far each shape may go
  std::vector<unsigned char> group_acts;
  std::unique_ptr<NearShapes> near;

  static const auto& elements(const auto& model) { return model.contact_members; }

  template <class Model>
  explicit ContactGroups(const Model& model) {
    std::vector<ShapeOfGroup> of_group;
    for (const auto& s : model.solids) solid.push_back(view(*s));
    std::vector<int> first;  // of each group
    for (const auto& g : model.contact_groups) {
      const int group = static_cast<int>(law.size());
      law.push_back(g.law);
      group_acts.push_back(g.name.active);
      first.push_back(static_cast<int>(shape.size()));
      for (const auto& s : g.shapes) {
        shape.push_back({s.placed, s.marker, group});
        of_group.push_back({s.placed.reach, group, model.markers[s.marker].body, s.of_I, s.of_J});
      }
    }
    for (const auto& m : elements(model))
      item.push_back({m.I, first[m.group] + m.first, first[m.group] + m.last});
    frame.resize(shape.size());
    way.resize(shape.size());
    near = std::make_unique<NearShapes>(std::move(of_group));
  }
  template <class Place>
  Table table(Place&& place) {
    return {{},
            place.table(item),
            place.table(shape),
            place.table(law),
            place.table(group_acts),
            {mesh_tables(solid.data()), {}, nullptr},
            place.array(frame),
            place.object(near->near()),
            place.object(near->coupled()),
            place.object(wrenches_)};
  }
  template <class Element, class Need>
  static void needs(const auto&, const Element& m, Need&& need) {
    need(m.I, 2);
  }

  /// Before wrenches are evaluated: frames of the shapes, which are near, and the wrench of each pair.
  void prepare(const AssemblyView& w, const Table& t, const Parallel& parallel) {
    const int shapes = static_cast<int>(shape.size());
    if (shapes == 0) return;
    parallel(shapes, grain, [&](int begin, int end, int) {
      for (int k = begin; k < end; ++k) place_shape(w, t, k);
    });
    near->update(frame);
    of_pair_.resize(near->pairs());
    wrenches_ = of_pair_.data();
    parallel(shapes, grain, [&](int begin, int end, int) {
      for (int own = begin; own < end; ++own) wrenches_of_shape(w, t, own);
    });
  }

  /// The frame of shape k.
  TRAMMEL_HD static void place_shape(const AssemblyView& w, const Table& t, int k) {
    t.frame[k] =
        frame_of(t.shape[k].placed, static_cast<const Pose<double>&>(w.array.marker[t.shape[k].marker]));
  }
  /// The wrenches of a shape's pairs with those before it in the table.
  TRAMMEL_HD static void wrenches_of_shape(const AssemblyView& w, const Table& t, int own) {
    if (!t.group_acts[t.shape[own].group]) return;
    const NeighbourView& near = *t.near;
    for (int k = near.start[own]; k < near.start[own + 1] && near.other[k] < own; ++k)
      (*t.of_pair)[near.pair[k]] = wrench_of_pair(w, t, own, near.other[k]);
  }

  /// How far shape k goes in a time with its present velocity and acceleration, and half as far again.
  TRAMMEL_HD static double way_in(const AssemblyView& w, const Table& t, int k, double time) {
    const MovingShape m = moving_shape(w, t.tables, t.shape[k].marker, t.shape[k].placed);
    return 1.5 * time * (norm(m.velocity(t.frame[k].r, 0)) + 0.5 * time * norm(m.a));
  }
  /// 1 over the time after which a shape might first pass one of those before it in the table, by
  /// passage_of(); 0: none within a time.
  TRAMMEL_HD static double passage_rate(const AssemblyView& w, const Table& t, int own, double time) {
    const Shape& a = t.shape[own];
    if (!t.group_acts[a.group]) return 0;
    const NeighbourView& near = *t.near;
    const MovingShape of_a = moving_shape(w, t.tables, a.marker, a.placed);
    double first = HUGE_VAL;
    for (int k = near.start[own]; k < near.start[own + 1] && near.other[k] < own; ++k) {
      const Shape& b = t.shape[near.other[k]];
      const double of_pair =
          passage_of(t.tables, own, a.placed, of_a, b.placed, moving_shape(w, t.tables, b.marker, b.placed),
                     touch(t, own, near.other[k]), time);
      first = of_pair < first ? of_pair : first;
    }
    return 1 / first;
  }

  template <class Tapes>
  TRAMMEL_HD static void wrench(const AssemblyView& w, const Table& t, int n, Tapes&&) {
    WrenchPair<double> sum;  // on the body; what acts on the others is theirs
    for (int own = t.item[n].first; own < t.item[n].last; ++own)
      for (int k = t.near->start[own]; k < t.near->start[own + 1]; ++k) {
        const PairWrench& u = (*t.of_pair)[t.near->pair[k]];
        sum.fi += own < t.near->other[k] ? u.fi : u.fj;
        sum.ti += own < t.near->other[k] ? u.ti : u.tj;
      }
    store(sum, t.wrench_of(w, n));
  }

  template <class Writer>
  TRAMMEL_HD static void tangent(Writer& writer, const Table& t, int n) {
    const int element = t.first_wrench + n, marker = t.item[n].marker;
    double of_own[12][12] = {};  // by position and velocity of its own marker
    for (int own = t.item[n].first; own < t.item[n].last; ++own)
      for (int k = t.coupled->start[own]; k < t.coupled->start[own + 1]; ++k) {
        const int other = t.coupled->other[k];
        double of_other[12][12] = {};
        if (writer.numbers()) add_derivatives(writer.w, t, own, other, of_own, of_other);
        writer.body_columns(element, marker, 0, t.shape[other].marker, &of_other[0][0], 2, all_axes);
      }
    writer.body_columns(element, marker, 0, marker, &of_own[0][0], 2, all_axes);
  }

  /// visit(group, overlap) for every pair near each other, once; see ContactOverlaps on depths.
  template <class Visit>
  void for_overlaps(Visit&& visit) const {
    Table t{};  // what for_pair() reads
    t.shape = shape.data(), t.law = law.data(), t.tables.meshes = mesh_tables(solid.data());
    t.frame = const_cast<Pose<double>*>(frame.data()), t.near = &near->near();
    for (int own = 0; own < static_cast<int>(shape.size()); ++own)
      for (int k = t.near->start[own]; k < t.near->start[own + 1]; ++k)
        if (t.near->other[k] > own)
          for_pair(t, own, t.near->other[k],
                   [&](const Couple& c, const ShapePair&, const Incident<double>& at) { visit(c, at); });
  }

  /// Two shapes, that of I the first in the table.
  struct Couple {
    int a, b;  ///< their places there
    int I, J;  ///< markers of their bodies
    int group;
    bool own_is_I;
  };

 private:
  TRAMMEL_HD static PairWrench wrench_of_pair(const AssemblyView& w, const Table& t, int own, int other) {
    PairWrench sum;
    for_pair(t, own, other, [&](const Couple& c, const ShapePair&, const Incident<double>& at) {
      if (at.depth > 0)
        sum = sum + trammel::wrench(t.law[c.group], at, w.array.marker[c.I], w.array.marker[c.J],
                                    instant(w, t.law[c.group]));
    });
    return sum;
  }

  template <class Visit>
  TRAMMEL_HD static void for_pair(const Table& t, int own, int other, Visit&& visit) {
    const int i = own < other ? own : other, j = own < other ? other : own;
    const Shape &a = t.shape[i], &b = t.shape[j];
    const Couple c{i, j, a.marker, b.marker, a.group, i == own};
    const double apart = norm(t.frame[i].r - t.frame[j].r) - a.placed.reach - b.placed.reach;
    if (apart > 0)
      visit(c, ShapePair{a.placed, b.placed, 0}, Incident<double>{-apart, {}, {}});
    else
      trammel::for_overlaps(t.tables, own, a.placed, t.frame[i], b.placed, t.frame[j],
                            [&](const ShapePair& pair, const Incident<double>& at) { visit(c, pair, at); });
  }

  TRAMMEL_HD static bool touch(const Table& t, int own, int other) {
    bool any = false;
    for_pair(t, own, other,
             [&](const Couple&, const ShapePair&, const Incident<double>& at) { any = any || at.depth > 0; });
    return any;
  }

  /// Of the wrench on the body of `own`: its first six rows.
  TRAMMEL_HD static void add_derivatives(const AssemblyView& w, const Table& t, int own, int other,
                                         double (&of_own)[12][12], double (&of_other)[12][12]) {
    for_pair(t, own, other, [&](const Couple& c, const ShapePair& pair, const Incident<double>& at) {
      if (!(at.depth > 0)) return;
      const int first = c.own_is_I ? 0 : 6;
      for (int side = 0; side < 2; ++side) {
        double K[12][12] = {};
        for (int level = 0; level < 2; ++level)
          trammel::add_derivatives(contact_in_duals(w, t.tables, own, t.law[c.group], c.I, c.J, pair, at,
                                                    static_cast<ContactVariation>(2 * side + level))
                                       .wrench,
                                   6 * level, K);
        auto& sum = (side == 0) == c.own_is_I ? of_own : of_other;
        for (int r = 0; r < 6; ++r)
          for (int d = 0; d < 12; ++d) sum[r][d] += K[first + r][d];
      }
    });
  }

  std::vector<PairWrench> of_pair_;
  PairWrench* wrenches_ = nullptr;
};

}  // namespace trammel
