// The result table of `trammel batch`: a line per variant, written in their order; and the progress.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "app/variants.h"
#include "app/watched.h"
#include "integrate/hht.h"
#include "output/progress.h"
#include "output/stream_file.h"

namespace trammel {

struct VariantResult {
  enum class Status { done, failed, interrupted };
  Status status = Status::interrupted;
  int exit_code = 0;
  bool begun = false;  ///< a model was made: end time and counters say something
  double end = 0;      ///< model time
  HhtCounters counters;
  double seconds = 0;
  std::string where;           ///< what computed the steps: "cpu", "cuda:0"
  std::vector<double> values;  ///< of the watched channels; empty: no record
  std::string message;         ///< of a failure
  std::vector<std::string> warnings;
};

/// Lines that wait for one before them are held in memory. Failures: io.
class BatchTable {
 public:
  void open(const std::string& path, const VariantTable& variants, const std::vector<Watched>& watched);
  /// The result of a variant, each once, in any order. What is complete from the first line on goes to the
  /// file.
  void add(std::size_t variant, const VariantResult& result);
  void close() { file_.close(); }

 private:
  const VariantTable* variants_ = nullptr;
  std::size_t watched_ = 0, next_ = 0;
  std::vector<std::string> lines_;
  StreamFile file_;
};

/// How many variants are done, failed, left, on standard output: a line that is rewritten on a terminal, a
/// line now and then otherwise.
class BatchProgress {
 public:
  BatchProgress(std::FILE* stream, std::size_t variants, ProgressOptions options);
  ~BatchProgress() { clear(); }
  BatchProgress(const BatchProgress&) = delete;
  BatchProgress& operator=(const BatchProgress&) = delete;

  /// `under_way`: what others that have begun are through with, in variants.
  void update(std::size_t done, std::size_t failed, double under_way = 0);
  void clear();
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  std::FILE* stream_;
  std::size_t variants_;
  ProgressOptions options_;
  Clock::time_point start_ = Clock::now();
  double last_ = 0;
  bool drawn_ = false;
};

}  // namespace trammel
