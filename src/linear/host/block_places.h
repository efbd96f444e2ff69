// Places of contribution blocks in memory.
#pragma once

#include "linear/host/front_tree.h"

namespace trammel {

/// Sets Front::block of all fronts, FrontTree::block_size and arena_size. Blocks of a subtree but its root's
/// are in the arena of the thread that works on it, on two stacks, one for fronts of even depth and one for
/// odd, so that a front's block can be pushed while its children's, on top of the other stack, are still
/// needed. Those of the roots and of the fronts above are in one array, each from its wave to its parent's,
/// where there is room.
void place_blocks(FrontTree& tree);

}  // namespace trammel
