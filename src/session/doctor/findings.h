// What statistics of steps mean, in words, and what to change: rules, a function each.
#pragma once

#include "dataset/description.h"
#include "session/doctor/report.h"
#include "session/doctor/step_statistics.h"

namespace trammel {

/// What the rules look at.
struct Examined {
  const StepStatistics& steps;
  const Model& model;
  const Description& deck;
  const DoctorReport& report;        ///< but for limits and findings
  const std::vector<Fact>& failure;  ///< of the failure that ended the run
};

/// What limits the steps, the most frequent first: "PART/3 rotation: 71 % of the steps, t = 0.2 to 0.4, 31
/// Hz".
std::vector<std::string> limits_in_words(const StepStatistics& steps, const Model& model);
/// In the order of what they cost.
std::vector<DoctorFinding> findings_of(const Examined& examined);

}  // namespace trammel
