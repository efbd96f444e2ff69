#include "session/model_tables.h"

#include <set>

namespace trammel {

namespace {

std::string full_name(const ElementName& name) {
  return name.view_name.empty() ? name.label() : name.label() + " (" + name.view_name + ")";
}

std::string part_name(const Model& model, int body) {
  return body < 0 ? "ground" : model.bodies[body].name.label();
}

}  // namespace

std::string freedom_table(const Model& model, const InitialReport& report) {
  std::string out = "Degrees of freedom\n";
  const auto row = [&](const std::string& what, int count, const std::string& which) {
    out += fmt::format("  {:<34}{:>+6}{}{}\n", what, count, which.empty() ? "" : "   ", which);
  };
  for (const Body& b : model.bodies) row(full_name(b.name), b.count(), "");
  for (const ConstraintElement& e : model.constraint_elements) {
    int count = 0;
    std::string which;
    for (int k = 0; k < e.rows; ++k)
      if (e.name.active && (e.phases[k] & phase_dynamics)) {
        ++count;
        which += (which.empty() ? "" : ", ") + std::string(e.row_name[k]);
      }
    if (count > 0) row(full_name(e.name), -count, which);
  }
  for (const GeneralConstraint& g : model.general_constraints)
    if (g.name.active && (g.phases & phase_dynamics)) row(full_name(g.name), -1, "");
  if (!report.redundant.empty()) row("redundant equations", static_cast<int>(report.redundant.size()), "");
  return out + fmt::format("  {:<34}{:>6}", "degrees of freedom", report.degrees_of_freedom);
}

std::string topology_table(const Model& model) {
  std::vector<std::string> of_part(model.bodies.size() + 1);  // ground first
  model.for_wrench_tables([&](const auto& table) {
    for (const auto& e : table) {
      if constexpr (requires { e.initial_only; })
        if (e.initial_only) continue;
      std::set<int> ends;
      e.for_ends([&](int marker) { ends.insert(model.markers[marker].body); });
      std::string name = full_name(e.name);
      if (!e.name.active) name += ", not active";
      for (const int end : ends) {
        std::string others;
        for (const int other : ends)
          if (other != end) others += (others.empty() ? " to " : ", ") + part_name(model, other);
        of_part[end + 1] += fmt::format("\n    {}{}", name, others);
      }
    }
  });
  std::string out = "Topology\n  ground" + of_part[0];
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    out += "\n  " + full_name(model.bodies[b].name) + of_part[b + 1];
  return out;
}

}  // namespace trammel
