// Rules on units and magnitudes.
#include <algorithm>
#include <cmath>

#include "advice/rules.h"

namespace trammel::advice {

namespace {

/// Where the units stand, else the deck.
Location units_of(const Subject& s) {
  const Statement* units = s.deck.find("UNITS");
  return units ? units->where : Location{s.deck.file, 0};
}

std::string named(double value, const std::string& unit) {
  return fmt::format("{:.3g}{}", value, unit.empty() ? "" : " " + unit);
}

}  // namespace

/// The gravity of the Earth in other units than those of the deck is a power of ten off.
void gravity_unit(const Subject& s, Findings& f) {
  constexpr double standard = 9.80665, near = 0.005;  // gravity varies by 0.3 per cent on Earth
  const double time = unit_in_si("TIME", s.model.units.time), length = s.model.units.meters_per_length;
  const double g = norm(s.model.gravity);
  const Statement* statement = s.deck.find("ACCGRAV");
  if (!statement || s.model.units.length.empty() || time == 0 || !(g > 0)) return;
  const double ratio = g * length / (time * time) / standard;
  const double power = std::round(std::log10(ratio));
  if (power == 0 || std::abs(ratio / std::pow(10, power) - 1) > near) return;
  f.add(statement->where, "ACCGRAV: {:.6g} {}/{}^2 is 1E{:+g} times the gravity of the Earth, {:.6g}", g,
        s.model.units.length, s.model.units.time, power, standard * time * time / length);
}

void length_unit(const Subject& s, Findings& f) {
  constexpr double far = 1e6, small = 1e-6;
  if (!s.start) return;
  if (s.start->farthest() >= far)
    f.add(units_of(s), "coordinates of markers reach {}", named(s.start->farthest(), s.model.units.length));
  else if (s.start->farthest() > 0 && s.start->farthest() <= small)
    f.add(units_of(s), "no marker is farther than {} from the origin",
          named(s.start->farthest(), s.model.units.length));
}

void time_unit(const Subject& s, Findings& f) {
  constexpr double little = 1e-3, much = 1e7;
  const double duration = s.duration();
  if (duration > 0 && (duration <= little || duration >= much))
    f.add(units_of(s), "the simulations last {}", named(duration, s.model.units.time));
}

/// What rounding of positions is as a force of the stiffest mode of a flexible body.
double rounding_of_modes(const Subject& s) {
  constexpr double rounding = 1e-15;
  double stiffest = 0;
  for (const FlexibleBody& b : s.model.flexible_bodies)
    for (const double k : b.stiffness) stiffest = std::max(stiffest, k);
  return rounding * stiffest * s.start->farthest();
}

void force_unit(const Subject& s, Findings& f) {
  constexpr double little = 1e-9, much = 1e9;
  if (!s.start) return;
  double most = 0;
  const auto take = [&](double x, double y, double z) { most = std::max(most, std::hypot(x, y, z)); };
  const std::span<const double> wrench = s.start->wrenches();
  for (std::size_t k = 0; k + 6 <= wrench.size(); k += 6) take(wrench[k], wrench[k + 1], wrench[k + 2]);
  for (const Body& b : s.model.bodies) most = std::max(most, b.mass * norm(s.model.gravity));
  if (most > rounding_of_modes(s) && (most <= little || most >= much))
    f.add(units_of(s), "the largest force at the start is {}", named(most, s.model.units.force));
}

namespace {

constexpr double tiny = 1e-15, huge = 1e15;

/// Masses, inertias, moduli, stiffness and damping.
bool is_coefficient(const Argument& a) {
  const std::string_view unit = a.field->unit;
  return a.field->kind == FieldKind::real && (unit.starts_with("mass") || unit.starts_with("force"));
}
constexpr std::string_view with_coefficients[] = {"PART", "POINT_MASS", "SPRINGDAMPER", "BUSHING",
                                                  "BEAM", "FIELD",      "NFORCE"};

}  // namespace

void extreme_number(const Subject& s, Findings& f) {
  for (const Statement& statement : s.deck.statements) {
    const std::string_view keyword = statement.spec->keyword;
    if (std::find(std::begin(with_coefficients), std::end(with_coefficients), keyword) ==
        std::end(with_coefficients))
      continue;
    for (const Argument& a : statement.arguments) {
      double most = 0;  // small ones beside large ones are rounding of who wrote the deck
      for (double x : a.numbers) most = std::max(most, std::abs(x));
      if (is_coefficient(a) && (most >= huge || (most > 0 && most <= tiny)))
        f.add(a.where, "{}: {} is {}", statement.label(), a.field->name, most);
    }
  }
  for (const DeckExpression& e : s.expressions.all())
    for (int k = 0; k < static_cast<int>(e.tree.nodes.size()); ++k) {
      const double x = std::abs(e[k].value);
      if (e[k].kind == NodeKind::number && e.lives(k) && (x >= huge || (x > 0 && x <= tiny)))
        f.add(e.argument->where, "{}: {} at column {}{}", e.label(), x, e[k].column,
              s.expressions.read_by(e));
    }
}

namespace {

/// A coefficient of one kind, and where it stands.
struct Coefficient {
  double value = 0;
  const Statement* owner = nullptr;
};

void compare_coefficients(const std::vector<Coefficient>& list, const char* what, Findings& f) {
  constexpr double spread = 1e10;
  Coefficient least, most;
  for (const Coefficient& c : list) {
    if (!(c.value > 0)) continue;
    if (!least.owner || c.value < least.value) least = c;
    if (!most.owner || c.value > most.value) most = c;
  }
  if (least.owner && most.value > spread * least.value)
    f.add(most.owner->where, "{}: its {} {:.3g} stands beside {:.3g} of {}", most.owner->label(), what,
          most.value, least.value, least.owner->label());
}

}  // namespace

void stiffness_spread(const Subject& s, Findings& f) {
  constexpr std::pair<std::string_view, const char*> kinds[] = {
      {"K", "stiffness"}, {"C", "damping"}, {"KT", "torsional stiffness"}, {"CT", "torsional damping"}};
  for (const auto& [name, what] : kinds) {
    std::vector<Coefficient> list;
    for (const Statement& statement : s.deck.statements) {
      const std::string_view keyword = statement.spec->keyword;
      if (!statement.active || (keyword != "SPRINGDAMPER" && keyword != "BUSHING")) continue;
      if (const Argument* a = statement.find(name))
        for (double value : a->numbers) list.push_back({value, &statement});
    }
    compare_coefficients(list, what, f);
  }
}

}  // namespace trammel::advice
