// Products that are subtracted from large fronts, in tiles: a lane keeps its entries of a tile in registers.
#pragma once

#include <cstddef>

#include "base/hd.h"
#include "linear/device/fronts.h"
#include "linear/device/lanes.h"

namespace trammel {

/// Lanes down and across a tile; each has every so many rows and columns of it.
inline constexpr int tile_down = 16, tile_across = 8;

struct TileEntries {
  double c[product_tile / tile_down][product_tile / tile_across];
};

/// A part of A and B in shared memory: product_tile rows of A, columns of B, for each of product_depth terms.
struct StagedFactors {
  static constexpr int left_stride = product_tile;
  /// Odd, so that neighbouring terms of a column, which are copied at a time, meet no bank twice.
  static constexpr int right_stride = product_tile + 1;
  static constexpr std::size_t doubles = product_depth * (left_stride + right_stride);
  double *left, *right;
};
TRAMMEL_HD inline StagedFactors factors_at(double* room) {
  return {room, room + product_depth * StagedFactors::left_stride};
}

/// Starts to copy terms [k, k + depth) of a tile's product.
template <class Group>
TRAMMEL_HD void stage_factors(const Group& group, const FrontProduct& x, int k, int depth,
                              const StagedFactors& to) {
  TRAMMEL_UNROLLED(4)
  for (int t = group.rank(); t < product_tile * depth; t += group.size()) {
    const int i = t % product_tile, term = t / product_tile;
    if (i < x.m)
      start_copy(group, to.left + term * StagedFactors::left_stride + i, x.a + i + (k + term) * x.lda);
  }
  // B along its contiguous direction: columns where b_row is 1, else rows.
  const bool columns = x.b_row == 1;
  TRAMMEL_UNROLLED(4)
  for (int t = group.rank(); t < product_tile * product_depth; t += group.size()) {
    const int j = columns ? t / product_depth : t % product_tile;
    const int term = columns ? t % product_depth : t / product_tile;
    if (j < x.n && term < depth)
      start_copy(group, to.right + term * StagedFactors::right_stride + j,
                 x.b + (k + term) * x.b_row + j * x.b_column);
  }
}

/// f(entry of the tile, entry of C) for those of a lane that the tile has.
template <class F>
TRAMMEL_HD void each_entry(const FrontProduct& x, int lane, TileEntries& mine, const F& f) {
  const int first = lane % tile_down, first_column = lane / tile_down;
  TRAMMEL_UNROLLED(8)
  for (int v = 0; v < product_tile / tile_across; ++v) {
    TRAMMEL_UNROLLED(8)
    for (int u = 0; u < product_tile / tile_down; ++u) {
      const int i = first + u * tile_down, j = first_column + v * tile_across;
      if (i < x.m && j < x.n) f(mine.c[u][v], x.c[i + j * x.ldc]);
    }
  }
}

/// Subtracts `depth` terms from the entries of a lane.
TRAMMEL_HD inline void subtract_staged(const StagedFactors& staged, int depth, int lane, TileEntries& mine) {
  constexpr int rows = product_tile / tile_down, columns = product_tile / tile_across;
  const double *left = staged.left + lane % tile_down, *right = staged.right + lane / tile_down;
  TRAMMEL_UNROLLED(2)
  for (int k = 0; k < depth; ++k, left += StagedFactors::left_stride, right += StagedFactors::right_stride) {
    double a[rows];
    TRAMMEL_UNROLLED(8)
    for (int u = 0; u < rows; ++u) a[u] = left[u * tile_down];
    TRAMMEL_UNROLLED(8)
    for (int v = 0; v < columns; ++v) {
      const double b = right[v * tile_across];
      TRAMMEL_UNROLLED(8)
      for (int u = 0; u < rows; ++u) mine.c[u][v] = std::fma(-a[u], b, mine.c[u][v]);
    }
  }
}

/// Tiles of the products of large fronts. While some terms are subtracted, the next ones are copied.
struct SubtractTiles {
  static constexpr const char* name = "subtract_tiles";
  static constexpr int threads = tile_down * tile_across;
  static constexpr std::size_t memory = 2 * 8 * StagedFactors::doubles;
  FrontArrays a;
  const FrontPiece* piece;
  int first;  ///< first column of the panel
  template <class Group>
  TRAMMEL_HD void operator()(int item, const Group& group) const {
    const FrontPiece mine = piece[item];
    const FrontView f = view_of(a, a.front[mine.front]);
    const FrontProduct x = tile_of(update_of(f, mine.part, first, smaller(first + panel_width, f.p)), mine.i,
                                   mine.j, product_tile);
    double* room = static_cast<double*>(group.shared());
    StagedFactors now = factors_at(room), next = factors_at(room + StagedFactors::doubles);
    Lanes<Group, TileEntries, threads> tile;
    stage_factors(group, x, 0, smaller(product_depth, x.depth), now);
    tile.each(group, threads, [&](int lane, TileEntries& entries) {
      each_entry(x, lane, entries, [](double& entry, double& c) { entry = c; });
    });
    TRAMMEL_ROLLED
    for (int k = 0; k < x.depth; k += product_depth) {
      finish_copies(group);
      group.sync();
      const int behind = x.depth - k - product_depth;
      if (behind > 0) stage_factors(group, x, k + product_depth, smaller(product_depth, behind), next);
      tile.each(group, threads, [&](int lane, TileEntries& entries) {
        subtract_staged(now, smaller(product_depth, x.depth - k), lane, entries);
      });
      const StagedFactors kept = now;
      now = next;
      next = kept;
    }
    tile.each(group, threads, [&](int lane, TileEntries& entries) {
      each_entry(x, lane, entries, [](double& entry, double& c) { c = entry; });
    });
  }
};

}  // namespace trammel
