// How often a device's compiler repeats the body of a loop, and when it computes a number; other compilers
// decide by themselves.
#pragma once

#include "base/hd.h"

#if defined(__CUDACC__)
#define TRAMMEL_UNROLL_TEXT(text) _Pragma(#text)
/// Before a loop: `n` passes in a row.
#define TRAMMEL_UNROLLED(n) TRAMMEL_UNROLL_TEXT(unroll n)
/// Before a loop of few passes: its body once, as copies of it would only be more code to fetch.
#define TRAMMEL_ROLLED TRAMMEL_UNROLL_TEXT(unroll 1)
#else
#define TRAMMEL_UNROLLED(n)
#define TRAMMEL_ROLLED
#endif

namespace trammel {

/// x, computed here and not where it is needed first: beside what is waited for in between.
TRAMMEL_HD inline double computed_now(double x) {
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+d"(x));
#endif
  return x;
}

}  // namespace trammel
