// Counts for predictions of a step (app/backend_choice.h) from what a simulation has worked out anyway.
// Unlike bench_counts.h they are there for every model, and cost a fraction of its set-up.
#pragma once

#include "analysis/simulation.h"
#include "app/backend_choice.h"
#include "linear/device_plan.h"

namespace trammel {

/// Bytes: every item counts what it reads for itself, also where items share it; values that several entries
/// make count as entries alone. Operations of elements that element_flops.h does not know, from above: point
/// masses as rigid parts; other joints and motions as a revolute joint for each two rows that are no
/// coordinates of points; beams and fields as bushings; forces by expressions as its SFORCE. Of each tape 10
/// operations per instruction and 4 per term of a linear sum, for the tangent 20 and 8 (reading and writing
/// included, from times of `flexible`), and 350 per marker that it reads (a row of 12 columns, projected and
/// multiplied out).
struct EquationCounts {
  Work equations, tangent;
};
EquationCounts count_equations(const Model& model, const Assembler& assembler);

/// Vectors of the integrator, from the loops of Hht: values read and written per coordinate, multiplier and
/// scalar, launches and answers on a device.
VectorCounts count_vectors(const Model& model);

ProcessorCounts count_on_processor(const Model& model, const Assembler& assembler,
                                   const GuardedSystem& system, int threads);

/// At least what a device has to do, without a look at its elimination: one level, no operations.
DeviceCounts count_least_on_device(const EquationCounts& equations, const VectorCounts& vectors);
/// With order, fronts and plan of the elimination on a device with so much shared memory. Throws
/// Failure(solver) where a front is too large.
DeviceCounts count_on_device(const EquationCounts& equations, const VectorCounts& vectors,
                             const Assembler& assembler, std::size_t shared_memory);
/// Launches of a factorization and of a solve inside their graphs.
struct PlanLaunches {
  long factor = 0, solve = 0;
};
PlanLaunches launches_of(const DevicePlan& plan);

}  // namespace trammel
