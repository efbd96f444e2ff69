// What a factorization and its solves by blocks do, front by front: plain tables, made once by analyze() and
// read by the kernels from the first row to the last.
#pragma once

#include <cstdint>

namespace trammel {

/// A front of the elimination. It is assembled in a work area, where D, L and V = U^T lie one behind the
/// other,
///     [ D  U ]   D pivots x pivots, L and V border x pivots, all by columns, rows padded,
///     [ L  . ]
/// and leaves its factors in two arrays, which solves read from end to end: `lower` (the triangle L_D without
/// its unit diagonal, and L, by columns) and `upper` (the triangle U_D, and V by rows), nothing padded.
/// Tables of a front end where those of the next one begin; one more front closes the list.
///
/// Subtrees of the fronts are eliminated independently of each other, and then the fronts above them. What a
/// subtree does to the fronts above, C -= L U, is summed in a block of its own, border x border of its root,
/// and added to these when their turn comes: the row of the list that does so has no pivots. So sums do not
/// depend on who eliminates which subtree.
struct BlockFront {
  std::int64_t work = 0;   ///< offset of D in the work area; of a contribution, of C in that of its subtree
  std::int64_t lower = 0;  ///< offset in the lower factors; of a contribution, of C among all contributions
  std::int64_t upper = 0;  ///< offset in the upper factors
  int slot = 0;            ///< place of the first pivot, or of the first row of C, in a right-hand side
  int pivots = 0;          ///< 0: a contribution
  int border = 0;
  int clears = 0;    ///< first of its BlockClear
  int updates = 0;   ///< first of its BlockUpdate
  int segments = 0;  ///< first of its BlockSegment
};

/// Rows of the list of fronts that one thread eliminates: a subtree.
struct BlockSubtree {
  int begin = 0, end = 0;
  int contribution = -1;  ///< the front that stands for its contribution; -1: it has none
  double work = 0;        ///< modelled nanoseconds
};

/// A front that is set to its matrix values, before the first front that changes it is eliminated. Its room
/// in the work area is another one's as soon as it has been eliminated, so the area stays in the cache.
struct BlockClear {
  std::int64_t work = 0;
  int size = 0;    ///< doubles
  int values = 0;  ///< first of its BlockValue
};

/// A matrix value and its place, relative to its front.
struct BlockValue {
  int source, target;
};

/// The list of values goes on for this many more: they are prefetched.
constexpr int kValuesAhead = 64;

/// T(i, j) -= sum_k X(i, k) Y(j, k) for a block T of a later front; X and Y are rows of this front's L and V.
struct BlockUpdate {
  std::int64_t target = 0;  ///< offset of T in the work area
  int ld = 0;               ///< of T
  int x = 0, y = 0;         ///< offsets of X and Y from the front's D; leading dimension that of L and V
  int rows = 0, columns = 0;
};

/// Rows of a border that are neighbours in a right-hand side.
struct BlockSegment {
  int slot, offset, length;  ///< place in a right-hand side, first row in the border, rows
};

struct BlockSchedule {
  const BlockFront* front = nullptr;  ///< fronts + 1
  const BlockClear* clear = nullptr;  ///< fronts + 1
  const BlockValue* value = nullptr;
  const BlockUpdate* update = nullptr;
  const BlockSegment* segment = nullptr;
  int ahead = 0;  ///< doubles by which solves fetch the factors ahead; 0: these stay in the cache
};

/// The numbers that the schedule is about, as one thread sees them.
struct BlockNumbers {
  double* work = nullptr;          ///< a work area of this thread's own
  double* contribution = nullptr;  ///< of all subtrees
  double *lower = nullptr, *upper = nullptr;
  double* inverse = nullptr;  ///< by slots: 1 / pivot, 0 for one that is zero or not finite
  int* exchange = nullptr;    ///< by slots: row of the front that was exchanged with the pivot's row
  bool* exchanged = nullptr;  ///< by fronts: any row was exchanged
  double* x = nullptr;        ///< scratch: a front's pivots, a border, a contribution block
  double* w = nullptr;
  double* block = nullptr;
};

/// Fronts with at most this many pivots have kernels of their own, and factors L D U with unit L and U
/// (shorter chains of operations in solves). Larger ones have L U as the dense kernels leave it: D and L,
/// padded, are their lower factors, V their upper ones.
constexpr int kSmallFront = 16;

}  // namespace trammel
