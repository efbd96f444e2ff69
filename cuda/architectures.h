// Which GPUs have code of their own in the library; others have theirs translated by the driver.
#pragma once

namespace trammel {

/// Compute capabilities whose code is built, 90 for 9.0, each with a comma behind it; empty: it is not known.
#ifndef TRAMMEL_CUDA_CODE
#define TRAMMEL_CUDA_CODE
#endif
inline constexpr int built_code[] = {TRAMMEL_CUDA_CODE 0};

/// Whether the driver has to translate kernels for a GPU, of 10 major + minor: code of the same major number
/// and of at most its minor one runs as it is.
constexpr bool needs_translation(int architecture) {
  bool known = false;
  for (const int code : built_code) {
    if (code == 0) continue;
    known = true;
    if (code / 10 == architecture / 10 && code <= architecture) return false;
  }
  return known;
}

}  // namespace trammel
