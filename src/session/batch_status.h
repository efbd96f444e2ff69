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
  std::size_t kept = 0;  ///< of those done and failed: lines that --resume found
  double under_way = 0;  ///< what others that have begun are through with, in variants
  double seconds = 0;    ///< since the first variant began
  std::string model;     ///< what stands for deck and options: model_mark()
  std::string message;   ///< of a failure
  std::string command_line, input_file, variants_file, table;
};

/// Part of the variants that is done or failed, 0 to 1.
double progress_of(const BatchStatus& status);
/// Seconds until all are, at the mean rate so far; nothing before that can be said.
std::optional<double> seconds_left(const BatchStatus& status);

/// Written as a whole, at most once per interval except where `now` is asked for. Failures: io.
class BatchStatusFile {
 public:
  void open(const std::string& path);
  bool is_open() const { return !path_.empty(); }
  /// Whether the interval is over.
  bool due() const { return clock_.due(); }
  void update(const BatchStatus& status, bool now = false);

 private:
  std::string path_, started_;
  FlushClock clock_{5.0};
};

/// Sixteen hexadecimal digits that are others (but for chance) when dataset, commands, --set or times are.
std::string model_mark(const Job& deck, const JobOptions& options, const TimeOptions& times);

/// What the status file of an earlier batch says of its model; "" where there is none that says it.
std::string model_in_status(const std::string& path);

}  // namespace trammel
