// Forward and backward solves of a front of few rows by a warp: all that it reads comes to shared memory at
// the same time. The chains of operations are those of solves.h. `passes`: how often bodies of loops stand in
// the code; a kernel that does much else, and fetches its code again and again, has them once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "linear/device/lanes.h"
#include "linear/device/solves.h"

namespace trammel {

/// Doubles that what a child left, and its rows' targets, take in shared memory.
TRAMMEL_HD constexpr int staged_rest(int border) {
  return border + (border + 1) / 2;
}
/// Bytes of shared memory of a group for a front of few rows in either solve, with `rest` doubles (an even
/// number) for what its children left; a multiple of 16, as a device reads several numbers at a time.
TRAMMEL_HD constexpr std::size_t row_solve_memory(int pivots, int border, int rest) {
  const std::size_t p = static_cast<std::size_t>(pivots), r = static_cast<std::size_t>(border);
  const std::size_t factors = p * (p + r) + 2 * (p + r) + p, sums = dot_parts * p;
  return (8 * ((factors + sums + 1) / 2 * 2 + static_cast<std::size_t>(rest)) +
          most_children * sizeof(FrontChild) + 4 * p + 15) /
         16 * 16;
}

/// The shared memory of a front in a solve.
struct SharedSolve {
  int p, r;
  double* d;      ///< D and behind it L (forward) or V (backward), by columns
  double *x, *t;  ///< p + r each: pivots, then border
  double* inverse;
  double* sums;  ///< dot_parts for each pivot
  double* rest;  ///< what children left, each with targets
  FrontChild* child;
  int* row;  ///< p: row of the front that became row k
};
TRAMMEL_HD inline SharedSolve shared_solve(const DeviceFront& front, void* shared, int rest) {
  const int p = front.pivots, r = front.border, n = p + r;
  double* d = static_cast<double*>(shared);
  double *x = d + p * n, *t = x + n, *inverse = t + n, *sums = inverse + p;
  double* room = d + (p * n + 2 * n + p + dot_parts * p + 1) / 2 * 2;
  FrontChild* child = reinterpret_cast<FrontChild*>(room + rest);
  return {p, r, d, x, t, inverse, sums, room, child, reinterpret_cast<int*>(child + most_children)};
}

/// t: the right-hand side of a front with what its children left; D, L and permutation come along.
template <int passes, class Group>
TRAMMEL_HD void gather_right_hand_side(const Group& group, const SharedSolve& f, const FrontArrays& a,
                                       const DeviceFront& front) {
  const int children = front.child_end - front.child_begin;
  start_copies<passes>(group, f.t, a.z + front.first, f.p);
  start_copies<passes>(group, f.row, a.permutation + front.first, f.p);
  start_copies<passes>(group, f.d, a.factor + front.factor, f.p * (f.p + f.r));
  TRAMMEL_ROLLED
  for (int k = group.rank(); k < children; k += group.size()) f.child[k] = a.child[front.child_begin + k];
  TRAMMEL_ROLLED
  for (int i = group.rank(); i < f.r; i += group.size()) f.t[f.p + i] = 0;
  group.sync();
  double* rest = f.rest;
  TRAMMEL_ROLLED
  for (int k = 0; k < children; ++k) {
    const FrontChild child = f.child[k];
    start_copies<passes>(group, rest, a.buffer + child.rows, child.border);
    start_copies<passes>(group, reinterpret_cast<int*>(rest + child.border), a.target + child.rows,
                         child.border);
    rest += staged_rest(child.border);
  }
  finish_copies(group);
  group.sync();
  rest = f.rest;
  TRAMMEL_ROLLED
  for (int k = 0; k < children; ++k) {
    const int r = f.child[k].border;
    const int* target = reinterpret_cast<const int*>(rest + r);
    TRAMMEL_ROLLED
    for (int i = group.rank(); i < r; i += group.size()) f.t[target[i]] += rest[i];
    rest += staged_rest(r);
    group.sync();
  }
}

inline constexpr int warp_lanes = 32;

/// The rows of a front that a lane has in a solve, every 32nd, in registers, from which others read x.
/// Entries are read whether they are needed or not, so that reading does not wait for anything.
template <int rows>
struct RowsOfLane {
  double x[rows];
  const double* entry[rows];  ///< of the present pivot's column
  int step[rows];             ///< to the next one's

  /// x_i <- x_i - entry value in the row with index c; nothing else where it does not `change`.
  TRAMMEL_HD void subtract(int c, double value, bool change) {
    const double next = std::fma(-*entry[c], value, x[c]);
    x[c] = change ? next : x[c];
    entry[c] += step[c];
  }
};
template <class Group, int rows>
using RowsOfWarp = FirstWarp<Group, RowsOfLane<rows>>;

/// x_i <- x_i - l_ik x_k for the pivots k of one of a lane's rows, i > k.
template <int passes, int rows, int of, class Group>
TRAMMEL_HD void forward_pivots(const Group& group, const SharedSolve& f, RowsOfWarp<Group, rows>& warp) {
  const int end = smaller(f.p, (of + 1) * warp_lanes);
  TRAMMEL_UNROLLED(passes)
  for (int k = of * warp_lanes; k < end; ++k) {
    const double value = warp.of_lane(group, k - of * warp_lanes, [](const auto& row) { return row.x[of]; });
    warp.each(group, [&](int lane, RowsOfLane<rows>& row) {
      TRAMMEL_UNROLLED(2)
      for (int c = of; c < rows; ++c) row.subtract(c, value, lane + c * warp_lanes > k);
    });
  }
}
template <int passes, int rows, class Group>
TRAMMEL_HD void forward_rows(const Group& group, const SharedSolve& f, const FrontArrays& a,
                             const DeviceFront& front) {
  RowsOfWarp<Group, rows> warp;
  if (!warp.is_here(group)) return;
  const int p = f.p, n = f.p + f.r;
  const double* l = f.d + p * p - p;  // its row i is row p + i of the front
  warp.each(group, [&](int lane, RowsOfLane<rows>& row) {
    TRAMMEL_UNROLLED(2)
    for (int c = 0; c < rows; ++c) {
      const int i = lane + c * warp_lanes;
      row.x[c] = i < n ? f.t[i < p ? f.row[i] : i] : 0;
      row.entry[c] = i < p ? f.d + i : i < n ? l + i : f.d;
      row.step[c] = i < p ? p : i < n ? f.r : 0;
    }
  });
  forward_pivots<passes, rows, 0>(group, f, warp);
  if constexpr (rows == 2) forward_pivots<passes, rows, 1>(group, f, warp);
  warp.each(group, [&](int lane, RowsOfLane<rows>& row) {
    TRAMMEL_UNROLLED(2)
    for (int c = 0; c < rows; ++c) {
      const int i = lane + c * warp_lanes;
      if (i < n) *(i < p ? a.z + front.first + i : a.buffer + front.rows + i - p) = row.x[c];
    }
  });
}

/// With b the right-hand side plus what the children left: y_1 <- L_D^-1 P b_1, buffer <- b_border - L y_1.
/// `rest`: doubles of shared memory for what children left, an even number.
template <int passes, class Group>
TRAMMEL_HD void forward_row_front(const Group& group, const FrontArrays& a, const DeviceFront& front,
                                  int rest) {
  const SharedSolve f = shared_solve(front, group.shared(), rest);
  gather_right_hand_side<passes>(group, f, a, front);
  if (passes > 1 && f.p + f.r <= warp_lanes)
    forward_rows<passes, 1>(group, f, a, front);
  else
    forward_rows<passes, 2>(group, f, a, front);
}

/// forward_row_front() of many.
struct ForwardRowFronts {
  static constexpr const char* name = "forward_small_fronts";
  static constexpr int threads = 32;
  FrontArrays a;
  const int* list;
  int rest;
  template <class Group>
  TRAMMEL_HD void operator()(int item, const Group& group) const {
    forward_row_front<4>(group, a, a.front[list[item]], rest);
  }
};

/// z_k = x_k / u_kk, x_i <- x_i - u_ik z_k for the pivots k of one of a lane's rows, falling, i < k.
template <int passes, int rows, int of, class Group>
TRAMMEL_HD void backward_pivots(const Group& group, const SharedSolve& f, RowsOfWarp<Group, rows>& warp) {
  TRAMMEL_UNROLLED(passes)
  for (int k = smaller(f.p, (of + 1) * warp_lanes) - 1; k >= of * warp_lanes; --k) {
    const double value =
        warp.of_lane(group, k - of * warp_lanes, [](const auto& row) { return row.x[of]; }) * f.inverse[k];
    warp.each(group, [&](int lane, RowsOfLane<rows>& row) {
      TRAMMEL_UNROLLED(2)
      for (int c = 0; c < rows; ++c) row.subtract(c, value, lane + c * warp_lanes < k);
    });
  }
}
template <int passes, int rows, class Group>
TRAMMEL_HD void backward_rows(const Group& group, const SharedSolve& f, double* z) {
  RowsOfWarp<Group, rows> warp;
  if (!warp.is_here(group)) return;
  warp.each(group, [&](int lane, RowsOfLane<rows>& row) {
    TRAMMEL_UNROLLED(2)
    for (int c = 0; c < rows; ++c) {
      const int i = smaller(lane + c * warp_lanes, f.p - 1);
      row.x[c] = f.x[i];
      row.entry[c] = f.d + i + (f.p - 1) * f.p;
      row.step[c] = -f.p;
    }
  });
  if constexpr (rows == 2) backward_pivots<passes, rows, 1>(group, f, warp);
  backward_pivots<passes, rows, 0>(group, f, warp);
  warp.each(group, [&](int lane, RowsOfLane<rows>& row) {
    TRAMMEL_UNROLLED(2)
    for (int c = 0; c < rows; ++c)
      if (const int k = lane + c * warp_lanes; k < f.p) z[k] = row.x[c] * f.inverse[k];
  });
}

/// y_1 <- U_D^-1 (y_1 - V^T y_border).
template <int passes, class Group>
TRAMMEL_HD void backward_row_front(const Group& group, const FrontArrays& a, const DeviceFront& front) {
  const SharedSolve f = shared_solve(front, group.shared(), 0);
  const int p = f.p, r = f.r;
  double *w = f.x + p, *v = f.d + p * p;
  start_copies<passes>(group, f.d, a.factor + front.factor, p * p);
  start_copies<passes>(group, v, a.factor + front.factor + p * p + p * r, p * r);
  start_copies<passes>(group, f.x, a.z + front.first, p);
  start_copies<passes>(group, f.inverse, a.inverse + front.first, p);
  TRAMMEL_ROLLED
  for (int i = group.rank(); i < r; i += group.size()) w[i] = a.z[a.row[front.rows + i]];
  finish_copies(group);
  group.sync();
  if (r > 0)
    subtract_border<passes>(group, {p, r, f.d, nullptr, v, nullptr, nullptr, nullptr}, 0, p, w, f.x, f.sums);
  if (passes > 1 && p <= warp_lanes)
    backward_rows<passes, 1>(group, f, a.z + front.first);
  else
    backward_rows<passes, 2>(group, f, a.z + front.first);
}

/// backward_row_front() of many.
struct BackwardRowFronts {
  static constexpr const char* name = "backward_small_fronts";
  static constexpr int threads = 32;
  FrontArrays a;
  const int* list;
  template <class Group>
  TRAMMEL_HD void operator()(int item, const Group& group) const {
    backward_row_front<4>(group, a, a.front[list[item]]);
  }
};

}  // namespace trammel
