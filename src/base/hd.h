// Marks a function as callable on host and device. Headers that use it contain no allocation, no exceptions
// and no standard containers, so that a CUDA compiler accepts them.
#pragma once

#if defined(__CUDACC__)
#define TRAMMEL_HD __host__ __device__
/// A function that is not inlined on a device: a large kernel that calls it in many places is compiled
/// faster.
#define TRAMMEL_CALLED TRAMMEL_HD __noinline__
#else
#define TRAMMEL_HD
#define TRAMMEL_CALLED
#endif
