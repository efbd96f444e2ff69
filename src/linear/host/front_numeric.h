// Numeric part of the multifrontal factorization, front by front.
#pragma once

#include <vector>

#include "linear/host/dense_kernels.h"
#include "linear/host/fronts.h"

namespace trammel {

class ThreadPool;

/// Factors of all fronts; sizes and places as FrontTree says.
struct FrontFactors {
  std::vector<double> factor;   ///< D (L_D and U_D in place), L, V of each front
  std::vector<double> block;    ///< contribution blocks: scratch
  std::vector<double> inverse;  ///< n: 1 / u_kk
  std::vector<int> exchange;    ///< n: row of the front that was exchanged with the k-th of its rows
};

/// Assembles front `s` from the matrix values and its children's contribution blocks and eliminates its
/// pivots:
///     P D = L_D U_D,   V <- (P U)^T L_D^-T,   L <- L U_D^-1,   C <- C - L V^T.
/// With a pool, the solves are cut by rows and the product by columns.
DensePivots factor_front(const FrontTree& tree, const DenseKernels& kernels, FrontFactors& factors, int s,
                         const double* values, double tolerance, ThreadPool* pool);

/// Asks the memory for what the next front will need: fronts are small, and each begins with a wait
/// otherwise. In a factorization the matrix values of front `s`, in a solve D and L, or D and V.
void prefetch_values(const FrontTree& tree, int s, const double* values);
void prefetch_forward(const FrontTree& tree, const FrontFactors& factors, int s);
void prefetch_backward(const FrontTree& tree, const FrontFactors& factors, int s);

/// Scratch of one thread in a solve.
struct SolveScratch {
  std::vector<double> x, w;  ///< padded largest front each
};

/// One front's step of a solve for one right-hand side y, by places, buffers of the subtrees behind:
/// y_1 <- L_D^-1 P y_1, y_border -= L y_1 ...
void forward_front(const FrontTree& tree, const DenseKernels& kernels, const FrontFactors& factors, int s,
                   double* y, SolveScratch& scratch);
/// ... and y_1 <- U_D^-1 (y_1 - V^T y_border).
void backward_front(const FrontTree& tree, const DenseKernels& kernels, const FrontFactors& factors, int s,
                    double* y, SolveScratch& scratch);
/// The same for `wide` right-hand sides (a multiple of kRowGroup), those of one place side by side; `w` holds
/// wide times the largest border.
void forward_front_many(const FrontTree& tree, const DenseKernels& kernels, const FrontFactors& factors,
                        int s, double* y, int wide, double* w);
void backward_front_many(const FrontTree& tree, const DenseKernels& kernels, const FrontFactors& factors,
                         int s, double* y, int wide, double* w);

}  // namespace trammel
