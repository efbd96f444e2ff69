// What went wrong last in a library's calls, in its own words: for the tables of functions that tell it.
#pragma once

#include <cstdio>

#include <cuda_runtime.h>

namespace trammel {

inline thread_local char last_error[512] = "";

inline const char* error() {
  return last_error;
}

/// Keeps what the runtime says; 0 when all is well.
inline int checked(cudaError_t status) {
  if (status == cudaSuccess) return 0;
  std::snprintf(last_error, sizeof last_error, "%s (%s)", cudaGetErrorString(status),
                cudaGetErrorName(status));
  cudaGetLastError();  // an error that does not stick is told once
  return 1;
}

/// The same for a call of a library whose statuses have numbers and names.
inline int checked(const char* call, int status, const char* name) {
  if (status == 0) return 0;
  std::snprintf(last_error, sizeof last_error, "%s: status %d (%s)", call, status, name);
  return 1;
}

}  // namespace trammel
