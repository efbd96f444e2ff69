// The CUDA back end: memory, launches and graphs of one stream. Needs the driver only: the CUDA runtime is
// linked statically.
#include <cstdio>
#include <cstring>
#include <new>
#include <vector>

#include <cuda_runtime.h>

#include "architectures.h"
#include "block_memory.h"
#include "device_api/abi.h"
#include "errors.h"
#include "kernels.h"
#include "on_device.h"
#include "sections.h"
#include "shared_memory.h"

namespace trammel {
namespace {

struct Context {
  int device = 0;
  cudaStream_t stream = nullptr;
  cudaEvent_t begin = nullptr, end = nullptr;
  void* answer = nullptr;  ///< page-locked: copies to other memory go through the driver's own, by a way more
  void* sent = nullptr;    ///< page-locked: copies from there need not be waited for
  std::size_t sent_so_far = 0;  ///< bytes of it that may not have been copied yet
  Sections sections;            ///< of the graph that is being recorded
  std::vector<SharedMemoryLimit> shared = std::vector<SharedMemoryLimit>(kernel_table().size());
};

/// A graph that can be run, and that which it was made of: conditional nodes are of both.
struct Graph {
  cudaGraphExec_t ready = nullptr;
  cudaGraph_t recorded = nullptr;
};

/// Copies of at most so many bytes are answers to the program, which waits for them: they go by
/// Context::answer.
constexpr std::size_t answer_size = 4096;
/// Size of Context::sent. Copies to the device of at most a quarter of it go by that.
constexpr std::size_t sent_size = 1 << 16;

/// Graphs have sections by conditional nodes, which may be nested from this version of the driver on.
constexpr int driver_with_sections = 12040;

// ---- without a context

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
  info->architecture = 10 * p.major + p.minor;
  const bool translates = needs_translation(info->architecture);
  std::snprintf(info->driver, sizeof info->driver, "driver for CUDA %d.%d, runtime %d.%d%s", driver / 1000,
                driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10,
                translates ? ", which translates kernels for this GPU when they are first needed" : "");
  if (cudaDeviceGetAttribute(&clock_khz, cudaDevAttrMemoryClockRate, device) == cudaSuccess)
    info->bandwidth = 2.0 * clock_khz * 1e3 * p.memoryBusWidth / 8;
  info->multiprocessors = p.multiProcessorCount;
  info->threads = p.maxThreadsPerMultiProcessor;
  info->shared_memory = static_cast<int>(p.sharedMemPerBlockOptin);
  if (CUDART_VERSION < toolkit_with_sections)
    std::snprintf(info->no_sections, sizeof info->no_sections,
                  "the back end was built with CUDA %d.%d; graphs with conditions need %d.%d",
                  CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10, toolkit_with_sections / 1000,
                  toolkit_with_sections % 1000 / 10);
  else if (driver < driver_with_sections)
    std::snprintf(info->no_sections, sizeof info->no_sections,
                  "the driver is for CUDA %d.%d; graphs with conditions need one for CUDA %d.%d",
                  driver / 1000, driver % 1000 / 10, driver_with_sections / 1000,
                  driver_with_sections % 1000 / 10);
  info->memory = p.totalGlobalMem;
  return 0;
}

int open(int device, void** context) {
  auto* c = new (std::nothrow) Context;
  if (!c) return checked(cudaErrorMemoryAllocation);
  c->device = device;
  if (checked(cudaSetDevice(device)) ||
      checked(cudaStreamCreateWithFlags(&c->stream, cudaStreamNonBlocking)) ||
      checked(cudaEventCreate(&c->begin)) || checked(cudaEventCreate(&c->end)) ||
      checked(cudaMallocHost(&c->answer, answer_size)) || checked(cudaMallocHost(&c->sent, sent_size)) ||
      checked(c->sections.make_streams())) {
    delete c;
    return 1;
  }
  *context = c;
  return 0;
}

// ---- on the context's device

void close(Context& c) {
  cudaFreeHost(c.sent);
  cudaFreeHost(c.answer);
  c.sections.destroy_streams();
  cudaEventDestroy(c.begin);
  cudaEventDestroy(c.end);
  cudaStreamDestroy(c.stream);
  delete &c;
}

int free_memory(Context&, uint64_t* bytes) {
  std::size_t free = 0, total = 0;
  if (checked(cudaMemGetInfo(&free, &total))) return 1;
  *bytes = free;
  return 0;
}

int allocate(Context&, std::size_t bytes, void** there) {
  return checked(cudaMalloc(there, bytes));
}

void release(Context&, void* there) {
  checked(cudaFree(there));
}

/// Waits for all that was submitted.
int wait(Context& c) {
  c.sent_so_far = 0;
  return checked(cudaStreamSynchronize(c.stream));
}

int upload(Context& c, void* there, const void* here, std::size_t bytes) {
  if (bytes > sent_size / 4)
    return checked(cudaMemcpyAsync(there, here, bytes, cudaMemcpyHostToDevice, c.stream)) || wait(c);
  if (c.sent_so_far + bytes > sent_size && wait(c)) return 1;
  void* from = static_cast<char*>(c.sent) + c.sent_so_far;
  std::memcpy(from, here, bytes);
  c.sent_so_far += bytes;
  return checked(cudaMemcpyAsync(there, from, bytes, cudaMemcpyHostToDevice, c.stream));
}

int download(Context& c, void* here, const void* there, std::size_t bytes) {
  void* to = bytes <= answer_size ? c.answer : here;
  if (checked(cudaMemcpyAsync(to, there, bytes, cudaMemcpyDeviceToHost, c.stream)) || wait(c)) return 1;
  if (to != here) std::memcpy(here, to, bytes);
  return 0;
}

int copy(Context& c, void* there, const void* from_there, std::size_t bytes) {
  return checked(cudaMemcpyAsync(there, from_there, bytes, cudaMemcpyDeviceToDevice, c.stream));
}

int clear(Context& c, void* there, std::size_t bytes) {
  return checked(cudaMemsetAsync(there, 0, bytes, c.stream));
}

int launch(Context& c, int number, const void* arguments, int items, std::size_t shared) {
  const KernelEntry& kernel = kernel_table()[number];
  return c.shared[number].allow(kernel.function(), c.device, block_memory(shared, kernel.groups)) ||
         checked(kernel.launch(arguments, items, shared, c.sections.stream(c.stream)));
}

int thread_memory(Context&, int number, uint64_t* bytes) {
  cudaFuncAttributes kernel{};
  if (checked(cudaFuncGetAttributes(&kernel, kernel_table()[number].function()))) return 1;
  *bytes = kernel.localSizeBytes;
  return 0;
}

int synchronize(Context& c) {
  return wait(c);
}

int begin_graph(Context& c) {
  return checked(cudaStreamBeginCapture(c.stream, cudaStreamCaptureModeThreadLocal));
}

int end_graph(Context& c, void** graph) {
  c.sections.abandon();  // none are open unless recording has failed
  Graph made;
  if (checked(cudaStreamEndCapture(c.stream, &made.recorded))) return 1;
  if (checked(cudaGraphInstantiate(&made.ready, made.recorded, 0))) {
    cudaGraphDestroy(made.recorded);
    return 1;
  }
  *graph = new Graph(made);
  return 0;
}

int run_graph(Context& c, void* graph) {
  return checked(cudaGraphLaunch(static_cast<Graph*>(graph)->ready, c.stream));
}

void release_graph(Context&, void* graph) {
  const auto* released = static_cast<Graph*>(graph);
  cudaGraphExecDestroy(released->ready);
  cudaGraphDestroy(released->recorded);
  delete released;
}

int begin_section(Context& c, const int* there, int again) {
  return checked(c.sections.begin(c.stream, there, again != 0));
}

int end_section(Context& c) {
  return checked(c.sections.end());
}

int start_clock(Context& c) {
  return checked(cudaEventRecord(c.begin, c.stream));
}

int read_clock(Context& c, double* seconds) {
  float milliseconds = 0;
  if (checked(cudaEventRecord(c.end, c.stream)) || checked(cudaEventSynchronize(c.end)) ||
      checked(cudaEventElapsedTime(&milliseconds, c.begin, c.end)))
    return 1;
  *seconds = 1e-3 * milliseconds;
  return 0;
}

int queue(Context& c, int* device, void** queue) {
  *device = c.device;
  *queue = c.stream;
  return 0;
}

}  // namespace
}  // namespace trammel

extern "C" __attribute__((visibility("default"))) const TrammelDeviceApi* trammel_device_api() {
  using namespace trammel;
  static const TrammelDeviceApi api{.abi = TRAMMEL_DEVICE_ABI,
                                    .name = "cuda",
                                    .error = trammel::error,
                                    .count = count,
                                    .describe = describe,
                                    .open = open,
                                    .close = on_device<close>,
                                    .free_memory = on_device<free_memory>,
                                    .allocate = on_device<allocate>,
                                    .release = on_device<release>,
                                    .upload = on_device<upload>,
                                    .download = on_device<download>,
                                    .copy = on_device<copy>,
                                    .clear = on_device<clear>,
                                    .find_kernel = find_kernel,
                                    .launch = on_device<launch>,
                                    .thread_memory = on_device<thread_memory>,
                                    .synchronize = on_device<synchronize>,
                                    .begin_graph = on_device<begin_graph>,
                                    .end_graph = on_device<end_graph>,
                                    .run_graph = on_device<run_graph>,
                                    .release_graph = on_device<release_graph>,
                                    .begin_section = on_device<begin_section>,
                                    .end_section = on_device<end_section>,
                                    .start_clock = on_device<start_clock>,
                                    .read_clock = on_device<read_clock>,
                                    .queue = on_device<queue>};
  return &api;
}
