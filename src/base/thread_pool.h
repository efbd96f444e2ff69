// A few threads that wait for loops to share.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <type_traits>

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

/// Whether a job wakes threads that sleep. Until they work that takes some 40 us, and some 15 us of the
/// caller.
enum class Sleepers { wake, leave };
/// Jobs that one thread does in less gain nothing by waking others.
constexpr double worth_waking_ns = 80e3;

/// A fixed team of threads; the caller of run() is its first member. Member k does slice k of a job, the
/// tasks slice_of(tasks, members, k) in ascending order. Who has done that goes on with slices that nobody
/// has begun, so a job never waits for a thread that has still to wake. A loop whose tasks write to separate
/// places gives the same bits with any number of threads. One caller at a time; a task must not call run() of
/// its own pool, nor wait for another task.
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

  int threads() const { return threads_; }

  /// Calls function(0) .. function(tasks - 1) and returns when all are done. All tasks run even if some
  /// throw; then the exception of the lowest task is thrown. Allocates nothing. Overhead: about a microsecond
  /// while calls follow each other within 50 us; beyond that the threads sleep.
  template <class Function>
  void run(int tasks, Function&& function, Sleepers sleepers = Sleepers::wake) {
    using Plain = std::remove_reference_t<Function>;
    start({[](void* f, int task) { (*static_cast<Plain*>(f))(task); },
           const_cast<void*>(static_cast<const void*>(&function)), tasks},
          sleepers);
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
          note(queue, task);
        }
      }
    });
    if (queue.first) std::rethrow_exception(queue.first);
  }

 private:
  /// Tasks in the order in which they are taken, and the exception of the lowest one that threw.
  struct Queue {
    std::atomic<int> next{0};
    int task = 0;
    std::exception_ptr first;
  };
  struct Job {
    void (*call)(void*, int);
    void* function;
    int tasks;
    int slices = 1;
  };
  /// What there is for each slice; a cache line each.
  struct alignas(64) SliceState {
    std::atomic<std::uint64_t> taken{0};  ///< the last job of which somebody has taken this slice
    std::exception_ptr exception;         ///< of the present job
  };
  /// A job's number and its slices in one word: who holds a word that is no longer the present one sees by it
  /// which slices that job had, and by `taken` that they are gone.
  static constexpr int slice_bits = 16;
  static std::uint64_t number_of(std::uint64_t word) { return word >> slice_bits; }
  static int slices_of(std::uint64_t word) { return static_cast<int>(word & ((1u << slice_bits) - 1)); }

  /// The threads but the caller's, and what they sleep by.
  struct Team;

  /// Keeps the exception that is being handled, if its task is the lowest so far.
  void note(Queue& queue, int task);
  void start(Job job, Sleepers sleepers);
  void share(const Job& job, Sleepers sleepers);
  void work(int member);
  std::uint64_t next_word(std::uint64_t seen);
  bool take(int slice, std::uint64_t word);
  bool take_part(int member, std::uint64_t word);
  void do_slice(int slice);
  void wait_for_others();
  void wake_all();
  void stop();

  const int threads_;
  std::unique_ptr<Team> team_;
  std::unique_ptr<SliceState[]> slice_;
  Job job_{};
  bool polls_ = false;  ///< members look for work for a while before they sleep
  std::atomic<bool> busy_{false}, stop_{false};
  std::atomic<std::uint64_t> word_{0};  ///< of the last job that was shared
  std::atomic<int> unfinished_{0};      ///< slices of the present job
  std::atomic<int> sleeping_{0};        ///< workers that must be woken
};

}  // namespace trammel
