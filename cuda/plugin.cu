// The CUDA back end: memory, launches and graphs of one stream, and all kernels of the program compiled for
// the device. Needs the driver only: the CUDA runtime is linked statically. The largest kernel is in a file
// of its own, simulations.cu, so that two compilers work in parallel.
#include <cstdio>
#include <cstring>
#include <new>

#include <cuda_runtime.h>

#include "backends/kernel_list.h"
#include "device_api/abi.h"
#include "errors.h"
#include "launch.h"

namespace trammel {

extern template cudaError_t launch_kernel<AdvanceSimulations>(const void*, int, std::size_t, cudaStream_t);

namespace {

struct KernelEntry {
  const char* name;
  std::size_t size;
  cudaError_t (*launch)(const void*, int, std::size_t, cudaStream_t);
};

template <class Kernel>
constexpr KernelEntry entry_of() {
  return {Kernel::name, sizeof(Kernel), launch_kernel<Kernel>};
}
struct MakeEntry {
  template <class Kernel>
  constexpr KernelEntry operator()() const {
    return entry_of<Kernel>();
  }
};
constexpr auto kernels = Kernels::entries(MakeEntry());

// ---- the table of functions

namespace api {

struct Context {
  int device = 0;
  cudaStream_t stream = nullptr;
  cudaEvent_t begin = nullptr, end = nullptr;
};

Context& of(void* context) {
  return *static_cast<Context*>(context);
}

/// Makes the context's device current in the calling thread.
int use(void* context) {
  return checked(cudaSetDevice(of(context).device));
}

int count(int* devices) {
  *devices = 0;
  const cudaError_t status = cudaGetDeviceCount(devices);
  if (status == cudaErrorNoDevice) {
    cudaGetLastError();
    return 0;
  }
  return checked(status);
}

int describe(int device, TrammelDeviceInfo* info) {
  *info = {};
  cudaDeviceProp p;
  if (checked(cudaGetDeviceProperties(&p, device))) return 1;
  std::snprintf(info->name, sizeof info->name, "%s", p.name);
  int driver = 0, runtime = 0, clock_khz = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  std::snprintf(info->driver, sizeof info->driver, "driver for CUDA %d.%d, runtime %d.%d", driver / 1000,
                driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
  if (cudaDeviceGetAttribute(&clock_khz, cudaDevAttrMemoryClockRate, device) == cudaSuccess)
    info->bandwidth = 2.0 * clock_khz * 1e3 * p.memoryBusWidth / 8;
  info->architecture = 10 * p.major + p.minor;
  info->multiprocessors = p.multiProcessorCount;
  info->shared_memory = static_cast<int>(p.sharedMemPerBlockOptin);
  info->memory = p.totalGlobalMem;
  return 0;
}

int free_memory(void* context, uint64_t* bytes) {
  std::size_t free = 0, total = 0;
  if (use(context) || checked(cudaMemGetInfo(&free, &total))) return 1;
  *bytes = free;
  return 0;
}

int open(int device, void** context) {
  auto* c = new (std::nothrow) Context;
  if (!c) return checked(cudaErrorMemoryAllocation);
  c->device = device;
  if (checked(cudaSetDevice(device)) ||
      checked(cudaStreamCreateWithFlags(&c->stream, cudaStreamNonBlocking)) ||
      checked(cudaEventCreate(&c->begin)) || checked(cudaEventCreate(&c->end))) {
    delete c;
    return 1;
  }
  *context = c;
  return 0;
}

void close(void* context) {
  Context& c = of(context);
  cudaEventDestroy(c.begin);
  cudaEventDestroy(c.end);
  cudaStreamDestroy(c.stream);
  delete &c;
}

int allocate(void* context, std::size_t bytes, void** there) {
  return use(context) || checked(cudaMalloc(there, bytes));
}

void release(void* context, void* there) {
  if (use(context) == 0) checked(cudaFree(there));
}

int upload(void* context, void* there, const void* here, std::size_t bytes) {
  const cudaStream_t stream = of(context).stream;
  return checked(cudaMemcpyAsync(there, here, bytes, cudaMemcpyHostToDevice, stream)) ||
         checked(cudaStreamSynchronize(stream));
}

int download(void* context, void* here, const void* there, std::size_t bytes) {
  const cudaStream_t stream = of(context).stream;
  return checked(cudaMemcpyAsync(here, there, bytes, cudaMemcpyDeviceToHost, stream)) ||
         checked(cudaStreamSynchronize(stream));
}

int copy(void* context, void* there, const void* from_there, std::size_t bytes) {
  return checked(cudaMemcpyAsync(there, from_there, bytes, cudaMemcpyDeviceToDevice, of(context).stream));
}

int clear(void* context, void* there, std::size_t bytes) {
  return checked(cudaMemsetAsync(there, 0, bytes, of(context).stream));
}

int find_kernel(const char* name, std::size_t size) {
  return find_kernel_in(kernels, name, size);
}

int launch(void* context, int kernel, const void* arguments, int items, std::size_t shared) {
  return use(context) || checked(kernels[kernel].launch(arguments, items, shared, of(context).stream));
}

int synchronize(void* context) {
  return checked(cudaStreamSynchronize(of(context).stream));
}

int begin_graph(void* context) {
  return use(context) ||
         checked(cudaStreamBeginCapture(of(context).stream, cudaStreamCaptureModeThreadLocal));
}

int end_graph(void* context, void** graph) {
  cudaGraph_t recorded = nullptr;
  if (checked(cudaStreamEndCapture(of(context).stream, &recorded))) return 1;
  cudaGraphExec_t ready = nullptr;
  const int status = checked(cudaGraphInstantiate(&ready, recorded, 0));
  cudaGraphDestroy(recorded);
  *graph = ready;
  return status;
}

int run_graph(void* context, void* graph) {
  return use(context) || checked(cudaGraphLaunch(static_cast<cudaGraphExec_t>(graph), of(context).stream));
}

void release_graph(void*, void* graph) {
  cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(graph));
}

int start_clock(void* context) {
  return use(context) || checked(cudaEventRecord(of(context).begin, of(context).stream));
}

int read_clock(void* context, double* seconds) {
  Context& c = of(context);
  float milliseconds = 0;
  if (checked(cudaEventRecord(c.end, c.stream)) || checked(cudaEventSynchronize(c.end)) ||
      checked(cudaEventElapsedTime(&milliseconds, c.begin, c.end)))
    return 1;
  *seconds = 1e-3 * milliseconds;
  return 0;
}

int queue(void* context, int* device, void** queue) {
  *device = of(context).device;
  *queue = of(context).stream;
  return 0;
}

}  // namespace api

}  // namespace
}  // namespace trammel

extern "C" __attribute__((visibility("default"))) const TrammelDeviceApi* trammel_device_api() {
  using namespace trammel::api;
  static const TrammelDeviceApi api{
      TRAMMEL_DEVICE_ABI, "cuda",     trammel::error, count,       describe,  open,      close,
      free_memory,        allocate,   release,        upload,      download,  copy,      clear,
      find_kernel,        launch,     synchronize,    begin_graph, end_graph, run_graph, release_graph,
      start_clock,        read_clock, queue};
  return &api;
}
