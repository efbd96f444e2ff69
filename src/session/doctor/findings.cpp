#include "session/doctor/findings.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "base/text.h"

namespace trammel {

namespace {

double part_of(double some, double all) {
  return all > 0 ? some / all : 0;
}

std::string percent(double share) {
  return fmt::format("{:.0f} %", 100 * share);
}

std::string cause_name(const StepCause& cause, const Model& model) {
  if (cause.unknown < 0) return "?";
  const std::string name = model.unknown_name(cause.unknown);
  return cause.rotation ? name.substr(0, name.rfind(' ')) + " rotation" : name;
}

int body_of(const StepCause& cause, const Model& model) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const int first = model.bodies[b].first;
    if (cause.unknown >= first && cause.unknown < first + model.bodies[b].count()) return static_cast<int>(b);
  }
  return -1;
}

using Cause = std::pair<StepCause, CauseTally>;

/// The coordinates and states whose error limits steps, the most frequent first.
std::vector<Cause> causes_of(const StepStatistics& steps) {
  std::vector<Cause> list(steps.by_error.begin(), steps.by_error.end());
  std::stable_sort(list.begin(), list.end(),
                   [](const Cause& a, const Cause& b) { return a.second.steps > b.second.steps; });
  return list;
}

template <class Key>
std::pair<Key, long> most_frequent(const std::map<Key, long>& counts) {
  const auto most = std::max_element(counts.begin(), counts.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? std::pair<Key, long>{} : std::pair<Key, long>(*most);
}

/// A force on a body: its name, the text of its function ("": none), and the frequency of the body's mass on
/// its stiffness K (0: none).
struct ForceOn {
  std::string name, function;
  double frequency = 0;
};

std::vector<ForceOn> forces_on(const Examined& e, int body) {
  std::vector<ForceOn> list;
  if (body < 0) return list;
  e.model.for_wrench_tables([&](const auto& table) {
    for (const auto& force : table) {
      if constexpr (requires { force.law; }) {
        bool on_it = false;
        force.for_ends([&](int marker) { on_it = on_it || e.model.markers[marker].body == body; });
        const Statement* statement = on_it ? e.deck.find(force.name.type, force.name.id) : nullptr;
        if (!statement || !force.name.active) continue;
        ForceOn found{force.name.label(), {}, 0};
        for (const Argument& a : statement->arguments)
          if (a.field->kind == FieldKind::expression) found.function += upper(a.text);
        const double mass = e.model.bodies[body].mass;
        if (const double k = statement->real("K", 0); k > 0 && mass > 0)
          found.frequency = std::sqrt(k / e.model.ucf / mass) / (2 * std::numbers::pi);
        list.push_back(std::move(found));
      }
    }
  });
  return list;
}

/// Names of the forces that `wanted` accepts, of all where it accepts none: "SPRINGDAMPER/2, BUSHING/4".
template <class Wanted>
std::string names_of(const std::vector<ForceOn>& forces, const Wanted& wanted) {
  constexpr std::size_t most = 4;
  std::vector<std::string> names, all;
  for (const ForceOn& force : forces) {
    all.push_back(force.name);
    if (wanted(force)) names.push_back(force.name);
  }
  std::vector<std::string>& list = names.empty() ? all : names;
  const std::size_t more = list.size() > most ? list.size() - most : 0;
  list.resize(list.size() - more);
  return fmt::format("{}{}", fmt::join(list, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

bool has_contact(const ForceOn& force) {
  return force.function.find("IMPACT") != std::string::npos ||
         force.function.find("BISTOP") != std::string::npos;
}

using Findings = std::vector<DoctorFinding>;

/// "31 Hz" where the unit of time is the second, else "31 periods in a unit of time".
std::string frequency_text(const Frequency& frequency, const Model& model) {
  const bool seconds = equal_ignoring_case(model.units.time, "SECOND");
  return fmt::format("{}{:.3g} {}", frequency.at_least ? "at least " : "", frequency.value,
                     seconds ? "Hz" : "periods in a unit of time");
}

/// Advice about a row or coordinate that jumps; `forces`: those on its body.
std::string smoother(const std::string& name, const std::vector<ForceOn>& forces) {
  if (name.starts_with("MOTION/") || name.starts_with("GCON/"))
    return fmt::format(
        "Give {} a function that is twice differentiable (STEP in place of IF), or end a SIMULATE "
        "where it jumps, so that the next one begins with the new course.",
        name.substr(0, name.find(' ')));
  return fmt::format(
      "Look for a function that jumps or has a corner there{}: STEP in place of IF; a SENSOR with "
      "RESTART begins anew at a known event.",
      forces.empty() ? "" : " (on it: " + names_of(forces, has_contact) + ")");
}

constexpr const char* softer_contact =
    "A lower stiffness or exponent, a larger depth of penetration (the distance over which damping sets in) "
    "or more "
    "damping of the contact make it longer; a larger ERROR takes fewer steps through it.";

/// The likely cause of refused steps: the constraint row with the largest residual, a MOTION of the body that
/// limits them, or the coordinate or state.
std::string culprit(const StepCollapse& c, const Model& model) {
  if (c.equation >= model.coordinates && c.equation < model.first_scalar())
    return model.equation_name(c.equation);
  const int body = body_of(c.cause, model);
  for (const ConstraintElement& joint : model.constraint_elements)
    if (joint.motion && joint.name.active && body >= 0 &&
        (model.markers[joint.I].body == body || model.markers[joint.J].body == body))
      return joint.name.label();
  return cause_name(c.cause, model);
}

void steps_fail(const Examined& e, Findings& out) {
  if (e.report.failure.empty()) return;
  std::string mend =
      "What the message names is where to look: a function that jumps or leaves its range, parts that are "
      "held by "
      "nothing or held twice, a position from where no motion leads on.";
  std::vector<std::string> names;
  for (const Fact& fact : e.failure)
    if (const auto* name = std::get_if<std::string>(&fact.value)) names.push_back(*name);
  if (!e.steps.collapses.empty()) names.push_back(culprit(e.steps.collapses.back(), e.model));
  for (const std::string& name : names)
    if (name.starts_with("MOTION/")) mend = smoother(name, {});
  out.push_back({"failure", e.report.failure, mend, 1, e.failure});
}

/// Reports collapses of the step size, by their likely cause.
void steps_jump(const Examined& e, Findings& out) {
  std::map<std::string, std::vector<const StepCollapse*>> by_name;
  for (const StepCollapse& c : e.steps.collapses) by_name[culprit(c, e.model)].push_back(&c);
  for (const auto& [name, list] : by_name) {
    const StepCollapse& first = *list.front();
    const std::vector<ForceOn> forces = forces_on(e, body_of(first.cause, e.model));
    const bool contact =
        !name.starts_with("MOTION/") && std::any_of(forces.begin(), forces.end(), has_contact);
    const std::string times = list.size() == 1 ? "" : fmt::format(", and at {} more places", list.size() - 1);
    const std::string what =
        contact ? names_of(forces, has_contact) + " comes into contact" : name + " jumps or has a corner";
    out.push_back({contact ? "contact" : "jump",
                   fmt::format("At t = {:.6g}{} the step has to shrink, from {:.2g} to {:.2g}: {}.", first.t,
                               times, first.from, first.to, what),
                   contact ? softer_contact : smoother(name, forces),
                   part_of(double(list.size()), double(e.steps.collapse_count)),
                   {{"t", first.t}, {"name", name}, {"from", first.from}, {"to", first.to}}});
  }
}

/// The share of the time that the shorter half of the steps covers.
double time_of_short_half(const StepStatistics& steps) {
  long count = 0;
  double time = 0, all = 0;
  for (const auto& [size, tally] : steps.by_size) all += tally.second;
  for (const auto& [size, tally] : steps.by_size) {
    count += tally.first;
    time += tally.second;
    if (2 * count >= steps.steps) break;
  }
  return part_of(time, all);
}

void steps_crowd(const Examined& e, Findings& out) {
  constexpr double crowded = 0.1;  // share of the time
  const double share = time_of_short_half(e.steps);
  const std::vector<Cause> causes = causes_of(e.steps);
  if (share > crowded || causes.empty()) return;
  const auto& [cause, tally] = causes.front();
  const std::string name = cause_name(cause, e.model);
  const std::vector<ForceOn> forces = forces_on(e, body_of(cause, e.model));
  const bool contact = std::any_of(forces.begin(), forces.end(), has_contact);
  std::string text = fmt::format(
      "Half of the steps are taken in {:.2g} % of the time, {} limits most of them", 100 * share, name);
  if (contact) text += fmt::format(": {} comes into contact there", names_of(forces, has_contact));
  out.push_back({contact ? "contact" : "short events",
                 text + ".",
                 contact
                     ? softer_contact
                     : fmt::format("Something is fast or not smooth there{}; smooth it, or allow a larger "
                                   "ERROR.",
                                   forces.empty() ? "" : " (on it: " + names_of(forces, has_contact) + ")"),
                 part_of(double(tally.steps), double(e.steps.steps)),
                 {{"name", name}, {"share_of_time", share}}});
}

void motion_is_fast(const Examined& e, Findings& out) {
  constexpr double least_share = 0.3, faster = 5, near = 1.5;
  for (const auto& [cause, tally] : causes_of(e.steps)) {
    const double share = part_of(double(tally.steps), double(e.steps.steps));
    const Frequency found = share < least_share ? Frequency{} : e.steps.frequency_of(cause, tally);
    const double frequency = found.value, usual = e.steps.usual_frequency(cause);
    const bool unseen = e.report.output_step > 0 && frequency * e.report.output_step > 0.5;
    if (frequency <= 0 || !(unseen || frequency > faster * usual)) continue;
    const std::string name = cause_name(cause, e.model);
    const auto gives_it = [&](const ForceOn& force) {
      return force.frequency > frequency / near && (found.at_least || force.frequency < frequency * near);
    };
    const std::vector<ForceOn> forces = forces_on(e, body_of(cause, e.model));
    const std::string on_it = forces.empty() ? "" : " (" + names_of(forces, gives_it) + ")";
    std::string text = fmt::format("{} limits {} of the steps: it moves with {}", name, percent(share),
                                   frequency_text(found, e.model));
    if (usual > 0 && frequency > faster * usual)
      text += ", others with " + frequency_text({usual, false}, e.model);
    if (unseen) text += ", faster than the outputs can show";
    out.push_back(
        {"fast motion",
         text + ".",
         fmt::format("If that vibration does not matter, damp it or make what causes it softer{}, or "
                     "let the integrator damp it: INTEGRATOR/HHT, or a larger ERROR. If it does, this is "
                     "its price, and outputs have to be closer to show it.",
                     on_it),
         share,
         {{"name", name}, {"frequency", frequency}, {"usual_frequency", usual}}});
  }
}

/// The factor by which steps could be longer by their mean error if `limit` did not cut them.
double possible_factor(const StepStatistics& steps, StepLimit limit) {
  const auto count = steps.limits.find(limit);
  if (count == steps.limits.end() || count->second == 0) return 1;
  const double order = part_of(steps.order_sum, double(steps.steps));
  return std::exp(steps.log_error.at(limit) / double(count->second) / (order + 1));
}

void steps_are_cut(const Examined& e, Findings& out) {
  constexpr double least_share = 0.5, hmax_factor = 2, output_factor = 3;
  constexpr long enough = 1000;  // steps that end at outputs: fewer cost nothing
  for (const StepLimit limit : {StepLimit::hmax, StepLimit::output}) {
    const auto count = e.steps.limits.find(limit);
    const double share =
        count == e.steps.limits.end() ? 0 : part_of(double(count->second), double(e.steps.steps));
    const double factor = possible_factor(e.steps, limit);
    if (share < least_share || factor < (limit == StepLimit::hmax ? hmax_factor : output_factor)) continue;
    const bool hmax = limit == StepLimit::hmax;
    if (!hmax && count->second < enough) continue;
    const std::string possible = fmt::format("by their error they could be {} times as long",
                                             factor > 100 ? "more than 100" : fmt::format("{:.2g}", factor));
    out.push_back(
        {hmax ? "hmax" : "outputs",
         hmax ? fmt::format("HMAX = {:.4g} limits {} of the steps, not ERROR: {}.", e.steps.hmax,
                            percent(share), possible)
              : fmt::format("The outputs limit {} of the steps, not ERROR: {}.", percent(share), possible),
         hmax ? "Give a larger HMAX, or none: then it is the output step."
              : "Fewer outputs, or INTERPOLATE=ON with a larger HMAX, which lets steps pass over outputs; "
                "or a smaller ERROR, which costs nothing here.",
         share,
         {{"hmax", e.steps.hmax}, {"possible_factor", factor}}});
  }
}

void convergence_is_slow(const Examined& e, Findings& out) {
  constexpr double least_share = 0.3;
  const double share = part_of(double(e.steps.slow_iterations), double(e.steps.iterations));
  if (share < least_share || e.steps.slow.empty()) return;
  const auto [unknown, count] = most_frequent(e.steps.slow);
  const std::string name = e.model.unknown_name(unknown);
  const double of_row = part_of(double(count), double(e.steps.slow_iterations));
  const std::vector<ForceOn> forces = forces_on(e, body_of({unknown, false}, e.model));
  const std::string on_it = forces.empty() ? "" : " (" + names_of(forces, has_contact) + ")";
  out.push_back(
      {"slow convergence",
       fmt::format("{} of the corrector's iterations converge slowly; in {} of these {} is corrected most.",
                   percent(share), percent(std::min(of_row, 1.0)), name),
       fmt::format("The matrix changes much within a step there: look for a function with a corner or a "
                   "steep law that acts on it{}. PATTERN=T makes a new matrix in each iteration; a "
                   "smaller HMAX helps where it is periodic.",
                   on_it),
       share,
       {{"name", name}, {"share_of_row", of_row}}});
}

void steps_are_refused(const Examined& e, Findings& out) {
  constexpr double least_share = 0.25;
  const StepStatistics& s = e.steps;
  const long refused = s.refused_error + s.refused_corrector + s.refused_other;
  const double share = part_of(double(refused), double(refused + s.steps));
  if (share < least_share) return;
  const std::string name = s.refusals.empty() ? "" : cause_name(most_frequent(s.refusals).first, e.model);
  out.push_back(
      {"refused steps",
       fmt::format(
           "{} of the attempts at a step are refused: {} for their error{}, {} for no convergence, {} "
           "for a function without a value.",
           percent(share), s.refused_error, name.empty() ? "" : ", most in " + name, s.refused_corrector,
           s.refused_other),
       s.refused_error >= s.refused_corrector
           ? "The motion changes within a step what the step before let expect: corners and jumps of "
             "functions, contacts. Smooth them, or give an HMAX that fits the shortest event."
           : "Give a smaller HMAX, or PATTERN=T; look for laws that are steep or not smooth.",
       share,
       {{"error", double(s.refused_error)}, {"corrector", double(s.refused_corrector)}}});
}

void steps_near_hmin(const Examined& e, Findings& out) {
  constexpr double near = 100;
  const StepStatistics& s = e.steps;
  if (s.limits.contains(StepLimit::fixed) || s.smallest >= near * s.hmin) return;
  out.push_back(
      {"hmin",
       fmt::format("Steps fall to {:.2g} at t = {:.6g}, near HMIN = {:.2g}, below which the run would end.",
                   s.smallest, s.smallest_at, s.hmin),
       "Look for a jump or a singular position at that time; a smaller HMIN only hides it.",
       0,
       {{"t", s.smallest_at}, {"step", s.smallest}}});
}

void events_restart(const Examined& e, Findings& out) {
  constexpr long least = 5;
  constexpr double least_share = 0.25;
  const auto growing = e.steps.limits.find(StepLimit::growth);
  const double share =
      growing == e.steps.limits.end() ? 0 : part_of(double(growing->second), double(e.steps.steps));
  if (e.steps.starts - 1 < least || share < least_share) return;
  out.push_back(
      {"restarts",
       fmt::format("The integrator begins anew {} times, and {} of the steps grow from there.",
                   e.steps.starts - 1, percent(share)),
       "Sensors with RESTART, DT, STEPSIZE or EVALUATE, and changes between simulations cause that: leave "
       "out those that nothing depends on, or give a larger HINIT.",
       share,
       {{"restarts", double(e.steps.starts - 1)}}});
}

void rounding_decides(const Examined& e, Findings& out) {
  constexpr double least_share = 0.05;
  const double share = part_of(double(e.report.counters.rounding), double(e.steps.steps));
  if (share < least_share) return;
  out.push_back(
      {"rounding",
       fmt::format("In {} of the steps rounding displaces the mechanism by more than ERROR allows.",
                   percent(share)),
       "ERROR is below what numbers of this size can hold: give a larger one, or place the model nearer "
       "to the origin.",
       share,
       {}});
}

std::string limit_name(StepLimit limit) {
  switch (limit) {
    case StepLimit::error:
      return "error";
    case StepLimit::hmax:
      return "HMAX";
    case StepLimit::output:
      return "outputs";
    case StepLimit::corrector:
      return "the corrector, which did not converge with longer ones";
    case StepLimit::growth:
      return "growth after a start";
    case StepLimit::fixed:
      break;
  }
  return "a fixed size";
}

}  // namespace

std::vector<std::string> limits_in_words(const StepStatistics& steps, const Model& model) {
  constexpr double least_share = 0.03, frequent = 0.3;
  std::vector<std::pair<long, std::string>> lines;
  for (const auto& [limit, count] : steps.limits)
    if (limit != StepLimit::error && double(count) >= 0.01 * double(steps.steps))
      lines.emplace_back(count, fmt::format("{}: {} of the steps", limit_name(limit),
                                            percent(part_of(double(count), double(steps.steps)))));
  for (const auto& [cause, tally] : causes_of(steps)) {
    if (part_of(double(tally.steps), double(steps.steps)) < least_share) break;
    const StepStatistics::Stretch stretch = steps.stretch_of(tally);
    std::string line = fmt::format("{}: {} of the steps by its error", cause_name(cause, model),
                                   percent(part_of(double(tally.steps), double(steps.steps))));
    line += fmt::format(", {} of those between t = {:.4g} and {:.4g}", percent(stretch.share), stretch.begin,
                        stretch.end);
    const bool often = double(tally.steps) >= frequent * double(steps.steps);
    const Frequency f = often ? steps.frequency_of(cause, tally) : Frequency{};
    if (f.value > 0) line += "; it moves with " + frequency_text(f, model);
    lines.emplace_back(tally.steps, line);
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> out;
  for (auto& [count, line] : lines) out.push_back(std::move(line));
  return out;
}

std::vector<DoctorFinding> findings_of(const Examined& e) {
  constexpr long least_steps = 20;  // fewer steps show nothing
  Findings out;
  steps_fail(e, out);
  steps_jump(e, out);
  if (e.steps.steps < least_steps) return out;
  for (const auto rule : {steps_crowd, motion_is_fast, steps_are_cut, convergence_is_slow, steps_are_refused,
                          steps_near_hmin, events_restart, rounding_decides})
    rule(e, out);
  return out;
}

}  // namespace trammel
