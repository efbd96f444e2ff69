// Forward and backward solves of a front of few rows by a warp: all that it reads comes to shared memory at
// the same time. The chains of operations are those of solves.h.
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
constexpr std::size_t row_solve_memory(int pivots, int border, int rest) {
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
template <class Group>
TRAMMEL_HD void gather_right_hand_side(const Group& group, const SharedSolve& f, const FrontArrays& a,
                                       const DeviceFront& front) {
  const int children = front.child_end - front.child_begin;
  start_copies(group, f.t, a.z + front.first, f.p);
  start_copies(group, f.row, a.permutation + front.first, f.p);
  start_copies(group, f.d, a.factor + front.factor, f.p * (f.p + f.r));
  TRAMMEL_ROLLED
  for (int k = group.rank(); k < children; k += group.size()) f.child[k] = a.child[front.child_begin + k];
  TRAMMEL_ROLLED
  for (int i = group.rank(); i < f.r; i += group.size()) f.t[f.p + i] = 0;
  group.sync();
  double* rest = f.rest;
  TRAMMEL_ROLLED
  for (int k = 0; k < children; ++k) {
    const FrontChild child = f.child[k];
    start_copies(group, rest, a.buffer + child.rows, child.border);
    start_copies(group, reinterpret_cast<int*>(rest + child.border), a.target + child.rows, child.border);
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

/// With b the right-hand side plus what the children left: y_1 <- L_D^-1 P b_1, buffer <- b_border - L y_1.
struct ForwardRowFronts {
  static constexpr const char* name = "forward_small_fronts";
  static constexpr int threads = 32;
  FrontArrays a;
  const int* list;
  int rest;  ///< doubles of shared memory for what children left, an even number
  template <class Group>
  TRAMMEL_HD void operator()(int item, const Group& group) const {
    const DeviceFront front = a.front[list[item]];
    const SharedSolve f = shared_solve(front, group.shared(), rest);
    const int p = f.p, n = f.p + f.r;
    gather_right_hand_side(group, f, a, front);
    TRAMMEL_ROLLED
    for (int i = group.rank(); i < n; i += group.size()) f.x[i] = f.t[i < p ? f.row[i] : i];
    group.sync();
    const double *d = f.d, *l = f.d + p * p - p;  // L: its row i is row p + i of the front
    TRAMMEL_ROLLED
    for (int k = 0; k < p; ++k, d += p, l += f.r) {
      const double value = f.x[k];
      TRAMMEL_ROLLED
      for (int i = k + 1 + group.rank(); i < n; i += group.size())
        f.x[i] = std::fma(-(i < p ? d[i] : l[i]), value, f.x[i]);
      group.sync();
    }
    TRAMMEL_ROLLED
    for (int i = group.rank(); i < n; i += group.size())
      *(i < p ? a.z + front.first + i : a.buffer + front.rows + i - p) = f.x[i];
  }
};

/// y_1 <- U_D^-1 (y_1 - V^T y_border).
struct BackwardRowFronts {
  static constexpr const char* name = "backward_small_fronts";
  static constexpr int threads = 32;
  FrontArrays a;
  const int* list;
  template <class Group>
  TRAMMEL_HD void operator()(int item, const Group& group) const {
    const DeviceFront front = a.front[list[item]];
    const SharedSolve f = shared_solve(front, group.shared(), 0);
    const int p = f.p, r = f.r;
    double *w = f.x + p, *v = f.d + p * p;
    start_copies(group, f.d, a.factor + front.factor, p * p);
    start_copies(group, v, a.factor + front.factor + p * p + p * r, p * r);
    start_copies(group, f.x, a.z + front.first, p);
    start_copies(group, f.inverse, a.inverse + front.first, p);
    TRAMMEL_ROLLED
    for (int i = group.rank(); i < r; i += group.size()) w[i] = a.z[a.row[front.rows + i]];
    finish_copies(group);
    group.sync();
    if (r > 0)
      subtract_border<4>(group, {p, r, f.d, nullptr, v, nullptr, nullptr, nullptr}, 0, p, w, f.x, f.sums);
    const double* column = f.d + p * p;
    TRAMMEL_ROLLED
    for (int k = p - 1; k >= 0; --k) {
      column -= p;
      const double value = f.x[k] * f.inverse[k];
      TRAMMEL_ROLLED
      for (int i = group.rank(); i < k; i += group.size()) f.x[i] = std::fma(-column[i], value, f.x[i]);
      group.sync();
      if (group.rank() == 0) a.z[front.first + k] = value;
    }
  }
};

}  // namespace trammel
