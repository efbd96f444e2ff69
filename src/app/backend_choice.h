// `--backend auto`: the time of a step, predicted from counts and from what the machine was measured to take
// for each, on the processor and on devices; the least is taken. Nothing here measures or asks a machine.
#pragma once

#include <string>
#include <vector>

#include "app/bench_counts.h"
#include "app/calibration.h"

namespace trammel {

/// How often the parts of a step are done. The defaults are typical: medians of the decks in models/ are 2.2
/// evaluations and 0.04 Jacobians per step (quartiles 2.0 to 2.3, 0.01 to 0.09), means of `trammel bench`
/// with steps of 1 ms and 10,000 unknowns 2.3 and 0.13.
struct StepRhythm {
  double iterations = 2.2;  ///< Newton iterations, each an evaluation, a residual and a solution
  double jacobians = 0.07;  ///< each a tangent and a factorization
};

/// What the vectors of a step take besides: reductions, predictions, copies.
struct VectorWork {
  double bytes = 0;
  long launches = 0;
  long answers = 0;  ///< small copies to the program that it waits for
};
struct VectorCounts {
  VectorWork iteration, jacobian, step;
};

/// What a step asks of the processor.
struct ProcessorCounts {
  Work equations, tangent;  ///< evaluation and residual together
  std::string solver;       ///< "klu", "multifrontal"
  double factor_values = 0, factor_flops = 0;
  double parallel_factor =
      1;  ///< operations of a factorization over those on the dearest way: most that share it
  VectorCounts vectors;
  int threads = 1;
};

/// What it asks of a device. Launches of factor and solve are those inside of graphs; those beside them count
/// with the vectors.
struct DeviceCounts {
  Work equations, tangent, factor, solve;
  VectorCounts vectors;
};

/// Seconds; each part once.
struct PredictedStep {
  double equations = 0, solution = 0, tangent = 0, factorization = 0;
  double vectors_iteration = 0, vectors_jacobian = 0, vectors_step = 0;
  double of(const StepRhythm& rhythm) const {
    return rhythm.iterations * (equations + solution + vectors_iteration) +
           rhythm.jacobians * (tangent + factorization + vectors_jacobian) + vectors_step;
  }
};
PredictedStep predict(const ProcessorCounts& counts, const ProcessorConstants& machine);
PredictedStep predict(const DeviceCounts& counts, const DeviceConstants& machine);

/// Below so many unknowns no device is asked about. A step has at least 100 launches (34 an iteration, 25 a
/// step) and 12 answers to wait for, whatever the model: 159 us at 1 us and 5 us each (assumed short, not
/// measured). On a processor of 2e9 counted operations a second the generated models of 300 unknowns take 44
/// to 143 us.
inline constexpr int least_unknowns = 300;

/// A device that could compute the steps.
struct DeviceOffer {
  std::string where;      ///< "cuda:0 (NVIDIA H200)"
  double seconds = 0;     ///< of a step
  bool at_least = false;  ///< that is a lower bound, which was enough to refuse it
  std::string refusal;    ///< why it cannot compute this model, with a verb; "": it can
};

struct BackendChoice {
  int device = -1;       ///< index among the offers; −1: the processor
  std::string sentence;  ///< what was chosen and why
};

/// Before anything is known of devices: why the model stays on the processor whatever there is; "" if it need
/// not. `solver` is --linear-solver, `element` the first that no device computes (DeviceAssembler::refusal).
std::string reason_for_processor(int unknowns, const std::string& solver, const std::string& element);
/// "Back end cpu: <reason>."
BackendChoice keep_processor(const std::string& reason);
/// The least time; of equal ones the processor, then the first device.
BackendChoice choose_backend(double processor_seconds, const std::vector<DeviceOffer>& offers);

}  // namespace trammel
