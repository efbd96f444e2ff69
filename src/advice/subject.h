// What rules of thumb look at, and where they put what they find.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "advice/deck_expressions.h"
#include "advice/start_values.h"
#include "analysis/settings.h"
#include "model/model.h"

namespace trammel {

/// One simulation in time of a plan.
struct SimulationSpan {
  Location where;
  double begin = 0, end = 0, output_step = 0;
  DynamicsSettings settings;
  /// Largest step that it may take.
  double hmax() const { return with_output_step(settings, output_step).hmax; }
};

/// A deck without errors, its model, and, where it could be assembled, its start.
struct Subject {
  const Description& deck;
  const Model& model;
  const std::vector<SimulationSpan>& simulations;
  const DynamicsSettings& settings;  ///< of the deck, where there are no simulations
  const StartValues* start;          ///< null: not assembled
  DeckExpressions expressions;

  Subject(const Description& d, const Model& m, const std::vector<SimulationSpan>& s,
          const DynamicsSettings& of_deck, const StartValues* at)
      : deck(d), model(m), simulations(s), settings(of_deck), start(at), expressions(d, time_of(s)) {}

  /// From the first begin to the last end of the simulations; without any, from 0 on.
  static Range time_of(const std::vector<SimulationSpan>& simulations);
  /// All that time; 0 where it is not known.
  double duration() const;
};

/// "PART/2 (bar)"
inline std::string label_of(const ElementName& name) {
  return name.label() + (name.view_name.empty() ? "" : " (" + name.view_name + ")");
}

struct Finding {
  Location where;
  std::string text;
};

/// What one rule finds: the first ones, and how many there are.
struct Findings {
  static constexpr std::size_t most_kept = 10;
  std::vector<Finding> first;
  std::size_t count = 0;

  template <class... Args>
  void add(const Location& where, fmt::format_string<Args...> format, Args&&... args) {
    if (++count <= most_kept) first.push_back({where, fmt::format(format, std::forward<Args>(args)...)});
  }
};

}  // namespace trammel
