// cuDSS as a linear solver of the back end "cuda": its own factorization in our elimination order, with
// pivots inside its blocks. It works in the device's queue (stream).
#include <cstdint>
#include <cstdio>
#include <new>

#include <cuda_runtime.h>
#include <cudss.h>

#include "device_api/solver_abi.h"
#include "errors.h"
#include "on_device.h"

static_assert(CUDSS_VERSION_MAJOR >= 1, "cuDSS 1.0 or later");

namespace trammel {

static const char* name_of(cudssStatus_t status) {
  switch (status) {
    case CUDSS_STATUS_NOT_INITIALIZED:
      return "CUDSS_STATUS_NOT_INITIALIZED";
    case CUDSS_STATUS_ALLOC_FAILED:
      return "CUDSS_STATUS_ALLOC_FAILED";
    case CUDSS_STATUS_INVALID_VALUE:
      return "CUDSS_STATUS_INVALID_VALUE";
    case CUDSS_STATUS_NOT_SUPPORTED:
      return "CUDSS_STATUS_NOT_SUPPORTED";
    case CUDSS_STATUS_EXECUTION_FAILED:
      return "CUDSS_STATUS_EXECUTION_FAILED";
    case CUDSS_STATUS_INTERNAL_ERROR:
      return "CUDSS_STATUS_INTERNAL_ERROR";
    default:
      return "of no name here";
  }
}

static int checked(const char* call, cudssStatus_t status) {
  return checked(call, static_cast<int>(status), name_of(status));
}

/// Calls a function of the library; error() then names it.
#define TRAMMEL_DSS(function, ...) checked(#function, function(__VA_ARGS__))

namespace {

/// A smaller pivot is replaced by this value and counted: GuardLimits::pivot, for a scaled matrix.
constexpr double pivot_epsilon = 1e-13;

struct Solver {
  int device = 0;
  cudaStream_t stream = nullptr;
  cudssHandle_t handle = nullptr;
  cudssConfig_t config = nullptr;
  cudssData_t data = nullptr;
  cudssMatrix_t matrix = nullptr, b = nullptr, x = nullptr;
  bool factored = false;  ///< set_up() was followed by a factorization

  ~Solver() {
    forget();
    if (config) cudssConfigDestroy(config);
    if (handle) cudssDestroy(handle);
  }
  void forget() {
    for (cudssMatrix_t* m : {&matrix, &b, &x}) {
      if (*m) cudssMatrixDestroy(*m);
      *m = nullptr;
    }
    if (data) cudssDataDestroy(handle, data);
    data = nullptr;
    factored = false;
  }
  template <class T>
  int set(cudssConfigParam_t parameter, T value) {
    return TRAMMEL_DSS(cudssConfigSet, config, parameter, &value, sizeof value);
  }
  template <class T>
  int get(cudssDataParam_t parameter, T* value) const {
    std::size_t written = 0;
    return TRAMMEL_DSS(cudssDataGet, handle, data, parameter, value, sizeof *value, &written);
  }
  int execute(int phase) { return TRAMMEL_DSS(cudssExecute, handle, phase, config, data, matrix, x, b); }
};

// ---- the table of functions

namespace api {

const char* version() {
  static char text[64] = "";
  int major = 0, minor = 0, patch = 0;
  cudssGetProperty(MAJOR_VERSION, &major);
  cudssGetProperty(MINOR_VERSION, &minor);
  cudssGetProperty(PATCH_LEVEL, &patch);
  std::snprintf(text, sizeof text, "cuDSS %d.%d.%d", major, minor, patch);
  return text;
}

/// No matching, which would undo our order. Deterministic mode: repeated runs give the same bits.
int begin(Solver& s) {
  return checked(cudaSetDevice(s.device)) || TRAMMEL_DSS(cudssCreate, &s.handle) ||
         TRAMMEL_DSS(cudssSetStream, s.handle, s.stream) || TRAMMEL_DSS(cudssConfigCreate, &s.config) ||
         s.set(CUDSS_CONFIG_MATCHING_ALG, CUDSS_MATCHING_ALG_NONE) ||
         s.set(CUDSS_CONFIG_PIVOT_EPSILON, pivot_epsilon) || s.set(CUDSS_CONFIG_DETERMINISTIC_MODE, 1);
}

int create(int device, void* queue, void** solver) {
  auto* s = new (std::nothrow) Solver;
  if (!s) return checked(cudaErrorMemoryAllocation);
  s->device = device;
  s->stream = static_cast<cudaStream_t>(queue);
  if (begin(*s)) {
    delete s;
    return 1;
  }
  *solver = s;
  return 0;
}

void destroy(Solver& s) {
  cudaStreamSynchronize(s.stream);
  delete &s;
}

int set_up(Solver& s, const TrammelSolverMatrix* m, const int* order, const TrammelSolverFactors*) {
  if (checked(cudaStreamSynchronize(s.stream))) return 1;
  s.forget();
  const std::int64_t n = m->n;
  return TRAMMEL_DSS(cudssMatrixCreateCsr, &s.matrix, n, n, m->nonzeros, m->row_start_there, nullptr,
                     m->column_there, m->value_there, CUDA_R_32I, CUDA_R_32I, CUDA_R_64F, CUDSS_MTYPE_GENERAL,
                     CUDSS_MVIEW_FULL, CUDSS_BASE_ZERO) ||
         TRAMMEL_DSS(cudssMatrixCreateDn, &s.b, n, 1, n, nullptr, CUDA_R_64F, CUDSS_LAYOUT_COL_MAJOR) ||
         TRAMMEL_DSS(cudssMatrixCreateDn, &s.x, n, 1, n, nullptr, CUDA_R_64F, CUDSS_LAYOUT_COL_MAJOR) ||
         TRAMMEL_DSS(cudssDataCreate, s.handle, &s.data) ||
         TRAMMEL_DSS(cudssDataSet, s.handle, s.data, CUDSS_DATA_USER_PERM, order,
                     static_cast<std::size_t>(n) * sizeof(int)) ||
         s.execute(CUDSS_PHASE_ANALYSIS);
}

/// cuDSS does not return its pivots, only how many it replaced.
int refactor(Solver& s, double*, int* usable) {
  int info = 0, replaced = 0;
  if (s.execute(s.factored ? CUDSS_PHASE_REFACTORIZATION : CUDSS_PHASE_FACTORIZATION) ||
      checked(cudaStreamSynchronize(s.stream)) || s.get(CUDSS_DATA_INFO, &info) ||
      s.get(CUDSS_DATA_NPIVOTS, &replaced))
    return 1;
  s.factored = true;
  *usable = info == 0 && replaced == 0;
  return 0;
}

int solve(Solver& s, const double* b, double* x) {
  return TRAMMEL_DSS(cudssMatrixSetValues, s.b, b) || TRAMMEL_DSS(cudssMatrixSetValues, s.x, x) ||
         s.execute(CUDSS_PHASE_SOLVE);
}

/// Device memory of the factors, as estimated by cuDSS's analysis.
std::uint64_t bytes(void* solver) {
  std::int64_t estimates[16] = {};
  const Solver& s = *static_cast<const Solver*>(solver);
  return s.get(CUDSS_DATA_MEMORY_ESTIMATES, &estimates) == 0 ? estimates[0] : 0;
}

}  // namespace api

}  // namespace
}  // namespace trammel

extern "C" __attribute__((visibility("default"))) const TrammelSolverApi* trammel_solver_api() {
  using namespace trammel;
  using namespace trammel::api;
  static const TrammelSolverApi api{.abi = TRAMMEL_SOLVER_ABI,
                                    .name = "cudss",
                                    .backend = "cuda",
                                    .keeps_pivots = 0,
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
