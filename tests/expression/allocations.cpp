// Counts allocations of the whole test program.
#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<long> count = 0;
}

namespace trammel::expression_test {
long allocations() {
  return count;
}
}  // namespace trammel::expression_test

void* operator new(std::size_t size) {
  ++count;
  if (void* p = std::malloc(size == 0 ? 1 : size)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept {
  std::free(p);
}
void operator delete(void* p, std::size_t) noexcept {
  std::free(p);
}
