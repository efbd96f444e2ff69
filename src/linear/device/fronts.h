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
inline constexpr int product_depth = 16;  ///< depth of that product held in shared memory at a time
inline constexpr int piece_lines = 128;   ///< lines, rows or columns of a large front per block
inline constexpr int column_tile = 32;    ///< columns of a large front assembled per block
inline constexpr int column_rows = 128;   ///< rows of them side by side

inline constexpr int children_at_once = 16;  ///< children that are looked up at a time

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

/// Where a row of a front lies, pivots first.
struct FrontRow {
  double *pivots, *border;  ///< entries of the first column with a pivot, and of the first one behind them
  int pivot_step, border_step;

  TRAMMEL_HD double* at(int p, int j) const {
    const bool behind = j >= p;
    return (behind ? border : pivots) +
           (behind ? j - p : j) * static_cast<std::int64_t>(behind ? border_step : pivot_step);
  }
};
TRAMMEL_HD inline FrontRow row_at(const FrontView& f, int i) {
  if (i < f.p) return {f.d + i, f.v + static_cast<std::int64_t>(i) * f.r, f.p, 1};
  return {f.l + (i - f.p), f.c + (i - f.p), f.r, f.r};
}

/// Address of entry (i, j) of a front, pivots first.
TRAMMEL_HD inline double* entry_at(const FrontView& f, int i, int j) {
  return row_at(f, i).at(f.p, j);
}

/// Adds a child's contribution block to a front.
template <class Group>
TRAMMEL_HD void add_block(const Group& group, const FrontView& f, const FrontArrays& a,
                          const FrontChild& child) {
  const int r = child.border;
  const int* target = a.target + child.rows;
  const double* block = a.block + child.block;
  for (int t = group.rank(); t < r * r; t += group.size())
    *entry_at(f, target[t % r], target[t / r]) += block[t];
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
    add_block(group, f, a, child);
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

/// Columns of a front that a group assembles, by threads side by side: a thread takes rows first, first +
/// rows, ..., of columns column, column + columns, ...
struct ColumnThreads {
  int first, rows, column, columns;
};
template <class Group>
TRAMMEL_HD ColumnThreads column_threads(const Group& group) {
  const int rows = smaller(group.size(), column_rows);
  return {group.rank() % rows, rows, group.rank() / rows, group.size() / rows};
}

/// Adds columns [begin, end) of a child's contribution block to a large front: several entries are read
/// before the first of them is written.
TRAMMEL_HD inline void add_columns(const ColumnThreads& mine, const FrontView& f, const int* target, int r,
                                   const double* block, int begin, int end) {
  constexpr int most = 8;
  TRAMMEL_ROLLED
  for (int i = mine.first; i < r; i += mine.rows) {
    const FrontRow row = row_at(f, target[i]);
    TRAMMEL_ROLLED
    for (int first = begin + mine.column; first < end; first += most * mine.columns) {
      double* to[most];
      double sum[most];
      TRAMMEL_UNROLLED(8)
      for (int k = 0; k < most; ++k) {
        const int j = smaller(first + k * mine.columns, end - 1);
        to[k] = row.at(f.p, target[j]);
        sum[k] = *to[k] + block[i + static_cast<std::int64_t>(j) * r];
      }
      TRAMMEL_UNROLLED(8)
      for (int k = 0; k < most; ++k)
        if (first + k * mine.columns < end) *to[k] = sum[k];
    }
  }
}

/// Assembles columns of large fronts in global memory; "column" j >= p is row j - p of V and column j - p of
/// C
struct AssembleColumns {
  static constexpr const char* name = "assemble_columns";
  static constexpr int threads = 256;
  static constexpr std::size_t memory = 2 * sizeof(int) * children_at_once;
  FrontArrays a;
  const ColumnTile* tile;
  template <class Group>
  TRAMMEL_HD void operator()(int item, const Group& group) const {
    const ColumnTile mine = tile[item];
    const DeviceFront front = a.front[mine.front];
    const FrontView f = view_of(a, front);
    const ColumnThreads by = column_threads(group);
    for (int j = mine.begin + by.column; j < mine.end; j += by.columns)
      for (int i = by.first; i < f.p + f.r; i += by.rows) *entry_at(f, i, j) = 0;
    group.sync();
    for (int e = mine.entry_begin + group.rank(); e < mine.entry_end; e += group.size())
      f.d[a.entry[e].target] = a.value[a.entry[e].source];
    TRAMMEL_ROLLED
    for (int begin = front.child_begin; begin < front.child_end; begin += children_at_once)
      add_children(group, by, f, mine, begin, smaller(begin + children_at_once, front.child_end));
  }

 private:
  /// The columns of each child that are among those of the tile are found at once.
  template <class Group>
  TRAMMEL_HD void add_children(const Group& group, const ColumnThreads& by, const FrontView& f,
                               const ColumnTile& mine, int begin, int end) const {
    int* range = static_cast<int*>(group.shared());
    for (int t = group.rank(); t < 2 * (end - begin); t += group.size()) {
      const FrontChild child = a.child[begin + t / 2];
      range[t] = first_not_below(a.target + child.rows, child.border, t % 2 == 0 ? mine.begin : mine.end);
    }
    group.sync();
    TRAMMEL_ROLLED
    for (int k = begin; k < end; ++k) {
      const int first = range[2 * (k - begin)], last = range[2 * (k - begin) + 1];
      if (first == last) continue;
      const FrontChild child = a.child[k];
      add_columns(by, f, a.target + child.rows, child.border, a.block + child.block, first, last);
      group.sync();
    }
    group.sync();
  }
};

}  // namespace trammel
