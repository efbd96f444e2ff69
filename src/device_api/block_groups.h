// Groups of a kernel that share the memory of a block.
#pragma once

namespace trammel {

/// Upper bound of the number of groups of a warp that a back end puts into one block.
inline constexpr int most_groups_per_block = 4;

}  // namespace trammel
