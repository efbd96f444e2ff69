// Contact of many bodies: what is near, and how soon shapes might pass each other.
#include <cmath>

#include "assemble/assembler.h"
#include "assemble/lane.h"
#include "assemble/pools/list.h"

namespace trammel {

namespace {
const ContactGroups& groups_of(const Pools& pools) {
  return pools;
}
}  // namespace

const NearShapes* Assembler::near_shapes() const {
  return model_.contact_groups.empty() ? nullptr : groups_of(*pools_).near.get();
}

void Assembler::overlaps_of_groups(std::span<ContactOverlaps> groups) const {
  for (ContactOverlaps& g : groups) g = {};
  groups_of(*pools_).for_overlaps([&](const ContactGroups::Couple& c, const Incident<double>& at) {
    ContactOverlaps& g = groups[c.group];
    if (!model_.contact_groups[c.group].name.active) return;
    g.count += at.depth > 0;
    g.depth = std::max(g.depth, at.depth);
  });
}

double Assembler::passage_of_groups(double time) {
  ContactGroups& pool = *pools_;
  if (pool.shape.empty()) return HUGE_VAL;
  // Margins as wide as shapes go in that time, half as far again: no pair is passed over.
  for (std::size_t k = 0; k < pool.way.size(); ++k) {
    const MarkerKinematics<double>& m = kinematics_.marker(pool.shape[k].marker);
    pool.way[k] = 1.5 * time * norm(m.v + cross(m.w, pool.frame[k].r - m.r));
  }
  pool.near->cover(pool.frame, pool.way);
  double first = HUGE_VAL;
  pool.for_overlaps([&](const ContactGroups::Couple& c, const Incident<double>& at) {
    const MarkerKinematics<double>&I = kinematics_.marker(c.I), &J = kinematics_.marker(c.J);
    const Pose<double>&a = pool.frame[c.a], &b = pool.frame[c.b];
    const double quarter = 0.25 * (pool.shape[c.a].placed.inner + pool.shape[c.b].placed.inner);
    if (!(at.depth < quarter) || !std::isfinite(quarter)) return;
    const bool touches = at.depth > 0;
    const Vec3d n = dot(at.normal, at.normal) > 0 ? at.normal : (1 / norm(a.r - b.r)) * (a.r - b.r);
    const Vec3d p = touches ? at.point : 0.5 * (a.r + b.r);
    const double closing = dot(J.v + cross(J.w, p - J.r) - I.v - cross(I.w, p - I.r), n);
    if (at.depth + closing * time > 2 * quarter) first = std::min(first, (quarter - at.depth) / closing);
  });
  return first;
}

}  // namespace trammel
