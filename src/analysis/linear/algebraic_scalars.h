// Scalars of small motions that follow from other unknowns without a time derivative of their own: VARIABLEs,
// outputs, forces that are read.
#pragma once

#include <vector>

#include "analysis/linear/finite_part.h"
#include "analysis/linear/small_motions.h"

namespace trammel {

/// Takes these scalars s out of the equations, before finite_part(), by their own block of A₀, whatever the
/// scale of the quantities z that they read:
///     A₀_ss s = −A₀_sz z − A₁_sz ż − A₂_sz z̈ + B_s u.
/// A stress, for example, may be 1e17 times as large as the rate of a light part that it reads, and scaling
/// of rows and columns alone would not show that its equation determines it.
class AlgebraicScalars {
 public:
  /// Takes none out where their block A₀_ss does not determine them.
  explicit AlgebraicScalars(const SmallMotions& all);

  /// The equations without these scalars.
  const SmallMotions& rest() const { return rest_; }
  /// Puts the rows of these scalars back into x = X ξ + Y u of `part`. Before, its first rows are the
  /// unknowns of rest(), followed by the rates of those that `rated` lists; afterwards the first rows are all
  /// unknowns.
  void restore(FinitePart& part, const std::vector<int>& rated) const;
  /// Index, among all unknowns, of unknown k of rest().
  int place(int k) const { return kept_[static_cast<std::size_t>(k)]; }

 private:
  SmallMotions rest_;
  std::vector<int> kept_, taken_;
  Eigen::MatrixXd by_[3];  ///< ∂s/∂z, ∂s/∂ż, ∂s/∂z̈
  Eigen::MatrixXd by_u_;
};

}  // namespace trammel
