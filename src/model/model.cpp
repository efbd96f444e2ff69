#include "model/model.h"

namespace trammel {

namespace {

constexpr const char* coordinate_names[6] = {"X", "Y", "Z", "Psi", "Theta", "Phi"};
constexpr const char* equation_names[6] = {"X Force",    "Y Force",      "Z Force",
                                           "Psi Torque", "Theta Torque", "Phi Torque"};

std::string numbered(const Model& model, int unknown, const char* const (&names)[6], const char* multiplier) {
  if (unknown < 0 || unknown >= model.unknowns()) return "?";
  if (unknown < model.coordinates) {
    for (const Body& b : model.bodies)
      if (unknown < b.first + b.unknowns()) return b.name.label() + " " + names[unknown - b.first];
  }
  const int row = unknown - model.coordinates;
  if (row < model.multipliers) {
    for (const RowElement& e : model.row_elements)
      if (row < e.first_row + e.rows)
        return e.name.label() + " " + multiplier + std::string(e.row_name[row - e.first_row]);
    for (const GeneralConstraint& g : model.general_constraints)
      if (g.row == row) return g.name.label() + (multiplier[0] ? " LAM" : "");
  }
  const Scalar& s = model.scalars[unknown - model.first_scalar()];
  if (s.kind == ScalarKind::force_output) {
    constexpr const char* component[6] = {"FX", "FY", "FZ", "TX", "TY", "TZ"};
    return s.name.label() + " " + component[s.component];
  }
  return s.name.label();
}

}  // namespace

std::string Model::unknown_name(int unknown) const {
  return numbered(*this, unknown, coordinate_names, "LAM ");
}
std::string Model::equation_name(int unknown) const {
  return numbered(*this, unknown, equation_names, "");
}

}  // namespace trammel
