// Findings from the statistics of steps, in words, with advice: one function per rule.
#pragma once

#include "dataset/description.h"
#include "session/doctor/report.h"
#include "session/doctor/step_statistics.h"

namespace trammel {

/// The arguments of the rules.
struct Examined {
  const StepStatistics& steps;
  const Model& model;
  const Description& deck;
  const DoctorReport& report;        ///< complete except `limits` and `findings`
  const std::vector<Fact>& failure;  ///< facts of the failure that ended the run
};

/// The limits of the step size, the most frequent first: "PART/3 rotation: 71 % of the steps, t = 0.2 to 0.4,
/// 31 Hz".
std::vector<std::string> limits_in_words(const StepStatistics& steps, const Model& model);
/// The findings: a failure and collapses of the step first, then in the order of the rules.
std::vector<DoctorFinding> findings_of(const Examined& examined);

}  // namespace trammel
