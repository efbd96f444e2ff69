// Runs loops where the arrays are: in host threads, or on a device.
#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/diagnostics.h"
#include "base/parallel.h"
#include "device_api/arena.h"
#include "device_api/joined_terms.h"
#include "device_api/launch_table.h"

namespace trammel {

/// Result of a reduction: valid after the next Executor::collect(), until the first reduction after that.
template <class Value>
struct Reduced {
  const Value* value;
  const Value& operator*() const { return *value; }
  const Value* operator->() const { return value; }
};

class Executor {
 public:
  /// In host threads; `parallel` must outlive the executor.
  explicit Executor(const Parallel& parallel) : parallel_(parallel) {
    record_.resize(first_result + record_size);
  }
  /// On a device.
  explicit Executor(Device& device)
      : device_(&device), own_(std::in_place, device), rooms_(std::in_place, device) {
    record_.resize(first_result + record_size);
    device_record_ = own_->room<unsigned char>(first_result + record_size);
    forget_told();
  }
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  bool on_device() const { return device_ != nullptr; }
  Device& device() const { return *device_; }

  /// n values, zero, allocated until forget_rooms().
  double* room(std::size_t n) {
    if (!on_device()) return blocks_.emplace_back(n).data();
    double* there = rooms_->room<double>(n);
    if (n > 0) device_->clear(there, n * sizeof(double));
    return there;
  }
  /// Frees all rooms, for another user of the executor.
  void forget_rooms() {
    blocks_.clear();
    if (on_device()) rooms_.emplace(*device_);
    scratch_ = nullptr;
    scratch_size_ = scratch_used_ = 0;
    used_ = first_result;
    finishing_ = 0;
    waiting_.reset();
    copies_.arrays = copied_ = 0;
  }

  /// kernel(i) for i in 0..n-1. Fewer than `grain` items run in one thread.
  template <class Kernel>
  void operator()(const Kernel& kernel, int n, int grain = 4096) {
    if (n == 0) return;
    if (on_device()) return launch_alone(kernel, n);
    if (n < 2 * grain) return run_range(kernel, 0, n);
    parallel_(n, grain, [&](int begin, int end, int) { run_range(kernel, begin, end); });
  }

  void copy(double* to, const double* from, std::size_t n) {
    if (n == 0) return;
    if (on_device()) return copy_there(to, from, n);
    constexpr int grain = 16384;  // 128 kB
    parallel_(static_cast<int>(n), grain, [&](int begin, int end, int) {
      std::memcpy(to + begin, from + begin, (end - begin) * sizeof(double));
    });
  }

  /// Joins term(i), i < n. The result is valid after the next collect(); results between two calls of
  /// collect() may take 512 bytes in all.
  template <class Term>
  Reduced<typename Term::Value> reduce(const Term& term, int n) {
    using Value = typename Term::Value;
    if (n == 0) return {&nothing<Value>};
    const std::size_t at = used_;
    if (at + sizeof(Value) > first_result + record_size)
      fail(ExitCode::internal, "reductions are not collected");
    used_ += sizeof(Value);
    Value* result = reinterpret_cast<Value*>(record_.data() + at);
    if (on_device())
      join_there(term, n, reinterpret_cast<Value*>(device_record_ + at));
    else if (n <= reduction_chunk)
      JoinTerms<Term>{term, n, result}(0);
    else
      join_many(term, n, result);
    return {result};
  }
  /// Waits for the reductions since the last call; from a device, with one small copy.
  void collect() {
    if (on_device() && used_ > first_result) return collect_there();
    used_ = first_result;
    scratch_used_ = 0;
  }
  /// On a device: fills `table` with what fill() would launch, of which results are not there after
  /// collect(), only where they will be. fill() calls end_part() where other launches come in between.
  template <class Fill>
  void tabulate(LaunchTable& table, Fill&& fill) {
    flush();
    table.begin();
    table_ = &table;
    fill();
    end_part();
    table_ = nullptr;
    used_ = first_result;
    scratch_used_ = 0;
  }
  void end_part() {
    flush();
    launch_finish();
    table_->next_part();
  }
  /// On a device: where launches may leave one result that is nobody's reduction. Every collect() with
  /// reductions brings it here.
  Place* told_there() { return reinterpret_cast<Place*>(device_record_); }
  Place told() const {
    Place out;
    std::memcpy(&out, record_.data(), sizeof out);
    return out;
  }
  /// Until something is left there, told() has a negative value.
  void forget_told() {
    const Place nothing_told{-1, -1};
    std::memcpy(record_.data(), &nothing_told, sizeof nothing_told);
    device_->upload(device_record_, &nothing_told, sizeof nothing_told);
  }
  /// Launches what waits to be joined with others, reductions or copies: before anything else is launched
  /// that changes what they read, or reads what they write.
  void flush() {
    flush_reductions();
    flush_copies();
  }

 private:
  static constexpr std::size_t first_result = sizeof(Place), record_size = 16 * sizeof(FourTotals);

  /// The result over no terms, for which nothing is launched.
  template <class Value>
  static inline const Value nothing = Value::none();

  /// One function for each kernel, with all that it calls in the loop: else it depends on how many callers a
  /// kernel has whether the loop is vectorised.
  template <class Kernel>
  [[gnu::flatten]] static void run_range(const Kernel& kernel, int begin, int end) {
#pragma GCC ivdep  // items do not depend on each other
    for (int i = begin; i < end; ++i) kernel(i);
  }

  /// Apart from what few terms need, whose callers would save registers for it.
  template <class Term, class Value>
  [[gnu::noinline]] void join_many(const Term& term, int n, Value* result) {
    join_all(term, n, scratch<Value>(n), result);
  }
  template <class Term, class Value>
  void join_all(const Term& term, int n, Value* scratch, Value* result) {
    const int chunks = reduction_chunks(n);
    if (chunks <= 1) return (*this)(JoinTerms<Term>{term, n, result}, 1);
    (*this)(JoinTerms<Term>{term, n, scratch}, chunks, 4096 / reduction_chunk);
    join_all(ResultTerm<Value>{scratch}, chunks, scratch + chunks, result);
  }

  // ---- on a device; apart from what the processor does, too

  template <class Kernel>
  [[gnu::noinline]] void launch_alone(const Kernel& kernel, int n) {
    flush();
    launch(kernel, n);
  }
  [[gnu::noinline]] void collect_there() {
    if (table_) return;  // its launches will run later
    flush();
    launch_finish();
    device_->download(record_.data(), device_record_, used_);
    used_ = first_result;
    scratch_used_ = 0;
  }
  [[gnu::noinline]] void copy_there(double* to, const double* from, std::size_t n) {
    flush_reductions();
    const int size = static_cast<int>(n);
    if (copies_.arrays == CopyArrays::most || meets_copies(to, from, size)) flush_copies();
    copies_.array[copies_.arrays++] = {from, to, copied_};
    copied_ += size;
  }
  template <class Kernel>
  void launch(const Kernel& kernel, int n) {
    if (n == 0) return;
    table_ ? table_->add(kernel, n) : device_->launch(kernel, n);
  }
  void launch_finish() {
    launch(finish_, finishing_);
    finishing_ = 0;
  }
  void flush_reductions() {
    if (waiting_) waiting_->launch(*this);
  }
  void flush_copies() {
    launch(copies_, copied_);
    copies_.arrays = copied_ = 0;
  }
  /// Whether a copy has to come after those that wait.
  bool meets_copies(const double* to, const double* from, int n) const {
    const auto overlap = [](const double* a, int size_a, const double* b, int size_b) {
      return std::less<>()(a, b + size_b) && std::less<>()(b, a + size_a);
    };
    for (int k = 0; k < copies_.arrays; ++k) {
      const CopyArrays::Array& other = copies_.array[k];
      const int size = (k + 1 < copies_.arrays ? copies_.array[k + 1].first : copied_) - other.first;
      if (overlap(to, n, other.to, size) || overlap(to, n, other.from, size) ||
          overlap(from, n, other.to, size))
        return true;
    }
    return false;
  }

  /// Reductions whose terms one launch will join.
  struct Waiting {
    virtual ~Waiting() = default;
    virtual void launch(Executor& run) = 0;
  };
  template <class Family>
  struct WaitingOf : Waiting {
    JoinFamily<Family> kernel{};
    int chunks = 0;
    void launch(Executor& run) override {
      run.launch(kernel, chunks);
      kernel.items = chunks = 0;
    }
    template <class Term>
    void add(const Term& term, int n, typename Term::Value* out) {
      static_assert(std::is_trivially_copyable_v<Term> && Family::template kind<Term>() >= 0);
      auto& item = kernel.item[kernel.items++];
      item.kind = Family::template kind<Term>();
      item.first = chunks;
      item.n = n;
      item.out = out;
      std::memcpy(item.term, &term, sizeof term);
      chunks += reduction_chunks(n);
    }
  };
  template <class Family>
  WaitingOf<Family>& waiting() {
    auto* there = dynamic_cast<WaitingOf<Family>*>(waiting_.get());
    if (there && there->kernel.items < most_joined) return *there;
    flush_reductions();
    if (!there) waiting_ = std::make_unique<WaitingOf<Family>>();
    return static_cast<WaitingOf<Family>&>(*waiting_);
  }

  template <class Term, class Value>
  [[gnu::noinline]] void join_there(const Term& term, int n, Value* result) {
    const int chunks = reduction_chunks(n);
    Value* out = chunks > 1 ? scratch<Value>(n) : result;
    if constexpr (requires { typename Term::Family; }) {
      flush_copies();
      waiting<typename Term::Family>().add(term, n, out);
      if (table_) table_->ask<typename Term::Family>(term, n, result);
    } else {
      (*this)(JoinTerms<Term>{term, n, out}, chunks);
    }
    if (chunks <= 1) return;
    if (finishing_ == most_joined) {
      flush();
      launch_finish();
    }
    finish_.item[finishing_++] = {FinishReductions::Values::kind<Value>(), chunks, out, result};
  }

  /// Scratch for the chunks of a reduction, until the next collect(); grows to what is needed.
  template <class Value>
  Value* scratch(int n) {
    std::size_t size = 0;
    for (int c = reduction_chunks(n); c > 1; c = reduction_chunks(c)) size += static_cast<std::size_t>(c);
    size *= sizeof(Value) / sizeof(double);
    if (scratch_used_ + size > scratch_size_) {
      scratch_size_ = 2 * (scratch_used_ + size);
      scratch_ = room(scratch_size_);
      scratch_used_ = 0;
    }
    double* mine = scratch_ + scratch_used_;
    if (on_device()) scratch_used_ += size;
    return reinterpret_cast<Value*>(mine);
  }

  const Parallel parallel_;
  Device* device_ = nullptr;
  std::optional<DeviceArena> own_, rooms_;  ///< on a device
  std::vector<std::vector<double>> blocks_;
  std::vector<unsigned char> record_;  ///< told(), then results of reductions
  unsigned char* device_record_ = nullptr;
  std::size_t used_ = first_result;
  double* scratch_ = nullptr;
  std::size_t scratch_size_ = 0, scratch_used_ = 0;
  std::unique_ptr<Waiting> waiting_;
  FinishReductions finish_{};
  int finishing_ = 0;  ///< reductions of more than a chunk since the last collect()
  CopyArrays copies_{};
  int copied_ = 0;                ///< values of copies that wait
  LaunchTable* table_ = nullptr;  ///< that is being filled
};

}  // namespace trammel
