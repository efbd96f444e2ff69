// The equations of equilibrium: all equations of the model with every rate zero (ADAMS/Solver primer, Eq.
// 67).
#pragma once

#include <span>
#include <vector>

#include "assemble/assembler.h"

namespace trammel {

/// The largest residual: of forces, torques and scalars, in their units.
struct Imbalance {
  double largest = 0;
  int equation = -1;  ///< as an unknown of the model; −1: none
};

class RestEquations {
 public:
  RestEquations(const Model& model, Assembler& assembler);

  /// Velocities, accelerations and rates become zero, and DELAYs lose their past: at rest it is the present.
  void bring_to_rest(State& state) const;
  /// The residual, one entry per unknown. Scalars with STATIC_HOLD and the states of motions given by
  /// velocities keep their values: their rows are zero.
  void residual(const State& state, AnalysisPoint point, const Coefficients& c, std::span<double> r);
  /// Its tangent at the state of the last residual, in the order of the pattern.
  void tangent(const State& state, const Coefficients& c, std::span<double> values);
  Imbalance imbalance(std::span<const double> r) const;
  /// Scalars that keep their values, as indices of scalars.
  const std::vector<int>& held() const { return held_; }
  /// Adds `scale` times a correction to multipliers and scalars.
  void correct_forces(State& state, std::span<const double> correction, double scale) const;

 private:
  const Model& model_;
  Assembler& assembler_;
  std::vector<int> held_;
  void find_held_rows();

  std::shared_ptr<const Structure> structure_;     ///< in which they were found
  std::vector<int> held_entries_, held_diagonal_;  ///< of the rows of these, in the pattern's values
};

}  // namespace trammel
