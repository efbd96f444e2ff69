// cusolverRf as a linear solver of the back end "cuda": factors computed by the processor are refactored on
// the device with the same pivots. cusolverRf has no call that sets its stream and does not document which
// one it uses; so the queue is drained before each call and the device synchronized after it.
#include <cstdint>
#include <cstdio>
#include <new>
#include <vector>

#include <cuda_runtime.h>
#include <cusolverRf.h>
#include <cusolver_common.h>

#include "device_api/solver_abi.h"
#include "errors.h"

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
  int factor_nonzeros = 0;            ///< of M = L - 1 + U
  const double* factor = nullptr;     ///< values of M; owned by the library
  Array<int> row, unknown, diagonal;  ///< n each: row permutation P, column permutation Q, index of M(i, i)
  Array<double> work;

  ~Solver() { forget(); }
  void forget() {
    if (handle) cusolverRfDestroy(handle);
    handle = nullptr;
    factor = nullptr;
  }
  int use() const { return checked(cudaSetDevice(device)); }
  /// Waits until the work launched on the stream is done.
  int before() const { return use() || checked(cudaStreamSynchronize(stream)); }
  /// Waits until the library's work is done, whatever stream it uses.
  int after() const { return checked(cudaDeviceSynchronize()); }
};

/// inverse_i = 1 / M(i, i).
__global__ void invert_pivots(const double* factor, const int* diagonal, int n, double* inverse) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) inverse[i] = 1 / factor[diagonal[i]];
}

/// Finds the factors on the device and the positions of the pivots in them: once per pattern.
int find_pivots(Solver& s) {
  int *start = nullptr, *column = nullptr;
  double* factor = nullptr;
  if (TRAMMEL_RF(cusolverRfAccessBundledFactorsDevice, s.handle, &s.factor_nonzeros, &start, &column,
                 &factor))
    return 1;
  s.factor = factor;
  std::vector<int> starts(s.n + 1), columns(s.factor_nonzeros), diagonal(s.n, -1);
  if (checked(cudaMemcpy(starts.data(), start, starts.size() * sizeof(int), cudaMemcpyDeviceToHost)) ||
      checked(cudaMemcpy(columns.data(), column, columns.size() * sizeof(int), cudaMemcpyDeviceToHost)))
    return 1;
  for (int i = 0; i < s.n; ++i) {
    for (int k = starts[i]; k < starts[i + 1]; ++k)
      if (columns[k] == i) diagonal[i] = k;
    if (diagonal[i] < 0) return checked("cusolverRfAccessBundledFactorsDevice", 1, "a pivot is missing");
  }
  return s.diagonal.copy(diagonal.data(), diagonal.size());
}

// ---- the table of functions

namespace api {

/// Removes const: the library's declarations lack it, though it only reads.
template <class T>
T* plain(const T* values) {
  return const_cast<T*>(values);
}

Solver& of(void* solver) {
  return *static_cast<Solver*>(solver);
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

void destroy(void* solver) {
  if (!solver) return;
  of(solver).use();
  delete &of(solver);
}

/// Zero pivots are reported and not replaced, the library's default; fast mode of ResetValues (same pattern).
int begin(Solver& s) {
  s.forget();
  return TRAMMEL_RF(cusolverRfCreate, &s.handle) ||
         TRAMMEL_RF(cusolverRfSetMatrixFormat, s.handle, CUSOLVERRF_MATRIX_FORMAT_CSR,
                    CUSOLVERRF_UNIT_DIAGONAL_STORED_L) ||
         TRAMMEL_RF(cusolverRfSetResetValuesFastMode, s.handle, CUSOLVERRF_RESET_VALUES_FAST_MODE_ON);
}

int set_up(void* solver, const TrammelSolverMatrix* b, const int*, const TrammelSolverFactors* f) {
  Solver& s = of(solver);
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

int refactor(void* solver, double* inverse_pivot, int* usable) {
  Solver& s = of(solver);
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
  if (!s.factor && find_pivots(s)) return 1;
  constexpr int threads = 128;
  invert_pivots<<<static_cast<unsigned>((s.n + threads - 1) / threads), threads, 0, s.stream>>>(
      s.factor, s.diagonal.data(), s.n, inverse_pivot);
  *usable = 1;
  return checked(cudaGetLastError());
}

int solve(void* solver, const double* b, double* x) {
  Solver& s = of(solver);
  return s.use() ||
         checked(cudaMemcpyAsync(x, b, static_cast<std::size_t>(s.n) * sizeof(double),
                                 cudaMemcpyDeviceToDevice, s.stream)) ||
         s.before() ||
         TRAMMEL_RF(cusolverRfSolve, s.handle, s.row.data(), s.unknown.data(), 1, s.work.data(), s.n, x,
                    s.n) ||
         s.after();
}

/// Device memory of our arrays and of M; the library's other memory is unknown.
std::uint64_t bytes(void* solver) {
  const Solver& s = of(solver);
  const auto factors = static_cast<std::size_t>(s.factor_nonzeros);
  return factors * (sizeof(double) + sizeof(int)) + s.row.bytes() + s.unknown.bytes() + s.diagonal.bytes() +
         s.work.bytes();
}

}  // namespace api

}  // namespace
}  // namespace trammel

extern "C" __attribute__((visibility("default"))) const TrammelSolverApi* trammel_solver_api() {
  using namespace trammel::api;
  static const TrammelSolverApi api{
      TRAMMEL_SOLVER_ABI, "cusolver_rf", "cuda", 1, trammel::error, version, create, destroy, set_up,
      refactor,           solve,         bytes};
  return &api;
}
