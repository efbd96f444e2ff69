// Consequences of how redundant rows depend on the others: reactions shared among all rows, and whether the
// choice of dropped rows is still a good one. Part of InitialConditions.
#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

#include "analysis/initial_conditions.h"

namespace trammel {

namespace {

using Matrix = Eigen::SparseMatrix<double>;

/// N with Φqᵀ N = 0: a column for each row that depends on others, Φ_d = Σ c_k Φ_k, with 1 at d and −c_k at
/// k.
Matrix null_space(ConstraintFactorization& factors, const std::vector<unsigned char>& dropped) {
  std::vector<Eigen::Triplet<double>> entries;
  int columns = 0;
  for (int row : factors.dropped()) {
    if (!dropped[row]) continue;  // the row is outside its phase
    entries.emplace_back(row, columns, 1.0);
    for (const RowCoefficient& c : factors.dependence(row))
      entries.emplace_back(c.row, columns, -c.coefficient);
    ++columns;
  }
  Matrix out(static_cast<int>(dropped.size()), columns);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

}  // namespace

/// λ + N z makes the same forces Φqᵀ λ on the bodies for any z. Of all these the one with least λᵀ W λ is
///     λ − N z,   (Nᵀ W N) z = Nᵀ W λ,
/// with W = 1 of forces and 1/L² of torques, L the mean arm of the joints' markers. Dropped rows bear
/// nothing, whatever a predictor has left in their multipliers.
void InitialConditions::share_reactions(State& state) {
  for (int r = 0; r < model_.multipliers; ++r)
    if (state.dropped[r]) state.lambda[r] = 0;
  State point = state;
  rows_to_drop(point, phase_dynamics, ConstraintFactorization::kThreshold);
  const Matrix free = null_space(redundancy_, point.dropped);
  if (free.cols() > 0) {
    Eigen::VectorXd weight(model_.multipliers);
    for (int r = 0; r < model_.multipliers; ++r) weight[r] = rotational_[r] ? 1 / (arm_ * arm_) : 1.0;
    Eigen::Map<Eigen::VectorXd> lambda(state.lambda.data(), model_.multipliers);
    const Matrix weighted = weight.asDiagonal() * free;
    const Matrix normal = free.transpose() * weighted;
    lambda -= free * Eigen::SimplicialLDLT<Matrix>(normal).solve(weighted.transpose() * lambda);
  }
  std::fill(state.dropped.begin(), state.dropped.end(), 0);  // all rows have their share
}

/// The dropped rows C depend on the others by the columns of N (N_C)⁻¹: a coefficient far above one, in the
/// natural units of both rows, belongs to a kept row that is about to vanish.
double InitialConditions::choice_weakness(const State& state) {
  std::vector<int> chosen;
  for (int r = 0; r < model_.multipliers; ++r)
    if (state.dropped[r]) chosen.push_back(r);
  if (chosen.empty() || chosen.size() > most_looked_at) return 0;
  State point = state;
  rows_to_drop(point, phase_dynamics, ConstraintFactorization::kThreshold);
  const Matrix free = null_space(redundancy_, point.dropped);
  if (free.cols() != static_cast<int>(chosen.size())) return 0;  // a singular position
  const auto natural = [this](int row) { return rotational_[row] ? 1 / arm_ : 1.0; };
  Eigen::MatrixXd all = free;
  for (int r = 0; r < model_.multipliers; ++r) all.row(r) *= 1 / natural(r);
  Eigen::MatrixXd of_chosen(chosen.size(), chosen.size());
  for (std::size_t k = 0; k < chosen.size(); ++k) of_chosen.row(k) = all.row(chosen[k]);
  const Eigen::FullPivLU<Eigen::MatrixXd> factors(of_chosen.transpose());
  const Eigen::MatrixXd coefficients = factors.solve(all.transpose());
  const double largest = coefficients.cwiseAbs().maxCoeff();
  return factors.isInvertible() && std::isfinite(largest) ? largest : INFINITY;
}

double InitialConditions::rate_of_change(const State& state) const {
  double fastest = 0;
  for (const Body& b : model_.bodies) {
    for (int k = b.first; k < b.angles(); ++k) fastest = std::max(fastest, std::abs(state.v[k]) / arm_);
    double turning = 0;  // |ω| = |H ε̇| is at most the sum, since the columns of H have length one
    for (int k = 0; k < b.rotations; ++k) turning += std::abs(state.v[b.angles() + k]);
    fastest = std::max(fastest, turning);
  }
  return fastest;
}

}  // namespace trammel
