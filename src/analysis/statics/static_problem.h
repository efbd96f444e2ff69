// The model, its equations of rest and the work space of every search for an equilibrium.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "analysis/initial_conditions.h"
#include "analysis/statics/rest_equations.h"
#include "integrate/newton.h"

namespace trammel {

/// Whether a search goes on that has met ERROR and IMBALANCE, which tell little of a light or a small model:
/// three times as long as an iteration makes the imbalance ten times smaller, and twenty times where it is
/// above that of the start, or still falls and is above a thousandth of that.
class FurtherIterations {
 public:
  static constexpr int most = 20;

  void take(double imbalance) {
    before_ = std::exchange(left_, imbalance);
    if (first_ == INFINITY) first_ = imbalance;
  }
  bool worth_it() {
    constexpr int most_of_falling = 3;
    const bool falls = left_ <= 0.1 * before_ && further_ < most_of_falling,
               small = left_ <= 1e-3 * first_ || (left_ <= first_ && left_ > 0.9 * before_);
    if (left_ == 0 || !(falls || (!small && further_ < most))) return false;
    ++further_;
    return true;
  }
  bool any() const { return further_ > 0; }

 private:
  double first_ = INFINITY, before_ = INFINITY, left_ = INFINITY;
  int further_ = 0;
};

struct StaticProblem {
  StaticProblem(const Model& model_, Assembler& assembler_, GuardedSystem& system,
                InitialConditions& initial_)
      : model(model_),
        assembler(assembler_),
        initial(initial_),
        equations(model_, assembler_),
        newton(model_, system),
        r(model_.unknowns()),
        trial_r(model_.unknowns()) {}

  const Model& model;
  Assembler& assembler;
  InitialConditions& initial;
  RestEquations equations;
  Newton newton;
  AnalysisPoint point = at_rest();
  bool waits_for_states = true;  ///< whether a search goes on until states are at rest
  std::vector<double> r;         ///< the residual of the present state
  std::vector<double> trial_r;   ///< the residual of a trial state

  /// The imbalance in words, with the name of its equation.
  std::string name(const Imbalance& left) const {
    return left.equation < 0 ? "none"
                             : fmt::format("{:.4g} in {}", left.largest, model.equation_name(left.equation));
  }
};

}  // namespace trammel
