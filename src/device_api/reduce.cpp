#include "device_api/reduce.h"

#include <algorithm>

namespace trammel {

std::size_t reduction_scratch(int n) {
  std::size_t size = 1;
  for (int c = reduction_chunks(n); c > 1; c = reduction_chunks(c)) size += static_cast<std::size_t>(c);
  return size;
}

double* launch_sum(Device& device, const double* x, int n, double* scratch) {
  while (true) {
    const int chunks = std::max(1, reduction_chunks(n));
    device.launch(SumChunks{x, n, scratch}, chunks);
    if (chunks == 1) return scratch;
    x = scratch;
    scratch += chunks;
    n = chunks;
  }
}

Place* launch_largest(Device& device, const double* x, int n, Place* scratch, Place* result) {
  const Place* at = nullptr;
  while (true) {
    const int chunks = std::max(1, reduction_chunks(n));
    if (chunks == 1 && result) scratch = result;
    device.launch(LargestOfChunks{x, at, n, scratch}, chunks);
    if (chunks == 1) return scratch;
    at = scratch;
    scratch += chunks;
    n = chunks;
  }
}

}  // namespace trammel
