// The status file of a run, refreshed by a thread of its own whatever the run is busy with: a long step,
// initial conditions, reading.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <thread>

#include "output/progress.h"
#include "output/status_file.h"

namespace trammel {

class LiveStatus {
 public:
  /// Longest time between two writes [s]: TRAMMEL_STATUS_SECONDS, 4 unless it is set. Failure(usage) where
  /// that is no time.
  explicit LiveStatus(std::string path);
  ~LiveStatus();
  LiveStatus(const LiveStatus&) = delete;
  LiveStatus& operator=(const LiveStatus&) = delete;

  /// Begins to write, with this status. Failure(io) naming the file.
  void begin(const RunStatus& status);
  /// What is written from now on.
  void set(const RunStatus& status);
  /// The same for a step that has been taken. Rethrows what a write has failed with since.
  void step(double t, double h, long long steps);
  /// Writes this status and no other any more.
  void end(const RunStatus& status);

  const std::string& started() const { return file_.started(); }
  void set_started(const std::string& started) { file_.set_started(started); }

 private:
  void write();
  void write_at_intervals();
  void stop();

  StatusFile file_;
  double seconds_;
  std::mutex writing_, mutex_;
  std::condition_variable stopping_;
  // Under `mutex_`:
  RunStatus status_;
  bool stop_ = false;
  std::exception_ptr failure_;
  TimeLeft left_;  ///< under `writing_`
  std::thread thread_;
};

}  // namespace trammel
