#include "linear/host/block_places.h"

#include <algorithm>

#include "linear/host/dense_kernels.h"

namespace trammel {

namespace {

std::int64_t size_of(const Front& front) {
  const std::int64_t below = padded(front.border);
  return below * front.border;
}

/// A block in use up to a wave.
struct Chunk {
  std::int64_t begin, end;
  int last;
};

/// Blocks of a subtree but its root's, in an arena; its size.
std::int64_t place_in_arena(FrontTree& tree, const Subtree& subtree) {
  std::int64_t height[2] = {0, 0}, peak[2] = {0, 0};
  for (int s = subtree.begin; s < subtree.end - 1; ++s) {
    Front& front = tree.fronts[s];
    const int stack = front.depth % 2;
    front.block = height[stack];
    height[stack] += size_of(front);
    peak[stack] = std::max(peak[stack], height[stack]);
    for (int k = tree.child_start[s]; k < tree.child_start[s + 1]; ++k)
      height[1 - stack] -= size_of(tree.fronts[tree.child[k]]);
  }
  for (int s = subtree.begin; s < subtree.end - 1; ++s)
    if (tree.fronts[s].depth % 2) tree.fronts[s].block += peak[0];
  return peak[0] + peak[1];
}

}  // namespace

void place_blocks(FrontTree& tree) {
  const int waves = static_cast<int>(tree.wave_start.size()) - 1;
  std::vector<int> wave(tree.fronts.size(), -1);
  for (int w = 0; w < waves; ++w)
    for (int k = tree.wave_start[w]; k < tree.wave_start[w + 1]; ++k) wave[tree.top[k]] = w;
  const auto chunk_of = [&](const Front& front) {
    return Chunk{front.block, front.block + size_of(front), wave[front.parent]};
  };
  std::vector<Chunk> used;  // ascending
  for (const Subtree& subtree : tree.subtrees) {
    tree.arena_size = std::max(tree.arena_size, place_in_arena(tree, subtree));
    Front& root = tree.fronts[subtree.end - 1];
    if (root.parent < 0) continue;
    root.block = tree.block_size;
    tree.block_size += size_of(root);
    used.push_back(chunk_of(root));
  }
  for (int w = 0; w < waves; ++w) {
    std::erase_if(used, [&](const Chunk& c) { return c.last < w; });
    for (int k = tree.wave_start[w]; k < tree.wave_start[w + 1]; ++k) {
      Front& front = tree.fronts[tree.top[k]];
      if (front.parent < 0) continue;
      front.block = 0;
      auto gap = used.begin();
      for (; gap != used.end() && gap->begin - front.block < size_of(front); ++gap) front.block = gap->end;
      used.insert(gap, chunk_of(front));
      tree.block_size = std::max(tree.block_size, front.block + size_of(front));
    }
  }
}

}  // namespace trammel
