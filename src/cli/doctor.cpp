#include "cli/doctor.h"

#include <nlohmann/json.hpp>

#include "output/number_text.h"
#include "session/signals.h"
#include "terminal/print.h"

namespace trammel {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const DoctorReport& r) {
  Json out = {{"file", as_utf8(r.file)},
              {"ended", r.ended},
              {"exit_code", r.exit_code},
              {"message", as_utf8(r.failure)},
              {"begin", r.begin},
              {"t", r.end},
              {"end", r.planned_end},
              {"seconds", r.seconds},
              {"steps", r.counters.steps},
              {"rejected_error", r.counters.rejected_error},
              {"rejected_corrector", r.counters.rejected_corrector},
              {"iterations", r.counters.iterations},
              {"jacobians", r.counters.jacobians},
              {"mean_order", r.mean_order},
              {"smallest_step", r.smallest_step},
              {"smallest_step_at", r.smallest_at}};
  out["limits"] = Json::array();
  for (const std::string& line : r.limits) out["limits"].push_back(as_utf8(line));
  out["findings"] = Json::array();
  for (const DoctorFinding& f : r.findings) {
    Json entry = {{"kind", f.kind}, {"text", as_utf8(f.text)}, {"mend", as_utf8(f.mend)}, {"share", f.share}};
    for (const Fact& fact : f.facts)
      std::visit([&](const auto& value) { entry[fact.key] = value; }, fact.value);
    out["findings"].push_back(std::move(entry));
  }
  out["warnings"] = Json::array();
  for (const std::string& text : r.warnings) out["warnings"].push_back(as_utf8(text));
  return out;
}

std::string text_of(const DoctorReport& r) {
  const StepCounters& c = r.counters;
  std::string text = fmt::format("{}: t = {:.6g} to {:.6g} of {:.6g} in {:.3g} s ({}).\n", r.file, r.begin,
                                 r.end, r.planned_end, r.seconds, r.ended);
  text += fmt::format(
      "  {} steps, {} refused (error {}, corrector {}); {} iterations, {} Jacobians; mean order {:.2g}; the "
      "smallest "
      "step is {:.2g}, at t = {:.6g}\n",
      c.steps, c.rejected_error + c.rejected_corrector, c.rejected_error, c.rejected_corrector, c.iterations,
      c.jacobians, r.mean_order, r.smallest_step, r.smallest_at);
  if (!r.limits.empty()) text += "What the size of the steps follows from:\n";
  for (const std::string& line : r.limits) text += "  " + line + "\n";
  for (const std::string& warning : r.warnings) text += "Warning: " + warning + "\n";
  if (r.findings.empty()) return text + "Nothing is wrong: steps are as long as the motion and ERROR allow.";
  for (std::size_t k = 0; k < r.findings.size(); ++k)
    text += fmt::format("{}. {}\n   Change: {}\n", k + 1, r.findings[k].text, r.findings[k].mend);
  text.pop_back();
  return text;
}

}  // namespace

int doctor_command(const DoctorCommand& command) {
  return guarded_command([&] {
    const SignalGuard signals;
    const DoctorReport report = examine(command.options);
    print_line(stdout, command.json ? json_of(report).dump(2) : text_of(report));
    return report.exit_code;
  });
}

}  // namespace trammel
