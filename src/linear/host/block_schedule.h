// What a factorization and its solves by blocks do, front by front: plain tables, made once by analyze() and
// read by the kernels from the first row to the last.
#pragma once

#include <cstdint>

namespace trammel {

/// A front of the elimination. D, L and V = U^T lie one behind the other as in FrontTree:
///     [ D  U ]   D pivots x pivots, L and V border x pivots, all by columns, rows padded.
///     [ L  . ]
/// Tables of a front end where those of the next one begin; one more front closes the list.
struct BlockFront {
  std::int64_t factor = 0;  ///< offset of D in the array of factors
  int slot = 0;             ///< place of the first pivot in a right-hand side
  int pivots = 0;
  int border = 0;
  int clears = 0;    ///< first of its BlockClear
  int updates = 0;   ///< first of its BlockUpdate
  int segments = 0;  ///< first of its BlockSegment
};

/// A front that is set to its matrix values, before the first front that changes it is eliminated: so it is in
/// the cache when that happens.
struct BlockClear {
  std::int64_t factor = 0;
  int size = 0;    ///< doubles
  int values = 0;  ///< first of its BlockValue
};

/// A matrix value and its place, relative to its front.
struct BlockValue {
  int source, target;
};

/// T(i, j) -= sum_k X(i, k) Y(j, k) for a block T of a later front; X and Y are rows of this front's L and V.
struct BlockUpdate {
  std::int64_t target = 0;  ///< offset of T in the array of factors
  int ld = 0;               ///< of T
  int x = 0, y = 0;         ///< offsets of X and Y from the front's D; leading dimension that of L and V
  int rows = 0, columns = 0;
};

/// Rows of a border that are neighbours in a right-hand side.
struct BlockSegment {
  int slot, offset, length;  ///< place in a right-hand side, first row in the border, rows
};

struct BlockSchedule {
  int fronts = 0;
  const BlockFront* front = nullptr;    ///< fronts + 1
  const BlockClear* clear = nullptr;    ///< fronts + 1
  const BlockValue* value = nullptr;
  const BlockUpdate* update = nullptr;
  const BlockSegment* segment = nullptr;
};

/// The numbers that the schedule is about.
struct BlockNumbers {
  double* factor = nullptr;
  double* inverse = nullptr;  ///< by slots: 1 / pivot, 0 for one that is zero or not finite
  int* exchange = nullptr;    ///< by slots: row of the front that was exchanged with the pivot's row
  bool* exchanged = nullptr;  ///< by fronts: any row was exchanged
  double* x = nullptr;        ///< scratch: a front's pivots, a border, a contribution block
  double* w = nullptr;
  double* block = nullptr;
};

/// Fronts with at most this many pivots have kernels of their own, and factors L D U with unit L and U
/// (shorter chains of operations in solves); larger ones have L U.
constexpr int kSmallFront = 12;

}  // namespace trammel
