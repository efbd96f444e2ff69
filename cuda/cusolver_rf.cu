// cusolverRf as a linear solver of the back end "cuda": factors computed by the processor are refactored on
// the device with the same pivots. cusolverRf has no call that sets its stream and does not document which
// one it uses; so the queue is drained before each call and the device synchronized after it.
//
// What this file takes the library to do (its header says less; no device has confirmed it): (L U)(i, j) =
// B(P[i], Q[j]), arrays of n; L with its unit diagonal, which is stored. The bundled factors are one matrix M
// = (L - 1) + U by rows, of which the number of entries is in host memory and the arrays are the library's,
// on the device; they are there after a refactorization. That they stay where they are until the next one is
// not said: they are asked for each time. A pivot that is zero (not above `zero` in size, 0 here) and not
// boosted ends it with CUSOLVER_STATUS_ZERO_PIVOT.
#include <cstdint>
#include <cstdio>
#include <new>
#include <vector>

#include <cuda_runtime.h>
#include <cusolverRf.h>
#include <cusolver_common.h>

#include "device_api/solver_abi.h"
#include "errors.h"
#include "on_device.h"

namespace trammel {

static const char* name_of(cusolverStatus_t status) {
  switch (status) {
    case CUSOLVER_STATUS_NOT_INITIALIZED:
      return "CUSOLVER_STATUS_NOT_INITIALIZED";
    case CUSOLVER_STATUS_ALLOC_FAILED:
      return "CUSOLVER_STATUS_ALLOC_FAILED";
    case CUSOLVER_STATUS_INVALID_VALUE:
      return "CUSOLVER_STATUS_INVALID_VALUE";
    case CUSOLVER_STATUS_ARCH_MISMATCH:
      return "CUSOLVER_STATUS_ARCH_MISMATCH";
    case CUSOLVER_STATUS_EXECUTION_FAILED:
      return "CUSOLVER_STATUS_EXECUTION_FAILED";
    case CUSOLVER_STATUS_INTERNAL_ERROR:
      return "CUSOLVER_STATUS_INTERNAL_ERROR";
    case CUSOLVER_STATUS_ZERO_PIVOT:
      return "CUSOLVER_STATUS_ZERO_PIVOT";
    case CUSOLVER_STATUS_NOT_SUPPORTED:
      return "CUSOLVER_STATUS_NOT_SUPPORTED";
    default:
      return "of no name here";
  }
}

static int checked(const char* call, cusolverStatus_t status) {
  return checked(call, static_cast<int>(status), name_of(status));
}

/// Calls a function of the library; error() then names it.
#define TRAMMEL_RF(function, ...) checked(#function, function(__VA_ARGS__))

namespace {

/// An array in device memory, freed with the object.
template <class T>
class Array {
 public:
  Array() = default;
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { cudaFree(data_); }
  T* data() const { return data_; }
  std::size_t bytes() const { return size_ * sizeof(T); }
  int make(std::size_t size) {
    cudaFree(data_);
    data_ = nullptr;
    size_ = 0;
    if (checked(cudaMalloc(reinterpret_cast<void**>(&data_), size * sizeof(T)))) return 1;
    size_ = size;
    return 0;
  }
  int copy(const T* here, std::size_t size) {
    return make(size) || checked(cudaMemcpy(data_, here, bytes(), cudaMemcpyHostToDevice));
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

struct Solver {
  int device = 0;
  cudaStream_t stream = nullptr;
  cusolverRfHandle_t handle = nullptr;
  int n = 0, nonzeros = 0;
  int *row_start = nullptr, *column = nullptr;  ///< of B; owned by the caller
  double* value = nullptr;
  int factor_nonzeros = 0;                                      ///< of M = L - 1 + U
  const int *factor_start = nullptr, *factor_column = nullptr;  ///< of M; owned by the library
  const double* factor = nullptr;                               ///< its values
  Array<int> row, unknown, diagonal;  ///< n each: row permutation P, column permutation Q, index of M(i, i)
  Array<double> work;

  ~Solver() { forget(); }
  void forget() {
    if (handle) cusolverRfDestroy(handle);
    handle = nullptr;
    factor_start = factor_column = nullptr;
    factor = nullptr;
  }
  /// Waits until the work launched on the stream is done.
  int before() const { return checked(cudaStreamSynchronize(stream)); }
  /// Waits until the library's work is done, whatever stream it uses.
  int after() const { return checked(cudaDeviceSynchronize()); }
};

/// inverse_i = 1 / M(i, i), 0 where that is no number.
__global__ void invert_pivots(const double* factor, const int* diagonal, int n, double* inverse) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const double value = 1 / factor[diagonal[i]];
  inverse[i] = isfinite(value) ? value : 0;
}

/// The positions of the pivots in M.
int find_pivots(Solver& s) {
  std::vector<int> starts(s.n + 1), columns(s.factor_nonzeros), diagonal(s.n, -1);
  if (checked(
          cudaMemcpy(starts.data(), s.factor_start, starts.size() * sizeof(int), cudaMemcpyDeviceToHost)) ||
      checked(
          cudaMemcpy(columns.data(), s.factor_column, columns.size() * sizeof(int), cudaMemcpyDeviceToHost)))
    return 1;
  for (int i = 0; i < s.n; ++i) {
    for (int k = starts[i]; k < starts[i + 1]; ++k)
      if (columns[k] == i) diagonal[i] = k;
    if (diagonal[i] < 0) return checked("cusolverRfAccessBundledFactorsDevice", 1, "a pivot is missing");
  }
  return s.diagonal.copy(diagonal.data(), diagonal.size());
}

/// Finds M on the device after a refactorization, and its pivots where its pattern is at another place than
/// before.
int find_factors(Solver& s) {
  int nonzeros = 0, *start = nullptr, *column = nullptr;
  double* factor = nullptr;
  if (TRAMMEL_RF(cusolverRfAccessBundledFactorsDevice, s.handle, &nonzeros, &start, &column, &factor))
    return 1;
  s.factor = factor;
  if (start == s.factor_start && column == s.factor_column && nonzeros == s.factor_nonzeros) return 0;
  s.factor_nonzeros = nonzeros;
  s.factor_start = start;
  s.factor_column = column;
  return find_pivots(s);
}

// ---- the table of functions

namespace api {

/// Removes const: the library's declarations lack it, though it only reads.
template <class T>
T* plain(const T* values) {
  return const_cast<T*>(values);
}

const char* version() {
  static char text[64] = "";
  int major = 0, minor = 0, patch = 0;
  cusolverGetProperty(MAJOR_VERSION, &major);
  cusolverGetProperty(MINOR_VERSION, &minor);
  cusolverGetProperty(PATCH_LEVEL, &patch);
  std::snprintf(text, sizeof text, "cuSOLVER %d.%d.%d", major, minor, patch);
  return text;
}

int create(int device, void* queue, void** solver) {
  auto* s = new (std::nothrow) Solver;
  if (!s) return checked(cudaErrorMemoryAllocation);
  s->device = device;
  s->stream = static_cast<cudaStream_t>(queue);
  *solver = s;
  return 0;
}

void destroy(Solver& s) {
  delete &s;
}

/// Zero pivots are reported and not replaced; fast mode of ResetValues (same pattern).
int begin(Solver& s) {
  constexpr double zero = 0, boost = 0;
  s.forget();
  return TRAMMEL_RF(cusolverRfCreate, &s.handle) ||
         TRAMMEL_RF(cusolverRfSetMatrixFormat, s.handle, CUSOLVERRF_MATRIX_FORMAT_CSR,
                    CUSOLVERRF_UNIT_DIAGONAL_STORED_L) ||
         TRAMMEL_RF(cusolverRfSetNumericProperties, s.handle, zero, boost) ||
         TRAMMEL_RF(cusolverRfSetResetValuesFastMode, s.handle, CUSOLVERRF_RESET_VALUES_FAST_MODE_ON);
}

int set_up(Solver& s, const TrammelSolverMatrix* b, const int*, const TrammelSolverFactors* f) {
  if (s.before() || begin(s)) return 1;
  s.n = b->n;
  s.nonzeros = b->nonzeros;
  s.row_start = plain(b->row_start_there);
  s.column = plain(b->column_there);
  s.value = plain(b->value_there);
  const auto n = static_cast<std::size_t>(s.n);
  return TRAMMEL_RF(cusolverRfSetupHost, s.n, s.nonzeros, plain(b->row_start), plain(b->column),
                    plain(f->matrix), f->l_start[s.n], plain(f->l_start), plain(f->l_column),
                    plain(f->l_value), f->u_start[s.n], plain(f->u_start), plain(f->u_column),
                    plain(f->u_value), plain(f->row), plain(f->column), s.handle) ||
         s.after() || TRAMMEL_RF(cusolverRfAnalyze, s.handle) || s.after() || s.row.copy(f->row, n) ||
         s.unknown.copy(f->column, n) || s.work.make(n);
}

int refactor(Solver& s, double* inverse_pivot, int* usable) {
  *usable = 0;
  if (s.before() ||
      TRAMMEL_RF(cusolverRfResetValues, s.n, s.nonzeros, s.row_start, s.column, s.value, s.row.data(),
                 s.unknown.data(), s.handle) ||
      s.after())
    return 1;
  const cusolverStatus_t status = cusolverRfRefactor(s.handle);
  if (s.after()) return 1;
  if (status == CUSOLVER_STATUS_ZERO_PIVOT) return 0;
  if (checked("cusolverRfRefactor", status)) return 1;
  if (find_factors(s)) return 1;
  constexpr int threads = 128;
  invert_pivots<<<static_cast<unsigned>((s.n + threads - 1) / threads), threads, 0, s.stream>>>(
      s.factor, s.diagonal.data(), s.n, inverse_pivot);
  *usable = 1;
  return checked(cudaGetLastError());
}

int solve(Solver& s, const double* b, double* x) {
  return checked(cudaMemcpyAsync(x, b, static_cast<std::size_t>(s.n) * sizeof(double),
                                 cudaMemcpyDeviceToDevice, s.stream)) ||
         s.before() ||
         TRAMMEL_RF(cusolverRfSolve, s.handle, s.row.data(), s.unknown.data(), 1, s.work.data(), s.n, x,
                    s.n) ||
         s.after();
}

/// Device memory of our arrays and of M; the library's other memory is unknown.
std::uint64_t bytes(void* solver) {
  const Solver& s = *static_cast<const Solver*>(solver);
  const auto factors = static_cast<std::size_t>(s.factor_nonzeros);
  return factors * (sizeof(double) + sizeof(int)) + s.row.bytes() + s.unknown.bytes() + s.diagonal.bytes() +
         s.work.bytes();
}

}  // namespace api

}  // namespace
}  // namespace trammel

extern "C" __attribute__((visibility("default"))) const TrammelSolverApi* trammel_solver_api() {
  using namespace trammel;
  using namespace trammel::api;
  static const TrammelSolverApi api{.abi = TRAMMEL_SOLVER_ABI,
                                    .name = "cusolver_rf",
                                    .backend = "cuda",
                                    .keeps_pivots = 1,
                                    .error = trammel::error,
                                    .version = version,
                                    .create = create,
                                    .destroy = on_device<destroy>,
                                    .set_up = on_device<set_up>,
                                    .refactor = on_device<refactor>,
                                    .solve = on_device<solve>,
                                    .bytes = bytes};
  return &api;
}
