// The progress of `trammel batch` on standard output.
#pragma once

#include <cstdio>

#include "base/clock.h"
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
  double elapsed() const { return begun_.seconds(); }

 private:
  std::FILE* stream_;
  std::size_t variants_, kept_;
  ProgressOptions options_;
  Stopwatch begun_;
  double last_ = 0;
  bool drawn_ = false;
};

}  // namespace trammel
