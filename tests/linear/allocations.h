// Counts calls of malloc, calloc and realloc in this process (glibc; zero under a sanitizer).
#pragma once

namespace trammel::test {

/// Calls since the program started.
long allocation_count();
/// False where allocations cannot be counted.
bool allocations_counted();

}  // namespace trammel::test
