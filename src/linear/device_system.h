// The linear system on a device: what GuardedSystem does, with matrix, factors and vectors in the device's
// memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "device/device.h"
#include "device/vector_kernels.h"
#include "linear/device_plan.h"
#include "linear/ordering.h"
#include "linear/pattern.h"
#include "linear/scaling.h"
#include "linear/system.h"

namespace trammel {

/// Facts about the present plan.
struct DeviceSystemInfo {
  int fronts = 0, levels = 0;                      ///< those that only add up are fronts, too
  int small = 0, middle = 0, large = 0, sums = 0;  ///< fronts by class, and of them those without pivots
  int largest = 0;                                 ///< rows of the largest front
  double flops = 0;                                ///< of one factorization
  std::int64_t bytes = 0;                          ///< of the device's memory
  std::int64_t factor_bytes = 0, block_bytes = 0;  ///< of them factors and contribution blocks
  long factor_launches = 0;                        ///< of set_matrix() that succeeds
  long solve_launches = 0,
       refinement_launches = 0;  ///< of solve() without refinement, of a step of refinement
};

/// Counted since analyze().
struct DeviceSystemCounters {
  long factorizations = 0;  ///< on the device
  long solves = 0;          ///< right-hand sides answered
  long refinements = 0;     ///< refinement steps on the device
  long guard_trips = 0;     ///< factors or an answer of the device refused
  long host_answers = 0;    ///< right-hand sides answered by the processor instead
};

/// A x = b with A of a fixed pattern. Pointers to matrix values, right-hand sides and answers are the
/// device's. Pivots are chosen inside fronts at every set_matrix(). When the device's pivots or answers are
/// refused, a GuardedSystem on the processor takes the matrix and climbs its own ladder, and answers until
/// the next matrix. Nothing is allocated on the device after analyze(), and on the host only where the
/// processor answers. All bits are the same on every device without fused multiply-add.
class DeviceSystem {
 public:
  /// The device must outlive the system.
  explicit DeviceSystem(Device& device);

  /// New pattern: order (device_levels), fronts, plan, graphs of launches. Forgets scaling and counters.
  /// limits.pivot_tolerance is taken from here on. Throws Failure(solver) when a front is too large for the
  /// device, Failure(backend) when the device refuses.
  void analyze(const SparsePattern& pattern, const MechanismGraph& graph);
  /// As GuardedSystem: otherwise it is kkt_scaling() of the first matrix and of every one set as fresh, for
  /// which the values are copied from the device.
  void set_scaling(const Scaling& scaling);

  /// Takes the matrix and factors it. ok, singular or not_finite.
  SolveReport set_matrix(const double* values, bool fresh = false);
  /// x = A^-1 b, may be the same array; judged as GuardedSystem::solve says. If refused on the processor,
  /// too, the report says so and x is zero.
  SolveReport solve(const double* b, double* x);

  bool has_matrix() const { return state_ == State::factored || state_ == State::on_host; }
  const SparsePattern& pattern() const { return pattern_; }
  const EliminationOrder& order() const { return order_; }
  const Scaling& scaling() const { return scaling_; }
  const DeviceSystemCounters& counters() const { return counters_; }
  const DeviceSystemInfo& info() const { return info_; }
  GuardLimits limits;

 private:
  enum class State { empty, analyzed, factored, on_host, refused };
  /// Arrays of the device.
  struct Store {
    DeviceArray<int> column_start, row, row_place, row_start, row_column;  ///< the pattern, by both
    DeviceArray<double> row_factor, column_factor;                         ///< the scaling
    DeviceArray<double> value, column_largest, ratio;
    DeviceArray<int> order;
    DeviceArray<DeviceFront> front;
    DeviceArray<int> child, border, target, list;
    DeviceArray<FrontEntry> entry;
    DeviceArray<ColumnTile> column;
    DeviceArray<FrontPiece> piece;
    DeviceArray<double> factor, block, inverse, z, buffer;
    DeviceArray<int> exchange, permutation;
    DeviceArray<double> c, y, r, w, kept, error;
    DeviceArray<Place> scratch, scratch_of_w;
  };

  void store_pattern(const DevicePlan& plan);
  void make_arrays(const DevicePlan& plan);
  void record(const DevicePlan& plan);
  void record_factorization(const DevicePlan& plan);
  void record_level(const DeviceLevel& level);
  void record_solve(const DevicePlan& plan, bool refine);
  void record_forward(const DeviceLevel& level);
  void record_backward(const DeviceLevel& level);
  template <class Kernel>
  void add(const Kernel& kernel, int items, std::size_t shared = 0);
  const Place* add_largest(const double* x, int n, Place* scratch);
  void fix_scaling(const double* values);
  double run_and_ask(const std::shared_ptr<void>& graph);
  double answer();
  SolveReport ask_host_to_factor();
  SolveReport answer_on_host(double* x);
  SolveReport refuse(const SolveReport& report, double* x);

  Device& device_;
  State state_ = State::empty;
  SparsePattern pattern_;
  MechanismGraph graph_;
  EliminationOrder order_;
  Scaling scaling_;
  bool scaled_ = false, scaling_given_ = false;
  std::vector<int> row_place_;  ///< of each value among the values by rows
  Store store_;
  FrontArrays arrays_{};
  std::size_t panel_capacity_ = 0;  ///< doubles
  const Place* worst_ = nullptr;  ///< what each graph leaves on the device: smallest pivot or backward error
  long recorded_ = 0;             ///< launches of the graph in hand
  std::shared_ptr<void> factorization_, solve_, refinement_;
  GuardedSystem host_;
  bool host_analyzed_ = false;
  std::vector<double> host_value_, host_c_;
  SolveReport refusal_;
  DeviceSystemInfo info_;
  DeviceSystemCounters counters_;
};

}  // namespace trammel
