#include "analysis/statics/rest_equations.h"

#include <algorithm>
#include <cmath>

namespace trammel {

RestEquations::RestEquations(const Model& model, Assembler& assembler)
    : model_(model), assembler_(assembler) {
  std::vector<unsigned char> is_held(model.scalars.size(), 0);
  for (std::size_t k = 0; k < model.scalars.size(); ++k) is_held[k] = model.scalars[k].static_hold;
  for (const ConstraintElement& e : model.constraint_elements)
    for (int k = 0; k < e.level; ++k) is_held[e.scalar + k] = 1;
  for (std::size_t k = 0; k < is_held.size(); ++k)
    if (is_held[k]) held_.push_back(static_cast<int>(k));
}

/// Finds the entries of the rows of held scalars in the present pattern.
void RestEquations::find_held_rows() {
  if (held_.empty() || structure_ == assembler_.structure()) return;
  structure_ = assembler_.structure();
  held_entries_.clear();
  held_diagonal_.clear();
  std::vector<unsigned char> is_held(model_.scalars.size(), 0);
  for (const int k : held_) is_held[k] = 1;
  const SparsePattern& pattern = structure_->pattern();
  for (int column = 0; column < pattern.n; ++column)
    for (int k = pattern.column_start[column]; k < pattern.column_start[column + 1]; ++k) {
      const int scalar = pattern.row[k] - model_.first_scalar();
      if (scalar < 0 || !is_held[scalar]) continue;
      (pattern.row[k] == column ? held_diagonal_ : held_entries_).push_back(k);
    }
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

void RestEquations::tangent(const State& state, const Coefficients& c, std::span<double> values) {
  find_held_rows();
  assembler_.tangent(state, c, values);
  for (const int k : held_entries_) values[k] = 0;
  for (const int k : held_diagonal_) values[k] = 1;
}

Imbalance RestEquations::imbalance(std::span<const double> r) const {
  Imbalance out;
  for (std::size_t k = 0; k < r.size(); ++k)
    if (std::abs(r[k]) > out.largest || std::isnan(r[k]))
      out = {std::isnan(r[k]) ? INFINITY : std::abs(r[k]), static_cast<int>(k)};
  return out;
}

void RestEquations::correct_forces(State& state, std::span<const double> correction, double scale) const {
  for (int k = 0; k < model_.multipliers; ++k) state.lambda[k] += scale * correction[model_.coordinates + k];
  for (std::size_t k = 0; k < model_.scalars.size(); ++k)
    state.s[k] += scale * correction[model_.first_scalar() + k];
}

}  // namespace trammel
