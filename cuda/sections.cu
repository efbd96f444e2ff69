// What a conditional node of a graph is to do, read from the device's memory.
#include "sections.h"

namespace trammel {
namespace {

__global__ void tell(cudaGraphConditionalHandle node, const int* there) {
  cudaGraphSetConditional(node, static_cast<unsigned>(*there));
}

}  // namespace

cudaError_t set_condition(cudaGraphConditionalHandle node, const int* there, cudaStream_t stream) {
  tell<<<1, 1, 0, stream>>>(node, there);
  return cudaGetLastError();
}

}  // namespace trammel
