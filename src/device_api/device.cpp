#include "device_api/device.h"

#include "base/clock.h"
#include "base/diagnostics.h"

namespace trammel {

Device::Device(const TrammelDeviceApi& api, int index) : api_(api) {
  int devices = 0;
  check(api_.count(&devices), "looking for devices");
  if (index < 0 || index >= devices)
    fail(ExitCode::backend, "back end {}: there is no device {}; there {} {}", api_.name, index,
         devices == 1 ? "is" : "are", devices);
  check(api_.describe(index, &info_), "asking what the device is");
  check(api_.open(index, &context_), "opening the device");
}

Device::~Device() {
  if (context_) api_.close(context_);
}

void Device::check(int status, const char* what) const {
  if (status != 0) fail(ExitCode::backend, "back end {}, {}: {}", api_.name, what, api_.error());
}

/// A call that returns when the device has done all that was submitted before.
template <class Call>
void Device::wait(const Call& call, const char* what) {
  const Stopwatch begun;
  const int status = call();
  ++counters_.answers;
  counters_.waited += begun.seconds();
  check(status, what);
}

std::uint64_t Device::free_memory() const {
  std::uint64_t bytes = 0;
  check(api_.free_memory(context_, &bytes), "asking for free memory");
  return bytes;
}

void* Device::allocate(std::size_t bytes) {
  void* there = nullptr;
  check(api_.allocate(context_, bytes, &there), "taking memory");
  return there;
}

void Device::release(void* there) {
  api_.release(context_, there);
}

void Device::upload(void* there, const void* here, std::size_t bytes) {
  check(api_.upload(context_, there, here, bytes), "copying to the device");
  ++counters_.copies;
  counters_.uploaded += static_cast<std::int64_t>(bytes);
}

void Device::download(void* here, const void* there, std::size_t bytes) {
  wait([&] { return api_.download(context_, here, there, bytes); }, "copying from the device");
  ++counters_.copies;
  counters_.downloaded += static_cast<std::int64_t>(bytes);
}

void Device::copy(void* there, const void* from_there, std::size_t bytes) {
  check(api_.copy(context_, there, from_there, bytes), "copying on the device");
}

void Device::clear(void* there, std::size_t bytes) {
  check(api_.clear(context_, there, bytes), "clearing memory");
}

int Device::kernel_of(const char* name, std::size_t size) {
  if (const auto found = kernels_.find(name); found != kernels_.end()) return found->second;
  const int kernel = api_.find_kernel(name, size);
  if (kernel < 0)
    fail(ExitCode::backend, "back end {} {} kernel {}: it is of another build than the program", api_.name,
         kernel == -1 ? "has no" : "has another", name);
  kernels_.emplace(name, kernel);
  return kernel;
}

std::uint64_t Device::require_thread_memory(const char* name, std::size_t size, std::uint64_t besides) {
  std::uint64_t each = 0;
  check(api_.thread_memory(context_, kernel_of(name, size), &each), name);
  const std::uint64_t bytes = thread_memory_of(info_, each), free = free_memory();
  if (bytes <= thread_memory_ || free == 0) return bytes;
  const std::uint64_t needed = bytes - thread_memory_ + besides;
  if (needed > free)
    fail(ExitCode::backend,
         "{} needs {:.2f} GB: {:.2f} GB for its threads ({} bytes for each of {} x {} that {} holds) and "
         "{:.2f} GB besides; "
         "{:.2f} GB are free",
         name, 1e-9 * double(needed), 1e-9 * double(bytes), each, info_.multiprocessors, info_.threads,
         info_.name, 1e-9 * double(besides), 1e-9 * double(free));
  return bytes;
}

void Device::launch(const char* name, const void* arguments, std::size_t size, int items,
                    std::size_t shared) {
  check(api_.launch(context_, kernel_of(name, size), arguments, items, shared), name);
  if (recording_) {
    ++recorded_;
    return;
  }
  ++counters_.launches;
  ++counters_.submitted;
}

void Device::synchronize() {
  wait([&] { return api_.synchronize(context_); }, "computing");
}

void Device::begin_graph() {
  check(api_.begin_graph(context_), "recording a graph");
  recording_ = true;
  recorded_ = 0;
}

std::shared_ptr<void> Device::end_graph() {
  recording_ = false;
  void* graph = nullptr;
  check(api_.end_graph(context_, &graph), "recording a graph");
  in_graph_[graph] = recorded_;
  return {graph, [this](void* g) {
            in_graph_.erase(g);
            api_.release_graph(context_, g);
          }};
}

void Device::abandon_graph() {
  recording_ = false;
  void* graph = nullptr;
  if (api_.end_graph(context_, &graph) == 0 && graph) api_.release_graph(context_, graph);
}

void Device::begin_section(const int* condition, bool again) {
  check(api_.begin_section(context_, condition, again), "recording a section of a graph");
}

void Device::end_section() {
  check(api_.end_section(context_), "recording a section of a graph");
}

void Device::run(const std::shared_ptr<void>& graph) {
  check(api_.run_graph(context_, graph.get()), "running a graph");
  ++counters_.graphs;
  ++counters_.submitted;
  counters_.launches += in_graph_[graph.get()];
}

Device::Queue Device::queue() const {
  Queue queue;
  check(api_.queue(context_, &queue.device, &queue.handle), "asking for its queue");
  return queue;
}

void Device::start_clock() {
  check(api_.start_clock(context_), "starting the clock");
}

double Device::read_clock() {
  double seconds = 0;
  wait([&] { return api_.read_clock(context_, &seconds); }, "reading the clock");
  return seconds;
}

}  // namespace trammel
