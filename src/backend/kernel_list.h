// All kernels there are: what a back end compiles. A kernel that is not listed here does not exist for it.
#pragma once

#include "device/vector_kernels.h"

/// X(Kernel) for every kernel, of namespace trammel.
#define TRAMMEL_KERNELS(X) \
  X(FillValues)            \
  X(SumChunks)             \
  X(LargestOfChunks)
