// The status file of a run, written at intervals and after a change of the phase by a thread of its own, so
// also during a long step, initial conditions or reading.
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
  /// The interval is TRAMMEL_STATUS_SECONDS [s], 4 if it is not set. Failure(usage) where its value is no
  /// such time.
  explicit LiveStatus(std::string path);
  ~LiveStatus();
  LiveStatus(const LiveStatus&) = delete;
  LiveStatus& operator=(const LiveStatus&) = delete;

  /// Writes this status and begins to write at intervals. Failure(io) naming the file.
  void begin(const RunStatus& status);
  /// Sets the status that is written from now on.
  void set(const RunStatus& status);
  /// Sets time, size and number of steps. Rethrows the failure of the last write.
  void step(double t, double h, long long steps);
  /// Writes this status as the last one.
  void end(const RunStatus& status);

  const std::string& started() const { return file_.started(); }
  void set_started(const std::string& started) { file_.set_started(started); }

 private:
  void write();
  bool wait_until_due(std::unique_lock<std::mutex>& lock);
  void write_at_intervals();
  void stop();

  StatusFile file_;
  double seconds_;
  std::mutex writing_, mutex_;
  std::condition_variable waking_;
  // Guarded by `mutex_`:
  RunStatus status_;
  bool stop_ = false, phase_is_new_ = false;
  std::exception_ptr failure_;
  TimeLeft left_;  ///< guarded by `writing_`
  std::thread thread_;
};

}  // namespace trammel
