// Kernels that assemble and eliminate fronts: a block for one that fits shared memory, several launches for
// larger ones (docs/linear_algebra.md, "On a device"). Those that a warp takes: warp_front.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/hd.h"
#include "linear/device/dense.h"

namespace trammel {

/// A front on the device. A front without pivots only adds up some children of a front that has very many.
struct DeviceFront {
  std::int64_t factor;  ///< offset of D, L, V, in this order, in FrontArrays::factor
  std::int64_t block;   ///< offset of C in FrontArrays::block
  int first;            ///< place (position in the elimination order) of the first pivot
  int pivots, border;
  int rows;                    ///< offset of the border in FrontArrays::row, target and buffer
  int child_begin, child_end;  ///< range of FrontArrays::child
  int entry_begin, entry_end;  ///< range of FrontArrays::entry
};

/// A child of a front: what the front needs to know of it.
struct alignas(16) FrontChild {
  std::int64_t block;  ///< as in DeviceFront
  int rows, border;
};

/// A matrix value's index, and its offset from DeviceFront::factor.
struct FrontEntry {
  int source, target;
};

/// Columns [begin, end) of a large front, pivots first, and the range of FrontArrays::entry in them.
struct ColumnTile {
  int front, begin, end, entry_begin, entry_end;
};

/// A piece of a large front: a tile of a product at (i, j), rows or columns [i, j) of a part that a panel
/// changes, or rows or columns from i on.
struct FrontPiece {
  int front;
  FrontPart part;
  int i, j;
};

inline constexpr int most_children = 16;  ///< largest number of children that a front adds up directly
inline constexpr int small_front = 32;    ///< largest number of rows of a front that one warp eliminates
inline constexpr int pair_front = 64;     ///< of a front that two warps eliminate
inline constexpr int panel_width = 32;    ///< columns of a panel of a large front
inline constexpr int product_tile = 64;   ///< rows and columns of a large front's product per block
inline constexpr int product_depth = 32;  ///< depth of that product held in shared memory at a time
inline constexpr int piece_lines = 128;   ///< lines, rows or columns of a large front per block
inline constexpr int column_tile = 32;    ///< columns of a large front assembled per block

/// Arrays of all fronts, as kernels use them. "By places": indexed by position in the elimination order.
struct FrontArrays {
  const DeviceFront* front;
  const FrontChild* child;
  const int* row;     ///< places of the borders' unknowns
  const int* target;  ///< parallel to `row`: position in the parent's front, pivots first
  const FrontEntry* entry;
  const double* value;  ///< nonzeros of the scaled matrix
  double tolerance;
  double *factor, *block;
  double* inverse;   ///< by places: 1 / u_kk
  int* exchange;     ///< by places
  int* permutation;  ///< by places: row of the front that became row k
  double* z;         ///< by places: right-hand side, then solution
  double* buffer;    ///< parallel to `row`: a front's contribution to its parent's right-hand side
};

/// The view of a front in global memory.
TRAMMEL_HD inline FrontView view_of(const FrontArrays& a, const DeviceFront& front) {
  const std::int64_t p = front.pivots, r = front.border;
  double* d = a.factor + front.factor;
  return {front.pivots,
          front.border,
          d,
          d + p * p,
          d + p * p + p * r,
          a.block + front.block,
          a.inverse + front.first,
          a.exchange + front.first};
}

/// Doubles from row to row of a front that lies by rows: 2 more than a multiple of 4, so that threads of a
/// warp that read pairs of neighbours in the same columns of different rows meet no bank of shared memory
/// twice.
TRAMMEL_HD constexpr int front_stride(int size) {
  return (size + 1) / 4 * 4 + 2;
}

/// Bytes of shared memory for a whole front, by rows or by columns: entries, 1 / u_kk and the pivot search;
/// then row numbers.
TRAMMEL_HD inline std::size_t front_memory(int p, int r) {
  const std::int64_t size = p + r;
  const std::int64_t doubles = size * front_stride(p + r) + p + PivotSearch::parts,
                     ints = p + PivotSearch::parts;
  return static_cast<std::size_t>(8 * doubles + 4 * ints);
}

/// Address of entry (i, j) of a front, pivots first.
TRAMMEL_HD inline double* entry_at(const FrontView& f, int i, int j) {
  const std::int64_t p = f.p, r = f.r;
  if (j < f.p) return i < f.p ? f.d + i + j * p : f.l + (i - p) + j * r;
  return i < f.p ? f.v + (j - p) + i * r : f.c + (i - p) + (j - p) * r;
}

/// Adds columns [begin, end) of a child's contribution block to a front.
template <class Group>
TRAMMEL_HD void add_block(const Group& group, const FrontView& f, const FrontArrays& a,
                          const FrontChild& child, int begin, int end) {
  const int r = child.border;
  const int* target = a.target + child.rows;
  const double* block = a.block + child.block;
  for (int t = group.rank(); t < r * (end - begin); t += group.size()) {
    const int i = t % r, j = begin + t / r;
    *entry_at(f, target[i], target[j]) += block[i + static_cast<std::int64_t>(j) * r];
  }
}

/// Assembles a front in shared memory from matrix values and contribution blocks, children in ascending
/// order.
template <class Group>
TRAMMEL_HD void assemble_front(const Group& group, const FrontView& f, const FrontArrays& a,
                               const DeviceFront& front) {
  const int size = (f.p + f.r) * (f.p + f.r);
  for (int i = group.rank(); i < size; i += group.size()) f.d[i] = 0;
  group.sync();
  for (int e = front.entry_begin + group.rank(); e < front.entry_end; e += group.size())
    f.d[a.entry[e].target] = a.value[a.entry[e].source];
  group.sync();
  for (int k = front.child_begin; k < front.child_end; ++k) {
    const FrontChild child = a.child[k];
    add_block(group, f, a, child, 0, child.border);
    group.sync();
  }
}

/// Turns the row exchanges of columns [first, end) into a permutation of rows.
template <class Group>
TRAMMEL_HD void note_exchanges(const Group& group, int* permutation, const int* exchange, int first, int end,
                               int p) {
  for (int k = group.rank(); first == 0 && k < p; k += group.size()) permutation[k] = k;
  group.sync();
  if (group.rank() != 0) return;
  for (int k = first; k < end; ++k) {
    const int other = exchange[k];
    if (other == k) continue;
    const int kept = permutation[k];
    permutation[k] = permutation[other];
    permutation[other] = kept;
  }
}

/// Index of the first of `count` ascending values that is not below `value`.
TRAMMEL_HD inline int first_not_below(const int* values, int count, int value) {
  int begin = 0, end = count;
  while (begin < end) {
    const int middle = (begin + end) / 2;
    if (values[middle] < value)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

/// Assembles columns of large fronts in global memory; "column" j >= p is row j - p of V and column j - p of
/// C
struct AssembleColumns {
  static constexpr const char* name = "assemble_columns";
  static constexpr int threads = 256;
  FrontArrays a;
  const ColumnTile* tile;
  template <class Group>
  TRAMMEL_HD void operator()(int item, const Group& group) const {
    const ColumnTile mine = tile[item];
    const DeviceFront front = a.front[mine.front];
    const FrontView f = view_of(a, front);
    const int rows = f.p + f.r;
    for (int t = group.rank(); t < rows * (mine.end - mine.begin); t += group.size())
      *entry_at(f, t % rows, mine.begin + t / rows) = 0;
    group.sync();
    for (int e = mine.entry_begin + group.rank(); e < mine.entry_end; e += group.size())
      f.d[a.entry[e].target] = a.value[a.entry[e].source];
    group.sync();
    for (int k = front.child_begin; k < front.child_end; ++k) {
      const FrontChild child = a.child[k];
      const int* target = a.target + child.rows;
      const int begin = first_not_below(target, child.border, mine.begin);
      const int end = first_not_below(target, child.border, mine.end);
      if (begin == end) continue;
      add_block(group, f, a, child, begin, end);
      group.sync();
    }
  }
};

/// Tiles of the products of large fronts; A and B are staged in shared memory, product_depth at a time.
struct SubtractTiles {
  static constexpr const char* name = "subtract_tiles";
  static constexpr int threads = 128;
  static constexpr std::size_t memory = 2 * 8 * product_tile * product_depth;
  FrontArrays a;
  const FrontPiece* piece;
  int first;  ///< first column of the panel
  template <class Group>
  TRAMMEL_HD void operator()(int item, const Group& group) const {
    const FrontPiece mine = piece[item];
    const FrontView f = view_of(a, a.front[mine.front]);
    const FrontProduct x = tile_of(update_of(f, mine.part, first, smaller(first + panel_width, f.p)), mine.i,
                                   mine.j, product_tile);
    double* left = static_cast<double*>(group.shared());
    double* right = left + product_tile * product_depth;
    for (int k = 0; k < x.depth; k += product_depth) {
      const int depth = smaller(product_depth, x.depth - k);
      for (int t = group.rank(); t < x.m * depth; t += group.size())
        left[t] = x.a[t % x.m + (k + t / x.m) * x.lda];
      // B as n x depth, read along its contiguous direction: columns where b_row is 1, else rows.
      for (int t = group.rank(); t < x.n * depth; t += group.size()) {
        const int j = x.b_row == 1 ? t / depth : t % x.n, kk = x.b_row == 1 ? t % depth : t / x.n;
        right[j + kk * x.n] = x.b[(k + kk) * x.b_row + j * x.b_column];
      }
      group.sync();
      subtract_product<4>(group, {x.c, x.ldc, left, x.m, right, x.n, 1, x.m, x.n, depth});
      group.sync();
    }
  }
};

}  // namespace trammel
