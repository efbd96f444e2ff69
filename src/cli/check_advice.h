// The advice of `trammel check` by rules of thumb (advice/rules.h).
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "analysis/session.h"
#include "session/plan.h"

namespace trammel {

/// Checks a deck by all rules. Adds to `report` "advice", a list of the rules with findings, each with its
/// first ones, and "rules", the number of rules checked. `assembled`: the session has initial conditions;
/// without, rules about them find nothing.
void add_advice(nlohmann::ordered_json& report, const Description& deck, const Plan& plan, Session& session,
                bool assembled);
/// Prints the advice, after the rest of the report.
void print_advice(const nlohmann::ordered_json& report);

}  // namespace trammel
