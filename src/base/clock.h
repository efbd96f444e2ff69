// Time that passes, by a clock that is never set.
#pragma once

namespace trammel {

/// [ns] since some moment before the program began.
unsigned long long nanoseconds_now();

/// Measures from when it was made.
class Stopwatch {
 public:
  /// [s]
  double seconds() const { return 1e-9 * static_cast<double>(nanoseconds_now() - begin_); }

 private:
  unsigned long long begin_ = nanoseconds_now();
};

}  // namespace trammel
