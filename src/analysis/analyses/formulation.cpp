// Which of I3 and SI2 takes the other's place, and why; what ERROR does not resolve. Part of Dynamics.
#include "analysis/analyses/dynamics.h"

#include <algorithm>
#include <utility>

#include "integrate/methods/list.h"
#include "model/explicit_order.h"

namespace trammel {

/// What may stop bodies and turn their velocities, of which ERROR tells nothing with I3; "": nothing does,
/// corners of curves ask for I3, or the method is another one.
std::string Dynamics::stop_beyond_i3(const IntegratorOptions& options) const {
  if (!method_of(options).si2_stands_in || options.stabilized || session_.model().contact_with_corners())
    return "";
  const std::string stop = approach_.first_stop();
  return stop.empty() ? "" : stop + " may stop what moves and turn velocities";
}

/// Whether HHT controls velocities, too: something may stop bodies, as a force that is no linear function of
/// places may, or acts on them as they move until TIME ends it, and they keep what speed they have. At
/// corners of curves velocities jump, which no step resolves.
bool Dynamics::stops_ask_for_velocities(const IntegratorOptions& options) const {
  const IntegrationMethod& method = method_of(options);
  return method.second_order && method.variable_steps && !options.fixed_step() &&
         !session_.model().contact_with_corners() &&
         (!approach_.first_stop().empty() || approach_.switches().bend != Bend::none ||
          courses_.has_switched_forces());
}

/// I3 holds positions to ERROR. Velocities then miss φ̇ = 0 by some d, accelerations and reactions by d/h in a
/// step of size h after others, and a state that integrates those by d at any h, again and again. SI2 holds
/// φ̇ = 0. From what stops bodies velocities keep what the steps there err by: I3 that is not asked for by
/// name leaves that to SI2, too, as long as SI2 can go on, and not where joints have FRICTION, with which SI2
/// ends at dead centres. What asks for SI2, and how; "": nothing does, or the method is another one.
std::string Dynamics::beyond_i3(const IntegratorOptions& options) const {
  const Model& model = session_.model();
  if (options.stabilized || !method_of(options).si2_stands_in) return "";
  if (const int scalar = model.multipliers > 0 ? first_state_of_solutions(model) : -1; scalar >= 0)
    return model.scalars[scalar].name.label() + " reads accelerations or reactions";
  const bool in_joints =
      std::ranges::any_of(model.expression_forces, [](const auto& f) { return f.joint >= 0; });
  return session_.settings().formulation_given || si2_gave_way_ || in_joints ? "" : stop_beyond_i3(options);
}

/// Where SI2 cannot go on that has I3's place for a stop: I3 goes on. False: it is not so.
bool Dynamics::give_way_to_i3() {
  const IntegratorOptions& wanted = session_.settings().integrator;
  if (si2_gave_way_ || !integrator_->options().stabilized || beyond_i3(wanted).empty()) return false;
  si2_gave_way_ = true;
  si2_gave_way_ = beyond_i3(wanted).empty();  // else a state asks for SI2
  if (!si2_gave_way_) return false;
  if (session_.events().warning)
    session_.events().warning(fmt::format(
        "At time {:.9g} SI2 cannot go on in I3's place. I3 does, of whose velocities ERROR tells nothing.",
        state_.t));
  start_integrator(options_of_steps(outputs_));
  return true;
}

/// A curve of straight lines makes velocities jump at its corners. I3 derives them from positions and goes on
/// with what is left of them; the velocities of SI2 and SI1 have no step over the jump. nullptr: no contact
/// asks for I3, a state needs SI2, which then ends at a corner, or the method is another one.
const ConstraintElement* Dynamics::contact_beyond_si2(const IntegratorOptions& options) const {
  const Model& model = session_.model();
  const bool index2 = options.stabilized && method_of(options).si2_stands_in;
  return index2 && first_state_of_solutions(model) < 0 ? model.contact_with_corners() : nullptr;
}

/// Which formulation takes the place of what was asked for, and why, or what ERROR does not control; "":
/// there is nothing to tell.
std::string Dynamics::words_on_formulation(const IntegratorOptions& wanted) const {
  const std::string& method = wanted.method;
  if (const ConstraintElement* contact = contact_beyond_si2(wanted))
    return fmt::format(
        "{} is with a curve of ORDER=2, at whose corners velocities jump, which {}, {} does not "
        "take; I3 takes its place (INTEGRATOR/{}, I3 says so from the beginning).",
        contact->name.label(), method, wanted.formulation(), method);
  if (const std::string beyond = beyond_i3(wanted); !beyond.empty())
    return fmt::format(
        "{}, which {}, I3 does not control; SI2 takes I3's place (INTEGRATOR/{}, SI2 says so "
        "from the beginning).",
        beyond, method, method);
  const std::string stop = stop_beyond_i3(wanted);
  if (stop.empty()) return "";
  return fmt::format(
      "{}, of which ERROR tells nothing with {}, I3: they may be wrong by more than half. "
      "INTEGRATOR/{}, SI2 controls them.",
      stop, method, method);
}

/// Once.
void Dynamics::tell_formulation() {
  const std::string words = words_on_formulation(session_.settings().integrator);
  if (!words.empty() && !std::exchange(told_formulation_, true) && session_.events().warning)
    session_.events().warning(words);
}

namespace {

/// The least of what surfaces stick by, and whose it is; 0: none.
struct Least {
  double value = 0;
  std::string of;
  void take(double other, const ElementName& name) {
    if (other > 0 && (value == 0 || other < value)) value = other, of = name.label();
  }
};

Least least_deflection(const Model& model) {
  Least out;
  for (const Scalar& s : model.scalars)
    if (s.unit < 1) out.take(s.unit, s.name);
  return out;
}

/// The slip V at which friction that falls beyond is greatest.
Least least_peak(const Model& model) {
  Least out;
  for (const ContactElement& c : model.contacts)
    if (c.name.active && c.law.friction && c.law.mu_dynamic < c.law.mu_static)
      out.take(c.law.stick_speed, c.name);
  for (const ExpressionForce& f : model.expression_forces)
    if (f.name.active) out.take(f.falls_beyond, f.name);
  return out;
}

}  // namespace

/// What surfaces stick by, and ERROR does not resolve with a method: a deflection, which follows slip, where
/// velocities follow from positions; the slip up to which friction grows. They may let go early or late.
std::string Dynamics::unresolved_sticking(const IntegratorOptions& options) const {
  const bool derived = derives_velocities(options);
  const Model& model = session_.model();
  constexpr double part_of_deflection = 0.1;
  if (const Least z = least_deflection(model);
      derived && z.value > 0 && options.error > part_of_deflection * z.value)
    return fmt::format("{} sticks by a deflection of at most {:.3g} (MAX_STICTION_DEFORMATION)", z.of,
                       z.value);
  // Velocities that follow from positions err by more than ERROR; an explicit method has to follow what
  // sticks.
  const double part = derived ? 0.05 : method_of(options).explicit_forces ? 0.01 : 1;
  if (const Least v = least_peak(model); v.value > 0 && options.error > part * v.value)
    return fmt::format("{} sticks up to a slip of {:.3g} (STICTION_TRANSITION_VELOCITY)", v.of, v.value);
  return "";
}

/// Once.
void Dynamics::tell_unresolved_sticking() {
  const IntegratorOptions& options = session_.settings().integrator;
  if (options.fixed_step() || !session_.events().warning) return;
  const std::string what = unresolved_sticking(options);
  if (what.empty() || std::exchange(told_sticking_, true)) return;
  session_.events().warning(fmt::format(
      "{}, which ERROR = {:.3g} with {} does not resolve: it may let go early or late. A smaller ERROR does, "
      "or a method that holds velocities, as GSTIFF, SI2.",
      what, options.error, options.method));
}

}  // namespace trammel
