// A deck given as text, held against the rules of thumb.
#pragma once

#include <memory>

#include "../support/deck.h"
#include "advice/rules.h"

namespace trammel::test {

/// A part of 2 kg at (0, 0, 1) with a marker half a metre below its centre, and two markers of ground: at the
/// part's centre and at the origin. What follows begins on line 10.
inline const std::string one_part =
    "UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
    "ACCGRAV/KGRAV=-9.81\n"
    "PART/1, GROUND\n"
    "MARKER/10, PART=1, QP=0,0,1\n"
    "MARKER/11, PART=1, QP=0,0,0\n"
    "PART/2, QG=0,0,1, MASS=2, CM=20, IP=1,1,1\n"
    "MARKER/20, PART=2, QP=0,0,0\n"
    "MARKER/21, PART=2, QP=0,0,-0.5\n";

/// Where the only simulation of an Advised stands.
inline const Location simulate_line{"job.acf", 3};

struct Advised {
  /// statements: what follows the title. The simulation runs from 0 to `end` and writes every `step`.
  explicit Advised(const std::string& statements, double end = 1, double step = 0.005) {
    Diagnostics diagnostics;
    description = parse_dataset("title\n" + statements + "END\n", "test.adm", diagnostics);
    report_unsupported(description, diagnostics);
    diagnostics.stop_on_errors();
    Model model = compile(description, diagnostics);
    settings = read_settings(description, diagnostics);
    diagnostics.stop_on_errors();
    spans = {{simulate_line, 0, end, step, settings}};
    session = std::make_unique<Session>(std::move(model), settings, SessionEvents());
    try {
      start = std::make_unique<StartValues>(*session);
    } catch (const Failure&) {  // some rules are about models that cannot be assembled
    }
    subject = std::make_unique<Subject>(description, session->model(), spans, settings, start.get());
  }

  /// What the rule of that name finds. Fails the test where there is no such rule.
  Findings by(std::string_view rule) const {
    Findings found;
    const std::span<const AdviceRule> rules = advice_rules();
    const auto at =
        std::find_if(rules.begin(), rules.end(), [&](const AdviceRule& r) { return r.name == rule; });
    EXPECT_NE(at, rules.end()) << rule;
    if (at != rules.end()) at->find(*subject, found);
    return found;
  }

  Description description;
  DynamicsSettings settings;
  std::vector<SimulationSpan> spans;
  std::unique_ptr<Session> session;
  std::unique_ptr<StartValues> start;
  std::unique_ptr<Subject> subject;
};

inline std::string all_texts(const Findings& found) {
  std::string text;
  for (const Finding& f : found.first) text += to_string(f.where) + ": " + f.text + "\n";
  return text;
}

}  // namespace trammel::test
