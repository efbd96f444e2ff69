// Elements that DEACTIVATE takes out of force: they keep their places in all tables (results keep their
// channels, expressions their readings, which are 0) and have no effect. States of DIFF, LSE and TFSISO rest
// (systems.cpp).
#include "model/compiler.h"

namespace trammel {

/// Not deactivated, and not on a deactivated joint (MOTION, COUPLER, GEAR).
bool Compiler::is_active(const Statement& s) const {
  if (!s.active) return false;
  for (const Argument& a : s.arguments) {
    if (a.field == nullptr || a.field->refers != "JOINT") continue;
    for (double id : a.numbers) {
      const Statement* joint = description_.find("JOINT", static_cast<int>(id));
      if (joint && !joint->active) return false;
    }
  }
  return true;
}

void Compiler::leave_out_inactive() {
  for (RowElement& e : model_.row_elements) {
    if (e.name.active) continue;
    for (unsigned& phases : e.phases) phases = 0;
    if (e.curves < 0) continue;
    e.curves = -1;  // rows that have a value wherever I is
    for (ConstraintRow& row : e.row) row = {RowKind::separation_global, 0, 0};
  }
  for (GeneralConstraint& g : model_.general_constraints)
    if (!g.name.active) g.phases = 0;
  for (LawForce& f : model_.law_forces) {
    if (f.name.active) continue;
    f.law = SpringDamper{.rotational = true};  // no torque, at any position of I and J
    if (f.angle < 0) f.angle = model_.angles++;
  }
  for (ExpressionForce& f : model_.expression_forces) {
    if (f.name.active) continue;
    for (int& tape : f.components) {
      if (tape >= 0) model_.tape_in_equations[tape] = 0;  // the tape may have no value
      tape = -1;
    }
  }
  for (NodalForce& f : model_.nodal_forces) {
    if (f.name.active) continue;
    for (std::vector<double>* numbers : {&f.k, &f.c, &f.force})
      std::fill(numbers->begin(), numbers->end(), 0.0);
  }
  for (Request& r : model_.requests)
    if (!r.name.active) std::fill(r.tape.begin(), r.tape.end(), -1);
}

}  // namespace trammel
