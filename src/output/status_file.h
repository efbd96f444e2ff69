// <out>.status.json: the state of a run, for job monitors. Replaced atomically; on a full disk, where that is
// impossible, overwritten in the space reserved for it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "output/replacement.h"
#include "output/stream_file.h"

namespace trammel {

struct StatusFileEntry {
  std::string path;
  std::uint64_t bytes = 0;
};

struct RunStatus {
  std::string state = "running";     ///< "running", "finished", "failed", "stopped"
  std::optional<int> exit_code;      ///< set when the run has ended
  double t = 0, start = 0, end = 0;  ///< model time: present, first, last
  double step_size = 0;
  std::string phase = "reading";  ///< while running: that, "initial conditions" or "steps"
  double seconds_left = -1;       ///< of wall time in the present simulation; negative: not known
  long long steps = 0;            ///< accepted integration steps
  std::string backend, linear_solver;
  std::string backend_choice;  ///< reason for that back end, if the program chose it
  std::string program_version, command_line, input_file, message;
  std::vector<StatusFileEntry> files;
};

/// Fraction of the way from start to end, 0 to 1; 0 if end is not after start.
double progress_of(const RunStatus& status);

/// Writes status as JSON through a temporary file and rename (if that fails, over the old file), durable at
/// the end of a run. `started`: ISO 8601. Failure(io) naming the file.
void write_status(const std::string& path, const RunStatus& status, const std::string& started);

/// Adds the writing process: pid, host, job_id, array_task_id, started, updated.
void add_process(nlohmann::ordered_json& json, const std::string& started);
/// Atomically replaces a JSON file. Failure(io) naming the file.
void write_account(const std::string& path, const nlohmann::ordered_json& json,
                   Durable durable = Durable::yes);

/// Writes at most once per interval, unless `now` is set.
class StatusFile {
 public:
  explicit StatusFile(std::string path, double interval_seconds = 5.0);
  void update(const RunStatus& status, bool now = false);
  const std::string& path() const { return path_; }
  /// Start of the run, ISO 8601: of the first process if the run was continued in another one.
  const std::string& started() const { return started_; }
  void set_started(std::string started) { started_ = std::move(started); }

 private:
  std::string path_, started_;
  FlushClock clock_;
  bool written_ = false;
};

}  // namespace trammel
