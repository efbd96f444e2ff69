// The model, its equations of rest and the work space of every search for an equilibrium.
#pragma once

#include <string>
#include <vector>

#include "analysis/initial_conditions.h"
#include "analysis/statics/rest_equations.h"
#include "integrate/newton.h"

namespace trammel {

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
  std::vector<double> r;        ///< the residual of the present state
  std::vector<double> trial_r;  ///< the residual of a trial state

  /// The imbalance in words, with the name of its equation.
  std::string name(const Imbalance& left) const {
    return left.equation < 0 ? "none"
                             : fmt::format("{:.4g} in {}", left.largest, model.equation_name(left.equation));
  }
};

}  // namespace trammel
