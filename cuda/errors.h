// The last error of a CUDA library, as text, for the function error() of the tables in device_api/.
#pragma once

#include <cstdio>

#include <cuda_runtime.h>

namespace trammel {

inline thread_local char last_error[512] = "";

inline const char* error() {
  return last_error;
}

/// Stores the runtime's error message; returns 0 on success.
inline int checked(cudaError_t status) {
  if (status == cudaSuccess) return 0;
  std::snprintf(last_error, sizeof last_error, "%s (%s)", cudaGetErrorString(status),
                cudaGetErrorName(status));
  cudaGetLastError();  // clears an error that is not sticky, so that it is reported once
  return 1;
}

/// The same for a library call whose status has a number and a name.
inline int checked(const char* call, int status, const char* name) {
  if (status == 0) return 0;
  std::snprintf(last_error, sizeof last_error, "%s: status %d (%s)", call, status, name);
  return 1;
}

}  // namespace trammel
