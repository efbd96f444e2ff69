#include "assemble/model_class.h"

#include <algorithm>
#include <cmath>

#include "model/model.h"

namespace trammel {
namespace {

bool has_axis_rows(const ConstraintElement& e) {
  if (e.motion || e.curves >= 0 || dot(e.normal, e.normal) > 0) return false;
  for (int r = 0; r < e.rows; ++r)
    if (!AxisRow::covers(e.row[r]) || e.angle[r] >= 0) return false;
  return true;
}

bool is_constant(const Tape& tape) {
  return tape.constant() &&
         std::all_of(tape.constants.begin(), tape.constants.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

bool is_plain(const Model& model) {
  for (std::size_t k = 0; k < model.tapes.size(); ++k)
    if (model.tape_in_equations[k] && !is_constant(model.tapes[k])) return false;
  return model.scalars.empty() && model.general_constraints.empty() && model.multi_point_forces.empty() &&
         model.flexible_bodies.empty() && !model.has_contacts() &&
         std::all_of(model.constraint_elements.begin(), model.constraint_elements.end(), has_axis_rows) &&
         std::all_of(model.connectors.begin(), model.connectors.end(),
                     [](const Connector& c) { return std::holds_alternative<SpringDamper>(c.law); }) &&
         std::all_of(model.expression_forces.begin(), model.expression_forces.end(),
                     [](const ExpressionForce& f) { return ConstantForce::covers(f.law); });
}

}  // namespace trammel
