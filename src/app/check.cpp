#include "app/check.h"

#include <map>

#include <nlohmann/json.hpp>

#include "analysis/simulation.h"

namespace trammel {

namespace {

int report_errors(const Diagnostics& diagnostics) {
  for (const Diagnostic& d : diagnostics.list())
    if (d.severity == Severity::error) fmt::print(stderr, "{}\n", to_string(d));
  return static_cast<int>(diagnostics.exit_code());
}

std::map<std::string, int> statement_counts(const Description& description) {
  std::map<std::string, int> counts;
  for (const Statement& s : description.statements) ++counts[std::string(s.spec->keyword)];
  return counts;
}

nlohmann::json summary(const Job& job, const Simulation& simulation, const InitialReport& report) {
  const Model& model = simulation.model();
  nlohmann::json redundant = nlohmann::json::array();
  for (int row : report.redundant) redundant.push_back(model.equation_name(model.coordinates + row));
  return {{"title", job.description.title},
          {"parts", model.bodies.size()},
          {"coordinates", model.coordinates},
          {"constraint_equations", model.coordinates - report.gruebler},
          {"gruebler", report.gruebler},
          {"redundant", redundant},
          {"degrees_of_freedom", report.degrees_of_freedom},
          {"scalar_states", model.scalars.size()},
          {"unknowns", model.unknowns()},
          {"channels", simulation.channels().size()}};
}

}  // namespace

int check_command(const JobOptions& options, bool json) {
  try {
    Job job = load_job(options);
    if (job.diagnostics.has_errors()) return report_errors(job.diagnostics);
    Model model = compile(job.description, job.diagnostics);
    const DynamicsSettings settings = read_settings(job.description, job.diagnostics);
    if (job.diagnostics.has_errors()) return report_errors(job.diagnostics);
    Simulation simulation(std::move(model), settings, {});
    const InitialReport& report = simulation.initialize();
    const nlohmann::json s = summary(job, simulation, report);
    if (json) {
      fmt::print("{}\n", s.dump(2));
      return 0;
    }
    for (const Diagnostic& d : job.diagnostics.list())
      fmt::print("{}: {}\n", d.severity == Severity::warning ? "warning" : "note", to_string(d));
    for (const std::string& w : settings.warnings) fmt::print("warning: {}\n", w);
    for (const DroppedStatement& d : job.dropped.dropped) fmt::print("left out: {}: {}\n", d.label, d.reason);
    fmt::print("{}\n", job.description.title);
    fmt::print("  moving parts          {}\n  coordinates           {}\n  constraint equations  {}\n  redundant             {}\n"
               "  degrees of freedom    {}\n  unknowns per step     {}\n  result channels       {}  ({} bytes per output step)\n",
               simulation.model().bodies.size(), simulation.model().coordinates, simulation.model().coordinates - report.gruebler,
               report.redundant.size(), report.degrees_of_freedom, simulation.model().unknowns(), simulation.channels().size(),
               8 * (simulation.channels().size() + 1));
    for (const auto& name : s["redundant"]) fmt::print("  redundant: {}\n", name.get<std::string>());
    for (const std::string& note : report.notes) fmt::print("  {}\n", note);
    return 0;
  } catch (const Failure& failure) {
    fmt::print(stderr, "{}\n", failure.what());
    return static_cast<int>(failure.code());
  }
}

int info_command(const JobOptions& options) {
  try {
    JobOptions lenient = options;
    lenient.permissive = true;
    Job job = load_job(lenient);
    if (job.diagnostics.has_errors()) return report_errors(job.diagnostics);
    const Units units = read_units(job.description.find("UNITS"));
    fmt::print("{}\n", job.description.title);
    if (units.force.empty())
      fmt::print("  units: none given (consistent)\n");
    else
      fmt::print("  units: {} {} {} {}, UCF {:.6g}\n", units.force, units.mass, units.length, units.time, units.ucf);
    for (const auto& [keyword, count] : statement_counts(job.description)) fmt::print("  {:<14} {}\n", keyword, count);
    for (const auto& [keyword, count] : job.dropped.counts) fmt::print("  {:<14} {}  (not supported)\n", keyword, count);
    Model model = compile(job.description, job.diagnostics);
    if (job.diagnostics.has_errors()) return report_errors(job.diagnostics);
    fmt::print("channels:\n");
    for (const Entity& e : make_channels(model).entities) {
      fmt::print("  {}{} :", e.name(), e.view_name.empty() ? "" : " (" + e.view_name + ")");
      for (const Component& c : e.components) fmt::print(" {}", c.name);
      fmt::print("\n");
    }
    return 0;
  } catch (const Failure& failure) {
    fmt::print(stderr, "{}\n", failure.what());
    return static_cast<int>(failure.code());
  }
}

}  // namespace trammel
