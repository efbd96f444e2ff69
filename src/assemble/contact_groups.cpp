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
  const EvaluationPoint point{reads_.state->t, reads_.mode, {}};
  const AssemblyView now = view(*reads_.state, point);
  const ContactGroups::Table& t = pools_->tables().of<ContactGroups>();
  // Margins as wide as shapes may go in that time: no pair is passed over.
  const int shapes = static_cast<int>(pool.shape.size());
  for (int k = 0; k < shapes; ++k) pool.way[k] = ContactGroups::way_in(now, t, k, time);
  pool.near->cover(pool.frame, pool.way);
  double most = 0;
  for (int k = 0; k < shapes; ++k) most = std::max(most, ContactGroups::passage_rate(now, t, k, time));
  return 1 / most;
}

}  // namespace trammel
