#include "analysis/statics/rest_equations.h"

#include <algorithm>
#include <cmath>

namespace trammel {

RestEquations::RestEquations(const Model& model, Assembler& assembler)
    : model_(model), assembler_(assembler), whole_rates_(model.scalars.size(), 0) {
  std::vector<unsigned char> is_held(model.scalars.size(), 0);
  for (std::size_t k = 0; k < model.scalars.size(); ++k) is_held[k] = model.scalars[k].static_hold;
  for (const ConstraintElement& e : model.constraint_elements)
    for (int k = 0; k < e.level; ++k) is_held[e.scalar + k] = 1;
  for (std::size_t k = 0; k < is_held.size(); ++k)
    if (is_held[k]) held_.push_back(static_cast<int>(k));
}

/// Finds the entries of the rows of held scalars and of states in the present pattern.
void RestEquations::find_rows() {
  if (structure_ == assembler_.structure()) return;
  structure_ = assembler_.structure();
  held_entries_.clear();
  held_diagonal_.clear();
  state_entries_.clear();
  std::vector<unsigned char> is_held(model_.scalars.size(), 0);
  for (const int k : held_) is_held[k] = 1;
  const SparsePattern& pattern = structure_->pattern();
  for (int column = 0; column < pattern.n; ++column)
    for (int k = pattern.column_start[column]; k < pattern.column_start[column + 1]; ++k) {
      const int scalar = pattern.row[k] - model_.first_scalar();
      if (scalar < 0) continue;
      if (is_held[scalar])
        (pattern.row[k] == column ? held_diagonal_ : held_entries_).push_back(k);
      else if (model_.scalars[scalar].differential())
        state_entries_.push_back(
            {scalar, k, column, column >= model_.first_scalar(), pattern.row[k] == column});
    }
  implicit_ = false;
  for (const StateEntry& e : state_entries_)
    implicit_ = implicit_ || is_residual(model_.scalars[e.state].kind);
}

void RestEquations::bring_to_rest(State& state) const {
  for (std::vector<double>* rates : {&state.v, &state.a, &state.sdot})
    std::fill(rates->begin(), rates->end(), 0.0);
  for (DelayBuffer& past : state.delays) past.clear();
}

void RestEquations::residual(const State& state, AnalysisPoint point, const Coefficients& c,
                             std::span<double> r) {
  assembler_.evaluate_equations(state, point);
  assembler_.residual(state, c, r);
  for (const int k : held_) r[model_.first_scalar() + k] = 0;
}

void RestEquations::tangent(const State& state, const Coefficients& c, std::span<double> values,
                            double part_of_rates) {
  if (model_.scalars.empty()) return assembler_.tangent(state, c, values);
  find_rows();
  diagonal_of_rates_.assign(model_.scalars.size(), 0.0);
  if ((part_of_rates < 1 || implicit_) && !state_entries_.empty()) {
    limit_rates(state, c, values, part_of_rates);
  } else {
    assembler_.tangent(state, c, values);
    for (const StateEntry& e : state_entries_)
      if (e.diagonal) diagonal_of_rates_[e.state] = c.rate;
  }
  sum_terms(state, values);
  for (const int k : held_entries_) values[k] = 0;
  for (const int k : held_diagonal_) values[k] = 1;
}

void RestEquations::sum_terms(const State& state, std::span<const double> values) {
  terms_of_states_.assign(model_.scalars.size(), 0.0);
  for (const StateEntry& e : state_entries_) {
    const int row = e.column - model_.coordinates;
    const double y = e.of_scalar ? state.s[e.column - model_.first_scalar()]
                     : row < 0   ? state.q[e.column]
                                 : state.lambda[row];
    const double derivative = values[e.value] - (e.diagonal ? diagonal_of_rates_[e.state] : 0.0);
    terms_of_states_[e.state] += std::abs(derivative * y);
  }
}

/// Each row of a state, s ∂e/∂ẋ + ∂e/∂x, gets the part θ ≤ 1 of its rates: `part`, but so that θ max|s ∂e/∂ẋ|
/// is at least the least part of |∂e/∂x|, the diagonal, else the largest of the row at rest. It gets all
/// where nothing at rest changes the rate, as of the integral of a power.
void RestEquations::limit_rates(const State& state, const Coefficients& c, std::span<double> values,
                                double part) {
  at_rest_.resize(values.size());
  assembler_.tangent(state, {.a = 0, .b = 0, .c = c.c, .state = c.state, .rate = 0}, at_rest_);
  assembler_.tangent(state, c, values);
  const auto of_rate = [&](const StateEntry& e) {
    if (!e.of_scalar) return 0.0;
    if (is_residual(model_.scalars[e.state].kind)) return values[e.value] - at_rest_[e.value];
    return e.diagonal ? c.rate : 0.0;
  };
  own_.assign(model_.scalars.size(), 0.0);
  others_ = largest_rate_ = own_;
  for (const StateEntry& e : state_entries_) {
    double& by = e.diagonal ? own_[e.state] : others_[e.state];
    by = std::max(by, std::abs(at_rest_[e.value]));
    largest_rate_[e.state] = std::max(largest_rate_[e.state], std::abs(of_rate(e)));
  }
  for (const StateEntry& e : state_entries_) {
    const double rate = of_rate(e), all = largest_rate_[e.state];
    const double least = least_part_of_rates * (own_[e.state] > 0 ? own_[e.state] : others_[e.state]);
    const double kept =
        least > 0 && all > 0 && !whole_rates_[e.state] ? std::min(1.0, std::max(part, least / all)) : 1;
    if (kept < 1) values[e.value] -= (1 - kept) * rate;
    if (e.diagonal) diagonal_of_rates_[e.state] = kept * rate;
  }
}

Imbalance RestEquations::imbalance(std::span<const double> r) const {
  Imbalance out;
  for (std::size_t k = 0; k < r.size(); ++k)
    if (std::abs(r[k]) > out.largest || std::isnan(r[k]))
      out = {std::isnan(r[k]) ? INFINITY : std::abs(r[k]), static_cast<int>(k)};
  return out;
}

Imbalance RestEquations::imbalance_of_bodies(std::span<const double> r) const {
  return imbalance(r.first(model_.first_scalar()));
}

Imbalance RestEquations::imbalance_of_scalars(std::span<const double> r) const {
  Imbalance out = imbalance(r.subspan(model_.first_scalar()));
  if (out.equation >= 0) out.equation += model_.first_scalar();
  return out;
}

void RestEquations::correct_forces(State& state, std::span<const double> correction, double scale) const {
  for (int k = 0; k < model_.multipliers; ++k) state.lambda[k] += scale * correction[model_.coordinates + k];
  correct_scalars(state, correction, scale);
}

void RestEquations::correct_scalars(State& state, std::span<const double> correction, double scale) const {
  for (std::size_t k = 0; k < model_.scalars.size(); ++k)
    state.s[k] += scale * correction[model_.first_scalar() + k];
}

}  // namespace trammel
