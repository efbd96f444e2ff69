#include "device_api/reduce.h"

#include <algorithm>

#include "device_api/joined_terms.h"
#include "device_api/reduction_kernels.h"

namespace trammel {
namespace {

/// Launches what joins n results of Value at `from`.
template <class Value>
void finish(Device& device, void* from, int n, void* result) {
  FinishReductions kernel{};
  kernel.item[0] = {FinishReductions::Values::kind<Value>(), n, from, result};
  device.launch(kernel, 1);
}

}  // namespace

std::size_t reduction_scratch(int n) {
  static_assert(2 * LargestOfParts::part <= reduction_tile, "sums need less: of tiles, and tiles of them");
  return static_cast<std::size_t>(LargestOfParts::parts(n)) + 1;
}

double* launch_sum(Device& device, const double* x, int n, double* scratch) {
  const int tiles = std::max(1, reduction_tiles(n));
  device.launch(SumTiles{x, n, scratch}, tiles);
  if (tiles == 1) return scratch;
  double* result = scratch + tiles + (tiles > reduction_tile ? reduction_tiles(tiles) : 0);
  finish<Total>(device, scratch, tiles, result);
  return result;
}

Place* launch_largest(Device& device, const double* x, int n, Place* scratch, Place* result) {
  const int parts = std::max(1, LargestOfParts::parts(n));
  if (!result) result = parts == 1 ? scratch : scratch + parts;
  device.launch(LargestOfParts{x, n, parts == 1 ? result : scratch}, parts);
  if (parts > 1) finish<Largest>(device, scratch, parts, result);
  return result;
}

}  // namespace trammel
