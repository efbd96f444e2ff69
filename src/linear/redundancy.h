// Rank of the constraint Jacobian, its dependent rows, and least-norm corrections.
#pragma once

#include <vector>

#include "linear/constraint_rows.h"
#include "linear/host/ldl.h"
#include "linear/pattern.h"

namespace trammel {

struct RowCoefficient {
  int row;
  double coefficient;
};

/// Residuals of a least-norm solve.
struct LeastNormResult {
  double kept = 0;     ///< largest |rhs - Phi d| of the kept rows, each divided by the row's norm in W^-1
  double dropped = 0;  ///< the same of the dropped rows: how much the redundant rows contradict the others
  int worst_dropped = -1;  ///< row with the residual `dropped`
};

/// Rank-revealing factorization of the scaled
///     [ W  Phi^T ; Phi  0 ]
/// in the late-lambda order of the mechanism: the pivot of a constraint row, relative to the terms it is
/// formed from, is -sin^2 of the angle (in the norm of W^-1) between the row and the span of the rows before
/// it; a row whose sin^2 is below the threshold is dropped as dependent. There is no pivot search, so the
/// cost is that of one sparse factorization. Rounding of sin^2 is about u (1 + sum |c|)^2, c the coefficients
/// of the combination; a row whose small sin^2 is within rounding is dropped, too. Of constraints without
/// which the mechanism falls apart (linear/bridges.h) the angle to rows between the same bodies decides: what
/// is small there is only a long lever arm, as at the root of a chain. The strict order is used unless a body
/// with very many constraints makes it expensive; with the other one, rows may precede a body that they
/// depend on, and the result is checked: a random motion that satisfies the kept rows must satisfy the
/// dropped ones, or the factorization is repeated in the strict order.
class ConstraintFactorization {
 public:
  /// sin^2 of an angle of 1e-5 rad. Coordinates in datasets, and positions assembled from them, have about 6
  /// digits, so rows meant to be dependent agree to about 1e-6 only; rounding of sin^2 stayed below 1e-13 on
  /// chains of 10,000 four-bars.
  static constexpr double kThreshold = 1e-10;
  /// Modelled operations from which the non-strict order is considered: about two seconds of work.
  double dear_strict_order = 2e9;

  /// Ordering and symbolic factorization; uses the pattern only. Throws Failure(internal) for sizes and
  /// indices that do not fit.
  void analyze(ConstraintRows rows);
  /// New values (as ConstraintRows::value, same pattern). Throws Failure(solver) if one is not finite.
  void factor(const std::vector<double>& value, double threshold = kThreshold);

  int rank() const { return rank_; }
  /// Dropped rows, ascending.
  const std::vector<int>& dropped() const { return dropped_; }
  /// Smallest sin^2 of the kept rows (1 if none) and largest of the dropped ones (0 if none): the margin of
  /// the decision.
  double smallest_kept() const { return smallest_kept_; }
  double largest_dropped() const { return largest_dropped_; }

  /// For a dropped row: row = sum of coefficient * (kept row), largest contribution first, those below 1e-6
  /// of the row's norm left out. O(nonzeros of the factor) at worst. Not const: scratch.
  std::vector<RowCoefficient> dependence(int row);
  /// The groups of the rows in dependence(row): the row's own group first, the others ascending.
  std::vector<int> contradicting_groups(int row);

  /// The d with Phi d = rhs on the kept rows that minimizes d^T W d. `rhs` has rows() values; those of
  /// dropped rows are for the report only. With `multiplier` (rows() values): W d + Phi^T multiplier = 0.
  LeastNormResult solve_least_norm(const std::vector<double>& rhs, std::vector<double>& d,
                                   std::vector<double>* multiplier = nullptr);
  /// Nonzeros of the factor.
  long nonzeros() const { return ldl_.nonzeros(); }
  /// Whether constraints come after all their bodies in the order used.
  bool strict() const { return strict_; }

 private:
  void make_graph();
  void use_order(const std::vector<int>& order);
  bool scale(const std::vector<double>& value);
  void choose_columns(const std::vector<double>& value);
  void eliminate(double threshold);
  bool hidden_by_rounding(int place, double sine2);
  bool holds_alone(int row, double sine2, double threshold) const;
  bool dropped_rows_follow();
  void solve_augmented(std::vector<double>& x);

  ConstraintRows rows_;  ///< without values
  MechanismGraph graph_;
  std::vector<int> unknown_;  ///< graph unknown -> column j, or columns + row i ("index" below)
  std::vector<int> place_;    ///< index -> place in the elimination
  std::vector<int> at_;       ///< place -> index
  UpLookingLdl ldl_;
  std::vector<double> scaled_;                            ///< per nonzero: row_factor * value * column_factor
  std::vector<double> row_factor_, column_factor_;        ///< 1 / row norm, W^-1/2
  std::vector<double> diagonal_;                          ///< per place: 1 for columns, 0 for rows
  std::vector<double> work_, rhs_, residual_, permuted_;  ///< columns + rows: scratch
  std::vector<int> bridge_;                               ///< per row: as of pairs_on_bridges()
  std::vector<std::vector<int>> rows_of_bridge_;          ///< per pair
  std::vector<int> dropped_;
  double threshold_ = -1;  ///< of the last elimination
  int rank_ = 0;
  double smallest_kept_ = 1, largest_dropped_ = 0;
  bool strict_ = false;
};

}  // namespace trammel
