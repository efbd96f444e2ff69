// The table of the kernels of one instruction set; included by dense_kernels.cpp behind their definitions.

constexpr DenseKernels kKernels{TRAMMEL_KERNELS_NAME, subtract_product, factor,           solve_lower,
                                solve_upper,          solve_upper_transposed, forward, backward,
                                eliminate_blocks,     solve_blocks};

#undef TRAMMEL_UNROLL
