// Whole simulations as a user runs them, read by channel name.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/analyses/list.h"
#include "analysis/session.h"

namespace trammel {

struct Records {
  std::vector<double> time;
  std::vector<std::vector<double>> values;
  Channels channels;
  StepCounters counters;

  /// "REQUEST/1.F4". Fails the test for unknown names.
  int column(const std::string& name) const;
  /// The record at time t (an output time).
  const std::vector<double>& at(double t) const;
};

DynamicsSettings settings_with_error(double error);
Records simulate(const Model& model, const DynamicsSettings& settings, double end, int steps);

/// One check of an expected.json.
struct Check {
  double t = 0;
  std::string channel;
  double value = 0;
};
/// The checks of models/<file> whose channel `wanted` accepts.
std::vector<Check> expected_values(const std::string& file,
                                   const std::function<bool(const std::string&)>& wanted);

/// Dataset of the N-window four-bar chain of models/four_bar_n (see its README).
std::string four_bar_dataset(int windows, bool folded = false);
/// Its angle from the vertical, θ'' = a sin θ, at equal intervals; by Gragg extrapolation to rounding.
std::vector<double> four_bar_angles(int windows, double end, int intervals);

}  // namespace trammel
