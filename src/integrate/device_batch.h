// Many variants of one model on a device, side by side.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "assemble/assembler.h"
#include "integrate/group_simulation.h"
#include "integrate/integrator.h"

namespace trammel {

/// Variants have the same elements, and so the same pattern of the matrix, but numbers of their own. Each is
/// advanced by a group of threads (integrate/group_simulation.h) on its own; its results are those of a
/// simulation by itself on the same device.
class DeviceBatch {
 public:
  explicit DeviceBatch(Device& device);
  ~DeviceBatch();

  /// Why a model stays on the processor; "" where it need not.
  static std::string refusal(const Model& model, const IntegratorOptions& options);

  /// The scaling of a variant's matrix, from the first one that its steps would have. Variants may do this in
  /// several threads.
  static Scaling scaling_of(Assembler& host, const State& state, const IntegratorOptions& options);

  /// Adds a variant at its initial conditions and gives its number. `host` is used during the call alone.
  /// Throws Failure(unsupported) where the model is refused, differs in structure from the first one's, or
  /// has more than a group of threads holds; Failure(backend) where the device's memory is full.
  int add(const Model& model, Assembler& host, const State& state, const IntegratorOptions& options,
          const Schedule& schedule, const Scaling& scaling);

  /// Lets all variants go on that are not at their ends, by at most so many steps each. False when there are
  /// none.
  bool advance(int steps);
  /// A variant no longer goes on.
  void withdraw(int k) { variants_[k].status = GroupStatus::stopped; }
  /// Seconds of advance() that fall to each variant, all together.
  double seconds_each() const { return seconds_each_; }

  int size() const { return static_cast<int>(variants_.size()); }
  /// As after the last advance(); its pointers are the device's.
  const GroupSimulation& operator[](int k) const { return variants_[k]; }
  /// Records that a variant has written in the last advance(), and the r-th of them.
  int records(int k) const { return slot_[k] < 0 ? 0 : variants_[k].records; }
  void read_record(int k, int r, State& state) const;
  /// Bytes of the device's memory.
  std::size_t bytes() const;

 private:
  struct Shared;  ///< what the first variant has made for all

  void make_shared(const Model& model, Assembler& host);
  void check_like_first(const Model& model, const Assembler& host) const;
  void make_steps(GroupSimulation& v, const State& state);
  void make_record_room(int variants);

  Device& device_;
  DeviceArena arena_;
  std::unique_ptr<Shared> shared_;
  std::vector<GroupSimulation> variants_;
  std::vector<int> slot_;  ///< of each variant in the last launch, -1: none
  int items_ = 0;          ///< of the last launch
  int room_ = 0;           ///< records per variant of a launch
  std::string refused_;    ///< why no variant can be taken; "": they can
  double seconds_each_ = 0;
  DeviceArray<GroupSimulation> there_;
  DeviceArray<int> list_;
  DeviceArray<double> record_;
  DeviceArray<unsigned char> reserve_;  ///< keeps room for records while variants are added
  std::vector<double> record_here_;
};

}  // namespace trammel
