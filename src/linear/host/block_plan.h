// Symbolic part of the factorization by blocks: the tables of its schedule.
#pragma once

#include <cstdint>
#include <vector>

#include "linear/host/block_schedule.h"
#include "linear/pattern.h"

namespace trammel {

struct BlockPlan {
  int n = 0;
  std::vector<int> slot;               ///< unknown -> slot in a right-hand side, whose fronts are padded
  std::vector<int> unknown;            ///< slot -> unknown; -1: padding, or a row of a contribution
  std::vector<BlockSubtree> subtrees;  ///< their fronts come first, subtree after subtree
  int top = 0;                         ///< first of the fronts above the subtrees
  std::vector<BlockFront> fronts;
  std::vector<BlockClear> clears;
  std::vector<BlockValue> values;
  std::vector<BlockUpdate> updates;
  std::vector<BlockSegment> segments;
  std::int64_t work_size = 0;  ///< doubles of a work area that any subtree, or the fronts above, can use
  std::int64_t contribution_size = 0;           ///< doubles of all contributions
  std::int64_t lower_size = 0, upper_size = 0;  ///< doubles
  int largest_pivots = 0;                       ///< of fronts above kSmallFront, like the next ones
  int largest_border = 0;
  double flops = 0, nonzeros = 0;

  int slots() const { return static_cast<int>(unknown.size()); }
  int end() const { return static_cast<int>(fronts.size()) - 1; }
  BlockSchedule schedule() const;
};

/// Fronts by cost, their unknowns by vertices; O(nonzeros + blocks of all fronts). Pattern and order must be
/// valid. Throws Failure(solver) when sizes exceed 32-bit indices.
BlockPlan make_block_plan(const SparsePattern& pattern, const std::vector<int>& order);

}  // namespace trammel
