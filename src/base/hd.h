// Marks a function as callable on host and device. Headers that use it contain no allocation,
// no exceptions and no standard containers, so a CUDA compiler takes them as they are.
#pragma once

#if defined(__CUDACC__)
#define TRAMMEL_HD __host__ __device__
/// A function of its own on a device: keeps what a large kernel calls from many places from being compiled
/// anew at each of them.
#define TRAMMEL_CALLED TRAMMEL_HD __noinline__
#else
#define TRAMMEL_HD
#define TRAMMEL_CALLED
#endif
