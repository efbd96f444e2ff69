// Rules on contacts (IMPACT, BISTOP, CONTACT) and ramps (STEP, STEP5, HAVSIN).
#include <algorithm>
#include <cmath>

#include "advice/quantities.h"
#include "advice/rules.h"

namespace trammel::advice {

namespace {

/// IMPACT or BISTOP, with the places of its arguments.
struct ContactForm {
  Op op;
  int exponent, depth;
};
constexpr ContactForm contact_forms[] = {{Op::impact, 4, 6}, {Op::bistop, 5, 7}};

/// " and 3 more", of a list of which the first is told.
std::string and_more(int count) {
  return count > 1 ? fmt::format(" and {} more", count - 1) : "";
}

template <class F>
void for_contacts(const Subject& s, F f) {
  for (const DeckExpression& e : s.expressions.all())
    for (int k = 0; k < static_cast<int>(e.tree.nodes.size()); ++k)
      for (const ContactForm& form : contact_forms)
        if (const Builtin* row = builtin_of(e[k]); row && e.lives(k) && row->op == form.op) f(e, k, form);
}

/// f(name, law) for every CONTACT in force.
template <class F>
void for_contact_statements(const Subject& s, F f) {
  for (const ContactElement& c : s.model.contacts)
    if (c.name.active) f(c.name, c.law);
  for (const ContactGroup& g : s.model.contact_groups)
    if (g.name.active) f(g.name, g.law);
}

/// A depth of full damping, of something called `what`.
void judge_depth(const Subject& s, Findings& f, const Location& where, const std::string& what, double depth,
                 const std::string& read_by) {
  constexpr double least_meters = 1e-4;  // 8.3, 7g: 0.1 mm
  // A tenth of a millimetre belongs to machines: of a smaller model the same part of its size.
  const double size = s.start ? s.start->size() : 0, meters = s.model.units.meters_per_length;
  const bool known = !s.model.units.length.empty();
  const double least = known ? std::min(least_meters / meters, 1e-3 * size) : 0;
  const double share = 1e-6;  // of the model's size, whatever its units
  if (depth < std::max(least, share * size))
    f.add(where, "{} has full damping at a depth of {} already{}", what, depth, read_by);
  else if (size > 0 && depth > size)
    f.add(where, "{} has full damping only at a depth of {}, more than the model's size {:.3g}{}", what,
          depth, size, read_by);
}

}  // namespace

void contact_exponent(const Subject& s, Findings& f) {
  for_contacts(s, [&](const DeckExpression& e, int k, const ContactForm& form) {
    const Range& exponent = e.range_of_child(k, form.exponent);
    if (exponent.point() && exponent.low <= 1)
      f.add(e.argument->where, "{}: {} has the exponent {}{}", e.label(), e.place(k), exponent.low,
            s.expressions.read_by(e));
  });
  for_contact_statements(s, [&](const ElementName& name, const ContactLaw& law) {
    if (!law.user && !law.poisson && law.exponent <= 1)
      f.add(name.where, "{} has the exponent {}", label_of(name), law.exponent);
  });
}

void contact_depth(const Subject& s, Findings& f) {
  for_contacts(s, [&](const DeckExpression& e, int k, const ContactForm& form) {
    const Range& depth = e.range_of_child(k, form.depth);
    if (depth.point() && measured_by(e, e[k].child[0]) == Measured::length)
      judge_depth(s, f, e.argument->where, fmt::format("{}: {}", e.label(), e.place(k)), depth.low,
                  s.expressions.read_by(e));
  });
  for_contact_statements(s, [&](const ElementName& name, const ContactLaw& law) {
    if (!law.poisson && law.damping > 0) judge_depth(s, f, name.where, label_of(name), law.full_depth, "");
  });
}

namespace {

/// Measures of a place and the velocities that belong to them; VM to none.
constexpr std::pair<std::string_view, std::string_view> rates[] = {{"DX", "VX"}, {"DY", "VY"}, {"DZ", "VZ"},
                                                                   {"DM", "VR"}, {"AX", "WX"}, {"AY", "WY"},
                                                                   {"AZ", "WZ"}, {"", "VM"}};

/// Whether a call measures a place, and another the rate of something else.
bool belong_to_different_places(const DeckExpression& e, int place, int rate) {
  const Node &x = e[place], &v = e[rate];
  const auto of_place = [&](const auto& pair) { return pair.first == x.name; };
  const auto of_rate = [&](const auto& pair) { return pair.second == v.name; };
  const auto row = std::find_if(std::begin(rates), std::end(rates), of_place);
  if (x.kind != NodeKind::call || row == std::end(rates) || v.kind != NodeKind::call ||
      std::none_of(std::begin(rates), std::end(rates), of_rate))
    return false;
  const auto marker = [&](int call, std::size_t k) {
    return k < e[call].child.size() ? e.range_of_child(call, static_cast<int>(k)).low : 0;
  };
  const bool has_axis = x.name.front() == 'D' && x.name != "DM";
  return row->second != v.name || marker(place, 0) != marker(rate, 0) ||
         marker(place, 1) != marker(rate, 1) || (has_axis && marker(place, 2) != marker(rate, 2));
}

}  // namespace

void contact_velocity(const Subject& s, Findings& f) {
  for_contacts(s, [&](const DeckExpression& e, int k, const ContactForm&) {
    if (belong_to_different_places(e, e[k].child[0], e[k].child[1]))
      f.add(e.argument->where, "{}: {} is damped by {}, which is not the rate of {}{}", e.label(), e.place(k),
            e.place(e[k].child[1]), e.place(e[k].child[0]), s.expressions.read_by(e));
  });
}

void contact_steps(const Subject& s, Findings& f) {
  constexpr double most_seconds = 0.01;  // 8.3, 7d
  const double unit = unit_in_si("TIME", s.model.units.time);
  const DeckExpression* first = nullptr;
  int count = 0;
  for_contacts(s, [&](const DeckExpression& e, int, const ContactForm&) {
    if (!first) first = &e;
    ++count;
  });
  if (!first || unit == 0) return;
  for (const SimulationSpan& span : s.simulations) {
    if (span.settings.hmax_given || !(span.hmax() * unit > most_seconds)) continue;
    f.add(first->argument->where,
          "{}{}: no HMAX is given, and steps up to the output step of {:.3g} are taken", first->label(),
          and_more(count), span.output_step);
    return;
  }
}

void contact_start(const Subject& s, Findings& f) {
  if (!s.start || s.simulations.empty() || s.simulations.front().settings.hinit_given) return;
  const DeckExpression* first = nullptr;
  int count = 0;
  double force = 0;
  for_contacts(s, [&](const DeckExpression& e, int k, const ContactForm&) {
    const double value = s.start->value(e, k).value_or(0);
    if (value == 0) return;
    if (!first) {
      first = &e;
      force = value;
    }
    ++count;
  });
  if (first)
    f.add(first->argument->where, "{}{}: in contact at the start, with {:.3g}, and no HINIT is given",
          first->label(), and_more(count), force);
}

void ramp_width(const Subject& s, Findings& f) {
  constexpr double least = 1e-6;  // of what the argument runs over
  for (const DeckExpression& e : s.expressions.all())
    for (int k = 0; k < static_cast<int>(e.tree.nodes.size()); ++k) {
      const Builtin* row = builtin_of(e[k]);
      if (!row || !e.lives(k) || e.range[k].point()) continue;
      if (row->op != Op::step && row->op != Op::step5 && row->op != Op::havsin) continue;
      const Range &from = e.range_of_child(k, 1), &to = e.range_of_child(k, 3), &x = e.range_of_child(k, 0);
      if (from.low >= to.high) {
        f.add(e.argument->where, "{}: {} runs from {} back to {}", e.label(), e.place(k), from.low, to.high);
        continue;
      }
      if (!from.point() || !to.point()) continue;
      const double scale = std::max({x.bounded() ? x.width() : usual(s, measured_by(e, e[k].child[0])),
                                     std::abs(from.low), std::abs(to.low)});
      if (to.low - from.low < least * scale)
        f.add(e.argument->where, "{}: {} is only {:.3g} wide{}", e.label(), e.place(k), to.low - from.low,
              s.expressions.read_by(e));
    }
}

}  // namespace trammel::advice
