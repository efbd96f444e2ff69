// The equations of equilibrium: all equations of the model with every rate zero (ADAMS/Solver primer, Eq.
// 67).
#pragma once

#include <span>
#include <vector>

#include "assemble/assembler.h"

namespace trammel {

/// The largest entry of the residual, among forces, torques and scalars, in their units.
struct Imbalance {
  double largest = 0;
  int equation = -1;  ///< its index among the unknowns of the model; −1: none
};

class RestEquations {
 public:
  RestEquations(const Model& model, Assembler& assembler);

  /// Sets velocities, accelerations and rates to zero, and clears the past of DELAYs, which is the present at
  /// rest.
  void bring_to_rest(State& state) const;
  /// Fills r with the residual, one entry per unknown. Rows of scalars with STATIC_HOLD and of states of
  /// MOTIONs given by velocity or acceleration are zero: these keep their values.
  void residual(const State& state, AnalysisPoint point, const Coefficients& c, std::span<double> r);
  /// Fills `values` with the tangent of the residual at the state of its last call, in the order of the
  /// pattern.
  void tangent(const State& state, const Coefficients& c, std::span<double> values);
  Imbalance imbalance(std::span<const double> r) const;
  /// Indices of the scalars that keep their values.
  const std::vector<int>& held() const { return held_; }
  /// Adds `scale` times a correction to multipliers and scalars.
  void correct_forces(State& state, std::span<const double> correction, double scale) const;

 private:
  const Model& model_;
  Assembler& assembler_;
  std::vector<int> held_;
  void find_held_rows();

  std::shared_ptr<const Structure> structure_;     ///< the structure of the two lists below
  std::vector<int> held_entries_, held_diagonal_;  ///< matrix values in the rows of held scalars
};

}  // namespace trammel
