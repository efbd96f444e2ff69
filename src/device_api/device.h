// A device of a back end: memory, launches and graphs; errors are thrown as Failure(backend).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "device_api/abi.h"
#include "device_api/kernel.h"

namespace trammel {

/// Counts since the device was opened.
struct DeviceCounters {
  long launches = 0;                          ///< kernels, including those in graphs
  long submitted = 0;                         ///< kernels outside of graphs, and graphs
  long graphs = 0;                            ///< graphs run
  long copies = 0;                            ///< to or from host memory
  std::int64_t uploaded = 0, downloaded = 0;  ///< bytes
  long answers = 0;                           ///< for which the program waited
  double waited = 0;                          ///< seconds in which it did
};

/// Memory of their own of all threads that a device holds at a time, if each has so many bytes; 0: unknown.
constexpr std::uint64_t thread_memory_of(const TrammelDeviceInfo& info, std::uint64_t each) {
  return each * static_cast<std::uint64_t>(info.threads) * static_cast<std::uint64_t>(info.multiprocessors);
}

/// An open device. All work runs in order in one queue; not thread-safe. Every function throws
/// Failure(backend) with the back end's message when the device reports an error.
class Device {
 public:
  /// Throws Failure(backend) when there is no such device. `api` must outlive the object.
  Device(const TrammelDeviceApi& api, int index);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const TrammelDeviceInfo& info() const { return info_; }
  std::string backend() const { return api_.name; }
  const DeviceCounters& counters() const { return counters_; }

  /// Unused device memory in bytes; 0: unknown.
  std::uint64_t free_memory() const;
  void* allocate(std::size_t bytes);
  void release(void* there);
  void upload(void* there, const void* here, std::size_t bytes);
  void download(void* here, const void* there, std::size_t bytes);
  void copy(void* there, const void* from_there, std::size_t bytes);
  void clear(void* there, std::size_t bytes);

  /// Runs kernel(item) for items 0..items-1; `shared` bytes for each group of threads.
  template <class Kernel>
  void launch(const Kernel& kernel, int items, std::size_t shared = kernel_memory<Kernel>) {
    static_assert(std::is_trivially_copyable_v<Kernel>);
    if (items > 0) launch(Kernel::name, &kernel, sizeof kernel, items, shared);
  }
  /// A device keeps the memory of a kernel's threads, as many as it holds at a time, from the first launch on
  /// (of several kernels that of the largest). This is it in bytes, taken now by launching one item of
  /// `idle`, which does nothing. Throws Failure(backend) with the sizes where less than that and `besides` is
  /// free.
  template <class Kernel>
  std::uint64_t take_thread_memory(const Kernel& idle, std::uint64_t besides) {
    const std::uint64_t bytes = require_thread_memory(Kernel::name, sizeof idle, besides);
    if (bytes <= thread_memory_) return bytes;
    launch(idle, 1);
    synchronize();
    return thread_memory_ = bytes;
  }
  void synchronize();

  /// Records the launches in record() as a graph that can be run again. Must be released before the device.
  template <class Record>
  std::shared_ptr<void> graph(Record&& record) {
    begin_graph();
    try {
      record();
    } catch (...) {
      abandon_graph();
      throw;
    }
    return end_graph();
  }
  /// In a graph that is being recorded: the launches in record() are run unless the number at `condition`, on
  /// the device, is 0 when the graph gets there; with `again` until it is 0. Only where has_sections().
  template <class Record>
  void section(const int* condition, bool again, Record&& record) {
    begin_section(condition, again);
    record();
    end_section();
  }
  bool has_sections() const { return info_.no_sections[0] == 0; }
  void run(const std::shared_ptr<void>& graph);
  /// Number of kernels in the graph, those of sections once.
  long launches_of(const std::shared_ptr<void>& graph) const { return in_graph_.at(graph.get()); }

  /// The queue, for other libraries that work on the device (TrammelDeviceApi::queue).
  struct Queue {
    int device = 0;
    void* handle = nullptr;
  };
  Queue queue() const;

  /// Seconds of device time between start_clock() and read_clock().
  void start_clock();
  double read_clock();

 private:
  void launch(const char* name, const void* arguments, std::size_t size, int items, std::size_t shared);
  int kernel_of(const char* name, std::size_t size);
  std::uint64_t require_thread_memory(const char* name, std::size_t size, std::uint64_t besides);
  void begin_graph();
  std::shared_ptr<void> end_graph();
  void abandon_graph();
  void begin_section(const int* condition, bool again);
  void end_section();
  void check(int status, const char* what) const;
  template <class Call>
  void wait(const Call& call, const char* what);

  const TrammelDeviceApi& api_;
  void* context_ = nullptr;
  TrammelDeviceInfo info_{};
  DeviceCounters counters_;
  std::unordered_map<const char*, int> kernels_;  ///< kernel number by address of its name
  std::uint64_t thread_memory_ = 0;               ///< taken
  bool recording_ = false;
  long recorded_ = 0;                               ///< launches recorded so far
  std::unordered_map<const void*, long> in_graph_;  ///< number of launches of each graph
};

/// An array of `size` values of T in device memory.
template <class T>
class DeviceArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  DeviceArray() = default;
  DeviceArray(Device& device, std::size_t size) : device_(&device), size_(size) {
    if (size > 0) data_ = static_cast<T*>(device.allocate(size * sizeof(T)));
  }
  DeviceArray(Device& device, std::span<const T> values) : DeviceArray(device, values.size()) {
    upload(values);
  }
  DeviceArray(DeviceArray&& other) noexcept { *this = std::move(other); }
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~DeviceArray() {
    if (data_) device_->release(data_);
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  /// Copies `values` to the first elements of the array.
  void upload(std::span<const T> values) {
    if (!values.empty()) device_->upload(data_, values.data(), values.size_bytes());
  }
  void download(std::span<T> values) const {
    if (!values.empty()) device_->download(values.data(), data_, values.size_bytes());
  }
  void clear() {
    if (size_ > 0) device_->clear(data_, size_ * sizeof(T));
  }

 private:
  Device* device_ = nullptr;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace trammel
