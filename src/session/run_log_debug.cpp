// RunLog: reports that DEBUG asks for, and of linear systems and splines, in messages and JSON lines.
#include <nlohmann/json.hpp>

#include "output/number_text.h"
#include "session/model_tables.h"
#include "session/run_log.h"

namespace trammel {

SolveObserver* RunLog::watch(const Model& model, const DebugWords& words) {
  debug_ = words;
  const bool heard = held_ || messages_.is_open() || json_.is_open();
  if (!words.watches() || !heard) return nullptr;
  iterations_.watch(model, words);
  return &iterations_;
}

void RunLog::steps_not_watched(const std::string& where) {
  if (debug_.watches())
    warn(
        fmt::format("DEBUG: EPRINT, RHSDUMP and JMDUMP do not show the steps, which are computed by {}; "
                    "--backend cpu shows them.",
                    where));
}

void RunLog::model_tables(const Model& model, const InitialReport& report) {
  if (debug_.dof) note(freedom_table(model, report));
  if (debug_.topology) note(topology_table(model));
}

void RunLog::requests(double time, const Channels& channels, std::span<const double> values) {
  if (!debug_.reqdump || !messages_.is_open()) return;
  std::string out = fmt::format("Requests at time = {:.9g}", time);
  std::size_t at = 0;
  for (const Entity& e : channels.entities) {
    if (e.type == "REQUEST") {
      out += "\n  " + e.name();
      for (std::size_t k = 0; k < e.components.size(); ++k)
        out += fmt::format("  {} = {:.6g}", e.components[k].name, values[at + k]);
    }
    at += e.components.size();
  }
  messages_.note(out);
}

void RunLog::pivots_lost(const Model& model, const PivotsLost& lost, double time) {
  const std::string equation = model.equation_name(lost.smallest.row),
                    variable = model.unknown_name(lost.smallest.column);
  const bool again = !said_.insert("pivots of " + equation + " and " + variable).second;
  if (again && !debug_.eprint && !debug_.verbose) return;
  json_.event("singular_pivot", elapsed(),
              {{"t", time},
               {"equation", as_utf8(equation)},
               {"variable", as_utf8(variable)},
               {"pivot", lost.smallest.relative},
               {"order", lost.kept ? "kept" : "new"},
               {"inaccurate", lost.inaccurate},
               {"refactored", lost.found_others}});
  if (!messages_.is_open()) return;
  messages_.note(
      fmt::format("{} at time = {:.9g}.\n"
                  "  Equation for the singular row ...... {}\n"
                  "  Variable for the singular column ... {}\n"
                  "  Relative pivot magnitude ........... {:.5E}\n"
                  "  Symbolic refactorization attempted: {}",
                  lost.inaccurate ? "A solution of the linear system was not accurate with this pivot order"
                                  : "The system matrix has become numerically singular with this pivot order",
                  time, equation, variable, lost.smallest.relative,
                  lost.found_others ? "it succeeded, with another pivot order."
                                    : "no pivot order has pivots that are large enough."));
}

void RunLog::spline_outside(const SplineOutside& found) {
  json_.event("spline_range", elapsed(),
              {{"t", found.t},
               {"spline", fmt::format("SPLINE/{}", found.spline)},
               {"axis", std::string(1, found.axis)},
               {"value", found.value},
               {"least", found.least},
               {"largest", found.largest}});
}

void RunLog::event_failure(const Failure& failure) {
  nlohmann::ordered_json fields = {{"exit_code", static_cast<int>(failure.code())}, {"t", run_status_.t}};
  for (const Fact& fact : failure.facts())
    std::visit([&](const auto& value) { fields[fact.key] = value; }, fact.value);
  fields["text"] = as_utf8(failure.what());
  json_.event("failure", elapsed(), fields);
}

}  // namespace trammel
