// Which of many balls are near each other, on a device: the same pairs as near_balls() finds, without a tree.
//
// A ball is in a cell of the grid of its size, with sides of the next power of two above its diameter. Keys
// of cells (size, z, y, x) are sorted. In the grid of each size from its own on a ball is held against those
// in the 27 cells around: two balls that meet are together less than the side of the larger one's cells
// apart. So n balls of one size are n log n looks, and sizes have a grid each. Balls without end are held
// against all.
#pragma once

#include <cmath>
#include <cstdint>

#include "assemble/near_shapes.h"
#include "device_api/vector_kernels.h"

namespace trammel {

using CellKey = std::uint64_t;

/// Place of the first entry of ascending [begin, end) that is not less than x (`beyond`: that is greater).
TRAMMEL_HD inline int first_not_less(const CellKey* key, int begin, int end, CellKey x, bool beyond = false) {
  while (begin < end) {
    const int middle = begin + (end - begin) / 2;
    if (key[middle] < x || (beyond && key[middle] == x))
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

/// Cells of a ball. Coordinates count from `origin`; beyond 65,534 cells from there all share the last one.
struct CellGrid {
  static constexpr int bits = 17, half = 1 << (bits - 1);
  static constexpr int size_shift = 3 * bits;
  static constexpr CellKey endless = ~CellKey{0};
  Vec3d origin;

  TRAMMEL_HD static bool has_end(const BoundingBall& b) { return b.radius <= 1e300; }
  /// Exponent of the side of a ball's cells, and what is added to make it a number of 11 bits.
  static constexpr int bias = 1024;
  TRAMMEL_HD static int size_of(const BoundingBall& b) {
    int exponent = 0;
    std::frexp(2.000002 * b.radius, &exponent);  // what rounding brings nearer meets, too
    return (exponent < -1000 ? -1000 : exponent) + bias;
  }
  TRAMMEL_HD static int cell(double x, double side) {
    const double c = std::floor(x / side);
    if (!(c > 2 - half)) return 1;
    return c < half - 2 ? static_cast<int>(c) + half : 2 * half - 2;
  }
  struct Cell {
    int x, y, z;
  };
  TRAMMEL_HD Cell cell_of(const Vec3d& r, int size) const {
    const double side = std::ldexp(1.0, size - bias);
    return {cell(r.x - origin.x, side), cell(r.y - origin.y, side), cell(r.z - origin.z, side)};
  }
  TRAMMEL_HD static CellKey key_of(int size, const Cell& c) {
    return static_cast<CellKey>(size) << size_shift | static_cast<CellKey>(c.z) << (2 * bits) |
           static_cast<CellKey>(c.y) << bits | static_cast<CellKey>(c.x);
  }
};

/// key[k] of ball k, item[k] = k.
struct KeysOfCells {
  static constexpr const char* name = "keys_of_cells";
  CellGrid grid;
  const BoundingBall* ball;
  CellKey* key;
  int* item;
  TRAMMEL_HD void operator()(int k) const {
    const BoundingBall& b = ball[k];
    item[k] = k;
    if (!CellGrid::has_end(b)) {
      key[k] = CellGrid::endless;
      return;
    }
    const int size = CellGrid::size_of(b);
    key[k] = CellGrid::key_of(size, grid.cell_of(b.center, size));
  }
};

/// Merges each two sorted runs of `run` keys, with their items unless these are null. Equal keys keep their
/// order.
struct MergeRuns {
  static constexpr const char* name = "merge_runs";
  const CellKey* from;
  const int* from_item;
  CellKey* to;
  int* to_item;
  int run, n;
  TRAMMEL_HD void operator()(int k) const {
    const int both = k / run / 2 * run, begin = 2 * both;
    const int middle = n - begin < run ? n : begin + run, end = n - middle < run ? n : middle + run;
    const int at = k < middle ? k + first_not_less(from, middle, end, from[k]) - middle
                              : k - middle + first_not_less(from, begin, middle, from[k], true);
    to[at] = from[k];
    if (from_item) to_item[at] = from_item[k];
  }
};

/// Balls by their cells: of place p in the order of the keys the ball is item[p], the first `bounded` have
/// an end.
struct SortedBalls {
  CellGrid grid;
  const BoundingBall* ball;
  const ShapeOfGroup* shape;
  const CellKey* key;
  const int* item;
  int bounded, count;

  /// visit(other) for all near the ball at place p that it is to find; the number of looks.
  template <class Visit>
  TRAMMEL_HD int for_near(int p, Visit&& visit) const {
    const int own = item[p];
    int looks = 0;
    const auto look = [&](int other, bool meets) {
      ++looks;
      if (meets && may_touch(shape[own], shape[other])) visit(other);
    };
    for (int q = p < bounded ? bounded : p + 1; q < count; ++q) look(item[q], true);
    if (p >= bounded) return looks;
    const BoundingBall& b = ball[own];
    for (int at = p; at < bounded;) {
      const int size = static_cast<int>(key[at] >> CellGrid::size_shift);
      const int last =
          first_not_less(key, at, bounded, static_cast<CellKey>(size + 1) << CellGrid::size_shift);
      // Of its own size those behind it.
      const int first = at == p ? p + 1 : at;
      const CellGrid::Cell c = grid.cell_of(b.center, size);
      for (int z = c.z - 1; z <= c.z + 1; ++z)
        for (int y = c.y - 1; y <= c.y + 1; ++y) {
          const CellKey end = CellGrid::key_of(size, {c.x + 1, y, z});
          for (int q = first_not_less(key, first, last, CellGrid::key_of(size, {c.x - 1, y, z}));
               q < last && key[q] <= end; ++q) {
            const BoundingBall& other = ball[item[q]];
            look(item[q], norm(other.center - b.center) <= b.radius + other.radius);
          }
        }
      at = last;
    }
    return looks;
  }
};

struct CountNear {
  static constexpr const char* name = "count_near";
  SortedBalls balls;
  int *found, *looks;  ///< of each place
  TRAMMEL_HD void operator()(int p) const {
    int sum = 0;
    looks[p] = balls.for_near(p, [&](int) { ++sum; });
    found[p] = sum;
  }
};

/// A pair is written both ways, as owner and other.
TRAMMEL_HD inline CellKey both(int owner, int other) {
  return static_cast<CellKey>(owner) << 32 | static_cast<CellKey>(other);
}
struct FillNear {
  static constexpr const char* name = "fill_near";
  SortedBalls balls;
  const int* first;  ///< pair of each place
  CellKey* pair;
  TRAMMEL_HD void operator()(int p) const {
    CellKey* to = pair + 2 * static_cast<long>(first[p]);
    const int own = balls.item[p];
    balls.for_near(p, [&](int other) {
      *to++ = both(own, other);
      *to++ = both(other, own);
    });
  }
};

/// sum[c] = Σ x over chunk c.
struct SumChunksOfCounts {
  static constexpr const char* name = "sum_chunks_of_counts";
  const int* x;
  int n;
  int* sum;
  TRAMMEL_HD void operator()(int c) const {
    const int begin = c * reduction_chunk, end = begin + reduction_chunk < n ? begin + reduction_chunk : n;
    int s = 0;
    for (int k = begin; k < end; ++k) s += x[k];
    sum[c] = s;
  }
};
/// out[k] = Σ of x before k in chunk c, from before[c] on (null: 0); out[n] is the sum of all.
struct SpreadSums {
  static constexpr const char* name = "spread_sums";
  const int *x, *before;
  int n;
  int* out;
  TRAMMEL_HD void operator()(int c) const {
    const int begin = c * reduction_chunk, end = begin + reduction_chunk < n ? begin + reduction_chunk : n;
    int s = before ? before[c] : 0;
    for (int k = begin; k < end; ++k) {
      out[k] = s;
      s += x[k];
    }
    if (end == n) out[n] = s;
  }
};

/// Of the sorted pairs those of owner k begin at start[k].
struct StartLists {
  static constexpr const char* name = "start_lists";
  const CellKey* pair;
  int n;
  int* start;
  TRAMMEL_HD void operator()(int k) const { start[k] = first_not_less(pair, 0, n, both(k, 0)); }
};
/// 1 where the other stands before the owner: there the pair has its number.
struct MarkEarlier {
  static constexpr const char* name = "mark_earlier";
  const CellKey* pair;
  int* earlier;
  TRAMMEL_HD void operator()(int k) const {
    earlier[k] = static_cast<int>(pair[k] & 0xffffffffu) < static_cast<int>(pair[k] >> 32) ? 1 : 0;
  }
};
struct UnpackLists {
  static constexpr const char* name = "unpack_lists";
  const CellKey* pair;
  const int* number;  ///< of earlier ones before each
  int n;
  int *other, *of_pair;
  TRAMMEL_HD void operator()(int k) const {
    const int mine = static_cast<int>(pair[k] >> 32), its = static_cast<int>(pair[k] & 0xffffffffu);
    other[k] = its;
    of_pair[k] = number[its < mine ? k : first_not_less(pair, 0, n, both(its, mine))];
  }
};

}  // namespace trammel
