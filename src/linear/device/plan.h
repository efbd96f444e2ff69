// The device's work for a pattern, planned once on the host: fronts by level and class, pieces of large
// fronts, places of contribution blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "linear/device/fronts.h"
#include "linear/host/fronts.h"

namespace trammel {

/// Half-open range of a table.
struct TableRange {
  int begin = 0, end = 0;
  int count() const { return end - begin; }
};

/// Fronts of one level and class, taken by one launch; those without pivots are last.
struct FrontBatch {
  TableRange list;                                  ///< of DevicePlan::list
  int with_pivots = 0;                              ///< number of fronts with pivots
  std::size_t factor_memory = 0, solve_memory = 0;  ///< bytes of shared memory per group
  int blocks = 0, rest = 0;  ///< doubles of it for what children left: their blocks, their right-hand sides
};

/// The panels that begin at column `first` in the large fronts of a level.
struct PanelStep {
  int first;
  int fronts;               ///< number of fronts with such a panel: the first ones of the list
  int rows;                 ///< rows of the tallest panel
  TableRange lines, tiles;  ///< of DevicePlan::piece
};

/// Fronts that are independent of each other; they depend on earlier levels only.
struct DeviceLevel {
  FrontBatch small, pair, middle, large;
  TableRange columns;  ///< of DevicePlan::column
  std::vector<PanelStep> panels;
  TableRange products, forward, backward;  ///< of DevicePlan::piece: tiles of C, rows of L, columns of V
};

struct DevicePlan {
  int n = 0;
  std::vector<int> order;  ///< place -> unknown
  std::vector<DeviceFront> fronts;
  std::vector<FrontChild> children;  ///< parallel to `child`
  std::vector<int> child, row, target, list;
  std::vector<FrontEntry> entry;  ///< those of large fronts by columns
  std::vector<ColumnTile> column;
  std::vector<FrontPiece> piece;
  std::vector<DeviceLevel> levels;               ///< from the leaves to the roots
  std::int64_t factor_size = 0, block_size = 0;  ///< doubles
  double flops = 0;                              ///< operations of one factorization
  int largest = 0;                               ///< largest p + r
  /// Fronts by class; `sums` are those without pivots.
  int small = 0, pair = 0, middle = 0, large = 0, sums = 0;
};

/// Limit of shared memory per front, bytes, even if a group may use more: larger ones are spread over blocks.
inline constexpr std::size_t most_shared_memory = 227 * 1024;

/// Cost model for merging fronts of n unknowns on a device (planning figures): a front that a warp can hold
/// costs about the same whatever its size; each level costs two launches and more. Models that batches take
/// are small, and the smaller their fronts the more of them find room.
FrontCost device_front_cost(int n);

/// Plan for the fronts of make_fronts(), or, `by_one_group`, for a group that takes them one after the other
/// by rows. A front is small up to small_front rows, one of a pair of warps up to pair_front, middle, all
/// while they fit into `shared_memory` bytes, else large. Few small fronts of a level join the pairs of that
/// level: one launch less. At most 16 children are added directly; if there are more, fronts without pivots
/// add them up in groups. Throws Failure(solver) for a front too large for 32-bit indices or for a right-hand
/// side that does not fit shared memory.
DevicePlan make_device_plan(const FrontTree& tree, std::size_t shared_memory, bool by_one_group = false);

}  // namespace trammel
