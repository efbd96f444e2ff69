// Elements that DEACTIVATE takes out of force: they keep their places in all tables (results keep their
// channels, expressions their readings, which are 0) and have no effect: their pools skip them, rows of
// constraints hold in no phase, and their tapes are no part of the equations. States of DIFF, LSE and TFSISO
// rest (systems.cpp).
#include "model/compiler.h"

namespace trammel {

/// Not deactivated, and not on a deactivated joint (MOTION, COUPLER, GEAR).
bool Compiler::is_active(const Statement& s) const {
  if (!s.active) return false;
  for (const Argument& a : s.arguments) {
    if (a.field == nullptr || a.field->refers != "JOINT") continue;
    for (double id : a.numbers) {
      const Statement* joint = statements_.find("JOINT", static_cast<int>(id));
      if (joint && !joint->active) return false;
    }
  }
  return true;
}

void Compiler::leave_out_inactive() {
  for (ConstraintElement& e : model_.constraint_elements) {
    if (e.name.active) continue;
    for (unsigned& phases : e.phases) phases = 0;
    if (e.tape >= 0) model_.tape_in_equations[e.tape] = 0;
  }
  for (GeneralConstraint& g : model_.general_constraints)
    if (!g.name.active) g.phases = 0;
  model_.for_wrench_tables([&](const auto& table) {
    for (const auto& e : table)
      if (!e.name.active) e.for_tapes([&](int tape) { model_.tape_in_equations[tape] = 0; });
  });
  for (Request& r : model_.requests)
    if (!r.name.active) std::fill(r.tape.begin(), r.tape.end(), -1);
}

}  // namespace trammel
