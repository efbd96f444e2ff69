// Iteration matrices of integrators at one state of a model, dense, and their condition numbers.
#pragma once

#include <Eigen/Dense>

#include "assemble/assembler.h"

namespace trammel::test {

/// What matrices are made of, at the state of the last evaluation: M, C = ∂r/∂q̇, K = ∂r/∂q and Φq of a model
/// without scalars.
class IterationMatrices {
 public:
  IterationMatrices(Assembler& assembler, const Model& model, const State& state)
      : assembler_(assembler), state_(state), n_(model.coordinates), m_(model.multipliers) {
    const Eigen::MatrixXd k = tangent({0, 0, 1, 0, 1}), ck = tangent({0, 1, 1, 0, 1}),
                          all = tangent({1, 1, 1, 0, 1});
    K = k.topLeftCorner(n_, n_);
    C = ck.topLeftCorner(n_, n_) - K;
    M = all.topLeftCorner(n_, n_) - C - K;
    Phi = k.bottomLeftCorner(m_, n_);
  }

  /// The program's own: unknowns Δq̈ and Δλ, δq̇ = b Δ, δq = c Δ, rows φ/c.
  Eigen::MatrixXd of_accelerations(double b, double c) const { return tangent({1, b, c, b, 1}); }

  /// Backward differences in the form q̇ = v, M v̇ + Φqᵀ λ = f, φ = 0 of index 3: unknowns δq, δv, δλ; bh = ℓ_0
  /// h.
  ///   [I/bh  −I  0;  K  M/bh + C  Φqᵀ;  Φq  0  0]
  Eigen::MatrixXd first_order_index3(double bh) const { return first_order(bh, 0); }

  /// The same of stabilized index 2, at rest (φ̇ has no derivative by q): further unknowns μ, further rows φ̇.
  ///   [I/bh  −I  0  Φqᵀ;  K  M/bh + C  Φqᵀ  0;  Φq  0  0  0;  0  Φq  0  0]
  Eigen::MatrixXd first_order_stabilized_index2(double bh) const { return first_order(bh, m_); }

  Eigen::MatrixXd M, C, K, Phi;

 private:
  Eigen::MatrixXd first_order(double bh, int further) const {
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(2 * n_ + m_ + further, 2 * n_ + m_ + further);
    const auto I = Eigen::MatrixXd::Identity(n_, n_);
    J.block(0, 0, n_, n_) = I / bh;
    J.block(0, n_, n_, n_) = -I;
    J.block(n_, 0, n_, n_) = K;
    J.block(n_, n_, n_, n_) = M / bh + C;
    J.block(n_, 2 * n_, n_, m_) = Phi.transpose();
    J.block(2 * n_, 0, m_, n_) = Phi;
    if (further > 0) {
      J.block(0, 2 * n_ + m_, n_, m_) = Phi.transpose();
      J.block(2 * n_ + m_, n_, m_, n_) = Phi;
    }
    return J;
  }

  Eigen::MatrixXd tangent(const Coefficients& c) const {
    const SparsePattern& p = assembler_.pattern();
    std::vector<double> values(p.nonzeros());
    assembler_.tangent(state_, c, values);
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(p.n, p.n);
    for (int j = 0; j < p.n; ++j)
      for (int k = p.column_start[j]; k < p.column_start[j + 1]; ++k) A(p.row[k], j) = values[k];
    return A;
  }

  Assembler& assembler_;
  const State& state_;
  const int n_, m_;
};

/// Largest over smallest singular value. Beyond 1e16 it is rounding.
inline double condition(const Eigen::MatrixXd& A) {
  const Eigen::VectorXd s = Eigen::JacobiSVD<Eigen::MatrixXd>(A).singularValues();
  return s(0) / s(s.size() - 1);
}

}  // namespace trammel::test
