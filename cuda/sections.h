// Sections of graphs (TrammelDeviceApi::begin_section), by conditional nodes.
#pragma once

#include <vector>

#include <cuda_runtime.h>

namespace trammel {

/// Earlier ones have the functions that make sections by other names, if at all.
constexpr int toolkit_with_sections = 13000;

/// Launches the kernel that gives a conditional node what stands at `there`. Of sections.cu.
cudaError_t set_condition(cudaGraphConditionalHandle node, const int* there, cudaStream_t stream);

/// The sections of a graph that is being recorded. Each has a stream of its own, which records into the body
/// of its node.
class Sections {
 public:
  /// Before anything is recorded: making streams is no part of that.
  cudaError_t make_streams();
  void destroy_streams();
  /// The stream in which launches are recorded: `outermost` where no section is.
  cudaStream_t stream(cudaStream_t outermost) const {
    return open_.empty() ? outermost : streams_[open_.size() - 1];
  }
  cudaError_t begin(cudaStream_t outermost, const int* there, bool again);
  cudaError_t end();
  /// Ends all, after a failure.
  void abandon();

 private:
  struct Open {
    cudaGraphConditionalHandle node;
    const int* there;
    bool again;
  };
  std::vector<Open> open_;
  static constexpr std::size_t most_open = 3;
  std::vector<cudaStream_t> streams_;  ///< by depth
};

}  // namespace trammel
