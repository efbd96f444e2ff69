// <prefix>.status.json of `trammel batch`: how many variants are done, and how long the rest will take.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "output/stream_file.h"
#include "session/plan.h"

namespace trammel {

struct BatchStatus {
  std::string state = "running";  ///< "running", "finished", "failed", "stopped"
  std::optional<int> exit_code;   ///< once the batch has ended
  std::size_t variants = 0, done = 0, failed = 0, interrupted = 0;
  std::size_t kept = 0;  ///< of `done` and `failed` those that --resume found in the table
  double under_way = 0;  ///< finished part of the variants under way, in variants
  double seconds = 0;    ///< wall time since the first variant began
  std::string model;     ///< mark of deck and options: model_mark()
  std::string message;   ///< text of a failure
  std::string command_line, input_file, variants_file, table;
};

/// Finished part of all variants (done, failed, or under way), 0 to 1.
double progress_of(const BatchStatus& status);
/// Seconds until all variants are finished, at the mean rate so far; empty as long as nothing has been
/// computed.
std::optional<double> seconds_left(const BatchStatus& status);

/// Writes the whole file, at most once per interval unless `now` is set. Throws Failure(io).
class BatchStatusFile {
 public:
  void open(const std::string& path);
  bool is_open() const { return !path_.empty(); }
  /// Whether the interval since the last writing is over.
  bool due() const { return clock_.due(); }
  void update(const BatchStatus& status, bool now = false);

 private:
  std::string path_, started_;
  FlushClock clock_{5.0};
};

/// Sixteen hexadecimal digits, a checksum of dataset, commands, --set, times, --strict and --permissive.
std::string model_mark(const Job& deck, const JobOptions& options, const TimeOptions& times);

/// The mark of the model in the status file of an earlier batch; "" where there is none.
std::string model_in_status(const std::string& path);

}  // namespace trammel
