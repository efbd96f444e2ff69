// The lists that INTEGRATOR/LIST, IC/LIST, KINEMATICS/LIST and EQUILIBRIUM/LIST print.
#pragma once

#include <string_view>
#include <vector>

#include "analysis/settings.h"
#include "output/message_file.h"

namespace trammel {

/// Names and values as ADAMS/Solver lists them; HMAX and HINIT that follow from the output step are shown as
/// such.
std::vector<NamedValue> settings_list(std::string_view statement, const DynamicsSettings& settings);

}  // namespace trammel
