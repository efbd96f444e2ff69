#include "base/clock.h"

#include <chrono>

namespace trammel {

unsigned long long nanoseconds_now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<unsigned long long>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

}  // namespace trammel
