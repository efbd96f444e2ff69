#include "linear/host/front_numeric.h"

#include <algorithm>

#include "base/thread_pool.h"

namespace trammel {
namespace {

/// Pointers to the parts of a front.
struct Parts {
  const Front& front;
  int p, r, ld, ldb;  ///< pivots, border, and both padded
  double *d, *l, *v;
};

Parts parts_of(const FrontTree& tree, const FrontFactors& factors, int s) {
  const Front& front = tree.fronts[s];
  const int p = front.pivots, r = front.border, ld = padded(p), ldb = padded(r);
  double* d = const_cast<double*>(factors.factor.data()) + front.factor;
  double* l = d + static_cast<std::int64_t>(ld) * p;
  return {front, p, r, ld, ldb, d, l, l + static_cast<std::int64_t>(ldb) * p};
}

void add_values(const FrontTree& tree, const Parts& at, int s, const double* values, double* factor) {
  for (int k = tree.run_start[s]; k < tree.run_start[s + 1]; ++k) {
    const ValueRun& run = tree.runs[k];
    const double* from = values + run.source;
    double* to = factor + run.target;
    if (run.length >= 0) {
      for (int i = 0; i < run.length; ++i) to[i] = from[i];
    } else {
      for (int i = 0; i < -run.length; ++i) to[static_cast<std::int64_t>(i) * at.ldb] = from[i];
    }
  }
}

/// Adds columns [begin, end) of a child's contribution block; `target` ascends, and its first `inner`
/// positions are pivots of the parent.
void add_block(const Parts& at, double* c, const double* block, const int* target, int border, int inner,
               Slice columns) {
  const int ldc = padded(border), p = at.p;
  for (int j = columns.begin; j < columns.end; ++j) {
    const double* from = block + static_cast<std::int64_t>(j) * ldc;
    if (j < inner) {
      double* d = at.d + static_cast<std::int64_t>(target[j]) * at.ld;
      double* l = at.l + static_cast<std::int64_t>(target[j]) * at.ldb - p;
      for (int i = 0; i < inner; ++i) d[target[i]] += from[i];
      for (int i = inner; i < border; ++i) l[target[i]] += from[i];
    } else {
      double* v = at.v + target[j] - p;
      double* to = c + static_cast<std::int64_t>(target[j] - p) * at.ldb - p;
      for (int i = 0; i < inner; ++i) v[static_cast<std::int64_t>(target[i]) * at.ldb] += from[i];
      for (int i = inner; i < border; ++i) to[target[i]] += from[i];
    }
  }
}

/// Calls f(slice) for the range 0..count-1, or for one slice per thread, cut at multiples of `grain`.
template <class F>
void share(ThreadPool* pool, int count, int grain, F f) {
  if (!pool) return f(Slice{0, count});
  const int pieces = (count + grain - 1) / grain, threads = pool->threads();
  pool->run(threads, [&](int k) {
    const Slice slice = slice_of(pieces, threads, k);
    const Slice mine{slice.begin * grain, std::min(slice.end * grain, count)};
    if (mine.begin < mine.end) f(mine);
  });
}

void assemble(const FrontTree& tree, FrontFactors& factors, int s, const double* values, const Parts& at,
              double* c, const double* blocks, ThreadPool* pool) {
  std::fill(at.d, at.v + static_cast<std::int64_t>(at.ldb) * at.p, 0.0);
  add_values(tree, at, s, values, factors.factor.data());
  share(pool, at.r, 1, [&](Slice columns) {
    std::fill(c + static_cast<std::int64_t>(columns.begin) * at.ldb,
              c + static_cast<std::int64_t>(columns.end) * at.ldb, 0.0);
  });
  for (int k = tree.child_start[s]; k < tree.child_start[s + 1]; ++k) {
    const Front& child = tree.fronts[tree.child[k]];
    const int* target = tree.target.data() + child.rows;
    const int inner = static_cast<int>(std::lower_bound(target, target + child.border, at.p) - target);
    const double* block = blocks + child.block;
    share(pool, child.border, 1,
          [&](Slice columns) { add_block(at, c, block, target, child.border, inner, columns); });
  }
}

/// Prefetches `count` doubles, at most kLines cache lines: further ones are prefetched by the hardware.
void prefetch(const double* at, std::int64_t count) {
  constexpr std::int64_t kLine = 8, kLines = 64;
  for (std::int64_t i = 0; i < std::min(count, kLine * kLines); i += kLine) __builtin_prefetch(at + i);
}

}  // namespace

void prefetch_values(const FrontTree& tree, int s, const double* values) {
  constexpr int kMost = 256;
  const int begin = tree.run_start[s], end = std::min(tree.run_start[s + 1], begin + kMost);
  for (int k = begin; k < end; ++k) __builtin_prefetch(values + tree.runs[k].source);
}

void prefetch_forward(const FrontTree& tree, const FrontFactors& factors, int s) {
  const Parts at = parts_of(tree, factors, s);
  prefetch(at.d, at.v - at.d);
}

void prefetch_backward(const FrontTree& tree, const FrontFactors& factors, int s) {
  const Parts at = parts_of(tree, factors, s);
  prefetch(at.d, at.l - at.d);
  prefetch(at.v, at.v - at.l);
}

DensePivots factor_front(const FrontTree& tree, const DenseKernels& kernels, FrontFactors& factors, int s,
                         const double* values, double tolerance, const BlockArrays& blocks,
                         ThreadPool* pool) {
  const Parts at = parts_of(tree, factors, s);
  double* c = blocks.own + at.front.block;
  assemble(tree, factors, s, values, at, c, blocks.children, pool);

  int* exchange = factors.exchange.data() + at.front.first;
  double* inverse = factors.inverse.data() + at.front.first;
  const DensePivots found = kernels.factor(at.d, at.ld, at.p, tolerance, exchange, inverse);
  if (at.r == 0) return found;
  share(pool, at.ldb, 8 * kRowGroup, [&](Slice rows) {
    const int m = rows.end - rows.begin;
    if (found.off_diagonal > 0) {
      for (int k = 0; k < at.p; ++k) {
        if (exchange[k] == k) continue;
        double* v = at.v + rows.begin;
        std::swap_ranges(v + static_cast<std::int64_t>(k) * at.ldb,
                         v + static_cast<std::int64_t>(k) * at.ldb + m,
                         v + static_cast<std::int64_t>(exchange[k]) * at.ldb);
      }
    }
    kernels.solve_lower(at.v + rows.begin, at.ldb, at.d, at.ld, m, at.p);
    kernels.solve_upper(at.l + rows.begin, at.ldb, at.d, at.ld, inverse, m, at.p);
  });
  share(pool, at.r, 8, [&](Slice columns) {
    kernels.subtract_product(c + static_cast<std::int64_t>(columns.begin) * at.ldb, at.ldb, at.l, at.ldb,
                             at.v + columns.begin, at.ldb, 1, at.ldb, columns.end - columns.begin, at.p);
  });
  return found;
}

void forward_front(const FrontTree& tree, const DenseKernels& kernels, const FrontFactors& factors, int s,
                   double* y, SolveScratch& scratch) {
  const Parts at = parts_of(tree, factors, s);
  double *mine = y + at.front.first, *x = scratch.x.data(), *w = scratch.w.data();
  const int* exchange = factors.exchange.data() + at.front.first;
  std::copy_n(mine, at.p, x);
  for (int k = 0; k < at.p; ++k)
    if (exchange[k] != k) std::swap(x[k], x[exchange[k]]);
  std::fill(x + at.p, x + at.ld, 0.0);
  kernels.forward(at.d, at.ld, at.l, at.ldb, at.ldb, at.p, x, w);
  std::copy_n(x, at.p, mine);
  const int* row = tree.work_row.data() + at.front.rows;
  for (int i = 0; i < at.r; ++i) y[row[i]] += w[i];
}

void backward_front(const FrontTree& tree, const DenseKernels& kernels, const FrontFactors& factors, int s,
                    double* y, SolveScratch& scratch) {
  const Parts at = parts_of(tree, factors, s);
  double *mine = y + at.front.first, *x = scratch.x.data(), *w = scratch.w.data();
  const int* row = tree.work_row.data() + at.front.rows;
  std::copy_n(mine, at.p, x);
  for (int i = 0; i < at.r; ++i) w[i] = y[row[i]];
  for (int i = at.r; i < at.ldb; ++i) w[i] = 0;
  kernels.backward(at.d, at.ld, at.v, at.ldb, factors.inverse.data() + at.front.first, at.ldb, at.p, x, w);
  std::copy_n(x, at.p, mine);
}

void forward_front_many(const FrontTree& tree, const DenseKernels& kernels, const FrontFactors& factors,
                        int s, double* y, int wide, double* w) {
  const Parts at = parts_of(tree, factors, s);
  double* x = y + static_cast<std::int64_t>(at.front.first) * wide;
  const int* exchange = factors.exchange.data() + at.front.first;
  for (int k = 0; k < at.p; ++k)
    if (exchange[k] != k) std::swap_ranges(x + k * wide, x + (k + 1) * wide, x + exchange[k] * wide);
  kernels.solve_lower(x, wide, at.d, at.ld, wide, at.p);
  std::fill_n(w, static_cast<std::int64_t>(wide) * at.r, 0.0);
  kernels.subtract_product(w, wide, x, wide, at.l, at.ldb, 1, wide, at.r, at.p);
  const int* row = tree.work_row.data() + at.front.rows;
  for (int i = 0; i < at.r; ++i) {
    double* to = y + static_cast<std::int64_t>(row[i]) * wide;
    for (int c = 0; c < wide; ++c) to[c] += w[i * wide + c];
  }
}

void backward_front_many(const FrontTree& tree, const DenseKernels& kernels, const FrontFactors& factors,
                         int s, double* y, int wide, double* w) {
  const Parts at = parts_of(tree, factors, s);
  double* x = y + static_cast<std::int64_t>(at.front.first) * wide;
  const int* row = tree.work_row.data() + at.front.rows;
  for (int i = 0; i < at.r; ++i)
    std::copy_n(y + static_cast<std::int64_t>(row[i]) * wide, wide, w + i * wide);
  kernels.subtract_product(x, wide, w, wide, at.v, 1, at.ldb, wide, at.p, at.r);
  kernels.solve_upper_transposed(x, wide, at.d, at.ld, factors.inverse.data() + at.front.first, wide, at.p);
}

}  // namespace trammel
