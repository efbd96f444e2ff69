#include "base/thread_pool.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/diagnostics.h"

namespace trammel {
namespace {

/// Polls for about 30 us: longer than the serial code between two loops of a step, short compared to a time
/// slice of the operating system's scheduler.
constexpr int kSpin = 2000;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

ThreadPool::ThreadPool(int threads) {
  if (threads < 1) fail(ExitCode::usage, "number of threads is {}; 1 or more are possible", threads);
  problem_ = std::make_unique<Problem[]>(threads);
  // Polling on a processor that another member needs would only delay that member.
  if (std::thread::hardware_concurrency() >= static_cast<unsigned>(threads)) spins_ = kSpin;
  workers_.reserve(threads - 1);
  try {
    for (int k = 1; k < threads; ++k) workers_.emplace_back([this, k] { work(k); });
  } catch (const std::system_error& error) {
    stop();
    fail(ExitCode::internal, "thread {} of {} could not be started: {}", workers_.size() + 2, threads,
         error.what());
  }
}

ThreadPool::~ThreadPool() {
  stop();
}

void ThreadPool::stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    ++generation_;
  }
  new_job_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::start(const Job& job) {
  if (busy_.exchange(true)) fail(ExitCode::internal, "thread pool: run() while the pool is at work");
  job_ = job;
  // Fewer than two tasks cannot be shared.
  const bool shared = !workers_.empty() && job.tasks > 1;
  if (shared) {
    unfinished_.store(static_cast<int>(workers_.size()), std::memory_order_relaxed);
    {
      const std::lock_guard lock(mutex_);  // a worker that is about to sleep must not miss this
      generation_.fetch_add(1, std::memory_order_release);
    }
    new_job_.notify_all();
    do_slice(0);
    wait_for_workers();
  } else {
    for (int task = 0; task < job.tasks; ++task) {
      try {
        job.call(job.function, task);
      } catch (...) {
        if (!problem_[0].exception) problem_[0].exception = std::current_exception();
      }
    }
  }
  busy_ = false;
  // Slices ascend with the threads: the first exception is that of the lowest task.
  std::exception_ptr first;
  for (int k = 0; k < threads(); ++k) {
    if (std::exception_ptr problem = std::exchange(problem_[k].exception, nullptr); problem && !first)
      first = problem;
  }
  if (first) std::rethrow_exception(first);
}

void ThreadPool::Queue::note(int of_task) {
  const std::lock_guard lock(mutex);
  if (first && task < of_task) return;
  first = std::current_exception();
  task = of_task;
}

void ThreadPool::do_slice(int thread) {
  const Slice slice = slice_of(job_.tasks, threads(), thread);
  for (int task = slice.begin; task < slice.end; ++task) {
    try {
      job_.call(job_.function, task);
    } catch (...) {
      if (!problem_[thread].exception) problem_[thread].exception = std::current_exception();
    }
  }
}

void ThreadPool::work(int thread) {
  for (std::uint64_t seen = 0;; ++seen) {
    wait_for_job(seen);
    if (stop_.load(std::memory_order_acquire)) return;
    do_slice(thread);
    if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      { const std::lock_guard lock(mutex_); }  // the caller either sleeps or will check again
      all_done_.notify_one();
    }
  }
}

void ThreadPool::wait_for_job(std::uint64_t seen) {
  const auto there = [&] { return generation_.load(std::memory_order_acquire) != seen; };
  for (int k = 0; k < spins_; ++k) {
    if (there()) return;
    pause();
  }
  std::unique_lock lock(mutex_);
  new_job_.wait(lock, there);
}

void ThreadPool::wait_for_workers() {
  const auto done = [&] { return unfinished_.load(std::memory_order_acquire) == 0; };
  for (int k = 0; k < spins_; ++k) {
    if (done()) return;
    pause();
  }
  std::unique_lock lock(mutex_);
  all_done_.wait(lock, done);
}

}  // namespace trammel
