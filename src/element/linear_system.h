// A system of states x, inputs u and outputs y, row by row: a linear one, or one of user code.
#pragma once

#include <utility>
#include <vector>

namespace trammel {

/// The terms of a row whose coefficients are not zero: (index from 0, coefficient).
using LinearTerms = std::vector<std::pair<int, double>>;

struct LinearRow {
  /// Coefficients of the states x and of the inputs u.
  LinearTerms states, inputs;
  LinearTerms rates = {};  ///< coefficients of the rates of states
  /// the row says that its sum is 0; else its sum is the rate, or output, of that index
  bool balance = false;
};

struct LinearSystem {
  std::vector<LinearRow> rate;    ///< one for each state
  std::vector<LinearRow> output;  ///< one for each output
  std::vector<double> initial;    ///< of the states; empty: 0
  bool by_code = false;           ///< rates and outputs are those of user code: the rows are empty
};

}  // namespace trammel
