#include "linear/host/dense_kernels.h"

// The same source is compiled for every instruction set. No header is included inside the regions below, so
// only the code of this file needs more than the baseline machine. CMake enables contraction of a - b * c for
// this file; otherwise fused multiply-add would not be used.

namespace trammel {
namespace {

namespace plain {
#define TRAMMEL_KERNELS_NAME "plain"
#define TRAMMEL_WIDE 4
#define TRAMMEL_TILE 1
#define TRAMMEL_COLUMNS 4
#include "linear/host/kernel_set.inl"
#undef TRAMMEL_KERNELS_NAME
#undef TRAMMEL_WIDE
#undef TRAMMEL_TILE
#undef TRAMMEL_COLUMNS
}  // namespace plain

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define TRAMMEL_X86_KERNELS 1

#pragma GCC push_options
#pragma GCC target("avx2,fma")
namespace avx2 {
#define TRAMMEL_KERNELS_NAME "avx2"
#define TRAMMEL_WIDE 4
#define TRAMMEL_TILE 3
#define TRAMMEL_COLUMNS 4
#include "linear/host/kernel_set.inl"
#undef TRAMMEL_KERNELS_NAME
#undef TRAMMEL_WIDE
#undef TRAMMEL_TILE
#undef TRAMMEL_COLUMNS
}  // namespace avx2
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx2,fma,avx512f,avx512vl,avx512dq")
namespace avx512 {
#define TRAMMEL_KERNELS_NAME "avx512"
#define TRAMMEL_WIDE 8
#define TRAMMEL_TILE 3
#define TRAMMEL_COLUMNS 8
#include "linear/host/kernel_set.inl"
#undef TRAMMEL_KERNELS_NAME
#undef TRAMMEL_WIDE
#undef TRAMMEL_TILE
#undef TRAMMEL_COLUMNS
}  // namespace avx512
#pragma GCC pop_options
#endif

struct Choice {
  const DenseKernels* list[3] = {&plain::kKernels};
  int count = 1;
  Choice() {
#ifdef TRAMMEL_X86_KERNELS
    __builtin_cpu_init();
    const bool fused = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (fused) list[count++] = &avx2::kKernels;
    if (fused && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq"))
      list[count++] = &avx512::kKernels;
#endif
  }
};

const Choice& choice() {
  static const Choice chosen;
  return chosen;
}

}  // namespace

const DenseKernels& dense_kernels() {
  return *choice().list[choice().count - 1];
}

const DenseKernels* const* all_dense_kernels(int& count) {
  count = choice().count;
  return choice().list;
}

}  // namespace trammel
