#include "backends/host.h"

#include <barrier>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "backends/kernel_list.h"
#include "base/clock.h"
#include "device_api/kernel.h"

namespace trammel {
namespace {

constexpr int threads_of_a_group = 4;  // on device 1
constexpr int shared_memory = 1 << 20;

/// A group of threads that wait for each other in sync(), like those of a device.
class ThreadGroup {
 public:
  ThreadGroup(int rank, int size, void* shared, std::barrier<>& barrier)
      : rank_(rank), size_(size), shared_(shared), barrier_(barrier) {}
  int rank() const { return rank_; }
  int size() const { return size_; }
  void sync() const { barrier_.arrive_and_wait(); }
  void* shared() const { return shared_; }

 private:
  int rank_, size_;
  void* shared_;
  std::barrier<>& barrier_;
};

/// The threads of device 1. They are made by the first launch in groups, and wait for each other between
/// launches, too; the calling thread is the first of a group.
class ThreadTeam {
 public:
  /// Items of a launch, done by each thread of a group; the last thing it does is to wait for the others.
  struct Work {
    void (*run)(const void* kernel, int items, const ThreadGroup& group);
    const void* kernel;
    int items;
  };

  ThreadTeam() = default;
  ~ThreadTeam() {
    if (others_.empty()) return;
    work_ = {};
    barrier_.arrive_and_wait();
    for (std::thread& t : others_) t.join();
  }
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  void run(const Work& work, void* shared) {
    for (int rank = static_cast<int>(others_.size()) + 1; rank < threads_of_a_group; ++rank)
      others_.emplace_back([this, rank] { wait_for_work(rank); });
    work_ = work;
    shared_ = shared;
    barrier_.arrive_and_wait();
    take_part(0);
  }

 private:
  void take_part(int rank) {
    work_.run(work_.kernel, work_.items, {rank, threads_of_a_group, shared_, barrier_});
  }
  void wait_for_work(int rank) {
    while (true) {
      barrier_.arrive_and_wait();
      if (!work_.run) return;
      take_part(rank);
    }
  }

  std::barrier<> barrier_{threads_of_a_group};
  std::vector<std::thread> others_;
  Work work_{};
  void* shared_ = nullptr;
};

struct KernelEntry {
  const char* name;
  std::size_t size;
  void (*serial)(const void* kernel, int items, void* shared);
  void (*threaded)(const void* kernel, int items, void* shared, ThreadTeam& team);
};

template <class Kernel>
void run_serial(const void* kernel, int items, void* shared) {
  for (int i = 0; i < items; ++i) run_item(*static_cast<const Kernel*>(kernel), i, shared);
}

template <class Kernel>
void run_in_group(const void* kernel, int items, const ThreadGroup& group) {
  for (int i = 0; i < items; ++i) {
    (*static_cast<const Kernel*>(kernel))(i, group);
    group.sync();  // the next item uses the same shared memory
  }
}

template <class Kernel>
void run_threaded(const void* kernel, int items, void* shared, [[maybe_unused]] ThreadTeam& team) {
  if constexpr (kernel_threads < Kernel >> 1) {
    if (items > 0) team.run({run_in_group<Kernel>, kernel, items}, shared);
  } else {
    run_serial<Kernel>(kernel, items, shared);
  }
}

template <class Kernel>
constexpr KernelEntry entry_of() {
  return {Kernel::name, sizeof(Kernel), run_serial<Kernel>, run_threaded<Kernel>};
}

constexpr auto kernels = Kernels::entries([]<class Kernel>() { return entry_of<Kernel>(); });

/// A launch that was recorded, or a section with such.
struct Recorded {
  const KernelEntry* kernel = nullptr;  ///< null: a section
  std::vector<unsigned char> arguments = {};
  int items = 0;
  const int* condition = nullptr;
  bool again = false;
  std::vector<Recorded> section = {};
};
using Graph = std::vector<Recorded>;

struct Context {
  bool threaded = false;
  ThreadTeam team;
  std::vector<unsigned char> shared = std::vector<unsigned char>(shared_memory);
  std::unique_ptr<Graph> graph;   ///< that is being recorded
  std::vector<Graph*> recording;  ///< where launches are recorded: the graph, or the innermost section of it
  Stopwatch clock;

  void run(const KernelEntry& kernel, const void* arguments, int items) {
    if (threaded)
      kernel.threaded(arguments, items, shared.data(), team);
    else
      kernel.serial(arguments, items, shared.data());
  }
  void run(const Graph& recorded) {
    for (const Recorded& r : recorded) {
      if (r.kernel) {
        run(*r.kernel, r.arguments.data(), r.items);
        continue;
      }
      while (*r.condition != 0) {
        run(r.section);
        if (!r.again) break;
      }
    }
  }
};

thread_local std::string last_error;

int refuse(std::string text) {
  last_error = std::move(text);
  return 1;
}

const char* error() {
  return last_error.c_str();
}

int count(int* devices) {
  *devices = 2;
  return 0;
}

int describe(int device, TrammelDeviceInfo* info) {
  *info = {};
  std::strcpy(info->name, device == 0 ? "processor, loops" : "processor, groups of four threads");
  std::strcpy(info->driver, "none");
  info->shared_memory = shared_memory;
  return 0;
}

int open(int device, void** context) {
  auto* c = new Context;
  c->threaded = device == 1;
  *context = c;
  return 0;
}

void close(void* context) {
  delete static_cast<Context*>(context);
}

/// Unknown: the operating system provides memory when it is first touched.
int free_memory(void*, uint64_t* bytes) {
  *bytes = 0;
  return 0;
}

int allocate(void*, std::size_t bytes, void** there) {
  *there = std::malloc(bytes);
  if (!*there) return refuse("out of memory");
  std::memset(*there, 0xff, bytes);
  return 0;
}

void release(void*, void* there) {
  std::free(there);
}

/// Copies must not be recorded: they would not be part of the graph.
int move(void* context, void* to, const void* from, std::size_t bytes) {
  if (static_cast<Context*>(context)->graph) return refuse("copies are not recorded in graphs");
  std::memcpy(to, from, bytes);
  return 0;
}

int clear(void* context, void* there, std::size_t bytes) {
  if (static_cast<Context*>(context)->graph) return refuse("memory is not cleared in graphs");
  std::memset(there, 0, bytes);
  return 0;
}

int find_kernel(const char* name, std::size_t size) {
  return find_kernel_in(kernels, name, size);
}

int launch(void* context, int index, const void* arguments, int items, std::size_t shared) {
  Context& c = *static_cast<Context*>(context);
  const KernelEntry& kernel = kernels[index];
  if (shared > shared_memory) return refuse("a group asks for more shared memory than there is");
  if (c.graph) {
    const auto* bytes = static_cast<const unsigned char*>(arguments);
    c.recording.back()->push_back({&kernel, {bytes, bytes + kernel.size}, items});
  } else {
    c.run(kernel, arguments, items);
  }
  return 0;
}

/// The stack of a thread is there anyway.
int thread_memory(void*, int, uint64_t* bytes) {
  *bytes = 0;
  return 0;
}

int synchronize(void*) {
  return 0;
}

int begin_graph(void* context) {
  Context& c = *static_cast<Context*>(context);
  c.graph = std::make_unique<Graph>();
  c.recording = {c.graph.get()};
  return 0;
}

int end_graph(void* context, void** graph) {
  Context& c = *static_cast<Context*>(context);
  const bool complete = c.recording.size() == 1;
  c.recording.clear();
  const std::unique_ptr<Graph> recorded = std::move(c.graph);
  if (!complete) return refuse("a section of the graph has no end");
  *graph = new Graph(std::move(*recorded));
  return 0;
}

int run_graph(void* context, void* graph) {
  static_cast<Context*>(context)->run(*static_cast<const Graph*>(graph));
  return 0;
}

void release_graph(void*, void* graph) {
  delete static_cast<Graph*>(graph);
}

int begin_section(void* context, const int* condition, int again) {
  Context& c = *static_cast<Context*>(context);
  if (!c.graph) return refuse("sections are parts of graphs");
  Recorded section{.condition = condition, .again = again != 0};
  c.recording.back()->push_back(std::move(section));
  c.recording.push_back(&c.recording.back()->back().section);
  return 0;
}

int end_section(void* context) {
  Context& c = *static_cast<Context*>(context);
  if (c.recording.size() < 2) return refuse("there is no section to end");
  c.recording.pop_back();
  return 0;
}

int start_clock(void* context) {
  static_cast<Context*>(context)->clock = {};
  return 0;
}

int read_clock(void* context, double* seconds) {
  *seconds = static_cast<Context*>(context)->clock.seconds();
  return 0;
}

int queue(void* context, int* device, void** queue) {
  *device = static_cast<Context*>(context)->threaded ? 1 : 0;
  *queue = nullptr;
  return 0;
}

}  // namespace

const TrammelDeviceApi& host_device_api() {
  static const TrammelDeviceApi api{
      TRAMMEL_DEVICE_ABI, "host",        error,         count,       describe,    open,      close,
      free_memory,        allocate,      release,       move,        move,        move,      clear,
      find_kernel,        launch,        thread_memory, synchronize, begin_graph, end_graph, run_graph,
      release_graph,      begin_section, end_section,   start_clock, read_clock,  queue};
  return api;
}

}  // namespace trammel
