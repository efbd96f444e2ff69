// The progress of `trammel batch` on standard output.
#pragma once

#include <chrono>
#include <cstdio>

#include "output/progress.h"

namespace trammel {

/// The numbers of variants done, failed and left, on standard output: one line that is rewritten on a
/// terminal, else a new line now and then.
class BatchProgress {
 public:
  /// `kept`: number of variants that an earlier batch has finished.
  BatchProgress(std::FILE* stream, std::size_t variants, std::size_t kept, ProgressOptions options);
  ~BatchProgress() { clear(); }
  BatchProgress(const BatchProgress&) = delete;
  BatchProgress& operator=(const BatchProgress&) = delete;

  /// `under_way`: finished part of the variants under way, in variants.
  void update(std::size_t done, std::size_t failed, double under_way = 0);
  void clear();
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  std::FILE* stream_;
  std::size_t variants_, kept_;
  ProgressOptions options_;
  Clock::time_point start_ = Clock::now();
  double last_ = 0;
  bool drawn_ = false;
};

}  // namespace trammel
