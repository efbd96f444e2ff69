#include "fake_runtime.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

using trammel::test::FakeRuntime;

namespace {

thread_local int current_device = 0;
std::vector<std::pair<void*, std::size_t>> locked_blocks;

/// Of a call on what belongs to `device`.
cudaError_t on(int device) {
  FakeRuntime& runtime = FakeRuntime::now();
  if (runtime.lost) return cudaErrorIllegalAddress;
  if (device == current_device) return cudaSuccess;
  ++runtime.elsewhere;
  return cudaErrorInvalidValue;
}

/// Memory says in front of it which device it is of.
constexpr std::size_t head = alignof(std::max_align_t);
int device_of(const void* there) {
  int device;
  std::memcpy(&device, static_cast<const char*>(there) - head, sizeof device);
  return device;
}

}  // namespace

/// A kernel, or with a body a condition.
struct CUgraphNode_st {
  const void* function = nullptr;
  std::size_t shared = 0;
  std::function<void()> action = [] {};
  cudaGraphConditionalHandle handle = 0;
  bool again = false;
  cudaGraph_t body = nullptr;
};
struct CUgraph_st {
  int device;
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes = {};
  bool recorded_into = false;
};
struct CUstream_st {
  int device;
  cudaGraph_t recording = nullptr;
  cudaGraphNode_t last = nullptr;  ///< on which the next node of it will depend
};
struct CUevent_st {
  int device;
};
struct CUgraphExec_st {
  int device;
  cudaGraph_t graph;
};

namespace {

cudaGraph_t new_graph(int device) {
  ++FakeRuntime::now().graphs;
  return new CUgraph_st{device};
}
void delete_graph(cudaGraph_t graph) {
  for (const auto& node : graph->nodes)
    if (node->body) delete_graph(node->body);
  --FakeRuntime::now().graphs;
  delete graph;
}
/// In order, as each node depends on the one before.
void run(cudaGraph_t graph) {
  for (const auto& node : graph->nodes) {
    if (node->body) {
      while (FakeRuntime::now().condition.at(node->handle) != 0) {
        run(node->body);
        if (!node->again) break;
      }
    } else {
      node->action();
    }
  }
}
bool fits(cudaGraph_t graph) {
  return std::all_of(graph->nodes.begin(), graph->nodes.end(), [&](const auto& node) {
    return node->body ? fits(node->body) && !node->body->recorded_into
                      : FakeRuntime::now().fits(node->function, node->shared, graph->device);
  });
}

}  // namespace

namespace trammel::test {

FakeRuntime& FakeRuntime::now() {
  static FakeRuntime runtime;
  return runtime;
}

int FakeRuntime::current() {
  return current_device;
}

bool FakeRuntime::fits(const void* function, std::size_t shared, int device) const {
  const auto found = limit.find({device, function});
  return shared <= static_cast<std::size_t>(found == limit.end() ? usual_shared : found->second);
}

cudaError_t FakeRuntime::launch(const void* function, std::size_t shared, cudaStream_t stream,
                                std::function<void()> action) {
  if (const cudaError_t status = on(stream->device); status != cudaSuccess) return status;
  if (!fits(function, shared, stream->device)) return cudaErrorInvalidValue;
  if (!stream->recording) {
    action();
    return cudaSuccess;
  }
  auto& nodes = stream->recording->nodes;
  nodes.push_back(std::make_unique<CUgraphNode_st>(
      CUgraphNode_st{.function = function, .shared = shared, .action = std::move(action)}));
  stream->last = nodes.back().get();
  return cudaSuccess;
}

}  // namespace trammel::test

const char* cudaGetErrorString(cudaError_t status) {
  return status == cudaErrorIllegalAddress ? "an illegal memory access was encountered" : "invalid argument";
}
const char* cudaGetErrorName(cudaError_t status) {
  return status == cudaErrorIllegalAddress ? "cudaErrorIllegalAddress" : "cudaErrorInvalidValue";
}
cudaError_t cudaGetLastError() {
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
  *count = FakeRuntime::devices;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  if (FakeRuntime::now().lost) return cudaErrorIllegalAddress;
  current_device = device;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int) {
  const int architecture = FakeRuntime::now().architecture;
  *p = {
      "fake", std::size_t{8} << 30, FakeRuntime::most_shared, architecture / 10, architecture % 10, 132, 2048,
      5120};
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  *value = attribute == cudaDevAttrMaxSharedMemoryPerBlockOptin ? FakeRuntime::most_shared : 1'000'000;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = FakeRuntime::now().driver;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}
/// The device that is asked is told by the answer.
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = 1000 + static_cast<std::size_t>(current_device);
  *total = 8000;
  return on(current_device);
}
cudaError_t cudaMalloc(void** there, std::size_t bytes) {
  char* block = static_cast<char*>(std::malloc(head + bytes));
  std::memcpy(block, &current_device, sizeof current_device);
  *there = block + head;
  return on(current_device);
}
cudaError_t cudaFree(void* there) {
  const cudaError_t status = on(device_of(there));
  std::free(static_cast<char*>(there) - head);
  return status;
}
cudaError_t cudaMallocHost(void** here, std::size_t bytes) {
  *here = std::malloc(bytes);
  locked_blocks.push_back({*here, bytes});
  ++FakeRuntime::now().locked;
  return on(current_device);
}
cudaError_t cudaFreeHost(void* here) {
  --FakeRuntime::now().locked;
  std::erase_if(locked_blocks, [&](const auto& block) { return block.first == here; });
  std::free(here);
  return on(current_device);
}
/// A copy to page-locked memory must not go beyond it.
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  if (const cudaError_t status = on(stream->device); status != cudaSuccess) return status;
  if (kind == cudaMemcpyDeviceToHost) {
    const auto block = std::find_if(locked_blocks.begin(), locked_blocks.end(),
                                    [&](const auto& b) { return b.first == to; });
    if (block == locked_blocks.end())
      ++FakeRuntime::now().long_ways;
    else if (bytes > block->second)
      return cudaErrorInvalidValue;
  }
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* there, int value, std::size_t bytes, cudaStream_t stream) {
  const cudaError_t status = on(stream->device);
  if (status == cudaSuccess) std::memset(there, value, bytes);
  return status;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = new CUstream_st{current_device};
  ++FakeRuntime::now().streams;
  return on(current_device);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const cudaError_t status = on(stream->device);
  --FakeRuntime::now().streams;
  delete stream;
  return status;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  ++FakeRuntime::now().waits;
  return on(stream->device);
}
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  if (stream->recording) return cudaErrorInvalidValue;
  stream->recording = new_graph(stream->device);
  stream->last = nullptr;
  return on(stream->device);
}
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t*,
                                          const cudaGraphEdgeData*, std::size_t count,
                                          cudaStreamCaptureMode) {
  if (stream->recording || graph->recorded_into || count != 0) return cudaErrorInvalidValue;
  graph->recorded_into = true;
  stream->recording = graph;
  stream->last = nullptr;
  return on(stream->device);
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  *graph = stream->recording;
  stream->recording = nullptr;
  if (*graph) (*graph)->recorded_into = false;
  return *graph ? on(stream->device) : cudaErrorInvalidValue;
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long*, cudaGraph_t* graph, const cudaGraphNode_t** last,
                                     const cudaGraphEdgeData**, std::size_t* count) {
  *status = stream->recording ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  *graph = stream->recording;
  *last = &stream->last;
  *count = stream->last ? 1 : 0;
  return on(stream->device);
}
/// What a stream depends on is the last node of its graph: nothing runs beside another.
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* last,
                                                const cudaGraphEdgeData*, std::size_t count, unsigned flags) {
  if (!stream->recording || count != 1 || flags != cudaStreamSetCaptureDependencies ||
      *last != stream->recording->nodes.back().get())
    return cudaErrorInvalidValue;
  stream->last = *last;
  return on(stream->device);
}
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned value, unsigned) {
  auto& condition = FakeRuntime::now().condition;
  *handle = condition.size() + 1;
  condition[*handle] = static_cast<int>(value);
  return on(graph->device);
}
cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* last,
                             const cudaGraphEdgeData*, std::size_t count, cudaGraphNodeParams* params) {
  const bool after_last =
      count == (graph->nodes.empty() ? 0u : 1u) && (count == 0 || *last == graph->nodes.back().get());
  if (params->type != cudaGraphNodeTypeConditional || params->conditional.size != 1 || !after_last)
    return cudaErrorInvalidValue;
  graph->nodes.push_back(std::make_unique<CUgraphNode_st>(
      CUgraphNode_st{.handle = params->conditional.handle,
                     .again = params->conditional.type == cudaGraphCondTypeWhile,
                     .body = new_graph(graph->device)}));
  *node = graph->nodes.back().get();
  params->conditional.phGraph_out = &(*node)->body;
  return on(graph->device);
}
/// A graph with conditions must stay as long as what was made of it.
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* ready, cudaGraph_t graph, unsigned long long) {
  if (!fits(graph)) return cudaErrorInvalidValue;
  *ready = new CUgraphExec_st{graph->device, graph};
  return on(graph->device);
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  const cudaError_t status = on(graph->device);
  delete_graph(graph);
  return status;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
  if (graph->device != stream->device) return cudaErrorInvalidValue;
  const cudaError_t status = on(stream->device);
  if (status == cudaSuccess) run(graph->graph);
  return status;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
  const cudaError_t status = on(graph->device);
  delete graph;
  return status;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = new CUevent_st{current_device};
  return on(current_device);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const cudaError_t status = on(event->device);
  delete event;
  return status;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return event->device == stream->device ? on(event->device) : cudaErrorInvalidValue;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return on(event->device);
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t) {
  *milliseconds = 2;
  return on(begin->device);
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
  *attributes = {FakeRuntime::own_shared, FakeRuntime::own_memory};
  return on(current_device);
}
/// With its own, a kernel may not have more than the device gives.
cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute, int value) {
  FakeRuntime& runtime = FakeRuntime::now();
  ++runtime.limits_set;
  const int own = static_cast<int>(FakeRuntime::own_shared);
  if (runtime.refuses_limits || value + own > FakeRuntime::most_shared) return cudaErrorInvalidValue;
  runtime.limit[{current_device, function}] = value;
  return on(current_device);
}
