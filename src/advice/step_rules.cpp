// Rules on steps: events and waves that they may pass over, settings of the integrator.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "advice/quantities.h"
#include "advice/rules.h"

namespace trammel::advice {

namespace {

/// Times at which a function of TIME begins or ends to change.
void list_switches(const DeckExpression& e, int k, std::vector<double>& times) {
  const Node& node = e[k];
  const Builtin* row = builtin_of(node);
  const bool ramp = row && (row->op == Op::step || row->op == Op::step5 || row->op == Op::havsin);
  if (!e.lives(k) || (!ramp && node.kind != NodeKind::sign_if)) return;
  const LinearInTime x = linear_in_time(e, node.child[0]);
  if (!x.known || x.slope == 0) return;
  if (!ramp) return times.push_back(-x.value / x.slope);
  for (int edge : {1, 3})
    if (e.range_of_child(k, edge).point())
      times.push_back((e.range_of_child(k, edge).low - x.value) / x.slope);
}

/// The span of the simulations that holds a time; nullptr: none.
const SimulationSpan* span_at(const Subject& s, double t) {
  for (const SimulationSpan& span : s.simulations)
    if (span.begin <= t && t < span.end) return &span;
  return nullptr;
}

std::string largest_step(const SimulationSpan& span) {
  return span.settings.hmax_given ? fmt::format("HMAX is {:.3g}", span.hmax())
                                  : fmt::format("HMAX is the output step, {:.3g}", span.hmax());
}

}  // namespace

void short_event(const Subject& s, Findings& f) {
  constexpr double rounding = 1e-12;  // of two switches at one time
  for (const DeckExpression& e : s.expressions.all()) {
    std::vector<double> times;
    for (int k = 0; k < static_cast<int>(e.tree.nodes.size()); ++k) list_switches(e, k, times);
    std::sort(times.begin(), times.end());
    for (std::size_t k = 1; k < times.size(); ++k) {
      const SimulationSpan* span = span_at(s, times[k - 1]);
      const double length = times[k] - times[k - 1];
      if (!span || !(length < span->hmax()) || length <= rounding * std::abs(times[k])) continue;
      f.add(e.argument->where, "{}: changes between TIME {:.6g} and {:.6g}, and {}{}", e.label(),
            times[k - 1], times[k], largest_step(*span), s.expressions.read_by(e));
      break;
    }
  }
}

namespace {

/// The fastest frequency, in radians per unit of TIME, of a periodic function of it; 0: it is none.
double frequency_of(const DeckExpression& e, int k) {
  const Node& node = e[k];
  const Builtin* row = builtin_of(node);
  if (!row || row->kind != BuiltinKind::op || node.child.empty()) return 0;
  const LinearInTime x = linear_in_time(e, node.child[0]);
  const auto constant = [&](int argument) {
    const Range& r = e.range_of_child(k, argument);
    return r.point() ? r.low : 0;
  };
  if (!x.known) return 0;
  switch (row->op) {
    case Op::sin:
    case Op::cos:
      return std::abs(x.slope);
    case Op::shf:
      return std::abs(x.slope * constant(3));
    case Op::forcos:
    case Op::forsin:
      return std::abs(x.slope * constant(2)) * (static_cast<double>(node.child.size()) - 4);
    case Op::sweep:
      return 2 * std::numbers::pi * std::abs(x.slope) *
             std::max(std::abs(constant(3)), std::abs(constant(5)));
    default:
      return 0;
  }
}

}  // namespace

void fast_wave(const Subject& s, Findings& f) {
  for (const DeckExpression& e : s.expressions.all())
    for (int k = 0; k < static_cast<int>(e.tree.nodes.size()); ++k) {
      const double frequency = e.lives(k) ? frequency_of(e, k) : 0;
      const SimulationSpan* longest = nullptr;
      for (const SimulationSpan& span : s.simulations)
        if (!longest || span.hmax() > longest->hmax()) longest = &span;
      if (!longest || !(frequency * longest->hmax() > 2 * std::numbers::pi)) continue;
      f.add(e.argument->where, "{}: {} has a period of {:.3g}, and {}{}", e.label(), e.place(k),
            2 * std::numbers::pi / frequency, largest_step(*longest), s.expressions.read_by(e));
    }
}

void fast_mode(const Subject& s, Findings& f) {
  constexpr double much = 0.5;  // of critical damping: less than a swing is left of the second period
  const SimulationSpan* longest = nullptr;
  for (const SimulationSpan& span : s.simulations)
    if (!longest || span.hmax() > longest->hmax()) longest = &span;
  if (!longest) return;
  for (const FlexibleBody& body : s.model.flexible_bodies) {
    int count = 0, slowest = -1;
    for (int j = 0; j < body.dynamic; ++j) {
      const double damping = body.damping[static_cast<std::size_t>(j) * (body.modes + 1)];
      if (!(body.frequency[j] * longest->hmax() > 1) || damping > much * body.critical_damping(j)) continue;
      ++count;
      if (slowest < 0 || body.frequency[j] < body.frequency[slowest]) slowest = j;
    }
    if (count == 0) continue;
    f.add(body.name.where, "{}: {} of its {} modes, from {} on, {} a period of {:.3g} or less, and {}",
          body.name.label(), count, body.modes, body.mode_id[slowest], count == 1 ? "has" : "have",
          1 / body.frequency[slowest], largest_step(*longest));
  }
}

namespace {

/// f(place, settings) for each simulation, or for the deck where there is none.
template <class F>
void for_settings(const Subject& s, F f) {
  for (const SimulationSpan& span : s.simulations) f(span.where, span.settings.integrator);
  if (const Statement* integrator = s.deck.find("INTEGRATOR"); integrator && s.simulations.empty())
    f(integrator->where, s.settings.integrator);
}

}  // namespace

void tolerance(const Subject& s, Findings& f) {
  constexpr double loose = 1e-2, tight = 1e-13;
  for_settings(s, [&](const Location& where, const IntegratorOptions& o) {
    if (!o.fixed_step() && (o.error > loose || o.error < tight))
      f.add(where, "INTEGRATOR: ERROR is {:.3g}", o.error);
  });
}

void pattern(const Subject& s, Findings& f) {
  for_settings(s, [&](const Location& where, const IntegratorOptions& o) {
    if (o.pattern.find('F') == std::string::npos) f.add(where, "INTEGRATOR: PATTERN is {}", o.pattern);
  });
}

}  // namespace trammel::advice
