// The linear system on a device: GuardedSystem with matrix, factors and vectors in device memory.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "device_api/arena.h"
#include "device_api/recorded.h"
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
  long solves = 0;          ///< right-hand sides solved
  long refinements = 0;     ///< refinement steps on the device
  long guard_trips = 0;     ///< factors or solutions of the device rejected by the guard
  long pivot_choices = 0;   ///< pivots chosen by the processor for a library that keeps them
  long host_answers = 0;    ///< right-hand sides solved by the processor instead
};

/// A x = b with A of a fixed pattern. Pointers to matrix values, right-hand sides and solutions are device
/// pointers. Our own factorization chooses pivots within fronts in every set_matrix(); a library that keeps
/// its pivots gets new ones when they, or a solution, are rejected. If that fails, too, a GuardedSystem on
/// the processor takes the matrix and solves until the next one is set. With our own factorization nothing is
/// allocated on the device after analyze(), and on the host only where the processor solves; the bits are the
/// same on every device without fused multiply-add.
class DeviceSystem {
 public:
  /// `solver`: the factorization of another library for the device's back end; null: our own. Device and
  /// table must outlive the system. Throws Failure(usage) for a library of another back end.
  explicit DeviceSystem(Device& device, const TrammelSolverApi* solver = nullptr);
  DeviceSystem(const DeviceSystem&) = delete;
  DeviceSystem& operator=(const DeviceSystem&) = delete;

  /// Takes a new pattern: ordering (device_levels), symbolic factorization, graphs of launches. Resets
  /// scaling and counters and applies limits.pivot_tolerance. Throws Failure(solver) when a front is too
  /// large for the device, Failure(backend) when the device reports an error.
  void analyze(const SparsePattern& pattern, const MechanismGraph& graph);
  /// Fixes the scaling, as GuardedSystem::set_scaling(); the default needs a copy of the values from the
  /// device.
  void set_scaling(const Scaling& scaling);

  /// Sets and factors the matrix. ok, singular or not_finite.
  SolveReport set_matrix(const double* values, bool fresh = false);
  /// x = A^-1 b; x may be b; accepted by the test of GuardedSystem::solve. When the processor's solution is
  /// rejected, too, the report says so and x is zero.
  SolveReport solve(const double* b, double* x);

  // ---- launches of a factorization and a solution between those of others, in a graph of theirs

  /// Whether there are such now: with a library's factors, before the first matrix, and where the processor
  /// has taken it there are not.
  bool recordable() const { return pattern_.n > 0 && launches_only() && state_ == State::factored; }
  /// Whether there ever are.
  bool launches_only() const { return elimination_->launches_only(); }
  /// Launches a factorization; where the largest ratio of a column to its pivot will be, NaN for a matrix
  /// that is not finite.
  const Place* launch_factorization(const double* values);
  /// Launches x = A^-1 b, which are two arrays, without refinement; where its backward error will be, the
  /// k-th of two that do not overwrite each other.
  const Place* launch_solution(const double* b, double* x, int k);
  /// After they have run: how often.
  void count(long factorizations, long solves) {
    counters_.factorizations += factorizations;
    counters_.solves += solves;
  }

  /// Saves the matrix; restores the bits of our own factors, after analyze() of the same pattern. A library
  /// that keeps pivots chooses new ones.
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
  /// Device arrays.
  struct Store {
    const int *column_start, *row, *row_place, *row_start, *row_column;  ///< pattern by columns and by rows
    int* unknown;                                                        ///< the order
    double *row_factor, *column_factor;                                  ///< the scaling
    double *value, *column_largest, *inverse_pivot, *ratio;              ///< B by rows, its pivots
    double *c, *y, *r, *w, *kept, *error;                                ///< B y = c, r = c - B y
    Place *scratch, *scratch_of_w;
    Place *ratio_of_others, *error_of_others;  ///< results in graphs of others: one, two
  };

  void make_store();
  void record();
  void scale(const double* values);
  const Place* judge_pivots(Place* result = nullptr);
  const Place* judge_answer(Place* result = nullptr);
  const Place* launch_answer(const double* b, double* x, Place* result = nullptr);
  void fix_scaling(const double* values);
  double run_and_ask(const std::shared_ptr<void>& graph);
  void take_counts();
  double factor();
  bool renew_pivots();
  template <class System>
  friend double guarded_answer(System& system, const GuardLimits& limits);
  double first_answer();
  bool solves_whole() const;
  double whole_answer();
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
  const Place* worst_ = nullptr;  ///< result of a graph on the device: smallest pivot or backward error
  /// Graphs of launches. For a factorization that a graph cannot record they hold only the checks after it.
  std::shared_ptr<void> factorization_, solve_, refinement_;
  RecordedLaunches whole_solves_;  ///< x = C B^-1 R b with the check of the answer, by b and x
  const double* b_ = nullptr;      ///< arrays of the present solution
  double* x_ = nullptr;
  bool has_written_x_ = false;
  GuardedSystem host_;
  bool host_analyzed_ = false;
  std::vector<double> host_value_, host_c_;
  SolveReport refusal_;
  DeviceSystemInfo info_;
  DeviceSystemCounters counters_;
};

}  // namespace trammel
