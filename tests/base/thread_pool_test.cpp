#include "base/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/diagnostics.h"

namespace trammel::thread_pool_test {
namespace {

TEST(ThreadPool, SlicesCoverEverythingOnce) {
  for (int slices : {1, 2, 3, 7, 64}) {
    for (int count : {0, 1, 2, 5, 63, 64, 65, 1000}) {
      int next = 0;
      for (int k = 0; k < slices; ++k) {
        const Slice slice = slice_of(count, slices, k);
        EXPECT_EQ(slice.begin, next);
        EXPECT_LE(slice.end - slice.begin, count / slices + 1);
        next = slice.end;
      }
      EXPECT_EQ(next, count);
    }
  }
  const Slice last = slice_of(2'000'000'000, 3, 2);  // no overflow on the way
  EXPECT_EQ(last.end, 2'000'000'000);
}

// Many short jobs, so that a lost wake-up or a job begun twice would show.
TEST(ThreadPool, EveryTaskIsDoneOnceAndSeenByTheCaller) {
  for (int threads : {1, 2, 3, 5}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (int tasks : {0, 1, 2, 3, 17, 100}) {
      std::vector<int> count(tasks, 0);  // plain ints: run() has to order the writes before its return
      for (int round = 0; round < 200; ++round) pool.run(tasks, [&](int t) { ++count[t]; });
      for (int c : count) EXPECT_EQ(c, 200) << threads << " threads, " << tasks << " tasks";
    }
  }
}

TEST(ThreadPool, SleepingWorkersWakeUp) {
  ThreadPool pool(3);
  for (int round = 0; round < 5; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // long after the workers stop looking
    std::vector<int> seen(30, 0);
    pool.run(30, [&](int t) { seen[t] = t; });
    for (int t = 0; t < 30; ++t) EXPECT_EQ(seen[t], t);
  }
}

TEST(ThreadPool, TheCallerBeginsWithTheFirstTasksAndOthersTakePart) {
  ThreadPool pool(3);
  std::set<std::thread::id> seen;
  const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (seen.size() < 3 && std::chrono::steady_clock::now() < latest) {
    std::vector<std::thread::id> of(10);
    pool.run(10, [&](int t) {
      of[t] = std::this_thread::get_id();
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    });
    EXPECT_EQ(of[0], std::this_thread::get_id());
    seen.insert(of.begin(), of.end());
  }
  EXPECT_EQ(seen.size(), 3u);
}

// Tasks of threads that sleep are done by who is awake. A thread that the system has kept from falling asleep
// may take part now and then.
TEST(ThreadPool, DoesNotWaitForThreadsThatSleep) {
  ThreadPool pool(4);
  int alone = 0;
  for (int round = 0; round < 50; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // long after the workers stop looking
    std::vector<std::thread::id> of(8);
    pool.run(
        8, [&](int t) { of[t] = std::this_thread::get_id(); }, Sleepers::leave);
    alone += std::count(of.begin(), of.end(), std::this_thread::get_id()) == 8;
  }
  EXPECT_GT(alone, 0);
}

// Short jobs one behind the other, now and then after a pause: whoever comes late finds slices of a job that
// is over.
TEST(ThreadPool, LateThreadsDoNothingOfJobsThatAreOver) {
  ThreadPool pool(4);
  std::vector<int> count(4);
  for (int round = 0; round < 20000; ++round) {
    const int tasks = 1 + round % 4;
    std::fill(count.begin(), count.end(), 0);
    pool.run(
        tasks, [&](int t) { ++count[t]; }, round % 3 == 0 ? Sleepers::leave : Sleepers::wake);
    for (int t = 0; t < 4; ++t) ASSERT_EQ(count[t], t < tasks ? 1 : 0) << "round " << round;
    if (round % 1000 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST(ThreadPool, OneThreadRunsInline) {
  ThreadPool pool(1);
  std::vector<int> order;
  const std::thread::id caller = std::this_thread::get_id();
  pool.run(5, [&](int t) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    order.push_back(t);
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(ThreadPool, ExceptionOfTheLowestTaskIsThrownAndAllTasksAreRun) {
  for (int threads : {1, 2, 4}) {
    ThreadPool pool(threads);
    std::atomic<int> done{0};
    std::string what;
    try {
      pool.run(12, [&](int t) {
        ++done;
        if (t == 11 || t == 4 || t == 7) throw std::runtime_error("task " + std::to_string(t));
      });
    } catch (const std::runtime_error& error) {
      what = error.what();
    }
    EXPECT_EQ(what, "task 4") << threads;
    EXPECT_EQ(done, 12) << threads;
    done = 0;
    pool.run(3, [&](int) { ++done; });  // and the pool is as good as new
    EXPECT_EQ(done, 3);
  }
}

TEST(ThreadPool, QueuedTasksAreDoneOnce) {
  for (int threads : {1, 2, 3, 5}) {
    ThreadPool pool(threads);
    for (int tasks : {0, 1, 2, 3, 17, 100}) {
      std::vector<int> count(tasks, 0);
      for (int round = 0; round < 200; ++round) pool.run_queued(tasks, [&](int t) { ++count[t]; });
      for (int c : count) EXPECT_EQ(c, 200) << threads << " threads, " << tasks << " tasks";
    }
  }
}

// The first task waits for the last one: with fixed slices both belong to different threads only as long as
// no thread has two of them; here one thread must do all the others meanwhile.
TEST(ThreadPool, QueuedTasksDoNotWaitBehindALongOne) {
  ThreadPool pool(2);
  std::atomic<int> done{0};
  bool waited = false;
  pool.run_queued(20, [&](int t) {
    if (t > 0) {
      ++done;
      return;
    }
    const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (done < 19 && std::chrono::steady_clock::now() < latest) std::this_thread::yield();
    waited = done == 19;
  });
  EXPECT_TRUE(waited);
}

TEST(ThreadPool, QueuedTasksAreTakenInTheirOrder) {
  ThreadPool pool(1);
  std::vector<int> order;
  pool.run_queued(5, [&](int t) { order.push_back(t); });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(ThreadPool, QueuedTasksAreAllRunWhenSomeThrow) {
  for (int threads : {1, 2, 4}) {
    ThreadPool pool(threads);
    std::atomic<int> done{0};
    std::string what;
    try {
      pool.run_queued(12, [&](int t) {
        ++done;
        if (t == 11 || t == 4 || t == 7) throw std::runtime_error("task " + std::to_string(t));
      });
    } catch (const std::runtime_error& error) {
      what = error.what();
    }
    EXPECT_EQ(what, "task 4") << threads;
    EXPECT_EQ(done, 12) << threads;
    done = 0;
    pool.run_queued(3, [&](int) { ++done; });
    EXPECT_EQ(done, 3);
  }
}

TEST(ThreadPool, MisuseIsRefused) {
  EXPECT_THROW(ThreadPool(0), Failure);
  EXPECT_THROW(ThreadPool(-2), Failure);
  ThreadPool pool(2);
  EXPECT_THROW(pool.run(2, [&](int) { pool.run(2, [](int) {}); }), Failure);
}

}  // namespace
}  // namespace trammel::thread_pool_test
