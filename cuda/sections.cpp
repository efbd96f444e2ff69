#include "sections.h"

namespace trammel {

#if CUDART_VERSION < 13000

cudaError_t Sections::begin(cudaStream_t, const int*, bool) {
  return cudaErrorNotSupported;
}

#else

namespace {

/// Where a stream that is recorded has come to in its graph.
struct RecordedSoFar {
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* last = nullptr;
  std::size_t count = 0;

  cudaError_t of(cudaStream_t stream) {
    cudaStreamCaptureStatus status{};
    const cudaError_t asked =
        cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &last, nullptr, &count);
    return asked == cudaSuccess && status != cudaStreamCaptureStatusActive ? cudaErrorInvalidValue : asked;
  }
};

}  // namespace

cudaError_t Sections::begin(cudaStream_t outermost, const int* there, bool again) {
  if (open_.size() == streams_.size()) return cudaErrorInvalidValue;
  const cudaStream_t before = stream(outermost);
  RecordedSoFar at;
  cudaError_t status = at.of(before);
  cudaGraphNodeParams node = {};
  node.type = cudaGraphNodeTypeConditional;
  node.conditional.type = again ? cudaGraphCondTypeWhile : cudaGraphCondTypeIf;
  node.conditional.size = 1;
  if (status == cudaSuccess)
    status = cudaGraphConditionalHandleCreate(&node.conditional.handle, at.graph, 0, 0);
  if (status == cudaSuccess) status = set_condition(node.conditional.handle, there, before);
  if (status == cudaSuccess) status = at.of(before);
  cudaGraphNode_t added = nullptr;
  if (status == cudaSuccess) status = cudaGraphAddNode(&added, at.graph, at.last, nullptr, at.count, &node);
  if (status == cudaSuccess)
    status =
        cudaStreamUpdateCaptureDependencies(before, &added, nullptr, 1, cudaStreamSetCaptureDependencies);
  if (status == cudaSuccess)
    status = cudaStreamBeginCaptureToGraph(streams_[open_.size()], node.conditional.phGraph_out[0], nullptr,
                                           nullptr, 0, cudaStreamCaptureModeThreadLocal);
  if (status == cudaSuccess) open_.push_back({node.conditional.handle, there, again});
  return status;
}

#endif

cudaError_t Sections::end() {
  if (open_.empty()) return cudaErrorInvalidValue;
  const Open section = open_.back();
  const cudaStream_t body = stream(nullptr);
  const cudaError_t asked = section.again ? set_condition(section.node, section.there, body) : cudaSuccess;
  cudaGraph_t recorded = nullptr;
  const cudaError_t ended = cudaStreamEndCapture(body, &recorded);
  open_.pop_back();
  return asked != cudaSuccess ? asked : ended;
}

void Sections::abandon() {
  for (; !open_.empty(); open_.pop_back()) {
    cudaGraph_t recorded = nullptr;
    cudaStreamEndCapture(stream(nullptr), &recorded);
  }
  cudaGetLastError();
}

cudaError_t Sections::make_streams() {
  while (streams_.size() < most_open) {
    cudaStream_t added = nullptr;
    const cudaError_t made = cudaStreamCreateWithFlags(&added, cudaStreamNonBlocking);
    if (made != cudaSuccess) return made;
    streams_.push_back(added);
  }
  return cudaSuccess;
}

void Sections::destroy_streams() {
  for (const cudaStream_t stream : streams_) cudaStreamDestroy(stream);
  streams_.clear();
}

}  // namespace trammel
