// Rules on damping: too much, none at all.
#include <algorithm>
#include <cmath>

#include "advice/rules.h"
#include "math/symmetric.h"

namespace trammel::advice {

namespace {

/// 1/m or 1/J of the body of a marker, the largest moment; 0 of ground, infinite of what has no mass.
double compliance(const Model& model, int marker, bool turning) {
  const int body = model.markers[marker].body;
  if (body < 0) return 0;
  const Body& b = model.bodies[body];
  return 1 / (turning ? eigenvalues(b.inertia).z : b.mass);
}

/// The part of critical damping, c / (2 sqrt(k m)), m of both bodies against each other; 0: not known.
double damping_ratio(const Model& model, const Connector& e, double k, double c, bool turning) {
  const double inverse = compliance(model, e.I, turning) + compliance(model, e.J, turning);
  if (!(k > 0) || !(inverse > 0) || !std::isfinite(inverse)) return 0;
  return c / (2 * std::sqrt(k / inverse));
}

}  // namespace

void overdamped(const Subject& s, Findings& f) {
  constexpr double much = 100;  // of a part's own mass: what hangs on it makes the true ratio smaller
  constexpr std::pair<std::string_view, std::string_view> pairs[] = {{"K", "C"}, {"KT", "CT"}};
  for (const Connector& e : s.model.connectors) {
    const Statement* statement = s.expressions.statement(e.name.type, e.name.id);
    if (!statement || !e.name.active) continue;
    double most = 0;
    std::string_view what;
    for (const auto& [stiffness, damping] : pairs) {
      const Argument *k = statement->find(stiffness), *c = statement->find(damping);
      for (std::size_t axis = 0; k && c && axis < std::min(k->numbers.size(), c->numbers.size()); ++axis) {
        const double ratio = damping_ratio(s.model, e, k->numbers[axis], c->numbers[axis], damping == "CT");
        if (!(ratio > most)) continue;
        most = ratio;
        what = damping;
      }
    }
    if (most > much)
      f.add(e.name.where, "{}: {} is {:.3g} times critical for the parts that it joins", statement->label(),
            what, most);
  }
}

namespace {

constexpr std::string_view damping_arguments[] = {"C", "CT", "CRATIO", "CMATRIX"};

bool has_damping(const Statement& s) {
  const auto any = [](const Argument* a) {
    return a && std::any_of(a->numbers.begin(), a->numbers.end(), [](double x) { return x != 0; });
  };
  // CMATRIX of NFORCE is an id, which is not 0 either.
  return std::any_of(std::begin(damping_arguments), std::end(damping_arguments),
                     [&](std::string_view name) { return any(s.find(name)); });
}

bool can_be_elastic(const Statement& s) {
  constexpr std::string_view keywords[] = {"SPRINGDAMPER", "BUSHING", "BEAM", "FIELD", "NFORCE"};
  return std::find(std::begin(keywords), std::end(keywords), s.spec->keyword) != std::end(keywords);
}
bool is_elastic(const Statement& s) {
  const bool by_coefficients = s.spec->keyword == "SPRINGDAMPER" || s.spec->keyword == "BUSHING";
  return !by_coefficients || s.has("K") || s.has("KT");
}

}  // namespace

void no_damping(const Subject& s, Findings& f) {
  if (s.start && s.start->report().degrees_of_freedom <= 0) return;
  const Statement* elastic = nullptr;
  for (const Statement& statement : s.deck.statements) {
    if (!statement.active || !can_be_elastic(statement)) continue;
    if (has_damping(statement)) return;
    if (!elastic && is_elastic(statement)) elastic = &statement;
  }
  for (std::size_t tape = 0; tape < s.model.tapes.size(); ++tape)
    if (s.model.tape_in_equations[tape] && s.model.tapes[tape].max_level() >= 2) return;
  if (elastic)
    f.add(elastic->where, "{}: nothing in the model takes energy out of its vibrations", elastic->label());
}

}  // namespace trammel::advice
