// Kernels of the forward and backward solves, front by front: a warp for a small front, a block for others,
// several blocks for products with the border of large ones.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/hd.h"
#include "linear/device/fronts.h"

namespace trammel {

inline constexpr int solve_block = 32;  ///< pivots solved for before the rows beyond them are updated
inline constexpr int dot_parts = 8;     ///< partial sums of a dot product: term i is added to sum i mod 8
inline constexpr int dot_columns = 64;  ///< dot products formed at a time by a group

/// x <- L^-1 x for the unit lower triangle of d.
template <class Group>
TRAMMEL_HD void solve_lower(const Group& group, const double* d, int p, double* x) {
  for (int begin = 0; begin < p; begin += solve_block) {
    const int end = smaller(begin + solve_block, p);
    for (int k = begin; k + 1 < end; ++k) {
      for (int i = k + 1 + group.rank(); i < end; i += group.size())
        x[i] -= d[i + static_cast<std::int64_t>(k) * p] * x[k];
      group.sync();
    }
    for (int i = end + group.rank(); i < p; i += group.size()) {
      double sum = x[i];
      for (int k = begin; k < end; ++k) sum -= d[i + static_cast<std::int64_t>(k) * p] * x[k];
      x[i] = sum;
    }
    group.sync();
  }
}

/// x <- U^-1 x for the upper triangle of d.
template <class Group>
TRAMMEL_HD void solve_upper(const Group& group, const double* d, int p, const double* inverse, double* x) {
  for (int end = p; end > 0;) {
    const int begin = (end - 1) / solve_block * solve_block;
    for (int k = end - 1; k >= begin; --k) {
      if (group.rank() == 0) x[k] *= inverse[k];
      group.sync();
      for (int i = begin + group.rank(); i < k; i += group.size())
        x[i] -= d[i + static_cast<std::int64_t>(k) * p] * x[k];
      group.sync();
    }
    for (int i = group.rank(); i < begin; i += group.size()) {
      double sum = x[i];
      for (int k = end - 1; k >= begin; --k) sum -= d[i + static_cast<std::int64_t>(k) * p] * x[k];
      x[i] = sum;
    }
    group.sync();
    end = begin;
  }
}

/// Adds what the children left to the right-hand side of a front; t (p + r places): pivots, then border. x:
/// that of the pivots after row exchanges and x <- L_D^-1 x.
template <class Group>
TRAMMEL_HD void solve_pivots(const Group& group, const FrontArrays& a, const DeviceFront& front, double* t,
                             double* x) {
  const int p = front.pivots, r = front.border;
  for (int i = group.rank(); i < p + r; i += group.size()) t[i] = i < p ? a.z[front.first + i] : 0;
  group.sync();
  for (int k = front.child_begin; k < front.child_end; ++k) {
    const DeviceFront& child = a.front[a.child[k]];
    for (int i = group.rank(); i < child.border; i += group.size())
      t[a.target[child.rows + i]] += a.buffer[child.rows + i];
    group.sync();
  }
  for (int k = group.rank(); k < p; k += group.size()) x[k] = t[a.permutation[front.first + k]];
  group.sync();
  solve_lower(group, a.factor + front.factor, p, x);
  for (int k = group.rank(); k < p; k += group.size()) a.z[front.first + k] = x[k];
}

/// w - L x for row i of the border.
TRAMMEL_HD inline double without_pivots(const FrontView& f, const double* x, int i, double w) {
  for (int k = 0; k < f.p; ++k) w -= f.l[i + static_cast<std::int64_t>(k) * f.r] * x[k];
  return w;
}

/// x_k <- x_k - sum_i V_ik w_i for columns [begin, end) of V; partial has dot_parts * dot_columns places.
template <class Group>
TRAMMEL_HD void subtract_border(const Group& group, const FrontView& f, int begin, int end, const double* w,
                                double* x, double* partial) {
  for (int first = begin; first < end; first += dot_columns) {
    const int count = smaller(dot_columns, end - first);
    for (int t = group.rank(); t < count * dot_parts; t += group.size()) {
      const double* v = f.v + static_cast<std::int64_t>(first + t / dot_parts) * f.r;
      double sum = 0;
      for (int i = t % dot_parts; i < f.r; i += dot_parts) sum += v[i] * w[i];
      partial[t] = sum;
    }
    group.sync();
    for (int k = group.rank(); k < count; k += group.size()) {
      const double* s = partial + k * dot_parts;
      x[first + k] -= ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
    }
    group.sync();
  }
}

/// Bytes of shared memory of a group for one front in either solve.
constexpr std::size_t solve_memory(int pivots, int border) {
  const int sums = pivots < dot_columns ? pivots : dot_columns;
  return 8 * (2 * static_cast<std::size_t>(pivots) + static_cast<std::size_t>(border) + dot_parts * sums);
}

/// With b the right-hand side plus what the children left: y_1 <- L_D^-1 P b_1, buffer <- b_border - L y_1.
template <class Group>
TRAMMEL_HD void forward_front(const Group& group, const FrontArrays& a, const DeviceFront& front) {
  double* t = static_cast<double*>(group.shared());
  double* x = t + front.pivots + front.border;
  const FrontView f = view_of(a, front);
  solve_pivots(group, a, front, t, x);
  for (int i = group.rank(); i < f.r; i += group.size())
    a.buffer[front.rows + i] = without_pivots(f, x, i, t[f.p + i]);
}

/// y_1 <- U_D^-1 (y_1 - V^T y_border).
template <class Group>
TRAMMEL_HD void backward_front(const Group& group, const FrontArrays& a, const DeviceFront& front) {
  const FrontView f = view_of(a, front);
  double* x = static_cast<double*>(group.shared());
  double *w = x + f.p, *partial = w + f.r;
  for (int k = group.rank(); k < f.p; k += group.size()) x[k] = a.z[front.first + k];
  for (int i = group.rank(); i < f.r; i += group.size()) w[i] = a.z[a.row[front.rows + i]];
  group.sync();
  if (f.r > 0) subtract_border(group, f, 0, f.p, w, x, partial);
  solve_upper(group, f.d, f.p, f.inverse, x);
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
    forward_front(group, a, a.front[list[item]]);
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
    const DeviceFront& front = a.front[list[item]];
    double* t = static_cast<double*>(group.shared());
    solve_pivots(group, a, front, t, t + front.pivots + front.border);
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
    const DeviceFront& front = a.front[piece[item].front];
    const FrontView f = view_of(a, front);
    const int begin = piece[item].i, end = smaller(begin + piece_lines, f.r);
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
    backward_front(group, a, a.front[list[item]]);
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
    const DeviceFront& front = a.front[piece[item].front];
    const FrontView f = view_of(a, front);
    double* w = static_cast<double*>(group.shared());
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
    const DeviceFront& front = a.front[list[item]];
    const FrontView f = view_of(a, front);
    double* x = static_cast<double*>(group.shared());
    for (int k = group.rank(); k < f.p; k += group.size()) x[k] = a.z[front.first + k];
    group.sync();
    solve_upper(group, f.d, f.p, f.inverse, x);
    for (int k = group.rank(); k < f.p; k += group.size()) a.z[front.first + k] = x[k];
  }
};

}  // namespace trammel
