// Symbolic part of the factorization by blocks: the tables of its schedule.
#pragma once

#include <cstdint>
#include <vector>

#include "linear/host/block_schedule.h"
#include "linear/pattern.h"

namespace trammel {

struct BlockPlan {
  int n = 0;
  std::vector<int> slot;     ///< unknown -> slot in a right-hand side, whose fronts are padded
  std::vector<int> unknown;  ///< slot -> unknown; -1: padding
  std::vector<BlockFront> fronts;
  std::vector<BlockClear> clears;
  std::vector<BlockValue> values;
  std::vector<BlockUpdate> updates;
  std::vector<BlockSegment> segments;
  std::int64_t work_size = 0, lower_size = 0, upper_size = 0;  ///< doubles
  int largest_pivots = 0;  ///< of fronts above kSmallFront, like the next ones
  int largest_border = 0;
  double flops = 0, nonzeros = 0;

  int slots() const { return static_cast<int>(unknown.size()); }
  BlockSchedule schedule() const;
};

/// Fronts by cost, their unknowns by vertices; O(nonzeros + blocks of all fronts). Pattern and order must be
/// valid. Throws Failure(solver) when sizes exceed 32-bit indices.
BlockPlan make_block_plan(const SparsePattern& pattern, const std::vector<int>& order);

}  // namespace trammel
