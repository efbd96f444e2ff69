// Solutions with the triangles of a front's pivots, solve_block of them at a time: the block's triangle is
// the first warp's, the rows beyond it are everybody's.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/hd.h"
#include "linear/device/lanes.h"

namespace trammel {

inline constexpr int solve_block = 32;  ///< pivots solved for before the rows beyond them are updated

/// A triangle of at most solve_block pivots in shared memory: its entries beside the diagonal, column by
/// column, and 1 / u_kk.
struct StagedTriangle {
  double *entry, *inverse;
};
/// The triangle of the present block, and the place of the one that comes next.
struct StagedTriangles {
  StagedTriangle now, next;
};
/// Entries of a triangle of w columns without its diagonal; of its first columns where it is upper.
TRAMMEL_HD constexpr int triangle_size(int w) {
  return w * (w - 1) / 2;
}
/// Doubles of a staged triangle of a front with p pivots.
TRAMMEL_HD constexpr int staged_size(int p) {
  const int w = p < solve_block ? p : solve_block;
  return triangle_size(w) + w;
}
TRAMMEL_HD inline StagedTriangle staged_at(double* room, int p) {
  return {room, room + triangle_size(smaller(p, solve_block))};
}

/// First pivot of the last block.
TRAMMEL_HD inline int last_block(int p) {
  return (p - 1) / solve_block * solve_block;
}

/// Starts to copy the diagonal block of d from pivot `begin` on: what is below its diagonal, or (`upper`)
/// above it, and 1 / u_kk.
template <class Group>
TRAMMEL_HD void stage(const Group& group, const double* d, int p, int begin, const double* inverse,
                      bool upper, const StagedTriangle& to) {
  const int w = smaller(solve_block, p - begin), lanes = smaller(group.size(), solve_block);
  const double* block = d + begin + static_cast<std::int64_t>(begin) * p;
  TRAMMEL_ROLLED
  for (int i = group.rank() % lanes; i < w; i += lanes) {
    const int end = upper ? w : i, step = group.size() / lanes;
    TRAMMEL_ROLLED
    for (int k = (upper ? i + 1 : 0) + group.rank() / lanes; k < end; k += step) {
      const int at = upper ? triangle_size(k) + i : k * w - triangle_size(k + 1) + i - k - 1;
      start_copy(group, to.entry + at, block + i + static_cast<std::int64_t>(k) * p);
    }
  }
  TRAMMEL_ROLLED
  for (int k = group.rank(); upper && k < w; k += group.size())
    start_copy(group, to.inverse + k, inverse + begin + k);
}

/// x <- L^-1 x, or U^-1 x, for the w pivots of a block.
template <bool upper, class Group>
TRAMMEL_HD void solve_staged(const Group& group, const StagedTriangle& staged, int w, double* x) {
  FirstWarp<Group, double> mine;
  if (!mine.is_here(group)) return;
  const auto itself = [](double value) { return value; };
  mine.each(group, [&](int lane, double& value) { value = lane < w ? x[lane] : 0; });
  const double* column = upper ? staged.entry + triangle_size(w) : staged.entry - 1;
  TRAMMEL_ROLLED
  for (int done = 0; done < w; ++done) {
    const int k = upper ? w - 1 - done : done;
    double value = mine.of_lane(group, k, itself);
    if (upper) {
      value *= staged.inverse[k];
      column -= k;
    }
    mine.each(group, [&](int lane, double& sum) {
      if (upper && lane == k) sum = value;
      if (upper ? lane < k : lane > k && lane < w) sum = std::fma(-column[lane], value, sum);
    });
    if (!upper) column += w - k - 2;
  }
  mine.each(group, [&](int lane, double& value) {
    if (lane < w) x[lane] = value;
  });
}

/// An unknown of a block with its row of the triangle.
struct TriangleRow {
  double x, inverse;
  double entry[solve_block];
};

/// solve_staged() where threads have registers for the rows of the triangle.
template <bool upper, class Group>
TRAMMEL_HD void solve_in_registers(const Group& group, const StagedTriangle& staged, int w, double* x) {
  FirstWarp<Group, TriangleRow> mine;
  if (!mine.is_here(group)) return;
  const auto is_changed = [w](int lane, int k) { return upper ? lane < k && k < w : lane > k && lane < w; };
  mine.each(group, [&](int lane, TriangleRow& row) {
    row.x = lane < w ? x[lane] : 0;
    row.inverse = upper && lane < w ? staged.inverse[lane] : 1;
    TRAMMEL_UNROLLED(32)
    for (int k = 0; k < solve_block; ++k) {
      const int at = upper ? triangle_size(k) + lane : k * w - triangle_size(k + 1) + lane - k - 1;
      row.entry[k] = is_changed(lane, k) ? staged.entry[at] : 0;
    }
  });
  TRAMMEL_UNROLLED(32)
  for (int done = 0; done < solve_block; ++done) {
    const int k = upper ? solve_block - 1 - done : done;
    const double value =
        mine.of_lane(group, k, [](const TriangleRow& row) { return upper ? row.x * row.inverse : row.x; });
    mine.each(group, [&](int lane, TriangleRow& row) {
      if (upper && lane == k) row.x = value;
      if (is_changed(lane, k)) row.x = std::fma(-row.entry[k], value, row.x);
    });
  }
  mine.each(group, [&](int lane, TriangleRow& row) {
    if (lane < w) x[lane] = row.x;
  });
}

/// x <- L^-1 x, or U^-1 x, for the unit lower or the upper triangle of d; the first block that it takes, the
/// first or the last one, is staged. While the first warp has a block's triangle, the next one is copied and,
/// where `ahead` is enough, each thread reads what a row beyond the block has in its columns.
template <bool upper, int ahead, class Group>
TRAMMEL_HD void solve_triangle(const Group& group, const double* d, int p, const double* inverse,
                               StagedTriangles staged, double* x) {
  constexpr bool early = ahead >= solve_block;
  const int last = last_block(p);
  TRAMMEL_ROLLED
  for (int done = 0; done <= last; done += solve_block) {
    const int begin = upper ? last - done : done, end = smaller(begin + solve_block, p), w = end - begin;
    const int first = upper ? end - 1 : begin, step = upper ? -1 : 1;
    const int rows_end = upper ? begin : p;
    int row = (upper ? 0 : end) + group.rank();
    const double* column = d + static_cast<std::int64_t>(first) * p;
    ReadAhead<ahead> entries;
    if (done < last) stage(group, d, p, upper ? begin - solve_block : end, inverse, upper, staged.next);
    if (early && row < rows_end) entries.read(w, column + row, step * p);
    if constexpr (early)
      solve_in_registers<upper>(group, staged.now, w, x + begin);
    else
      solve_staged<upper>(group, staged.now, w, x + begin);
    finish_copies(group);
    group.sync();
    if (done == last) return;
    if (early && row < rows_end) {
      x[row] = entries.subtract(x[row], w, x + first, step);
      row += group.size();
    }
    TRAMMEL_ROLLED
    for (; row < rows_end; row += group.size())
      x[row] = subtract_terms<ahead>(x[row], w, column + row, step * p, x + first, step);
    group.sync();
    const StagedTriangle kept = staged.now;
    staged.now = staged.next;
    staged.next = kept;
  }
}

}  // namespace trammel
