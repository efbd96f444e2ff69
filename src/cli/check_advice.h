// What `trammel check` tells of rules of thumb (advice/rules.h).
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "analysis/session.h"
#include "session/plan.h"

namespace trammel {

/// Holds a deck against all rules. `report` gets "advice", a list of those that found something, each with
/// what it found first, and "rules", how many were looked at. `assembled`: the session has initial
/// conditions; else rules about them find nothing.
void add_advice(nlohmann::ordered_json& report, const Description& deck, const Plan& plan, Session& session,
                bool assembled);
/// Prints that, after the rest of the report.
void print_advice(const nlohmann::ordered_json& report);

}  // namespace trammel
