// A linear system of states x, inputs u and outputs y, row by row.
#pragma once

#include <utility>
#include <vector>

namespace trammel {

/// Coefficients of the nonzero terms of a row, with places from 0.
using LinearTerms = std::vector<std::pair<int, double>>;

struct LinearRow {
  LinearTerms states, inputs;
  LinearTerms rates = {};  ///< of states
  bool balance = false;    ///< the sum is 0; else it is the rate, or the output, that the row belongs to
};

struct LinearSystem {
  std::vector<LinearRow> rate;    ///< one for each state
  std::vector<LinearRow> output;  ///< one for each output
  std::vector<double> initial;    ///< of the states; empty: 0
};

}  // namespace trammel
