// Launches of a graph whose arguments change from run to run: kernels find theirs in a table on the device.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

#include "device_api/device.h"
#include "device_api/kernel.h"

namespace trammel {

/// A kernel whose arguments stand in the device's memory.
template <class Kernel>
struct Tabled {
  /// "tabled_" and the kernel's own.
  static constexpr auto text = [] {
    constexpr std::string_view before = "tabled_", own = Kernel::name;
    std::array<char, before.size() + own.size() + 1> out{};
    for (std::size_t k = 0; k < before.size(); ++k) out[k] = before[k];
    for (std::size_t k = 0; k < own.size(); ++k) out[before.size() + k] = own[k];
    return out;
  }();
  static constexpr const char* name = text.data();
  static constexpr int threads = kernel_threads<Kernel>;
  static constexpr std::size_t memory = kernel_memory<Kernel>;
  const Kernel* kernel;
  TRAMMEL_HD void operator()(int i) const { (*kernel)(i); }
  template <class Group>
  TRAMMEL_HD void operator()(int i, const Group& group) const {
    (*kernel)(i, group);
  }
};

/// A reduction that launches of a table do, with its term: what the result is an answer to.
struct Question {
  static constexpr std::size_t most_bytes = 160;  ///< of a term
  int kind;                                       ///< of its family
  int n;                                          ///< terms
  const void* result;
  alignas(double) unsigned char term[most_bytes];
};

/// Filled anew before each run of the graph by whoever would launch, it says whether the graph that was
/// recorded from it still fits: then only the arguments have changed.
class LaunchTable {
 public:
  void begin() {
    entries_.swap(recorded_);
    entries_.clear();
    recorded_questions_ = questions_.size();
    questions_.clear();
    used_ = 0;
    part_ = 0;
  }
  /// What follows is launched by another call of launch_part().
  void next_part() { ++part_; }
  template <class Kernel>
  void add(const Kernel& kernel, int n) {
    static_assert(alignof(Kernel) <= alignment);
    const std::size_t at = (used_ + alignment - 1) / alignment * alignment;
    used_ = at + sizeof kernel;
    if (bytes_.size() < used_) bytes_.resize(used_);
    std::memcpy(bytes_.data() + at, &kernel, sizeof kernel);
    entries_.push_back({launch_tabled<Kernel>, at, n, part_});
  }
  template <class Family, class Term>
  void ask(const Term& term, int n, const void* result) {
    static_assert(sizeof term <= Question::most_bytes);
    Question& q = questions_.emplace_back(Question{Family::template kind<Term>(), n, result, {}});
    std::memcpy(q.term, &term, sizeof term);
  }

  /// Whether launches and questions are those of the last time, but for arguments and terms.
  bool fits() const { return entries_ == recorded_ && questions_.size() == recorded_questions_; }
  /// Launches part k with the arguments in the table at `there`.
  void launch_part(int k, Device& device, const unsigned char* there) const {
    for (const Entry& e : entries_)
      if (e.part == k) e.launch(device, there + e.at, e.n);
  }
  const std::vector<Question>& questions() const { return questions_; }
  const unsigned char* data() const { return bytes_.data(); }
  std::size_t size() const { return used_; }

  static constexpr std::size_t alignment = 16;

 private:
  struct Entry {
    void (*launch)(Device& device, const unsigned char* kernel, int n);
    std::size_t at;
    int n, part;
    bool operator==(const Entry&) const = default;
  };
  template <class Kernel>
  static void launch_tabled(Device& device, const unsigned char* kernel, int n) {
    device.launch(Tabled<Kernel>{reinterpret_cast<const Kernel*>(kernel)}, n);
  }

  std::vector<Entry> entries_, recorded_;
  std::vector<Question> questions_;
  std::vector<unsigned char> bytes_;
  std::size_t used_ = 0, recorded_questions_ = 0;
  int part_ = 0;
};

}  // namespace trammel
