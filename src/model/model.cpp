#include "model/model.h"

#include <algorithm>
#include <deque>

namespace trammel {

namespace {

/// Names of a body's coordinates and equations; a planar body has the first two and Psi.
constexpr const char* coordinate_names[6] = {"X", "Y", "Z", "Psi", "Theta", "Phi"};
constexpr const char* equation_names[6] = {"X Force",    "Y Force",      "Z Force",
                                           "Psi Torque", "Theta Torque", "Phi Torque"};

std::string numbered(const Model& model, int unknown, const char* const (&names)[6], const char* multiplier) {
  if (unknown < 0 || unknown >= model.unknowns()) return "?";
  if (unknown < model.coordinates) {
    const auto b = std::partition_point(model.bodies.begin(), model.bodies.end(), [&](const Body& body) {
      return body.first + body.count() <= unknown;
    });
    if (b != model.bodies.end()) {
      const int angle = unknown - b->angles();
      return b->name.label() + " " + names[angle < 0 ? unknown - b->first : 3 + angle];
    }
    for (const FlexibleBody& f : model.flexible_bodies)
      if (unknown < f.first + f.modes)
        return fmt::format("{} Q{}{}", f.name.label(), f.mode_id[unknown - f.first],
                           multiplier[0] ? "" : " Force");
  }
  const int row = unknown - model.coordinates;
  if (row < model.multipliers) {
    const auto e = std::partition_point(
        model.constraint_elements.begin(), model.constraint_elements.end(),
        [&](const ConstraintElement& element) { return element.first_row + element.rows <= row; });
    if (e != model.constraint_elements.end())
      return e->name.label() + " " + multiplier + std::string(e->row_name[row - e->first_row]);
    for (const GeneralConstraint& g : model.general_constraints)
      if (g.row == row) return g.name.label() + (multiplier[0] ? " LAM" : "");
  }
  const Scalar& s = model.scalars[unknown - model.first_scalar()];
  if (s.kind == ScalarKind::force_output) {
    constexpr const char* component[6] = {"FX", "FY", "FZ", "TX", "TY", "TZ"};
    return s.name.label() + " " + component[s.component];
  }
  return s.part.empty() ? s.name.label() : s.name.label() + " " + s.part;
}

/// Enters the scalars that a tape reads, each VARIABLE behind those that its own expression reads. A state of
/// which only the value is read is entered where `rates` of the tape are asked for, since these need its
/// equation.
void reach(const Model& model, const Tape& tape, bool rates, std::vector<char>& seen, RateScalars& out) {
  const auto enter = [&](int scalar) {
    if (scalar >= model.scalar_count() || seen[scalar]) return;
    seen[scalar] = 1;
    const Scalar& s = model.scalars[scalar];
    const bool state = s.differential();
    if (s.tape < 0) return;
    reach(model, model.tapes[s.tape], rates, seen, out);
    (state ? out.states : out.variables).push_back(scalar);
  };
  for (int k : tape.states)
    if (rates || k >= model.scalar_count() || !model.scalars[k].differential()) enter(k);
  for (int k : tape.rates) enter(k);
}

/// The algebraic unknowns that the equation of a scalar reads at the same instant: VARIABLEs, outputs of
/// systems, and forces that expressions read.
std::vector<int> read_at_once(const Model& model, const Scalar& s) {
  std::vector<int> tapes{s.tape}, found;
  if (s.kind == ScalarKind::force_output) {
    tapes.clear();
    int pair = s.element;
    model.for_wrench_tables([&](const auto& table) {
      for (const auto& e : table) {
        const bool mine = pair >= 0 && pair < e.pairs();
        if (mine && !requires { e.phases; }) e.for_tapes([&](int tape) { tapes.push_back(tape); });
        pair -= e.pairs();
      }
    });
  }
  for (int tape : tapes)
    for (int read : tape < 0 ? std::vector<int>{} : model.tapes[tape].states)
      if (read < model.scalar_count() && !model.scalars[read].differential()) found.push_back(read);
  return found;
}

/// "VARIABLE/1 -> VARIABLE/2 -> VARIABLE/1": the shortest way on which an unknown depends on itself; "" if it
/// does not.
std::string circle_of(const Model& model, int scalar) {
  std::vector<int> from(model.scalars.size(), -1);
  std::deque<int> open{scalar};
  for (; !open.empty(); open.pop_front())
    for (int read : read_at_once(model, model.scalars[open.front()])) {
      if (from[read] >= 0) continue;
      from[read] = open.front();
      open.push_back(read);
    }
  if (from[scalar] < 0) return {};
  std::string text = model.scalars[scalar].name.label();
  for (int at = from[scalar];; at = from[at]) {
    const std::string label = model.scalars[at].name.label();
    if (!text.starts_with(label + " ->")) text.insert(0, label + " -> ");
    if (at == scalar) return text;
  }
}

}  // namespace

RateScalars scalars_of_rates(const Model& model) {
  RateScalars out;
  std::vector<char> seen = model.explicit_scalars();
  for (char& s : seen) s = !s;
  for (const bool rates : {true, false}) {  // of a motion by acceleration only f itself is read
    for (const ConstraintElement& e : model.constraint_elements)
      if (e.motion && (e.level < 2) == rates) reach(model, model.tapes[e.tape], rates, seen, out);
    for (const GeneralConstraint& g : model.general_constraints)
      if (rates) reach(model, model.tapes[g.tape], rates, seen, out);
  }
  return out;
}

const ConstraintElement* Model::contact_with_corners() const {
  const auto straight = [&](int curve) { return curve >= 0 && curves[curve].straight; };
  for (const ConstraintElement& e : constraint_elements) {
    if (e.curves < 0 || !e.name.active) continue;
    const CurveUse& use = curve_uses[e.curves];
    if (straight(use.curve_J) || straight(use.curve_I)) return &e;
  }
  return nullptr;
}

std::string Model::unknown_name(int unknown) const {
  return numbered(*this, unknown, coordinate_names, "LAM ");
}
std::string Model::equation_name(int unknown) const {
  const std::string name = numbered(*this, unknown, equation_names, "");
  const bool algebraic =
      unknown >= first_scalar() && unknown < unknowns() && !scalars[unknown - first_scalar()].differential();
  const std::string circle = algebraic ? circle_of(*this, unknown - first_scalar()) : "";
  return circle.empty() ? name : fmt::format("{}, part of the circle {}", name, circle);
}

}  // namespace trammel
