// Numeric part of the multifrontal factorization, front by front.
#pragma once

#include <vector>

#include "linear/host/dense_kernels.h"
#include "linear/host/front_tree.h"

namespace trammel {

class ThreadPool;

/// Factors of all fronts; offsets and sizes are in FrontTree.
struct FrontFactors {
  std::vector<double> factor;   ///< D (L_D and U_D in place), L, V of each front
  std::vector<double> block;    ///< contribution blocks (scratch): shared ones, then the threads' arenas
  std::vector<double> inverse;  ///< n: 1 / u_kk
  std::vector<int> exchange;    ///< n: row of the front that was exchanged with the pivot's row
};

/// Arrays to which Front::block of a front and of its children are offsets.
struct BlockArrays {
  double *own, *children;
};

/// Assembles front `s` from the matrix values and its children's contribution blocks and eliminates its
/// pivots:
///     P D = L_D U_D,   V <- (P U)^T L_D^-T,   L <- L U_D^-1,   C <- C - L V^T.
/// With a pool, the solves are divided by rows and the product by columns. `blocks`: where C and those of the
/// children are.
DensePivots factor_front(const FrontTree& tree, const DenseKernels& kernels, FrontFactors& factors, int s,
                         const double* values, double tolerance, const BlockArrays& blocks, ThreadPool* pool);

/// Prefetch what the next front needs into the cache, since fronts are small: in a factorization the matrix
/// values of front `s`, in a solve D and L, or D and V.
void prefetch_values(const FrontTree& tree, int s, const double* values);
void prefetch_forward(const FrontTree& tree, const FrontFactors& factors, int s);
void prefetch_backward(const FrontTree& tree, const FrontFactors& factors, int s);

struct SolveScratch {
  std::vector<double> x, w;  ///< of the size of the largest front, padded
};

/// Forward solve in front s for one right-hand side y (by places, followed by the subtrees' buffers): y_1 <-
/// L_D^-1 P y_1, y_border -= L y_1.
void forward_front(const FrontTree& tree, const DenseKernels& kernels, const FrontFactors& factors, int s,
                   double* y, SolveScratch& scratch);
/// Backward solve in front s: y_1 <- U_D^-1 (y_1 - V^T y_border).
void backward_front(const FrontTree& tree, const DenseKernels& kernels, const FrontFactors& factors, int s,
                    double* y, SolveScratch& scratch);
/// Both for `wide` right-hand sides (a multiple of kRowGroup) interleaved by place; `w` holds `wide` times
/// the largest border.
void forward_front_many(const FrontTree& tree, const DenseKernels& kernels, const FrontFactors& factors,
                        int s, double* y, int wide, double* w);
void backward_front_many(const FrontTree& tree, const DenseKernels& kernels, const FrontFactors& factors,
                         int s, double* y, int wide, double* w);

}  // namespace trammel
