// The kernels of one instruction set and their table; included by dense_kernels.cpp once per instruction set,
// in a namespace of its own.
#include "linear/host/dense_kernels.inl"
// Dense blocks come first: fronts are made of them.
#include "linear/host/block_diagonal.inl"
// Pivots blocks before fronts.
#include "linear/host/block_kernels.inl"
// Masks of lanes are those of blocks.
#include "linear/host/row_kernels.inl"

constexpr DenseKernels kKernels{TRAMMEL_KERNELS_NAME, subtract_product,       factor,          solve_lower,
                                solve_upper,          solve_upper_transposed, forward,         backward,
                                eliminate_blocks,     forward_blocks,         backward_blocks, subtract_rows, row_sizes};

#undef TRAMMEL_UNROLL
