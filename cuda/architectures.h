// Which GPUs have code of their own in the library; others have theirs translated by the driver.
#pragma once

#include <span>

namespace trammel {

/// Compute capabilities whose code is built, 90 for 9.0, each with a comma behind it; 0: of none; empty: it
/// is not known.
#ifndef TRAMMEL_CUDA_CODE
#define TRAMMEL_CUDA_CODE
#endif
inline constexpr int end_of_list = -1;
inline constexpr int built_code[] = {TRAMMEL_CUDA_CODE end_of_list};

/// Whether the driver has to translate kernels for a GPU, of 10 major + minor: code of the same major number
/// and of at most its minor one runs as it is.
constexpr bool needs_translation(int architecture, std::span<const int> built = built_code) {
  for (const int code : built)
    if (code != end_of_list && code / 10 == architecture / 10 && code <= architecture) return false;
  return built.front() != end_of_list;
}

}  // namespace trammel
