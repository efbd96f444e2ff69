// Symbolic part of the multifrontal factorization: which dense fronts there are and what goes where in them.
#pragma once

#include <cstdint>
#include <vector>

#include "linear/pattern.h"

namespace trammel {

/// A dense front: `pivots` unknowns are eliminated in it, `border` unknowns of its ancestors are changed by
/// it.
///     [ D  U ]   D pivots x pivots, L border x pivots, V = U^T border x pivots, all by columns, rows padded,
///     [ L  C ]   one behind the other; C border x border is the contribution block, added to the parent.
struct Front {
  int first = 0;   ///< place of the first pivot; the others follow
  int pivots = 0;  ///< p
  int border = 0;  ///< r
  int parent = -1;
  int rows = 0;             ///< FrontTree::row[rows .. rows + r): places of the border, ascending
  int depth = 0;            ///< fronts above it
  std::int64_t factor = 0;  ///< where D begins among the factors
  std::int64_t block = 0;   ///< where C begins among the contribution blocks
};

/// Matrix values that go to one front: `length` values from `source` on to places from `target` (among the
/// factors) on. With a negative length they go to a row of V: places are one column of V apart.
struct ValueRun {
  std::int64_t target;
  int source;
  int length;
};

/// Half-open range of fronts that form a subtree: eliminated without a look at the others.
struct Subtree {
  int begin, end;  ///< its root is end - 1
  double work;     ///< modelled nanoseconds
  int buffer;      ///< where the values of the root's border begin behind the n places of a right-hand side
};

/// Fronts in postorder: children before their parent, subtrees contiguous.
struct FrontTree {
  int n = 0;
  std::vector<int> order;               ///< place -> unknown
  std::vector<Front> fronts;            ///< postorder
  std::vector<int> row;                 ///< borders of all fronts
  std::vector<int> target;              ///< like row: position in the parent's front, pivots first
  std::vector<int> work_row;            ///< like row, but rows outside of a front's subtree are in its buffer
  std::vector<int> child_start, child;  ///< fronts + 1; children of each front, ascending
  std::vector<ValueRun> runs;
  std::vector<int> run_start;     ///< fronts + 1
  std::vector<Subtree> subtrees;  ///< independent of each other
  std::vector<int> top;           ///< fronts above the subtrees, wave by wave
  std::vector<int> wave_start;    ///< waves + 1: fronts of one wave do not depend on each other
  std::int64_t factor_size = 0;   ///< doubles in all D, L, V
  std::int64_t block_size = 0;    ///< doubles for contribution blocks that live at the same time
  int buffer_size = 0;            ///< doubles for the borders of the subtrees' roots
  double flops = 0, work = 0;     ///< operations of one factorization; modelled nanoseconds
  double nonzeros = 0;            ///< entries of L + U, with the zeros stored in fronts
  int levels = 0;                 ///< fronts on the longest way to a root
  int largest = 0;                ///< largest p + r
  int largest_border = 0;         ///< largest r
  double longest_path = 0;        ///< operations along the dearest way from a leaf to a root
};

/// What joins fronts: modelled nanoseconds of factoring and solving with one front, measured on small and
/// middle fronts (docs/linear_algebra.md). A child is merged into its parent when that is no dearer.
struct FrontCost {
  double front = 60;   ///< each front
  double entry = 1.0;  ///< each entry of D, L, V
  double block = 2.0;  ///< each entry of C
  double flop = 0.1;   ///< each operation
  double of(double pivots, double border) const;
};

/// Operations of one front: LU of D, L and V by triangular solves, C <- C - L V^T.
double front_flops(double pivots, double border);

/// Fronts for the pattern, made symmetric, in the order given or one with the same fill: unknowns keep their
/// order within a front. O(nonzeros + rows of all fronts). The pattern and the order must be valid. Throws
/// Failure(solver) when sizes pass 32 bits where they must not.
FrontTree make_fronts(const SparsePattern& pattern, const std::vector<int>& order,
                      const FrontCost& cost = {});

}  // namespace trammel
