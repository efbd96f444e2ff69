// <out>.status.json: what a run is doing, for job monitors. Replaced as a whole, never half written; only on
// a full disk, where nothing can be put in its place, written over in the room that it has reserved.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "output/stream_file.h"

namespace trammel {

struct StatusFileEntry {
  std::string path;
  std::uint64_t bytes = 0;
};

struct RunStatus {
  std::string state = "running";     ///< "running", "finished", "failed", "stopped"
  std::optional<int> exit_code;      ///< once the run has ended
  double t = 0, start = 0, end = 0;  ///< model time: now, first, last
  double step_size = 0;
  long long steps = 0;  ///< accepted integration steps
  std::string backend, linear_solver;
  std::string backend_choice;  ///< why that back end, where the program chose it
  std::string program_version, command_line, input_file, message;
  std::vector<StatusFileEntry> files;
};

/// Part of the way from start to end, 0 to 1; 0 where that says nothing (end not after start).
double progress_of(const RunStatus& status);

/// Writes status as JSON through a temporary file in the same folder, fsync and rename; where that fails,
/// over the old one. `started`: ISO 8601. Failure(io) naming the file.
void write_status(const std::string& path, const RunStatus& status, const std::string& started);

/// Adds what says who writes an account: pid, host, job_id, array_task_id, started, updated.
void add_process(nlohmann::ordered_json& json, const std::string& started);
/// Puts an account in the place of a file at once. Failure(io) naming the file.
void write_account(const std::string& path, const nlohmann::ordered_json& json);

/// Writes at most once per interval, except where `now` is asked for.
class StatusFile {
 public:
  explicit StatusFile(std::string path, double interval_seconds = 5.0);
  void update(const RunStatus& status, bool now = false);
  const std::string& path() const { return path_; }
  /// When the run has started, ISO 8601: where it goes on in another process the time of the first.
  const std::string& started() const { return started_; }
  void set_started(std::string started) { started_ = std::move(started); }

 private:
  std::string path_, started_;
  FlushClock clock_;
  bool written_ = false;
};

}  // namespace trammel
