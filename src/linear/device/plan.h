// What a device is to do, worked out once per pattern: fronts by level and class, pieces of large ones,
// places of contribution blocks.
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

/// Fronts of one level and class that one launch takes; those without pivots stand last.
struct FrontBatch {
  TableRange list;                                  ///< of DevicePlan::list
  int with_pivots = 0;                              ///< so many of them have pivots
  std::size_t factor_memory = 0, solve_memory = 0;  ///< bytes of shared memory of a group
};

/// The panels from column `first` on of a level's large fronts.
struct PanelStep {
  int first;
  int fronts;               ///< so many of the list have such a panel: the first ones
  int rows;                 ///< of the tallest panel
  TableRange lines, tiles;  ///< of DevicePlan::piece
};

/// Fronts that do not depend on each other; what they depend on is in earlier levels.
struct DeviceLevel {
  FrontBatch small, middle, large;
  TableRange columns;  ///< of DevicePlan::column
  std::vector<PanelStep> panels;
  TableRange products, forward, backward;  ///< of DevicePlan::piece: tiles of C, rows of L, columns of V
};

struct DevicePlan {
  int n = 0;
  std::vector<int> order;  ///< place -> unknown
  std::vector<DeviceFront> fronts;
  std::vector<int> child, row, target, list;
  std::vector<FrontEntry> entry;  ///< of large fronts by column
  std::vector<ColumnTile> column;
  std::vector<FrontPiece> piece;
  std::vector<DeviceLevel> levels;                 ///< leaves first
  std::int64_t factor_size = 0, block_size = 0;    ///< doubles
  double flops = 0;                                ///< of one factorization
  int largest = 0;                                 ///< p + r of the largest front
  int small = 0, middle = 0, large = 0, sums = 0;  ///< fronts by class, and of them those without pivots
};

/// Bytes of shared memory for a front, even where a group may have more: a larger one is for several blocks.
inline constexpr std::size_t most_shared_memory = 227 * 1024;

/// What joins fronts on a device: planning figures. A front that a warp holds costs about the same whatever
/// its size; each level costs two launches and more.
FrontCost device_front_cost();

/// The plan for fronts that make_fronts() made for the pattern. A front is small up to small_front rows,
/// middle while it fits `shared_memory` bytes, else large. Children are added in groups of at most 16, by
/// fronts without pivots where there are more. Throws Failure(solver) for a front too large for indices of 32
/// bits or a solve's right-hand side that does not fit shared memory.
DevicePlan make_device_plan(const FrontTree& tree, std::size_t shared_memory);

}  // namespace trammel
