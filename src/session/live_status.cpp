#include "session/live_status.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <utility>

#include "base/diagnostics.h"
#include "base/text.h"

namespace trammel {

namespace {

double status_seconds() {
  constexpr double usual = 4;
  const char* given = std::getenv("TRAMMEL_STATUS_SECONDS");
  if (!given) return usual;
  const auto seconds = parse_number(given);
  if (!seconds || !(*seconds > 0) || !(*seconds <= 3600))
    fail(ExitCode::usage, "TRAMMEL_STATUS_SECONDS={}: a time from 0 to 3600 s is needed", given);
  return *seconds;
}

/// Blocks all signals for the thread made meanwhile: they are for the thread that computes.
class WithoutSignals {
 public:
  WithoutSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~WithoutSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

LiveStatus::LiveStatus(std::string path) : file_(std::move(path)), seconds_(status_seconds()) {}

LiveStatus::~LiveStatus() {
  stop();
}

void LiveStatus::begin(const RunStatus& status) {
  set(status);
  write();
  if (thread_.joinable()) return;
  const WithoutSignals blocked;
  thread_ = std::thread([this] { write_at_intervals(); });
}

void LiveStatus::set(const RunStatus& status) {
  {
    const std::lock_guard lock(mutex_);
    phase_is_new_ = phase_is_new_ || status.phase != status_.phase;
    status_ = status;
  }
  waking_.notify_all();
}

void LiveStatus::step(double t, double h, long long steps) {
  const std::lock_guard lock(mutex_);
  status_.t = t;
  status_.step_size = h;
  status_.steps = steps;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void LiveStatus::end(const RunStatus& status) {
  stop();
  set(status);
  write();
}

void LiveStatus::write() {
  const std::lock_guard one_at_a_time(writing_);
  RunStatus status;
  {
    const std::lock_guard lock(mutex_);
    status = status_;
  }
  left_.measure(status.start, status.t);
  if (status.state == "running") status.seconds_left = left_.seconds(status.end);
  file_.update(status, true);
}

/// Waits until a status is due; false where no other one is. A new phase is due soon: runs that take
/// milliseconds have ended by then, and need no further file.
bool LiveStatus::wait_until_due(std::unique_lock<std::mutex>& lock) {
  using Seconds = std::chrono::duration<double>;
  const double soon = std::min(0.05, seconds_);
  if (waking_.wait_for(lock, Seconds(seconds_), [this] { return stop_ || phase_is_new_; }))
    waking_.wait_for(lock, Seconds(soon), [this] { return stop_; });
  phase_is_new_ = false;
  return !stop_;
}

void LiveStatus::write_at_intervals() {
  std::unique_lock lock(mutex_);
  while (wait_until_due(lock)) {
    lock.unlock();
    std::exception_ptr failure;
    try {
      write();
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    failure_ = failure;  // of the last write: a success clears an earlier failure
  }
}

void LiveStatus::stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  waking_.notify_all();
  if (thread_.joinable()) thread_.join();
}

}  // namespace trammel
