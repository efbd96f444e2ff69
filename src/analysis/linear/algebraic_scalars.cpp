#include "analysis/linear/algebraic_scalars.h"

#include <Eigen/Dense>

namespace trammel {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Indices in z of the scalars that are no states and whose rates no equation reads.
std::vector<int> algebraic(const SmallMotions& m) {
  std::vector<int> out;
  for (int i = 0; i < static_cast<int>(m.scalars.size()); ++i) {
    const int k = m.coordinates + i;
    const bool rated = (m.A1.col(k).array() != 0).any() || (m.A2.col(k).array() != 0).any();
    if (!rated && !m.is_state[static_cast<std::size_t>(k)]) out.push_back(k);
  }
  return out;
}

/// Whether a block is far from singular after scaling the largest entry of each row and column to one.
bool determines(MatrixXd block) {
  constexpr double singular = 1e-10;  // relative to the first pivot
  for (Index k = 0; k < block.rows(); ++k) {
    const double size = block.row(k).cwiseAbs().maxCoeff();
    if (!(size > 0)) return false;
    block.row(k) /= size;
  }
  for (Index k = 0; k < block.cols(); ++k) {
    const double size = block.col(k).cwiseAbs().maxCoeff();
    if (!(size > 0)) return false;
    block.col(k) /= size;
  }
  Eigen::FullPivLU<MatrixXd> lu(block);
  lu.setThreshold(singular);
  return lu.rank() == block.rows();
}

}  // namespace

AlgebraicScalars::AlgebraicScalars(const SmallMotions& all) : rest_(all) {
  taken_ = algebraic(all);
  if (!taken_.empty() && !determines(all.A0(taken_, taken_))) taken_.clear();
  std::vector<unsigned char> is_taken(static_cast<std::size_t>(all.size()), 0);
  for (const int k : taken_) is_taken[static_cast<std::size_t>(k)] = 1;
  for (int k = 0; k < all.size(); ++k)
    if (!is_taken[static_cast<std::size_t>(k)]) kept_.push_back(k);
  if (taken_.empty()) return;
  const Eigen::PartialPivLU<MatrixXd> block(MatrixXd(all.A0(taken_, taken_)));
  const MatrixXd to_rest = all.A0(kept_, taken_);
  MatrixXd* const rest[] = {&rest_.A0, &rest_.A1, &rest_.A2};
  const MatrixXd* const of[] = {&all.A0, &all.A1, &all.A2};
  for (int order = 0; order < 3; ++order) {
    by_[order] = -block.solve(MatrixXd((*of[order])(taken_, kept_)));
    *rest[order] = (*of[order])(kept_, kept_);
    *rest[order] += to_rest * by_[order];
  }
  by_u_ = block.solve(MatrixXd(all.B(taken_, Eigen::all)));
  rest_.B = all.B(kept_, Eigen::all);
  rest_.B -= to_rest * by_u_;
  rest_.names.clear();
  rest_.unit.clear();
  rest_.is_state.clear();
  rest_.scalars.clear();
  for (const int k : kept_) {
    const auto at = static_cast<std::size_t>(k);
    rest_.names.push_back(all.names[at]);
    rest_.unit.push_back(all.unit[at]);
    rest_.is_state.push_back(all.is_state[at]);
    const auto scalar = static_cast<std::size_t>(k - all.coordinates);
    if (k >= all.coordinates && scalar < all.scalars.size()) rest_.scalars.push_back(all.scalars[scalar]);
  }
}

void AlgebraicScalars::restore(FinitePart& part, const std::vector<int>& rated) const {
  if (taken_.empty()) return;
  const auto kept = static_cast<Index>(kept_.size()), r = static_cast<Index>(rated.size()),
             n = kept + static_cast<Index>(taken_.size());
  const MatrixXd z = part.X.topRows(kept), y = part.X.bottomRows(r), z_u = part.Y.topRows(kept),
                 y_u = part.Y.bottomRows(r);
  // ż = X_z (A ξ + B u), of rated unknowns X_y ξ + Y_y u; z̈ = X_y (A ξ + B u); X_z, X_y: rows of X
  MatrixXd rate = z * part.A, rate_u = z * part.B, second = MatrixXd::Zero(kept, part.A.cols()),
           second_u = MatrixXd::Zero(kept, part.B.cols()), lost = z_u;
  const MatrixXd yA = y * part.A, yB = y * part.B;
  for (Index k = 0; k < r; ++k) {
    rate.row(rated[static_cast<std::size_t>(k)]) = y.row(k);
    rate_u.row(rated[static_cast<std::size_t>(k)]) = y_u.row(k);
    second.row(rated[static_cast<std::size_t>(k)]) = yA.row(k);
    second_u.row(rated[static_cast<std::size_t>(k)]) = yB.row(k);
    lost.row(rated[static_cast<std::size_t>(k)]).setZero();
  }
  if (part.Y.cols() > 0) {  // terms in derivatives of inputs, which the result cannot hold
    MatrixXd again = MatrixXd::Zero(kept, y_u.cols());
    for (Index k = 0; k < r; ++k) again.row(rated[static_cast<std::size_t>(k)]) = y_u.row(k);
    if (((by_[1] * lost).array() != 0).any() || ((by_[2] * again).array() != 0).any())
      part.differentiates_inputs = true;
  }
  MatrixXd X(n + r, part.X.cols()), Y(n + r, part.Y.cols());
  X(kept_, Eigen::all) = z;
  Y(kept_, Eigen::all) = z_u;
  X(taken_, Eigen::all) = by_[0] * z + by_[1] * rate + by_[2] * second;
  Y(taken_, Eigen::all) = by_[0] * z_u + by_[1] * rate_u + by_[2] * second_u + by_u_;
  X.bottomRows(r) = y;
  Y.bottomRows(r) = y_u;
  part.X = std::move(X);
  part.Y = std::move(Y);
}

}  // namespace trammel
