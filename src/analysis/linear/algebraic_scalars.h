// Scalars that follow from others without a derivative in time: VARIABLEs, outputs, forces that are read.
#pragma once

#include <vector>

#include "analysis/linear/finite_part.h"
#include "analysis/linear/small_motions.h"

namespace trammel {

/// They are taken out of the equations first, by their own block of A₀, whatever the scale of what they read:
///     A₀_ss s = −A₀_sz z − A₁_sz ż − A₂_sz z̈ + B_s u.
/// A stress, say, is 1e17 times its unit beside the rate of a light part that it reads, and scaling of rows
/// and columns alone would not show that its equation determines it.
class AlgebraicScalars {
 public:
  /// None is taken out where their block does not determine them.
  explicit AlgebraicScalars(const SmallMotions& all);

  /// The equations without them.
  const SmallMotions& rest() const { return rest_; }
  /// Puts their rows back into x = X ξ + Y u, whose first rows are those of rest(), followed by the rates of
  /// `rated` of them. Afterwards the first rows are those of all.
  void restore(FinitePart& part, const std::vector<int>& rated) const;
  /// Place among all of an unknown of rest().
  int place(int k) const { return kept_[static_cast<std::size_t>(k)]; }

 private:
  SmallMotions rest_;
  std::vector<int> kept_, taken_;
  Eigen::MatrixXd by_[3];  ///< s by z, ż, z̈
  Eigen::MatrixXd by_u_;
};

}  // namespace trammel
