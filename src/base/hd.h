// Marks a function as callable on host and device. Headers that use it contain no allocation,
// no exceptions and no standard containers, so a CUDA compiler takes them as they are.
#pragma once

#if defined(__CUDACC__)
#define TRAMMEL_HD __host__ __device__
#else
#define TRAMMEL_HD
#endif
