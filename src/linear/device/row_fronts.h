// Assembly and elimination of a front of few rows: a thread keeps a row of the whole front in registers, and
// each pivot changes all that is right of and below it. The chains of operations are those of dense.h:
//     e <- e - l_ik u_kj,  k = 0, 1, ...
// After pivot k a row is kept from column k + 1 on, in the same registers: what is left of it begins in the
// first one, so that their numbers are known to the compiler. A group of the processor plays all threads.
//
// A front is a chain of pivots, each of which waits for the one before it, and a warp has nothing else to do.
// So what the next pivot needs, the new entries of its column, is computed first: their reciprocals, and the
// largest of them, are on their way while the rest of the rows changes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "linear/device/lanes.h"
#include "linear/device/warp_front.h"

namespace trammel {

/// What a thread keeps: its row of the front from the next pivot's column on, and the place to which
/// exchanges have brought the row.
template <int count>
struct KeptRow {
  double a[count];
  double inverse;  ///< quick_reciprocal() of a_0
  int place;       ///< -1: there is no such row
};

/// The rows that the threads of a group keep.
template <int count, class Group>
using KeptRows = Lanes<Group, KeptRow<count>, count>;

/// The shared memory of a front whose rows threads keep.
struct SharedRows {
  int p, size, stride;  ///< as in RowFront
  double* a;            ///< the front by rows as it is assembled, then L, each row with its thread
  double* inverse;      ///< p: 1 / u_kk, 0 for a pivot that is zero or not finite
  double* diagonal;     ///< the entry that is the pivot if it is large enough
  double* blocks;       ///< blocks of children and targets of their rows; then U
  int u_stride;
  FrontChild* child;
  PivotSearch search;
  unsigned* largest;  ///< of all parts, for even and for odd pivots
  int* lane;          ///< p: thread of the row that became row k
  int parts = most_parts;

  /// U from entry (k, k) on.
  TRAMMEL_HD double* u(int k) const { return blocks + k * u_stride; }
  TRAMMEL_HD unsigned* largest_of(int k) const { return largest + k % 2 * parts; }
};

/// Doubles from row to row of U: all that a thread keeps is written, and neighbours in a column meet no bank
/// twice.
TRAMMEL_HD constexpr int u_stride(int lanes) {
  return lanes + 2;
}
/// Doubles in front of the children's blocks; even, so that what follows may be read in pairs.
TRAMMEL_HD constexpr int doubles_of_rows(int p, int size) {
  return (size * front_stride(size) + p + 1 + PivotSearch::parts + 1) / 2 * 2;
}
/// Doubles of these blocks, for which there are `room`, an even number, and of U in their place.
TRAMMEL_HD constexpr int doubles_of_blocks(int p, int lanes, int room) {
  return room > p * u_stride(lanes) ? room : p * u_stride(lanes);
}
/// Bytes of shared memory for a front whose rows `lanes` threads keep, with `room` doubles (an even number)
/// for blocks of its children; a multiple of 16, as a device reads several numbers at a time.
TRAMMEL_HD constexpr std::size_t row_front_memory(int p, int r, int lanes, int room) {
  const std::size_t doubles = static_cast<std::size_t>(doubles_of_rows(p, p + r) +
                                                       doubles_of_blocks(p, lanes, room)),
                    ints = static_cast<std::size_t>(PivotSearch::parts + 2 * most_parts + p);
  return (8 * doubles + 4 * ints + most_children * sizeof(FrontChild) + 15) / 16 * 16;
}

template <int count>
TRAMMEL_HD SharedRows shared_rows(const DeviceFront& front, double* shared, int room) {
  const int p = front.pivots, size = p + front.border, stride = front_stride(size);
  double *inverse = shared + size * stride, *largest = inverse + p + 1;
  double* blocks = shared + doubles_of_rows(p, size);
  FrontChild* child = reinterpret_cast<FrontChild*>(blocks + doubles_of_blocks(p, count, room));
  int* row = reinterpret_cast<int*>(child + most_children);
  unsigned* words = reinterpret_cast<unsigned*>(row + PivotSearch::parts);
  return {p,       size,           stride, shared,
          inverse, inverse + p,    blocks, u_stride(count),
          child,   {largest, row}, words,  reinterpret_cast<int*>(words + 2 * most_parts)};
}

// ---- assembly

/// Doubles that a child's block and its rows' targets take in shared memory.
TRAMMEL_HD constexpr int staged_child(int border) {
  return border * border + (border + 1) / 2;
}

/// Entries that a thread has read and not yet copied.
struct EntryBatch {
  static constexpr int most = 4;
  FrontEntry entry[most];
  int count;
};
template <class Group>
TRAMMEL_HD EntryBatch read_entries(const Group& group, const FrontEntry* entry, int begin, int end) {
  EntryBatch batch{{}, 0};
  TRAMMEL_UNROLLED(4)
  for (int u = 0; u < EntryBatch::most; ++u) {
    const int e = begin + u * group.size() + group.rank();
    if (e < end) batch.entry[u] = entry[e], batch.count = u + 1;
  }
  return batch;
}

/// Assembles a front from matrix values and contribution blocks, children in ascending order. Values, and the
/// blocks of the first children that have room, come to shared memory all at the same time.
template <class Group>
TRAMMEL_HD void assemble(const Group& group, const SharedRows& f, const FrontArrays& a,
                         const DeviceFront& front, int room) {
  const int children = front.child_end - front.child_begin;
  start_copies(group, f.child, a.child + front.child_begin, children);
  EntryBatch batch = read_entries(group, a.entry, front.entry_begin, front.entry_end);
  EntryPair* pair = reinterpret_cast<EntryPair*>(f.a);
  TRAMMEL_UNROLLED(4)
  for (int i = group.rank(); i < f.size * f.stride / 2; i += group.size()) pair[i] = {0, 0};
  finish_copies(group);
  group.sync();
  int used = 0;
  TRAMMEL_ROLLED
  for (int k = 0; k < children && used + staged_child(f.child[k].border) <= room; ++k) {
    const int r = f.child[k].border;
    start_copies(group, f.blocks + used, a.block + f.child[k].block, r * r);
    start_copies(group, reinterpret_cast<int*>(f.blocks + used + r * r), a.target + f.child[k].rows, r);
    used += staged_child(r);
  }
  TRAMMEL_ROLLED
  for (int e = front.entry_begin; e < front.entry_end;) {
    TRAMMEL_UNROLLED(4)
    for (int u = 0; u < EntryBatch::most; ++u)
      if (u < batch.count) start_copy(group, f.a + batch.entry[u].target, a.value + batch.entry[u].source);
    e += EntryBatch::most * group.size();
    batch = read_entries(group, a.entry, e, front.entry_end);
  }
  finish_copies(group);
  group.sync();
  const double* block = f.blocks;
  bool staged = true;
  TRAMMEL_ROLLED
  for (int k = 0; k < children; ++k) {
    const int r = f.child[k].border;
    staged = staged && block + staged_child(r) <= f.blocks + room;
    const int* target = staged ? reinterpret_cast<const int*>(block + r * r) : a.target + f.child[k].rows;
    add_block_to_rows(group, f.a, f.stride, r, staged ? block : a.block + f.child[k].block, target);
    block += staged_child(r);
    group.sync();
  }
}

// ---- elimination

/// Looks at the entry of column k that a row has now, as a pivot: its reciprocal, and into `upper` the upper
/// half of the largest |a_k| times the tolerance.
template <int count>
TRAMMEL_HD void look_at_entry(KeptRow<count>& row, int k, int p, double tolerance, unsigned& upper) {
  const double x = row.a[0];
  row.inverse = quick_reciprocal(x);
  const unsigned mine = upper_half(tolerance * x);
  upper = row.place >= k && row.place < p && mine > upper ? mine : upper;
}

/// A row as that of pivot k: U and its inverse, for all.
template <int Width, int count>
TRAMMEL_HD void show_row(const SharedRows& f, int k, int lane, const KeptRow<count>& row) {
  f.inverse[k] = has_quick_reciprocal(row.a[0]) ? row.inverse : reciprocal_of_pivot(row.a[0]);
  f.lane[k] = lane;
  EntryPair* to = reinterpret_cast<EntryPair*>(f.u(k));
  TRAMMEL_UNROLLED(32)
  for (int j = 0; j < Width / 2; ++j) to[j] = {row.a[2 * j], row.a[2 * j + 1]};
}
template <int Width, int count, class Group>
TRAMMEL_HD void show_row_at(const Group& group, const SharedRows& f, KeptRows<count, Group>& rows, int k) {
  rows.each(group, f.size, [&](int lane, KeptRow<count>& row) {
    if (row.place == k) show_row<Width>(f, k, lane, row);
  });
}

/// Place of the row with the pivot of column k: k itself while |a_kk| is at least `tolerance` times the
/// largest entry on and below it, else the first row with that entry.
template <int count, class Group>
TRAMMEL_HD int search_row(const Group& group, const SharedRows& f, KeptRows<count, Group>& rows, int k,
                          double tolerance) {
  PivotCandidate mine{0, f.p};
  rows.each(group, f.size, [&](int, KeptRow<count>& row) {
    const double size = std::fabs(row.a[0]);
    if (row.place == k) *f.diagonal = size;
    if (row.place >= k && row.place < f.p && size > 0) mine = better(mine, {size, row.place});
  });
  const PivotCandidate largest = best_of_group(group, mine, f.search);
  return *f.diagonal >= tolerance * largest.size || largest.row == f.p ? k : largest.row;
}

/// Row k is what all see as the pivot's, unless another has to take its place.
template <int Width, int count, class Group>
TRAMMEL_HD void exchange_rows(const Group& group, const SharedRows& f, KeptRows<count, Group>& rows, int k,
                              double tolerance) {
  const int pivot = search_row<count>(group, f, rows, k, tolerance);
  if (pivot == k) return;
  rows.each(group, f.size, [&](int, KeptRow<count>& row) {
    if (row.place == k)
      row.place = pivot;
    else if (row.place == pivot)
      row.place = k;
  });
  show_row_at<Width, count>(group, f, rows, k);
  group.sync();
}

/// Pivots from k on while more than half of `Width` columns are left, `Width` at most; returns the next one.
/// `bound`: what start_largest() returned of column k.
template <int Width, bool last, int count, class Group>
TRAMMEL_HD int eliminate_columns(const Group& group, const SharedRows& f, KeptRows<count, Group>& rows, int k,
                                 double tolerance, unsigned& bound) {
  TRAMMEL_ROLLED
  for (; k < f.p && (last || f.size - k > Width / 2); ++k) {
    group.sync();
    const EntryPair* u = reinterpret_cast<const EntryPair*>(f.u(k));
    EntryPair first = *u;
    double inverse = f.inverse[k];
    // The diagonal entry is surely large enough; if not, one looks.
    if (!(upper_half(first.x) > finish_largest(group, bound, f.largest_of(k)))) {
      exchange_rows<Width, count>(group, f, rows, k, tolerance);
      first = *u;
      inverse = f.inverse[k];
    }
    unsigned upper = 0;
    rows.all(group, [&](int lane, KeptRow<count>& row) {
      const double factor = row.a[0] * inverse;
      row.a[0] = computed_now(std::fma(-factor, first.y, row.a[1]));
      look_at_entry(row, k + 1, f.p, tolerance, upper);
      if (row.place > k) f.a[lane * f.stride + k] = factor;
      TRAMMEL_UNROLLED(32)
      for (int j = 1; j < Width / 2; ++j) {
        const EntryPair next = u[j];
        row.a[2 * j - 1] = std::fma(-factor, next.x, row.a[2 * j]);
        row.a[2 * j] = std::fma(-factor, next.y, row.a[2 * j + 1]);
      }
      row.a[Width - 1] = 0;
    });
    bound = start_largest(group, upper, f.largest_of(k + 1));
    if (k + 1 < f.p) show_row_at<Width, count>(group, f, rows, k + 1);
  }
  return k;
}

/// Rows from shared memory to their threads.
template <int count, class Group>
TRAMMEL_HD void keep_rows(const Group& group, const SharedRows& f, KeptRows<count, Group>& rows) {
  rows.all(group, [&](int lane, KeptRow<count>& row) {
    const bool is_there = lane < f.size;
    row.place = is_there ? lane : -1;
    const EntryPair* from = reinterpret_cast<const EntryPair*>(f.a + (is_there ? lane * f.stride : 0));
    TRAMMEL_UNROLLED(32)
    for (int j = 0; j < count / 2; ++j) {
      const EntryPair x = 2 * j < f.stride ? from[j] : EntryPair{0, 0};
      row.a[2 * j] = x.x;
      row.a[2 * j + 1] = x.y;
    }
  });
  group.sync();  // all have read before L and U are written
}

/// The elimination of the pivots of a front:
///     P D = L_D U_D,   V <- (P U)^T L_D^-T,   L <- L U_D^-1,   C <- C - L V^T.
/// Fewer registers take part as fewer columns are left. C stays with the rows behind the pivots.
template <int count, class Group>
TRAMMEL_HD void eliminate_kept_rows(const Group& group, const SharedRows& f, KeptRows<count, Group>& rows,
                                    double tolerance) {
  unsigned upper = 0;
  rows.all(group, [&](int, KeptRow<count>& row) { look_at_entry(row, 0, f.p, tolerance, upper); });
  unsigned bound = start_largest(group, upper, f.largest_of(0));
  if (f.p > 0) show_row_at<count, count>(group, f, rows, 0);
  int k = eliminate_columns<count, false, count>(group, f, rows, 0, tolerance, bound);
  k = eliminate_columns<count / 2, false, count>(group, f, rows, k, tolerance, bound);
  eliminate_columns<count / 4, true, count>(group, f, rows, k, tolerance, bound);
  group.sync();
}

// ---- what is left

/// D, L, V to where factors lie (FrontView), and C, which the rows behind the pivots have kept.
template <int count, class Group>
TRAMMEL_HD void store(const Group& group, const SharedRows& f, const FrontArrays& a, const DeviceFront& front,
                      KeptRows<count, Group>& rows) {
  const int p = f.p, r = f.size - p;
  double* d = a.factor + front.factor;
  double *l = d + p * p, *v = l + p * r, *c = a.block + front.block;
  rows.each(group, f.size, [&](int lane, KeptRow<count>& row) {
    const bool inner = row.place < p;
    const int of_l = inner ? row.place : p;
    double* to = inner ? d + row.place : l + (lane - p);
    const int step = inner ? p : r;
    copy_steps(to, step, f.a + lane * f.stride, 1, of_l);
    if (inner) return copy_steps(to + of_l * step, step, f.u(of_l), 1, p - of_l);
    to = c + (lane - p);
    TRAMMEL_UNROLLED(64)
    for (int j = 0; j < count; ++j)
      if (j < r) to[j * r] = row.a[j];
  });
  TRAMMEL_ROLLED
  for (int j = group.rank(); j < r; j += group.size()) {
    TRAMMEL_UNROLLED(4)
    for (int k = 0; k < p; ++k) v[j + k * r] = f.u(k)[p + j - k];
  }
  TRAMMEL_ROLLED
  for (int k = group.rank(); k < p; k += group.size()) {
    a.inverse[front.first + k] = f.inverse[k];
    a.permutation[front.first + k] = f.lane[k];
  }
}

/// Assembles and eliminates fronts of at most `count` rows, then stores their factors and contribution
/// blocks. The targets of FrontArrays::entry are places by rows (place_entries_by_rows()).
template <int count>
struct FactorRowFronts {
  static constexpr const char* name = count == 32 ? "factor_small_fronts" : "factor_pair_fronts";
  static constexpr int threads = count;
  FrontArrays a;
  const int* list;
  int room;  ///< doubles of shared memory for blocks of children, an even number
  template <class Group>
  TRAMMEL_HD void operator()(int item, const Group& group) const {
    const DeviceFront front = a.front[list[item]];
    const SharedRows f = shared_rows<count>(front, static_cast<double*>(group.shared()), room);
    KeptRows<count, Group> rows;
    assemble(group, f, a, front, room);
    keep_rows<count>(group, f, rows);
    eliminate_kept_rows<count>(group, f, rows, a.tolerance);
    store<count>(group, f, a, front, rows);
  }
};
using FactorSmallFronts = FactorRowFronts<32>;
using FactorPairFronts = FactorRowFronts<64>;

}  // namespace trammel
