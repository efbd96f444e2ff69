// How often a device's compiler repeats the body of a loop; other compilers decide by themselves.
#pragma once

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
