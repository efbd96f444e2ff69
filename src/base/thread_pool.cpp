#include "base/thread_pool.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/diagnostics.h"

namespace trammel {
namespace {

/// A thread without work looks for it as long as the serial code between two loops of a step takes: short
/// compared to a time slice of the operating system's scheduler.
constexpr std::chrono::microseconds kPolling{50};

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/// Polls until there() or the time is over; whether there().
template <class There>
bool poll(There there) {
  const auto latest = std::chrono::steady_clock::now() + kPolling;
  do {
    for (int k = 0; k < 16; ++k) {
      if (there()) return true;
      pause();
    }
  } while (std::chrono::steady_clock::now() < latest);
  return there();
}

}  // namespace

struct ThreadPool::Team {
  std::vector<std::thread> workers;
  std::mutex mutex;
  std::condition_variable new_job, all_done;
};

ThreadPool::ThreadPool(int threads) : threads_(threads), team_(std::make_unique<Team>()) {
  constexpr int most = (1 << slice_bits) - 1;
  if (threads < 1 || threads > most)
    fail(ExitCode::usage, "number of threads is {}; 1 to {} are possible", threads, most);
  slice_ = std::make_unique<SliceState[]>(threads);
  // Polling on a processor that another member needs would only delay that member.
  polls_ = std::thread::hardware_concurrency() >= static_cast<unsigned>(threads);
  std::vector<std::thread>& workers = team_->workers;
  workers.reserve(threads - 1);
  try {
    for (int k = 1; k < threads; ++k) workers.emplace_back([this, k] { work(k); });
  } catch (const std::system_error& error) {
    stop();
    fail(ExitCode::internal, "thread {} of {} could not be started: {}", workers.size() + 2, threads,
         error.what());
  }
}

ThreadPool::~ThreadPool() {
  stop();
}

void ThreadPool::stop() {
  stop_ = true;
  word_ += std::uint64_t{1} << slice_bits;
  wake_all();
  for (std::thread& worker : team_->workers) worker.join();
}

void ThreadPool::start(Job job, Sleepers sleepers) {
  if (busy_.exchange(true)) fail(ExitCode::internal, "thread pool: run() while the pool is at work");
  const int workers = threads() - 1;
  if (workers > 0 && (sleepers == Sleepers::wake || sleeping_.load(std::memory_order_relaxed) < workers))
    job.slices = std::clamp(job.tasks, 1, threads());
  job_ = job;
  if (job.slices > 1)
    share(job, sleepers);
  else
    do_slice(0);
  busy_ = false;
  // Slices ascend: the first exception is that of the lowest task.
  std::exception_ptr first;
  for (int k = 0; k < job.slices; ++k) {
    if (std::exception_ptr problem = std::exchange(slice_[k].exception, nullptr); problem && !first)
      first = problem;
  }
  if (first) std::rethrow_exception(first);
}

void ThreadPool::share(const Job& job, Sleepers sleepers) {
  unfinished_.store(job.slices, std::memory_order_relaxed);
  const std::uint64_t number = number_of(word_.load(std::memory_order_relaxed)) + 1;
  const std::uint64_t word = number << slice_bits | static_cast<std::uint64_t>(job.slices);
  word_.store(word);  // before sleeping_ is read, as who falls asleep counts itself and then reads the word
  if (sleepers == Sleepers::wake && sleeping_.load() > 0) wake_all();
  take_part(0, word);
  if (!poll([&] { return unfinished_.load(std::memory_order_acquire) == 0; })) wait_for_others();
}

void ThreadPool::wake_all() {
  { const std::lock_guard lock(team_->mutex); }  // who is about to sleep has looked already, or waits
  team_->new_job.notify_all();
}

void ThreadPool::wait_for_others() {
  std::unique_lock lock(team_->mutex);
  team_->all_done.wait(lock, [&] { return unfinished_.load(std::memory_order_acquire) == 0; });
}

void ThreadPool::note(Queue& queue, int task) {
  const std::lock_guard lock(team_->mutex);
  if (queue.first && queue.task < task) return;
  queue.first = std::current_exception();
  queue.task = task;
}

/// Whether nobody has taken the slice before. The job is then the present one until that slice is done.
bool ThreadPool::take(int slice, std::uint64_t word) {
  std::atomic<std::uint64_t>& taken = slice_[slice].taken;
  std::uint64_t last = taken.load(std::memory_order_relaxed);
  return last < number_of(word) &&
         taken.compare_exchange_strong(last, number_of(word), std::memory_order_acq_rel,
                                       std::memory_order_relaxed);
}

/// Does the member's slice, then those behind it that nobody has begun. Whether it did the last of the job.
bool ThreadPool::take_part(int member, std::uint64_t word) {
  const int slices = slices_of(word);
  bool last = false;
  for (int k = 0; k < slices; ++k) {
    const int slice = (member + k) % slices;
    if (!take(slice, word)) continue;
    do_slice(slice);
    last = unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }
  return last;
}

void ThreadPool::do_slice(int slice) {
  const Slice tasks = slice_of(job_.tasks, job_.slices, slice);
  for (int task = tasks.begin; task < tasks.end; ++task) {
    try {
      job_.call(job_.function, task);
    } catch (...) {
      if (!slice_[slice].exception) slice_[slice].exception = std::current_exception();
    }
  }
}

void ThreadPool::work(int member) {
  for (std::uint64_t word = 0;;) {
    word = next_word(word);
    if (stop_.load(std::memory_order_acquire)) return;
    if (take_part(member, word)) {
      { const std::lock_guard lock(team_->mutex); }  // the caller either sleeps or will check again
      team_->all_done.notify_one();
    }
  }
}

std::uint64_t ThreadPool::next_word(std::uint64_t seen) {
  std::uint64_t word = seen;
  const auto there = [&] { return (word = word_.load()) != seen; };
  if (polls_ && poll(there)) return word;
  std::unique_lock lock(team_->mutex);
  ++sleeping_;
  team_->new_job.wait(lock, there);
  --sleeping_;
  return word;
}

}  // namespace trammel
