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

/// Coefficients::rate holds back states that are slower than it: they come to rest by a small part in each
/// iteration. So a part of it can be asked for, down to this, and never less than this of what ẋ = f changes
/// by with x itself, else with other unknowns.
inline constexpr double least_part_of_rates = 1e-10;

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
  /// pattern; the rates of states are multiplied by `part_of_rates`.
  void tangent(const State& state, const Coefficients& c, std::span<double> values, double part_of_rates = 1);
  /// Per scalar: whether it gets its whole rate whatever the part.
  std::vector<unsigned char>& whole_rates() { return whole_rates_; }
  /// Per scalar: what rates add to the diagonal of the last tangent.
  const std::vector<double>& diagonal_of_rates() const { return diagonal_of_rates_; }
  /// Per state: Σ |∂ẋ/∂y y| over all unknowns y, beside which its residual may be rounding; 0 of other
  /// scalars.
  const std::vector<double>& terms_of_states() const { return terms_of_states_; }
  Imbalance imbalance(std::span<const double> r) const;
  /// The same among forces, torques and constraints alone, and among scalars alone.
  Imbalance imbalance_of_bodies(std::span<const double> r) const;
  Imbalance imbalance_of_scalars(std::span<const double> r) const;
  /// Indices of the scalars that keep their values.
  const std::vector<int>& held() const { return held_; }
  /// Adds `scale` times a correction to multipliers and scalars.
  void correct_forces(State& state, std::span<const double> correction, double scale) const;
  /// The same to scalars alone.
  void correct_scalars(State& state, std::span<const double> correction, double scale) const;

 private:
  const Model& model_;
  Assembler& assembler_;
  std::vector<int> held_;
  void find_rows();
  void sum_terms(const State& state, std::span<const double> values);
  void limit_rates(const State& state, const Coefficients& c, std::span<double> values, double part);

  /// A matrix value in the row of a state.
  struct StateEntry {
    int state, value, column;  ///< which scalar, which matrix value
    bool of_scalar, diagonal;
  };
  std::shared_ptr<const Structure> structure_;     ///< the structure of the lists below
  std::vector<int> held_entries_, held_diagonal_;  ///< matrix values in the rows of held scalars
  std::vector<StateEntry> state_entries_;          ///< of states that are not held
  bool implicit_ = false;                          ///< whether such a state has an implicit equation
  std::vector<unsigned char> whole_rates_;
  std::vector<double> diagonal_of_rates_, terms_of_states_;
  std::vector<double> at_rest_, own_, others_, largest_rate_;  ///< work space of limit_rates()
};

}  // namespace trammel
