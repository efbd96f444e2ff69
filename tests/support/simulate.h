// A deck run in process, its output records kept.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "analysis/analyses/list.h"
#include "analysis/session.h"
#include "deck.h"

namespace trammel::test {

class Recording {
 public:
  /// Reads a whole dataset (title line first, END last) and keeps every record of later runs.
  explicit Recording(const std::string& deck, const std::string& file = "test.adm",
                     const ComputeSettings& compute = {}) {
    Diagnostics diagnostics;
    const Description description = parse_dataset(deck, file, diagnostics);
    report_unsupported(description, diagnostics);
    diagnostics.stop_on_errors();
    Model model = compile(description, diagnostics);
    const DynamicsSettings settings = read_settings(description, diagnostics);
    diagnostics.stop_on_errors();
    SessionEvents events;
    events.record = [this](double t, StepKind kind, std::span<const double> v) {
      time.push_back(t);
      kinds.push_back(kind);
      values.emplace_back(v.begin(), v.end());
    };
    events.incidents = [this](std::span<const ContactIncident> list) {
      incidents.emplace_back(list.begin(), list.end());
    };
    events.step = [this](const StepResult& step) { steps.push_back(step); };
    events.note = [this](const std::string& text) { notes.push_back(text); };
    events.warning = [this](const std::string& text) { warnings.push_back(text); };
    simulation = std::make_unique<Session>(std::move(model), settings, std::move(events), compute);
  }

  /// Place of a component in a record: column("PART/2", "X"). Throws when there is none.
  std::size_t column(const std::string& entity, const std::string& component) const {
    std::size_t k = 0;
    for (const Entity& e : simulation->channels().entities)
      for (const Component& c : e.components) {
        if (e.name() == entity && c.name == component) return k;
        ++k;
      }
    throw std::runtime_error("no channel " + entity + "." + component);
  }
  double at(std::size_t record, const std::string& entity, const std::string& component) const {
    return values[record][column(entity, component)];
  }
  Vec3d vector(std::size_t record, const std::string& entity, const char* x, const char* y,
               const char* z) const {
    return {at(record, entity, x), at(record, entity, y), at(record, entity, z)};
  }

  std::unique_ptr<Session> simulation;
  std::vector<double> time;
  std::vector<StepResult> steps;
  std::vector<StepKind> kinds;
  std::vector<std::vector<double>> values;
  std::vector<std::vector<ContactIncident>> incidents;  ///< of every record of a model with CONTACTs
  std::vector<std::string> warnings, notes;
};

/// Largest difference between two records of a channel, as part of its largest value in `right`.
inline double relative_difference(const Recording& r, const Recording& right, const char* entity,
                                  const char* component) {
  double largest = 0, scale = 0;
  for (std::size_t k = 0; k < right.values.size(); ++k) {
    const double x = right.at(k, entity, component);
    largest = std::max(largest, std::abs(r.at(k, entity, component) - x));
    scale = std::max(scale, std::abs(x));
  }
  return largest / scale;
}

}  // namespace trammel::test
