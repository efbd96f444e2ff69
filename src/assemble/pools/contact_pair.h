// Contact of one shape with another: overlaps, and the derivative of the force (element/contact.h).
#pragma once

#include "assemble/marker_duals.h"
#include "assemble/view.h"
#include "element/contact.h"
#include "geometry/mesh_touch.h"
#include "geometry/planar_touch.h"

namespace trammel {

/// What searches for overlaps without closed form work in (owned_rooms.h).
template <class T>
struct TouchWork {
  MeshTouchWork<T> meshes;
  PlanarTouchWork<T> curves;

  TRAMMEL_HD void renew() {
    meshes.renew();
    curves.renew();
  }
  template <class F>
  void for_rooms(F&& f) {
    meshes.for_rooms(f);
    curves.for_rooms(f);
  }
};

/// A work space on a device for overlaps as numbers, and one for their derivatives.
struct OverlapWork {
  using D = Dual<double, 6>;
  TouchWork<double> now;
  TouchWork<D> in_duals;
  bool lacks = false;  ///< a list had no room for all; nothing is found from then on

  TRAMMEL_HD TouchWork<double>& of(double) { return now; }
  TRAMMEL_HD TouchWork<D>& of(const D&) { return in_duals; }
};

/// What PlacedShape::mesh and ::curve count, and where overlaps are looked for.
struct ShapeTables {
  MeshTables meshes;
  PlanarTables curves;
  OverlapWork* work;  ///< on a device, per element; null: threads have theirs
};

/// Which overlap of which two shapes, a of I and b of J.
struct ShapePair {
  const PlacedShape &a, &b;
  int overlap;
};

/// The time, and whether there is friction in the present analysis.
TRAMMEL_HD inline ContactInstant instant(const AssemblyView& w, const ContactLaw& law) {
  const auto mode = static_cast<AnalysisMode>(w.point->mode);
  const bool at_rest = mode == AnalysisMode::statics || mode == AnalysisMode::quasi_statics;
  return {law.friction && !(law.dynamics_only && at_rest), w.point->t};
}
/// And the shapes.
TRAMMEL_HD inline ContactInstant instant(const AssemblyView& w, const ContactLaw& law,
                                         const ShapePair& pair) {
  ContactInstant out = instant(w, law);
  out.shape_I = pair.a.id;
  out.shape_J = pair.b.id;
  return out;
}

/// All overlaps of two shapes that have no closed form together, for element n.
template <class T>
TRAMMEL_HD Incidents<T> tabled_overlaps(const ShapeTables& tables, int n, const PlacedShape& a,
                                        const Pose<T>& at_a, const PlacedShape& b, const Pose<T>& at_b) {
  const bool planar = pair_kind(a.shape.kind, b.shape.kind) == PairKind::planar;
#if !defined(__CUDACC__)
  if (!tables.work)
    return planar ? planar_overlaps(tables.curves, a, at_a, b, at_b)
                  : mesh_overlaps(tables.meshes, a, at_a, b, at_b);
#endif
  OverlapWork& own = tables.work[n];
  if (own.lacks) return {};
  TouchWork<T>& work = own.of(T());
  const bool all = planar ? find_planar_overlaps(work.curves, tables.curves, a, at_a, b, at_b)
                          : find_mesh_overlaps(work.meshes, tables.meshes, a, at_a, b, at_b);
  own.lacks = !all;
  if (!all) return {};
  const Room<Incident<T>>& found = planar ? work.curves.found : work.meshes.found;
  return {found.begin(), found.size};
}

/// visit(pair, overlap) for all overlaps of two shapes with frames at_a and at_b, for element n; at least
/// one, with a depth that is not positive where there is none (0: of meshes, and of some curves).
template <class Visit>
TRAMMEL_HD void for_overlaps(const ShapeTables& tables, int n, const PlacedShape& a, const Pose<double>& at_a,
                             const PlacedShape& b, const Pose<double>& at_b, Visit&& visit) {
  if (const int count = overlap_count(a, b); count > 0) {
    for (int k = 0; k < count; ++k) visit(ShapePair{a, b, k}, overlap(a, at_a, b, at_b, k));
    return;
  }
  const Incidents<double> found = tabled_overlaps(tables, n, a, at_a, b, at_b);
  for (int k = 0; k < found.count; ++k) visit(ShapePair{a, b, k}, found[k]);
  if (found.count == 0) visit(ShapePair{a, b, 0}, Incident<double>{0, {}, {}});
}

/// The overlap of a pair with its derivatives. Without any where a search on a device lacked room: that is
/// noted, and the next evaluation repeats itself with more.
template <class D>
TRAMMEL_HD Incident<D> overlap_in_duals(const ShapeTables& tables, int n, const ShapePair& pair,
                                        const Pose<D>& at_a, const Pose<D>& at_b) {
  if (overlap_count(pair.a, pair.b) == 0) {
    const Incidents<D> found = tabled_overlaps(tables, n, pair.a, at_a, pair.b, at_b);
    return pair.overlap < found.count ? found[pair.overlap] : Incident<D>{};
  }
  return overlap(pair.a, at_a, pair.b, at_b, pair.overlap);
}

/// What contact_in_duals() varies: the pose (δr, δθ) or the velocities (δv, δω) of marker I or J, or the
/// creep.
enum class ContactVariation : int { pose_of_I, velocity_of_I, pose_of_J, velocity_of_J, creep };

/// A contact in dual numbers.
struct ContactDuals {
  using D = Dual<double, 6>;
  WrenchPair<D> wrench;
  Creep<D> creep;
  D depth;
};

/// At the overlap `now`, which the last evaluation found, of element n. `creep`: of STICTION, else null.
TRAMMEL_CALLED inline ContactDuals contact_in_duals(const AssemblyView& w, const ShapeTables& tables, int n,
                                                    const ContactLaw& law, int I, int J,
                                                    const ShapePair& pair, const Incident<double>& now,
                                                    ContactVariation by, const double* creep = nullptr) {
  using D = ContactDuals::D;
  MarkerKinematics<D> m[2];
  const int marker[2] = {I, J}, varied = static_cast<int>(by) / 2, level = static_cast<int>(by) % 2;
  for (int p = 0; p < 2; ++p) {
    lift(w.array.marker[marker[p]], m[p]);
    if (p == varied) seed(w.array.marker[marker[p]], level, m[p]);
  }
  ContactDuals out;
  Incident<D> at;
  if (by == ContactVariation::pose_of_I || by == ContactVariation::pose_of_J) {
    at = overlap_in_duals<D>(tables, n, pair, frame_of<D>(pair.a, m[0]), frame_of<D>(pair.b, m[1]));
  } else {
    at.depth = D(now.depth);
    for (int k = 0; k < 3; ++k) at.normal[k] = D(now.normal[k]), at.point[k] = D(now.point[k]);
  }
  for (int k = 0; creep && k < 3; ++k) {
    out.creep.z[k] = D(creep[k]);
    if (by == ContactVariation::creep) out.creep.z[k].d[k] = 1;
  }
  out.wrench = trammel::wrench(law, at, m[0], m[1], instant(w, law, pair), creep ? &out.creep : nullptr);
  out.depth = at.depth;
  return out;
}

/// Adds the derivatives of a wrench pair F_I T_I F_J T_J to columns [first, first + 6).
template <int columns>
TRAMMEL_HD void add_derivatives(const WrenchPair<ContactDuals::D>& u, int first, double (&K)[12][columns]) {
  const Vec3<ContactDuals::D>* part[4] = {&u.fi, &u.ti, &u.fj, &u.tj};
  for (int p = 0; p < 4; ++p)
    for (int k = 0; k < 3; ++k)
      for (int d = 0; d < 6; ++d) K[3 * p + k][first + d] += (*part[p])[k].d[d];
}

}  // namespace trammel
