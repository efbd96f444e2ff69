#include "allocations.h"

#include <atomic>
#include <cstddef>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define TRAMMEL_COUNTS_ALLOCATIONS 1
#endif

namespace {
std::atomic<long> calls{0};
}

#ifdef TRAMMEL_COUNTS_ALLOCATIONS
// The C library's own names for its allocator; everything else in it is left alone.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);

void* malloc(std::size_t size) noexcept {
  ++calls;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  ++calls;
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) noexcept {
  ++calls;
  return __libc_realloc(old, size);
}
}
#endif

namespace trammel::test {

long allocation_count() {
  return calls;
}

bool allocations_counted() {
#ifdef TRAMMEL_COUNTS_ALLOCATIONS
  return true;
#else
  return false;
#endif
}

}  // namespace trammel::test
