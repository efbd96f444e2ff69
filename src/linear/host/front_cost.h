// What a front costs: by this unknowns are merged into fronts.
#pragma once

namespace trammel {

/// Where fronts beside each other are eliminated at the same time, time is that of the longest path from a
/// leaf to a root: nanoseconds of factoring and solving with a front on it. Fronts are merged such that it
/// becomes short; beside it FrontCost says what is merged.
struct PathCost {
  double front = 0, pivot = 0;  ///< each front, each of its pivots
  int most_rows = 0;      ///< of a front that is made for a short path; others take twice as long. 0: none is
  int most_children = 0;  ///< beyond which a front needs others that add some up
  double least_front = 0;  ///< FrontCost::front of merging before paths are looked at
  double of(double width, double height) const;
};

/// Cost model for merging fronts: nanoseconds of factoring and solving with one front, fitted to small and
/// middle fronts (docs/linear_algebra.md). A child is merged into its parent when that does not cost more.
struct FrontCost {
  double front = 60;           ///< each front
  double entry = 1.0;          ///< each entry of D, L, V
  double block = 2.0;          ///< each entry of C
  double flop = 0.1;           ///< each operation
  double torn_body = 0;        ///< each cut between neighbouring unknowns that by_neighbours couples
  double least_subtree = 2e4;  ///< of a subtree that is worth another thread
  PathCost path = {};
  double of(double pivots, double border) const;
};

/// Operations in one front: LU of D, triangular solves for L and V, C <- C - L V^T.
double front_flops(double pivots, double border);

}  // namespace trammel
