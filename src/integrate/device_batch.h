// Simulations of many variants of one model on a device, side by side.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "assemble/assembler.h"
#include "integrate/group_simulation.h"
#include "integrate/integrator.h"

namespace trammel {

/// Variants share elements, and so the pattern of the matrix, but have parameters of their own. Each is
/// advanced by one group of threads (integrate/group_simulation.h); its results have the bits of a simulation
/// run alone on the same device.
class DeviceBatch {
 public:
  explicit DeviceBatch(Device& device);
  ~DeviceBatch();

  /// Loads the kernel, of plain models or the one for all, and takes the memory of its threads: before the
  /// first batch, which does it else. A device that has too little for it says so then.
  static void prepare(Device& device, bool plain);
  /// Why a model cannot run in a batch; "" if it can.
  static std::string refusal(const Model& model, const IntegratorOptions& options);

  /// Scaling of a variant's matrix, from the Jacobian of its first step. May be called for several variants
  /// in parallel.
  static Scaling scaling_of(Assembler& host, const State& state, const IntegratorOptions& options);

  /// Adds a variant at its initial conditions and returns its index. `host` is used during the call only. May
  /// be called for several variants in parallel: the order of their indices is then open. `courses`: from
  /// which its steps look ahead; null: they do not. Throws Failure(unsupported) when the model is refused,
  /// differs in structure from the first variant, or exceeds what a group of threads holds; Failure(backend)
  /// when the device's memory is full.
  int add(const Model& model, Assembler& host, const State& state, const IntegratorOptions& options,
          const Schedule& schedule, const Scaling& scaling, const FirstCourses* courses = nullptr);

  /// Advances unfinished variants, each by at most `steps` steps, for about `seconds` on a device with a
  /// clock: those that are under way first, others as far as there is time. Returns false when all are
  /// finished.
  bool advance(int steps, double seconds = 1e9);
  /// Excludes variant k from further calls of advance().
  void withdraw(int k) { variants_[k].status = GroupStatus::stopped; }
  /// Wall time of all calls of advance(), each divided by the number of variants in it, in seconds.
  double seconds_each() const { return seconds_each_; }

  int size() const {
    const std::lock_guard lock(mutex_);
    return static_cast<int>(variants_.size());
  }
  /// Variant k as of the last advance(); the pointers in it are device pointers.
  const GroupSimulation& operator[](int k) const { return variants_[k]; }
  /// Number of output records that variant k wrote in the last advance(), and its r-th record.
  int records(int k) const { return slot_[k] < 0 ? 0 : variants_[k].records; }
  void read_record(int k, int r, State& state) const;
  /// Device memory in use, bytes. Not while variants are added.
  std::size_t bytes() const;

 private:
  struct Shared;  ///< tables made from the first variant and shared by all
  class Lease;    ///< of an arena that no other thread adds to

  void make_shared(const Model& model, Assembler& host);
  void take_memory(bool plain);
  std::size_t groups_at_once(std::size_t items) const;
  void check_like_first(const Model& model, const Assembler& host) const;
  GroupSimulation make(DeviceArena& arena, const Model& model, Assembler& host, const State& state,
                       const IntegratorOptions& options, const Schedule& schedule, const Scaling& scaling,
                       const FirstCourses* courses) const;
  void make_steps(DeviceArena& arena, GroupSimulation& v, const State& state) const;
  int keep(const GroupSimulation& v);
  void make_record_room(int variants);

  Device& device_;
  DeviceArena arena_;  ///< of the first variant, and of tables
  std::vector<std::unique_ptr<DeviceArena>>
      further_;                     ///< of the others: as many as threads have added at once
  std::vector<DeviceArena*> free_;  ///< those to which no thread adds
  mutable std::mutex mutex_;        ///< of all data while variants are added
  std::unique_ptr<Shared> shared_;
  std::vector<GroupSimulation> variants_;
  std::vector<int> slot_;  ///< per variant: its slot in the last launch, -1 if it took no part
  int items_ = 0;          ///< slots of the last launch
  int room_ = 0;           ///< capacity in records of a slot
  std::string refused_;    ///< why no variant can be added; "": they can
  bool plain_ = true;      ///< all variants are (is_plain())
  double seconds_each_ = 0;
  DeviceArray<GroupSimulation> there_;
  DeviceArray<int> list_;
  DeviceArray<LaunchTickets> tickets_;
  DeviceArray<double> record_;
  DeviceArray<unsigned char> reserve_;  ///< keeps memory for records free while variants are added
  std::vector<double> record_here_;
};

}  // namespace trammel
