// MFORCE: load cases of flexible bodies.
#include "flexible/modal_check.h"
#include "flexible/rigid_motions.h"
#include "model/compiler.h"

namespace trammel {

/// An MFORCE; without load where its body or load case is wrong, which is reported.
ExpressionForce Compiler::modal_force(const Statement& s) {
  ExpressionForce f;
  f.name = name_of(s);
  f.law = {AppliedKind::modal, !s.has("JFLOAT")};
  if (const Argument* scale = s.find("SCALE"))
    f.components[0] = compile_tape(s, *scale, ResultKind::scalar, true);
  f.values.push_back({.name = "SCALE", .tape = f.name.active ? f.components[0] : -1});
  const auto flexible = flexible_.find(s.id_of("FLEX_BODY").value_or(0));
  if (flexible == flexible_.end()) return f;
  const int frame = model_.flexible_bodies[flexible->second].body;
  f.I = f.RM = model_.bodies[frame].center_marker;
  const LocalMarker* local = local_.find(s.id_of("JFLOAT").value_or(0));
  const int other = local && local->owner ? local->owner->body : -1;
  f.J = other >= 0 ? model_.bodies[other].center_marker : 0;
  if (other == frame)
    diagnostics_.error(s.find("JFLOAT")->where, "{}: JFLOAT={} is on {} itself; it must be on another body",
                       s.label(), *s.id_of("JFLOAT"), model_.bodies[frame].name.label());
  load_modes(s, flexible->second, f);
  return f;
}

/// Sets the load of an MFORCE on the modes and on the frame.
void Compiler::load_modes(const Statement& s, int flexible, ExpressionForce& f) {
  const PlacedModes& placed = placed_modes_[flexible];
  const ModalBody& body = *placed.modes;
  const ModalTables& tables = model_.flexible_bodies[flexible];
  const int index = s.integer("CASE_INDEX", 1), cases = static_cast<int>(body.loads.size());
  const Argument* given = s.find("CASE_INDEX");
  if (!given || index < 1) return;  // told already
  if (index > cases) {
    diagnostics_.error(given->where, "{}: CASE_INDEX={}: {} has {}", s.label(), index, body.source,
                       cases == 0 ? "no load cases, which are the columns of its matrix MODLOAD"
                                  : fmt::format("{} load case{}", cases, cases == 1 ? "" : "s"));
    return;
  }
  f.flexible = flexible;
  for (int j = 0; j < tables.modes; ++j)
    f.load.push_back(placed.choice.energy / tables.size[j] * body.loads[index - 1][placed.choice.modes[j]]);
  const std::vector<int> rigid = rigid_modes(body);
  if (rigid.empty()) {
    diagnostics_.note(
        s.where,
        "{}: {} has none of the modes that move it as a rigid body, so the load case acts on its "
        "modes alone, not on its frame",
        s.label(), body.source);
    return;
  }
  try {
    const RigidLoad load = rigid_load(body, rigid, index - 1);
    f.law.force = (placed.choice.energy / placed.choice.length) * load.force;
    f.law.moment = placed.choice.energy * load.moment;
  } catch (const Failure& failure) {
    diagnostics_.add(
        {Severity::error, s.where, fmt::format("{}: {}", s.label(), failure.what()), failure.code()});
  }
}

}  // namespace trammel
