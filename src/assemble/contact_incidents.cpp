// The overlaps of CONTACTs one by one, for results.
#include "assemble/assembler.h"
#include "assemble/lane.h"
#include "assemble/pools/list.h"
#include "element/contact_incident.h"

namespace trammel {

namespace {

ContactIncident incident(int contact, const PlacedShape& I, const PlacedShape& J, const Incident<double>& at,
                         const ContactForce<double>& force) {
  ContactIncident out;
  out.contact = contact;
  out.shape_I = I.id;
  out.shape_J = J.id;
  out.point = at.point;
  out.normal_force = force.normal * at.normal;
  out.friction = force.normal * force.friction;
  out.slip = force.slip;
  out.depth = at.depth;
  return out;
}

}  // namespace

void Assembler::contact_incidents(const State& state, AnalysisMode mode,
                                  std::vector<ContactIncident>& incidents) const {
  incidents.clear();
  const EvaluationPoint point{state.t, static_cast<int>(mode), {}};
  const AssemblyView now = view(state, point);
  const Contacts::Table& t = pools_->tables().of<Contacts>();
  for (int n = 0; n < t.count; ++n) {
    if (!t.in_force(n)) continue;
    Contacts::for_forces(
        now, t, n, [&](const ShapePair& pair, const Incident<double>& at, const ContactForce<double>& force) {
          incidents.push_back(incident(model_.contacts[n].name.id, pair.a, pair.b, at, force));
        });
  }
  if (model_.contact_groups.empty()) return;
  const ContactGroups& groups = *pools_;
  groups.for_overlaps([&](const ContactGroups::Couple& c, const Incident<double>& at) {
    const ContactGroup& group = model_.contact_groups[c.group];
    if (!(at.depth > 0) || !group.name.active) return;
    incidents.push_back(
        incident(group.name.id, groups.shape[c.a].placed, groups.shape[c.b].placed, at,
                 contact_force<double>(group.law, at, kinematics_.marker(c.I), kinematics_.marker(c.J),
                                       instant(now, group.law), nullptr)));
  });
}

}  // namespace trammel
