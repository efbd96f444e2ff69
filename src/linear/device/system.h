// The linear system on a device: what GuardedSystem does, with matrix, factors and vectors in the device's
// memory.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "device_api/arena.h"
#include "device_api/vector_kernels.h"
#include "linear/device/elimination.h"
#include "linear/ordering.h"
#include "linear/pattern.h"
#include "linear/scaling.h"
#include "linear/system.h"

namespace trammel {

/// Counted since analyze().
struct DeviceSystemCounters {
  long factorizations = 0;  ///< on the device
  long solves = 0;          ///< right-hand sides answered
  long refinements = 0;     ///< refinement steps on the device
  long guard_trips = 0;     ///< factors or an answer of the device refused
  long pivot_choices = 0;   ///< pivots chosen by the processor, for an elimination that keeps its own
  long host_answers = 0;    ///< right-hand sides answered by the processor instead
};

/// A x = b with A of a fixed pattern. Pointers to matrix values, right-hand sides and answers are the
/// device's. Our own elimination chooses pivots inside fronts at every set_matrix(); one that keeps its
/// pivots gets others when they, or an answer, are refused. When that does not help either, a GuardedSystem
/// on the processor takes the matrix and tries its own ways of pivoting, and answers until the next matrix.
/// With our own elimination nothing is allocated on the device after analyze(), and on the host only where
/// the processor answers; all bits are the same on every device without fused multiply-add.
class DeviceSystem {
 public:
  /// `solver`: the elimination of another library, of the device's back end; null: our own. Device and table
  /// must outlive the system. Throws Failure(usage) for a library of another back end.
  explicit DeviceSystem(Device& device, const TrammelSolverApi* solver = nullptr);
  DeviceSystem(const DeviceSystem&) = delete;
  DeviceSystem& operator=(const DeviceSystem&) = delete;

  /// New pattern: order (device_levels), elimination, graphs of launches. Forgets scaling and counters.
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

  /// Saves the matrix; restores the bits of our own elimination's factors, after analyze() of the same
  /// pattern. An elimination of another library that keeps pivots chooses them anew.
  void archive(Archive& a);

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
    const int *column_start, *row, *row_place, *row_start, *row_column;  ///< the pattern, by both
    int* unknown;                                                        ///< the order
    double *row_factor, *column_factor;                                  ///< the scaling
    double *value, *column_largest, *inverse_pivot, *ratio;              ///< B by rows, its pivots
    double *c, *y, *r, *w, *kept, *error;                                ///< B y = c, r = c - B y
    Place *scratch, *scratch_of_w;
  };

  void make_store();
  void record();
  void judge_pivots();
  void judge_answer();
  void fix_scaling(const double* values);
  double run_and_ask(const std::shared_ptr<void>& graph);
  void take_counts();
  double factor();
  bool renew_pivots();
  template <class System>
  friend double guarded_answer(System& system, const GuardLimits& limits);
  double first_answer();
  double refined();
  void take_back();
  bool finite_right_hand_side();
  SolveReport ask_host_to_factor();
  SolveReport answer_on_host(double* x);
  SolveReport accept(const SolveReport& report, double* x);
  SolveReport refuse(const SolveReport& report, double* x);

  Device& device_;
  std::unique_ptr<DeviceElimination> elimination_;
  State state_ = State::empty;
  SparsePattern pattern_;
  MechanismGraph graph_;
  EliminationOrder order_;
  RowView rows_;
  Scaling scaling_;
  bool scaled_ = false, scaling_given_ = false;
  std::optional<DeviceArena> arena_;
  Store store_{};
  const Place* worst_ = nullptr;  ///< what each graph leaves on the device: smallest pivot or backward error
  /// Of an elimination that a graph cannot keep they hold what follows it: the judgement.
  std::shared_ptr<void> factorization_, solve_, refinement_;
  GuardedSystem host_;
  bool host_analyzed_ = false;
  std::vector<double> host_value_, host_c_;
  SolveReport refusal_;
  DeviceSystemInfo info_;
  DeviceSystemCounters counters_;
};

}  // namespace trammel
