// The last error of a CUDA library, as text, for the function error() of the tables in device_api/.
#pragma once

#include <cstdio>

#include <cuda_runtime.h>

namespace trammel {

inline thread_local char last_error[512] = "";

inline const char* error() {
  return last_error;
}

/// Stores an error message, written as by printf; returns 1.
template <class... Values>
int failed(const char* format, Values... values) {
  std::snprintf(last_error, sizeof last_error, format, values...);
  return 1;
}

/// Stores the runtime's error message; returns 0 on success.
inline int checked(cudaError_t status) {
  if (status == cudaSuccess) return 0;
  cudaGetLastError();  // clears an error that is not sticky, so that it is reported once
  return failed("%s (%s)", cudaGetErrorString(status), cudaGetErrorName(status));
}

/// The same for a library call whose status has a number and a name.
inline int checked(const char* call, int status, const char* name) {
  return status == 0 ? 0 : failed("%s: status %d (%s)", call, status, name);
}

}  // namespace trammel
