// Kernels of the forward and backward solves, front by front: a warp for a small front, a block for others,
// several blocks for products with the border of large ones.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/hd.h"
#include "linear/device/fronts.h"
#include "linear/device/lanes.h"

namespace trammel {

inline constexpr int solve_block = 32;  ///< pivots solved for before the rows beyond them are updated
inline constexpr int dot_parts = 8;     ///< partial sums of a dot product: term i is added to sum i mod 8
inline constexpr int dot_columns = 64;  ///< dot products formed at a time by a group

/// A triangle of at most solve_block pivots in shared memory: its entries beside the diagonal, column by
/// column, and 1 / u_kk.
struct StagedTriangle {
  double *entry, *inverse;
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

/// x <- L^-1 x for the unit lower triangle of d, whose first block is staged.
template <class Group>
TRAMMEL_HD void solve_lower(const Group& group, const double* d, int p, const StagedTriangle& staged,
                            double* x) {
  TRAMMEL_ROLLED
  for (int begin = 0; begin < p; begin += solve_block) {
    const int w = smaller(solve_block, p - begin), end = begin + w;
    double* mine = x + begin;
    const double* column = staged.entry;
    TRAMMEL_ROLLED
    for (int k = 0; k + 1 < w; ++k) {
      const double value = mine[k];
      double* below = mine + k + 1;
      TRAMMEL_ROLLED
      for (int i = group.rank(); i < w - k - 1; i += group.size())
        below[i] = std::fma(-column[i], value, below[i]);
      column += w - k - 1;
      group.sync();
    }
    if (end == p) return;
    stage(group, d, p, end, nullptr, false, staged);
    TRAMMEL_ROLLED
    for (int i = end + group.rank(); i < p; i += group.size()) {
      double sum = x[i];
      const double* entry = d + i + static_cast<std::int64_t>(begin) * p;
      TRAMMEL_UNROLLED(4)
      for (int k = begin; k < end; ++k, entry += p) sum = std::fma(-*entry, x[k], sum);
      x[i] = sum;
    }
    finish_copies(group);
    group.sync();
  }
}

/// First pivot of the last block of solve_upper().
TRAMMEL_HD inline int last_block(int p) {
  return (p - 1) / solve_block * solve_block;
}

/// x <- U^-1 x for the upper triangle of d, whose last block is staged.
template <class Group>
TRAMMEL_HD void solve_upper(const Group& group, const double* d, int p, const double* inverse,
                            const StagedTriangle& staged, double* x) {
  TRAMMEL_ROLLED
  for (int begin = last_block(p), end = p; begin >= 0; end = begin, begin -= solve_block) {
    const int w = end - begin;
    double* mine = x + begin;
    const double* column = staged.entry + triangle_size(w);
    TRAMMEL_ROLLED
    for (int k = w - 1; k >= 0; --k) {
      const double value = mine[k] * staged.inverse[k];
      column -= k;
      TRAMMEL_ROLLED
      for (int i = group.rank(); i < k; i += group.size()) mine[i] = std::fma(-column[i], value, mine[i]);
      group.sync();
      if (group.rank() == 0) mine[k] = value;  // all have read what stood there
    }
    group.sync();
    if (begin == 0) return;
    stage(group, d, p, begin - solve_block, inverse, true, staged);
    TRAMMEL_ROLLED
    for (int i = group.rank(); i < begin; i += group.size()) {
      double sum = x[i];
      const double* entry = d + i + static_cast<std::int64_t>(end - 1) * p;
      TRAMMEL_UNROLLED(4)
      for (int k = end - 1; k >= begin; --k, entry -= p) sum = std::fma(-*entry, x[k], sum);
      x[i] = sum;
    }
    finish_copies(group);
    group.sync();
  }
}

/// Adds what the children left to the right-hand side of a front; t (p + r places): pivots, then border. x:
/// that of the pivots after row exchanges and x <- L_D^-1 x; behind it room for a triangle.
template <class Group>
TRAMMEL_HD void solve_pivots(const Group& group, const FrontArrays& a, const DeviceFront& front, double* t,
                             double* x) {
  const int p = front.pivots, r = front.border;
  const double* d = a.factor + front.factor;
  const StagedTriangle staged = staged_at(x + p, p);
  stage(group, d, p, 0, nullptr, false, staged);
  TRAMMEL_ROLLED
  for (int i = group.rank(); i < p + r; i += group.size()) t[i] = i < p ? a.z[front.first + i] : 0;
  group.sync();
  TRAMMEL_ROLLED
  for (int k = front.child_begin; k < front.child_end; ++k) {
    const DeviceFront child = a.front[a.child[k]];
    TRAMMEL_ROLLED
    for (int i = group.rank(); i < child.border; i += group.size())
      t[a.target[child.rows + i]] += a.buffer[child.rows + i];
    group.sync();
  }
  TRAMMEL_ROLLED
  for (int k = group.rank(); k < p; k += group.size()) x[k] = t[a.permutation[front.first + k]];
  finish_copies(group);
  group.sync();
  solve_lower(group, d, p, staged, x);
  TRAMMEL_ROLLED
  for (int k = group.rank(); k < p; k += group.size()) a.z[front.first + k] = x[k];
}

/// w - L x for row i of the border.
TRAMMEL_HD inline double without_pivots(const FrontView& f, const double* x, int i, double w) {
  const double* entry = f.l + i;
  TRAMMEL_UNROLLED(4)
  for (int k = 0; k < f.p; ++k, entry += f.r) w = std::fma(-*entry, x[k], w);
  return w;
}

/// x_k <- x_k - sum_i V_ik w_i for columns [begin, end) of V; partial has dot_parts * dot_columns places.
template <class Group>
TRAMMEL_HD void subtract_border(const Group& group, const FrontView& f, int begin, int end, const double* w,
                                double* x, double* partial) {
  TRAMMEL_ROLLED
  for (int first = begin; first < end; first += dot_columns) {
    const int count = smaller(dot_columns, end - first);
    TRAMMEL_ROLLED
    for (int t = group.rank(); t < count * dot_parts; t += group.size()) {
      const double* v = f.v + static_cast<std::int64_t>(first + t / dot_parts) * f.r;
      double sum = 0;
      TRAMMEL_UNROLLED(4)
      for (int i = t % dot_parts; i < f.r; i += dot_parts) sum = std::fma(v[i], w[i], sum);
      partial[t] = sum;
    }
    group.sync();
    TRAMMEL_ROLLED
    for (int k = group.rank(); k < count; k += group.size()) {
      const double* s = partial + k * dot_parts;
      x[first + k] -= ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
    }
    group.sync();
  }
}

/// Where a front of few pivots has its triangle from the beginning, beside what else backward_front() needs;
/// one of more pivots has it in the place of the partial sums.
TRAMMEL_HD constexpr bool staged_apart(int p) {
  return p <= solve_block;
}
/// Doubles of the partial sums of subtract_border().
TRAMMEL_HD constexpr int partial_size(int p) {
  return dot_parts * (p < dot_columns ? p : dot_columns);
}
/// Bytes of shared memory of a group for one front in either solve.
constexpr std::size_t solve_memory(int pivots, int border) {
  const int staged = staged_size(pivots), sums = partial_size(pivots);
  const int both = staged_apart(pivots) ? staged + sums : staged > sums ? staged : sums;
  return 8 * (2 * static_cast<std::size_t>(pivots) + static_cast<std::size_t>(border) + both);
}

/// With b the right-hand side plus what the children left: y_1 <- L_D^-1 P b_1, buffer <- b_border - L y_1.
template <class Group>
TRAMMEL_HD void forward_front(const Group& group, const FrontArrays& a, const DeviceFront& front) {
  double* t = static_cast<double*>(group.shared());
  double* x = t + front.pivots + front.border;
  const FrontView f = view_of(a, front);
  solve_pivots(group, a, front, t, x);
  TRAMMEL_ROLLED
  for (int i = group.rank(); i < f.r; i += group.size())
    a.buffer[front.rows + i] = without_pivots(f, x, i, t[f.p + i]);
}

/// y_1 <- U_D^-1 (y_1 - V^T y_border).
template <class Group>
TRAMMEL_HD void backward_front(const Group& group, const FrontArrays& a, const DeviceFront& front) {
  const FrontView f = view_of(a, front);
  double* x = static_cast<double*>(group.shared());
  double *w = x + f.p, *partial = w + f.r;
  const bool apart = staged_apart(f.p);
  const StagedTriangle staged = staged_at(apart ? partial + partial_size(f.p) : partial, f.p);
  if (apart) stage(group, f.d, f.p, 0, f.inverse, true, staged);
  TRAMMEL_ROLLED
  for (int k = group.rank(); k < f.p; k += group.size()) x[k] = a.z[front.first + k];
  for (int i = group.rank(); i < f.r; i += group.size()) w[i] = a.z[a.row[front.rows + i]];
  finish_copies(group);
  group.sync();
  if (f.r > 0) subtract_border(group, f, 0, f.p, w, x, partial);
  if (!apart) {
    stage(group, f.d, f.p, last_block(f.p), f.inverse, true, staged);
    finish_copies(group);
    group.sync();
  }
  solve_upper(group, f.d, f.p, f.inverse, staged, x);
  TRAMMEL_ROLLED
  for (int k = group.rank(); k < f.p; k += group.size()) a.z[front.first + k] = x[k];
}

template <int Threads>
struct ForwardFronts {
  static constexpr const char* name = Threads == 32 ? "forward_small_fronts" : "forward_middle_fronts";
  static constexpr int threads = Threads;
  FrontArrays a;
  const int* list;
  template <class Group>
  TRAMMEL_HD void operator()(int item, const Group& group) const {
    const DeviceFront front = a.front[list[item]];
    forward_front(group, a, front);
  }
};
using ForwardSmallFronts = ForwardFronts<32>;
using ForwardMiddleFronts = ForwardFronts<128>;

/// First launch for large fronts: the pivots; the border's right-hand side is copied to the buffer.
struct ForwardPivots {
  static constexpr const char* name = "forward_pivots";
  static constexpr int threads = 256;
  FrontArrays a;
  const int* list;
  template <class Group>
  TRAMMEL_HD void operator()(int item, const Group& group) const {
    const DeviceFront front = a.front[list[item]];
    double* t = static_cast<double*>(group.shared());
    solve_pivots(group, a, front, t, t + front.pivots + front.border);
    TRAMMEL_ROLLED
    for (int i = group.rank(); i < front.border; i += group.size())
      a.buffer[front.rows + i] = t[front.pivots + i];
  }
};

/// Second launch: adds - L y_1 to the buffer, by several blocks.
struct ForwardBorder {
  static constexpr const char* name = "forward_border";
  static constexpr int threads = piece_lines;
  FrontArrays a;
  const FrontPiece* piece;
  template <class Group>
  TRAMMEL_HD void operator()(int item, const Group& group) const {
    const DeviceFront front = a.front[piece[item].front];
    const FrontView f = view_of(a, front);
    const int begin = piece[item].i, end = smaller(begin + piece_lines, f.r);
    TRAMMEL_ROLLED
    for (int i = begin + group.rank(); i < end; i += group.size()) {
      double& w = a.buffer[front.rows + i];
      w = without_pivots(f, a.z + front.first, i, w);
    }
  }
};

template <int Threads>
struct BackwardFronts {
  static constexpr const char* name = Threads == 32 ? "backward_small_fronts" : "backward_middle_fronts";
  static constexpr int threads = Threads;
  FrontArrays a;
  const int* list;
  template <class Group>
  TRAMMEL_HD void operator()(int item, const Group& group) const {
    const DeviceFront front = a.front[list[item]];
    backward_front(group, a, front);
  }
};
using BackwardSmallFronts = BackwardFronts<32>;
using BackwardMiddleFronts = BackwardFronts<128>;

/// First launch for large fronts: y_1 <- y_1 - V^T y_border, dot_columns pivots per block.
struct BackwardBorder {
  static constexpr const char* name = "backward_border";
  static constexpr int threads = 256;
  FrontArrays a;
  const FrontPiece* piece;
  template <class Group>
  TRAMMEL_HD void operator()(int item, const Group& group) const {
    const DeviceFront front = a.front[piece[item].front];
    const FrontView f = view_of(a, front);
    double* w = static_cast<double*>(group.shared());
    TRAMMEL_ROLLED
    for (int i = group.rank(); i < f.r; i += group.size()) w[i] = a.z[a.row[front.rows + i]];
    group.sync();
    const int begin = piece[item].i, end = smaller(begin + dot_columns, f.p);
    subtract_border(group, f, begin, end, w, a.z + front.first, w + f.r);
  }
};

/// Second launch: y_1 <- U_D^-1 y_1.
struct BackwardPivots {
  static constexpr const char* name = "backward_pivots";
  static constexpr int threads = 256;
  FrontArrays a;
  const int* list;
  template <class Group>
  TRAMMEL_HD void operator()(int item, const Group& group) const {
    const DeviceFront front = a.front[list[item]];
    const FrontView f = view_of(a, front);
    double* x = static_cast<double*>(group.shared());
    const StagedTriangle staged = staged_at(x + f.p, f.p);
    stage(group, f.d, f.p, last_block(f.p), f.inverse, true, staged);
    TRAMMEL_ROLLED
    for (int k = group.rank(); k < f.p; k += group.size()) x[k] = a.z[front.first + k];
    finish_copies(group);
    group.sync();
    solve_upper(group, f.d, f.p, f.inverse, staged, x);
    TRAMMEL_ROLLED
    for (int k = group.rank(); k < f.p; k += group.size()) a.z[front.first + k] = x[k];
  }
};

}  // namespace trammel
