#include "cli/check_advice.h"

#include <nlohmann/json.hpp>

#include "advice/rules.h"
#include "terminal/print.h"

namespace trammel {

namespace {

std::vector<SimulationSpan> spans_of(const Plan& plan) {
  std::vector<SimulationSpan> spans;
  for (const Stage& s : plan.stages)
    if (s.integrates()) spans.push_back({s.where, s.begin, s.end, s.output_step, s.settings});
  return spans;
}

/// The values at the start; null where a function has no value in the first step, which run tells.
std::unique_ptr<StartValues> start_of(Session& session) {
  try {
    return std::make_unique<StartValues>(session);
  } catch (const Failure&) {
    return nullptr;
  }
}

}  // namespace

void add_advice(nlohmann::ordered_json& report, const Description& deck, const Plan& plan, Session& session,
                bool assembled) {
  const std::vector<SimulationSpan> spans = spans_of(plan);
  const std::unique_ptr<StartValues> start = assembled ? start_of(session) : nullptr;
  const std::vector<RuleFindings> list =
      advise(Subject(deck, session.model(), spans, plan.settings, start.get()));
  report["rules"] = {{"checked", advice_rules().size()}, {"with_findings", list.size()}};
  report["advice"] = nlohmann::ordered_json::array();
  for (const RuleFindings& found : list) {
    nlohmann::ordered_json entry = {{"rule", found.rule->name},
                                    {"primer", found.rule->source},
                                    {"why", found.rule->why},
                                    {"mend", found.rule->mend},
                                    {"count", found.findings.count}};
    for (const Finding& f : found.findings.first)
      entry["findings"].push_back(
          {{"file", as_utf8(f.where.file)}, {"line", f.where.line}, {"text", as_utf8(f.text)}});
    report["advice"].push_back(entry);
  }
}

void print_advice(const nlohmann::ordered_json& report) {
  if (!report.contains("advice")) return;
  for (const auto& rule : report["advice"]) {
    print_line(stdout, fmt::format("  advice: {} ({})", rule["rule"].get<std::string>(),
                                   rule["count"].get<std::size_t>()));
    for (const auto& f : rule["findings"])
      print_line(stdout, "    " + to_string(Diagnostic{Severity::note, {f["file"], f["line"]}, f["text"]}));
    if (const std::size_t more = rule["count"].get<std::size_t>() - rule["findings"].size(); more > 0)
      print_line(stdout, fmt::format("    and {} more", more));
    print_line(stdout, "    Why: " + rule["why"].get<std::string>());
    print_line(stdout, "    Mend: " + rule["mend"].get<std::string>());
  }
  print_line(stdout,
             fmt::format("  {} rules of thumb checked, {} found something (trammel check --rules)",
                         report["rules"]["checked"].get<int>(), report["rules"]["with_findings"].get<int>()));
}

}  // namespace trammel
