// A few threads that wait for loops to share.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace trammel {

/// Half-open range [begin, end) of indices.
struct Slice {
  int begin, end;
};
/// The k-th of `slices` nearly equal, contiguous parts of 0..count-1.
inline Slice slice_of(int count, int slices, int k) {
  const auto cut = [&](int i) { return static_cast<int>(static_cast<std::int64_t>(count) * i / slices); };
  return {cut(k), cut(k + 1)};
}

/// A fixed team of threads; the caller of run() is its first member. Thread k runs the tasks slice_of(tasks,
/// threads, k) in ascending order, so a loop whose tasks write to separate places gives the same bits with
/// any number of threads. One caller at a time; a task must not call run() of its own pool.
///
///     ThreadPool pool(4);
///     pool.run(blocks, [&](int block) { ... });
class ThreadPool {
 public:
  /// `threads` counts the caller; 1 starts no thread and run() is a plain loop. Throws Failure(usage)
  /// below 1, Failure(internal) when the system refuses a thread.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  /// Calls function(0) .. function(tasks - 1) and returns when all are done. All tasks run even if some
  /// throw; then the exception of the lowest task is thrown. Allocates nothing. Overhead: about a microsecond
  /// while calls follow each other within 30 us, else some ten.
  template <class Function>
  void run(int tasks, Function&& function) {
    using Plain = std::remove_reference_t<Function>;
    start({[](void* f, int task) { (*static_cast<Plain*>(f))(task); },
           const_cast<void*>(static_cast<const void*>(&function)), tasks});
  }

  /// run() for tasks of unequal length: a free thread takes the next task, in ascending order, so the
  /// assignment of tasks to threads varies. Allocates nothing, except for exceptions.
  template <class Function>
  void run_queued(int tasks, Function&& function) {
    Queue queue;
    run(tasks < threads() ? tasks : threads(), [&](int) {
      for (int task; (task = queue.next.fetch_add(1, std::memory_order_relaxed)) < tasks;) {
        try {
          function(task);
        } catch (...) {
          queue.note(task);
        }
      }
    });
    if (queue.first) std::rethrow_exception(queue.first);
  }

 private:
  /// Tasks in the order in which they are taken, and the exception of the lowest one that threw.
  struct Queue {
    std::atomic<int> next{0};
    std::mutex mutex;
    int task = 0;
    std::exception_ptr first;
    /// Keeps the exception that is being handled, if its task is the lowest so far.
    void note(int of_task);
  };
  struct Job {
    void (*call)(void*, int);
    void* function;
    int tasks;
  };
  /// Exception in one thread's slice; one cache line each.
  struct alignas(64) Problem {
    std::exception_ptr exception;
  };

  void start(const Job& job);
  void work(int thread);
  void wait_for_job(std::uint64_t seen);
  void wait_for_workers();
  void do_slice(int thread);
  void stop();

  std::vector<std::thread> workers_;
  std::unique_ptr<Problem[]> problem_;
  Job job_{};
  int spins_ = 0;  ///< number of polls for work before a thread sleeps
  std::atomic<bool> busy_{false}, stop_{false};
  std::atomic<std::uint64_t> generation_{0};  ///< jobs started so far
  std::atomic<int> unfinished_{0};            ///< workers that have not finished the present job
  std::mutex mutex_;
  std::condition_variable new_job_, all_done_;
};

}  // namespace trammel
