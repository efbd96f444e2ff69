// What an evaluation, a Jacobian and a solution have to read, write and compute: counted, not measured.
//
// Bytes are those of the kernels in assemble/device_kernels.h and linear/: within a kernel every number
// counts once, however many items read it (a cache may serve the others), between kernels again. So they are
// the least that passes between memory and processor when a model is too large for caches. The loops of the
// processor are the same functions on the same arrays. Operations: app/element_flops.h, each element as
// between two moving bodies, and the solvers' own counts.
#pragma once

#include <string>

#include "assemble/assembler.h"
#include "linear/device_system.h"
#include "linear/fronts.h"
#include "linear/system.h"

namespace trammel {

/// How many of everything there are; what several items share counts once.
struct BenchCounts {
  long one = 1;
  long bodies = 0;
  /// Markers of bodies that the equations read; of them those with axes, velocities, accelerations.
  long markers = 0, posed = 0, moving = 0, accelerated = 0;
  long joints = 0, spherical = 0, revolute = 0;
  long rows = 0, linear_rows = 0, dot_rows = 0;
  long components = 0;  ///< coordinates of markers that linear rows read
  long axes = 0;        ///< axes of markers that products of axes read
  /// Markers of joints, those of moving bodies under linear rows; bodies of joints, those under products.
  long joint_markers = 0, joint_arms = 0, joint_bodies = 0, dot_bodies = 0;
  long laws = 0, bushings = 0, springs = 0;
  long bushing_markers = 0, spring_markers = 0, law_markers = 0, law_arms = 0, law_bodies = 0;
  long wrenches = 0, wrench_markers = 0;                    ///< on bodies
  long body_entries = 0, row_entries = 0, law_entries = 0;  ///< of the tangent
  long shared_values = 0, shared_slots = 0;                 ///< values that several entries make
  // The linear system.
  long unknowns = 0, nonzeros = 0;
  long fronts = 0, border_rows = 0;
  long factor_values = 0;  ///< in D, L and V of all fronts; on the processor in L + U
  long half_values = 0;    ///< in D and L, or in D and V, of all fronts
  long block_values = 0;   ///< in all contribution blocks
  long factor_launches = 0, solve_launches = 0;
  int levels = 0;
  double factor_flops = 0;
};

/// Why a model cannot be counted: the first element that element_flops.h does not know; "" for none.
std::string not_counted(const Model& model);

/// The part of a model. Throws Failure(internal) where not_counted() names something.
BenchCounts count_assembly(const Model& model, const Assembler& assembler);
/// Adds values and rows of the fronts.
void count_fronts(const FrontTree& tree, BenchCounts& counts);
/// Adds the analyzed system's part.
void count_linear(const DeviceSystem& system, BenchCounts& counts);
void count_linear(const GuardedSystem& system, BenchCounts& counts);

/// Parts of a Newton iteration (evaluate, residual, solve) and of a Jacobian (tangent, factor).
enum class WorkGroup { evaluate, residual, tangent, device_factor, device_solve, host_factor, host_solve };

struct Work {
  double read = 0, written = 0;  ///< bytes
  double flops = 0;
  long launches = 0;  ///< of kernels; 0 where a processor loops
  int levels = 0;     ///< of the elimination tree that it goes through, one after the other
  double bytes() const { return read + written; }
};
Work operator+(const Work& a, const Work& b);
Work work_of(WorkGroup group, const BenchCounts& counts);

}  // namespace trammel
