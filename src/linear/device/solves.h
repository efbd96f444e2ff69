// Kernels of the forward and backward solves, front by front: a warp for a small front, a block for others,
// several blocks for products with the border of large ones.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/hd.h"
#include "linear/device/fronts.h"
#include "linear/device/lanes.h"
#include "linear/device/triangles.h"

namespace trammel {

inline constexpr int dot_parts = 8;     ///< partial sums of a dot product: term i is added to sum i mod 8
inline constexpr int dot_columns = 32;  ///< dot products formed at a time by a group

/// Entries of a row or column that a thread reads at once: as many as it has registers for, beside other
/// groups of its processor where these are many.
template <int threads>
inline constexpr int ahead_of = threads == 32 ? 4 : 16;
inline constexpr int far_ahead = 32;

inline constexpr int children_room = children_at_once;  ///< doubles of shared memory for looking up children

/// Doubles of the partial sums of subtract_border().
TRAMMEL_HD constexpr int partial_size(int p) {
  return dot_parts * (p < dot_columns ? p : dot_columns);
}
/// Doubles beside the triangle that is staged first: partial sums, then the next triangle where there is one.
TRAMMEL_HD constexpr int beside_triangle(int p) {
  return p > solve_block ? staged_size(p) : partial_size(p);
}
static_assert(partial_size(solve_block + 1) <= staged_size(solve_block));
TRAMMEL_HD inline StagedTriangles triangles_at(double* room, int p) {
  return {staged_at(room + beside_triangle(p), p), staged_at(room, p)};
}
/// Bytes of shared memory of a group for one front in either solve.
constexpr std::size_t solve_memory(int pivots, int border) {
  const int room = staged_size(pivots) + beside_triangle(pivots);
  return 8 * (2 * static_cast<std::size_t>(pivots) + static_cast<std::size_t>(border) + room + children_room);
}

/// What the children of a front leave for its right-hand side.
template <class Group>
class ChildrenSum {
 public:
  /// Looks the children up; `range`: shared memory, children_room doubles. Others see it after sync().
  TRAMMEL_HD ChildrenSum(const Group& group, const FrontArrays& a, const DeviceFront& front, double* room)
      : group_(group), a_(a), front_(front), range_(reinterpret_cast<ChildRange*>(room)) {
    look_up(front.child_begin);
  }
  /// t <- t + what they leave, in ascending order. All threads call it after sync(), and see t after it.
  TRAMMEL_HD void add(double* t) const {
    TRAMMEL_ROLLED
    for (int begin = front_.child_begin; begin < front_.child_end; begin += children_at_once) {
      if (begin > front_.child_begin) {
        look_up(begin);
        group_.sync();
      }
      add_children(smaller(children_at_once, front_.child_end - begin), t);
    }
  }

 private:
  struct ChildRange {
    int rows, border;
  };
  static_assert(sizeof(ChildRange) * children_at_once <= 8 * children_room);

  TRAMMEL_HD void look_up(int begin) const {
    const int count = smaller(children_at_once, front_.child_end - begin);
    TRAMMEL_ROLLED
    for (int k = group_.rank(); k < count; k += group_.size()) {
      range_[k] = {a_.child[begin + k].rows, a_.child[begin + k].border};
    }
  }
  /// A thread's first number of the next child is on its way while it adds those of the present one.
  TRAMMEL_HD void add_children(int count, double* t) const {
    const int rank = group_.rank();
    int target = 0, next_target = 0;
    double value = 0, next_value = 0;
    read_first(range_[0], target, value);
    TRAMMEL_ROLLED
    for (int k = 0; k < count; ++k) {
      const ChildRange child = range_[k];
      if (k + 1 < count) read_first(range_[k + 1], next_target, next_value);
      if (rank < child.border) t[target] += value;
      TRAMMEL_ROLLED
      for (int i = child.rows + rank + group_.size(); i < child.rows + child.border; i += group_.size())
        t[a_.target[i]] += a_.buffer[i];
      group_.sync();
      target = next_target;
      value = next_value;
    }
  }
  TRAMMEL_HD void read_first(const ChildRange& child, int& target, double& value) const {
    if (group_.rank() >= child.border) return;
    target = a_.target[child.rows + group_.rank()];
    value = a_.buffer[child.rows + group_.rank()];
  }

  const Group& group_;
  const FrontArrays& a_;
  const DeviceFront& front_;
  ChildRange* range_;
};

/// Adds what the children left to the right-hand side of a front; t (p + r places): pivots, then border. x:
/// that of the pivots after row exchanges and x <- L_D^-1 x; behind it room for triangles and children.
template <int ahead, class Group>
TRAMMEL_HD void solve_pivots(const Group& group, const FrontArrays& a, const DeviceFront& front, double* t,
                             double* x) {
  const int p = front.pivots, r = front.border, rank = group.rank();
  const double* d = a.factor + front.factor;
  const StagedTriangles staged = triangles_at(x + p, p);
  stage(group, d, p, 0, nullptr, false, staged.now);
  const int* permutation = a.permutation + front.first;
  const int source = rank < p ? permutation[rank] : 0;
  TRAMMEL_ROLLED
  for (int i = rank; i < p + r; i += group.size()) t[i] = i < p ? a.z[front.first + i] : 0;
  const ChildrenSum<Group> children(group, a, front, x + p + staged_size(p) + beside_triangle(p));
  group.sync();
  children.add(t);
  if (rank < p) x[rank] = t[source];
  TRAMMEL_ROLLED
  for (int k = rank + group.size(); k < p; k += group.size()) x[k] = t[permutation[k]];
  finish_copies(group);
  group.sync();
  solve_triangle<false, ahead>(group, d, p, nullptr, staged, x);
  TRAMMEL_ROLLED
  for (int k = rank; k < p; k += group.size()) a.z[front.first + k] = x[k];
}

/// w - L x for row i of the border.
template <int ahead>
TRAMMEL_HD double without_pivots(const FrontView& f, const double* x, int i, double w) {
  return subtract_terms<ahead>(w, f.p, f.l + i, f.r, x, 1);
}

/// x_k <- x_k - sum_i V_ik w_i for columns [begin, end) of V; partial has dot_parts * dot_columns places.
template <int ahead, class Group>
TRAMMEL_HD void subtract_border(const Group& group, const FrontView& f, int begin, int end, const double* w,
                                double* x, double* partial) {
  TRAMMEL_ROLLED
  for (int first = begin; first < end; first += dot_columns) {
    const int count = smaller(dot_columns, end - first);
    TRAMMEL_ROLLED
    for (int t = group.rank(); t < count * dot_parts; t += group.size()) {
      const int part = t % dot_parts;
      const double* v = f.v + static_cast<std::int64_t>(first + t / dot_parts) * f.r + part;
      const int terms = (f.r - part + dot_parts - 1) / dot_parts;
      partial[t] = subtract_terms<ahead, true>(0, terms, v, dot_parts, w + part, dot_parts);
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

/// With b the right-hand side plus what the children left: y_1 <- L_D^-1 P b_1, buffer <- b_border - L y_1.
template <int ahead, class Group>
TRAMMEL_HD void forward_front(const Group& group, const FrontArrays& a, const DeviceFront& front) {
  double* t = static_cast<double*>(group.shared());
  double* x = t + front.pivots + front.border;
  const FrontView f = view_of(a, front);
  solve_pivots<ahead>(group, a, front, t, x);
  TRAMMEL_ROLLED
  for (int i = group.rank(); i < f.r; i += group.size())
    a.buffer[front.rows + i] = without_pivots<ahead>(f, x, i, t[f.p + i]);
}

/// y_1 <- U_D^-1 (y_1 - V^T y_border).
template <int ahead, class Group>
TRAMMEL_HD void backward_front(const Group& group, const FrontArrays& a, const DeviceFront& front) {
  const FrontView f = view_of(a, front);
  double* x = static_cast<double*>(group.shared());
  double *w = x + f.p, *partial = w + f.r;
  const StagedTriangles staged = triangles_at(partial, f.p);
  stage(group, f.d, f.p, last_block(f.p), f.inverse, true, staged.now);
  TRAMMEL_ROLLED
  for (int k = group.rank(); k < f.p; k += group.size()) x[k] = a.z[front.first + k];
  for (int i = group.rank(); i < f.r; i += group.size()) w[i] = a.z[a.row[front.rows + i]];
  finish_copies(group);
  group.sync();
  if (f.r > 0) subtract_border<ahead>(group, f, 0, f.p, w, x, partial);
  solve_triangle<true, ahead>(group, f.d, f.p, f.inverse, staged, x);
  TRAMMEL_ROLLED
  for (int k = group.rank(); k < f.p; k += group.size()) a.z[front.first + k] = x[k];
}

struct ForwardMiddleFronts {
  static constexpr const char* name = "forward_middle_fronts";
  static constexpr int threads = 128;
  FrontArrays a;
  const int* list;
  template <class Group>
  TRAMMEL_HD void operator()(int item, const Group& group) const {
    const DeviceFront front = a.front[list[item]];
    forward_front<ahead_of<threads>>(group, a, front);
  }
};

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
    solve_pivots<far_ahead>(group, a, front, t, t + front.pivots + front.border);
    TRAMMEL_ROLLED
    for (int i = group.rank(); i < front.border; i += group.size())
      a.buffer[front.rows + i] = t[front.pivots + i];
  }
};

inline constexpr int border_rows = 32;   ///< rows of the border of a large front per block
inline constexpr int border_terms = 64;  ///< pivots whose columns of L are copied at a time

/// Second launch: adds - L y_1 to the buffer, by several blocks. The first warp has the rows; while it adds
/// some terms, the next ones are copied.
struct ForwardBorder {
  static constexpr const char* name = "forward_border";
  static constexpr int threads = 128;
  static constexpr int part =
      border_terms * (border_rows + 1);  ///< doubles of L, then of y_1, copied at a time
  static constexpr std::size_t memory = 2 * 8 * part;
  static_assert(border_rows == 32);  // FirstWarp
  FrontArrays a;
  const FrontPiece* piece;
  template <class Group>
  TRAMMEL_HD void operator()(int item, const Group& group) const {
    const int begin = piece[item].i;
    const DeviceFront front = a.front[piece[item].front];
    const FrontView f = view_of(a, front);
    const int count = smaller(border_rows, f.r - begin);
    const double *l = f.l + begin, *y = a.z + front.first;
    double *buffer = a.buffer + front.rows + begin, *now = static_cast<double*>(group.shared()),
           *next = now + part;
    FirstWarp<Group, double> rows;
    copy_terms(group, l, f.r, count, y, smaller(border_terms, f.p), now);
    if (rows.is_here(group))
      rows.each(group, [&](int lane, double& w) { w = lane < count ? buffer[lane] : 0; });
    TRAMMEL_ROLLED
    for (int k = 0; k < f.p; k += border_terms) {
      finish_copies(group);
      group.sync();
      const int behind = k + border_terms, terms = smaller(border_terms, f.p - k);
      if (behind < f.p)
        copy_terms(group, l + static_cast<std::int64_t>(behind) * f.r, f.r, count, y + behind,
                   smaller(border_terms, f.p - behind), next);
      if (rows.is_here(group))
        rows.each(group, [&](int lane, double& w) {
          w = subtract_terms<8>(w, terms, now + lane, border_rows, now + border_terms * border_rows, 1);
        });
      double* const kept = now;
      now = next;
      next = kept;
    }
    if (rows.is_here(group))
      rows.each(group, [&](int lane, double& w) {
        if (lane < count) buffer[lane] = w;
      });
  }

 private:
  template <class Group>
  TRAMMEL_HD static void copy_terms(const Group& group, const double* l, int r, int count, const double* y,
                                    int terms, double* to) {
    TRAMMEL_UNROLLED(4)
    for (int t = group.rank(); t < terms * border_rows; t += group.size()) {
      const int i = t % border_rows, k = t / border_rows;
      if (i < count) start_copy(group, to + t, l + i + static_cast<std::int64_t>(k) * r);
    }
    for (int k = group.rank(); k < terms; k += group.size())
      start_copy(group, to + border_terms * border_rows + k, y + k);
  }
};

struct BackwardMiddleFronts {
  static constexpr const char* name = "backward_middle_fronts";
  static constexpr int threads = 128;
  FrontArrays a;
  const int* list;
  template <class Group>
  TRAMMEL_HD void operator()(int item, const Group& group) const {
    const DeviceFront front = a.front[list[item]];
    backward_front<ahead_of<threads>>(group, a, front);
  }
};

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
    subtract_border<far_ahead>(group, f, begin, end, w, a.z + front.first, w + f.r);
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
    const StagedTriangles staged = triangles_at(x + f.p, f.p);
    stage(group, f.d, f.p, last_block(f.p), f.inverse, true, staged.now);
    TRAMMEL_ROLLED
    for (int k = group.rank(); k < f.p; k += group.size()) x[k] = a.z[front.first + k];
    finish_copies(group);
    group.sync();
    solve_triangle<true, far_ahead>(group, f.d, f.p, f.inverse, staged, x);
    TRAMMEL_ROLLED
    for (int k = group.rank(); k < f.p; k += group.size()) a.z[front.first + k] = x[k];
  }
};

}  // namespace trammel
