// The linear system of a small model inside a kernel: DeviceSystem by one group of threads, which processes
// the fronts one after the other. Pivots, order, operations and bits are those of DeviceSystem; what its
// guard rejects is reported as refused.
#pragma once

#include "device_api/arena.h"
#include "device_api/group_loops.h"
#include "linear/device/plan.h"
#include "linear/device/row_solves.h"
#include "linear/device/sliced_rows.h"
#include "linear/device/vectors.h"
#include "linear/device/warp_front.h"
#include "linear/guard.h"
#include "linear/scaling.h"
#include "linear/solve_report.h"

namespace trammel {

/// A x = b. All pointers are device pointers.
struct GroupSystem {
  int n;
  int fronts;
  int rest;            ///< of forward_row_front()
  std::size_t memory;  ///< group_memory() of the plan
  const int* list;     ///< fronts in the order of elimination
  const int *column_start, *row, *order;
  const int *slice, *row_count, *slice_column, *slice_place;  ///< SlicedRows
  FrontArrays front;
  GuardLimits limits;
  const double *row_factor, *column_factor;
  double *value, *column_largest, *ratio, *c, *y, *r, *w, *kept, *error;
  Place* largest;  ///< max w, for SystemErrors

  /// Sets and factors the matrix: ok, not_finite or refused.
  template <class Loops>
  TRAMMEL_CALLED SolveReport set_matrix(Loops& run, const double* values) const {
    run(ScaleMatrix{values, column_start, row, slice_place, row_factor, column_factor, value, column_largest},
        n);
    TRAMMEL_ROLLED
    for (int k = 0; k < fronts; ++k) {
      const DeviceFront at = front.front[list[k]];
      factor_rows(run.group(), front, at);
      run.group().sync();
    }
    run(PivotRatios{front.inverse, order, column_largest, ratio, INFINITY}, n);
    const double worst = run.reduce(ValueTerm{ratio}, n)->at.value;
    SolveReport report;
    if (worst != worst)
      report.status = SolveStatus::not_finite;
    else if (!(1 / worst >= limits.pivot))
      report.status = SolveStatus::refused;
    return report;
  }

  /// x = A⁻¹ b; x may be b. Returns ok, not_finite (of b; x is unchanged) or refused.
  template <class Loops>
  TRAMMEL_CALLED SolveReport solve(Loops& run, const double* b, double* x) const {
    run(ScaleVector{b, row_factor, c}, n);
    SolveReport report;
    Answer<Loops> asked{*this, run};
    report.backward_error = guarded_answer(asked, limits);
    if (report.backward_error <= limits.accept) {
      run(ScaleVector{y, column_factor, x}, n);
    } else {
      const double largest_c = run.reduce(ValueTerm{c}, n)->at.value;
      report.status = is_finite(largest_c) ? SolveStatus::refused : SolveStatus::not_finite;
    }
    return report;
  }

 private:
  TRAMMEL_HD bool has_row_solves(const DeviceFront& at) const {
    return at.pivots + at.border <= pair_front && row_solve_memory(at.pivots, at.border, rest) <= memory;
  }

  /// Interface to guarded_answer().
  template <class Loops>
  struct Answer {
    const GroupSystem& system;
    Loops& run;
    TRAMMEL_HD double first_answer() { return system.answer(run, false); }
    TRAMMEL_HD double refined() { return system.answer(run, true); }
    TRAMMEL_HD void take_back() { run.copy(system.y, system.kept, system.n); }
  };

  /// y = B⁻¹ c, or (`refine`) y ← y + B⁻¹ r; returns the backward error of y, NaN if anything is not finite.
  template <class Loops>
  TRAMMEL_CALLED double answer(Loops& run, bool refine) const {
    run(GatherPlaces{refine ? r : c, order, front.z}, n);
    TRAMMEL_ROLLED
    for (int k = 0; k < fronts; ++k) {
      const DeviceFront at = front.front[list[k]];
      if (has_row_solves(at))
        forward_row_front<1>(run.group(), front, at, rest);
      else
        forward_front<ahead_of<32>>(run.group(), front, at);
      run.group().sync();
    }
    TRAMMEL_ROLLED
    for (int k = fronts; k-- > 0;) {
      const DeviceFront at = front.front[list[k]];
      if (at.pivots == 0) continue;
      if (has_row_solves(at))
        backward_row_front<1>(run.group(), front, at);
      else
        backward_front<ahead_of<32>>(run.group(), front, at);
      run.group().sync();
    }
    if (refine)
      run(AddPlaces{front.z, order, y, kept}, n);
    else
      run(ScatterPlaces{front.z, order, y}, n);
    run(SlicedResidual{slice, row_count, slice_column, value, y, c, r, w}, n);
    const Place most = run.reduce(ValueTerm{w}, n)->at;
    if (run.group().rank() == 0) *largest = most;
    run.group().sync();
    run(SystemErrors{r, w, largest, error}, n);
    return run.reduce(ValueTerm{error}, n)->at.value;
  }

  /// |x_i| as a term of a reduction, as in LargestOfParts.
  struct ValueTerm {
    using Value = Largest;
    const double* x;
    TRAMMEL_HD Largest operator()(int i) const { return size_of(x[i], i); }
  };
};

/// Bytes of shared memory that a group needs for the fronts of a plan. Solves that need more take other ways.
std::size_t group_memory(const DevicePlan& plan);

/// Tables shared by all systems with one pattern and plan.
struct GroupTables {
  SlicedRows rows;
  /// `source` is an index into the values of sliced rows, `target` a place in its front by rows.
  std::vector<FrontEntry> entry;
  std::vector<int> list;  ///< fronts in the order of elimination
};
/// Throws Failure(unsupported) for a plan with fronts larger than a group can hold.
GroupTables make_group_tables(const SparsePattern& pattern, const DevicePlan& plan);

/// Allocates one more system and copies its tables (with DeviceArena::repeat(), stored only once).
GroupSystem make_group_system(DeviceArena& arena, const SparsePattern& pattern, const DevicePlan& plan,
                              const GroupTables& tables, const Scaling& scaling, const GuardLimits& limits);

}  // namespace trammel
