// Rules of thumb for models that run fast and safely, as far as a deck shows whether they are kept.
// Source: ADAMS/Solver primer, section 8.3 (and where said so, 8.1).
#pragma once

#include "advice/subject.h"

namespace trammel {

struct AdviceRule {
  std::string_view name;
  std::string_view source;    ///< place in the primer: "8.3, 1, 5a"
  std::string_view looks_at;  ///< and the bounds that it uses
  std::string_view why;       ///< one sentence: what it does to a run
  std::string_view mend;      ///< one sentence
  void (*find)(const Subject&, Findings&);
};

/// All rules, in the order in which they are told.
std::span<const AdviceRule> advice_rules();

struct RuleFindings {
  const AdviceRule* rule = nullptr;
  Findings findings;
};
/// Looks at a deck with every rule; those that find nothing are left out.
std::vector<RuleFindings> advise(const Subject& subject);

/// All rules as Markdown: `trammel check --rules`, and the list in docs/check_rules.md.
std::string rules_text();

namespace advice {
// Functions that break the smoothness of forces, constraints and states: function_rules.cpp.
void discontinuity(const Subject& s, Findings& f);
void division(const Subject& s, Findings& f);
void domain(const Subject& s, Findings& f);
void velocity_frame(const Subject& s, Findings& f);
void damping_sign(const Subject& s, Findings& f);
// Contacts and ramps: contact_rules.cpp.
void contact_exponent(const Subject& s, Findings& f);
void contact_depth(const Subject& s, Findings& f);
void contact_velocity(const Subject& s, Findings& f);
void contact_steps(const Subject& s, Findings& f);
void contact_start(const Subject& s, Findings& f);
void ramp_width(const Subject& s, Findings& f);
// MOTION: motion_rules.cpp.
void motion_spline(const Subject& s, Findings& f);
void motion_akima(const Subject& s, Findings& f);
void motion_ramp(const Subject& s, Findings& f);
void motion_state(const Subject& s, Findings& f);
// SPLINE: spline_rules.cpp.
void spline_range(const Subject& s, Findings& f);
void spline_data(const Subject& s, Findings& f);
// Masses: mass_rules.cpp.
void small_mass(const Subject& s, Findings& f);
void small_inertia(const Subject& s, Findings& f);
void dummy_part(const Subject& s, Findings& f);
// Constraints: constraint_rules.cpp.
void redundant(const Subject& s, Findings& f);
// Units and magnitudes: unit_rules.cpp.
void gravity_unit(const Subject& s, Findings& f);
void length_unit(const Subject& s, Findings& f);
void time_unit(const Subject& s, Findings& f);
void force_unit(const Subject& s, Findings& f);
void extreme_number(const Subject& s, Findings& f);
void stiffness_spread(const Subject& s, Findings& f);
// Damping: damping_rules.cpp.
void overdamped(const Subject& s, Findings& f);
void no_damping(const Subject& s, Findings& f);
// Steps and settings of the integrator: step_rules.cpp.
void short_event(const Subject& s, Findings& f);
void fast_wave(const Subject& s, Findings& f);
void fast_mode(const Subject& s, Findings& f);
void tolerance(const Subject& s, Findings& f);
void pattern(const Subject& s, Findings& f);
}  // namespace advice

}  // namespace trammel
