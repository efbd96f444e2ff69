// The shared memory of a block of threads, of which its groups have a part each.
#pragma once

#include <cstddef>

namespace trammel {

/// Shared memory of a block whose groups have `shared` bytes each, bytes. Parts begin at multiples of 16.
constexpr std::size_t block_memory(std::size_t shared, int groups) {
  return groups == 1 ? shared : (shared + 15) / 16 * 16 * static_cast<std::size_t>(groups);
}

}  // namespace trammel
