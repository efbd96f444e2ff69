// The assembly tree of a multifrontal factorization, and where its numbers are.
#pragma once

#include <cstdint>
#include <vector>

namespace trammel {

/// A dense front: `pivots` unknowns are eliminated in it; `border` unknowns of its ancestors are updated by
/// it.
///     [ D  U ]   D pivots x pivots, L border x pivots, V = U^T border x pivots, all by columns, rows padded,
///     [ L  C ]   one behind the other; C border x border is the contribution block, added to the parent.
struct Front {
  int first = 0;   ///< place (position in the elimination order) of the first pivot; the others follow
  int pivots = 0;  ///< p
  int border = 0;  ///< r
  int parent = -1;
  int rows = 0;             ///< FrontTree::row[rows .. rows + r): places of the border, ascending
  int depth = 0;            ///< number of ancestors
  std::int64_t factor = 0;  ///< offset of D in the array of factors
  std::int64_t block = 0;   ///< offset of C among contribution blocks: in an arena, or shared
};

/// Matrix values of one front: `length` values from index `source` on are copied to offsets from `target` on
/// in the array of factors. Negative length: to a row of V, whose entries are one column of V apart.
struct ValueRun {
  std::int64_t target;
  int source;
  int length;
};

/// Half-open range of fronts that form a subtree: eliminated independently of all others.
struct Subtree {
  int begin, end;  ///< its root is end - 1
  double work;     ///< modelled nanoseconds
  int buffer;      ///< offset of the root's border values behind the n places of a right-hand side
};

/// Fronts in postorder: children before their parent, subtrees contiguous.
struct FrontTree {
  int n = 0;
  std::vector<int> order;     ///< place -> unknown
  std::vector<Front> fronts;  ///< postorder
  std::vector<int> row;       ///< places of the borders of all fronts
  std::vector<int> target;    ///< parallel to `row`: position in the parent's front, pivots first
  std::vector<int> work_row;  ///< parallel to `row`: index in a right-hand side or a subtree's buffer
  std::vector<int> child_start, child;  ///< fronts + 1; children of each front, ascending
  std::vector<ValueRun> runs;
  std::vector<int> run_start;     ///< fronts + 1
  std::vector<Subtree> subtrees;  ///< independent of each other
  std::vector<int> top;           ///< fronts above the subtrees, wave by wave
  std::vector<int> wave_start;    ///< waves + 1; fronts of one wave are independent of each other
  std::int64_t factor_size = 0;   ///< doubles in all D, L, V
  std::int64_t block_size = 0;    ///< doubles for the contribution blocks of subtrees' roots and above
  std::int64_t arena_size = 0;    ///< doubles for those inside of a subtree, for each thread
  int buffer_size = 0;            ///< doubles for the borders of the subtrees' roots
  double flops = 0, work = 0;     ///< operations of one factorization; modelled nanoseconds
  double nonzeros = 0;            ///< entries of L + U, stored zeros included
  int levels = 0;                 ///< fronts on the longest path to a root
  int largest = 0;                ///< largest p + r
  int largest_border = 0;         ///< largest r
  double longest_path = 0;        ///< operations along the most expensive path from a leaf to a root
};

}  // namespace trammel
