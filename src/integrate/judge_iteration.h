// Iterations of the corrector as a graph on a device: the graph's launches ask, one thread decides
// (integrate/hindsight.h), and what it decides is what the graph does next.
#pragma once

#include "integrate/hindsight.h"
#include "integrate/step_definitions.h"

namespace trammel {

/// Data of a graph of iterations, which goes to the device before a run and comes back after it.
template <class Method>
struct GraphedIterations {
  StepData<Method> steps;
  CorrectionProgress correction;
  NewtonPlace at;  ///< the part that is judged next
  NewtonVerdict verdict = NewtonVerdict::go_on;
  /// The graph knows no answer at `at`: the program goes on from there.
  bool left = false;
  // What the graph does, numbers for TrammelDeviceApi::begin_section: another iteration; a new matrix and a
  // solution in it; and the correction.
  int again = 1, factor = 0, solve = 0, apply = 0;
};

/// The decisions after one part.
template <class Method>
struct JudgeIteration {
  static constexpr const char* name = Method::graph_name;
  GraphedIterations<Method>* all;
  HindsightView view;
  GraphFindings found;
  NewtonPart part;

  TRAMMEL_HD void operator()(int) const {
    if (part == NewtonPart::evaluate)
      after_evaluation(*all);
    else if (part == NewtonPart::correct)
      after_solution(*all);
    else
      after_application(*all);
  }

 private:
  using Core = StepCore<Method, HindsightMachine>;

  TRAMMEL_CALLED void after_evaluation(GraphedIterations<Method>& it) const {
    it.factor = it.solve = it.apply = 0;
    if (!found.has_values()) return leave(it);
    HindsightMachine machine(view);
    machine.evaluated = machine.differentiated = 1;
    Core core(it.steps, machine);
    typename Core::Correction correction{it.correction, core};
    const NewtonVerdict verdict = correction.evaluate(it.at.k);
    if (machine.missing) return leave(it);
    keep(it, core, correction);
    if (verdict != NewtonVerdict::go_on) return end(it, verdict);
    it.at.next = NewtonPart::correct;
    it.factor = core.jacobian.wanted(it.at.k);
    it.solve = 1;
  }

  /// Where pivots or the solution are not good enough the program evaluates once more, which changes nothing,
  /// and does what else there is to be done.
  TRAMMEL_CALLED void after_solution(GraphedIterations<Method>& it) const {
    if (!found.is_accurate(it.factor != 0)) return leave(it);
    HindsightMachine machine(view);
    machine.factored = it.factor != 0;
    machine.solved = found.further_solution ? 2 : 1;
    Core core(it.steps, machine);
    typename Core::Correction correction{it.correction, core};
    const NewtonVerdict verdict = correction.correct(it.at.k);
    if (machine.missing) return leave(it);
    keep(it, core, correction);
    if (verdict != NewtonVerdict::go_on) return end(it, verdict);
    it.at.next = NewtonPart::apply;
    it.apply = 1;
  }

  TRAMMEL_CALLED void after_application(GraphedIterations<Method>& it) const {
    HindsightMachine machine(view);
    Core core(it.steps, machine);
    typename Core::Correction correction{it.correction, core};
    correction.applied = true;
    const NewtonVerdict verdict = correction.apply(it.at.k);
    if (machine.missing) {
      it.correction.applied = true;
      it.left = true;
      it.again = 0;
      return;
    }
    keep(it, core, correction);
    if (verdict == NewtonVerdict::converged) estimate_error(it, correction.h);
    if (verdict != NewtonVerdict::go_on) return end(it, verdict);
    it.at = {it.at.k + 1};
    it.again = it.at.k <= core.rules.maxit;
  }

  /// Where it asks for more than is there the program does it, with corrector.error_known as it was.
  TRAMMEL_CALLED void estimate_error(GraphedIterations<Method>& it, double h) const {
    HindsightMachine machine(view);
    Core core(it.steps, machine);
    core.estimate_error(h, true);
    if (machine.missing) return;
    core.corrector.error_known = true;
    it.steps = core;
  }

  TRAMMEL_HD static void keep(GraphedIterations<Method>& it, const Core& core,
                              const CorrectionProgress& correction) {
    it.steps = core;
    it.correction = correction;
  }
  TRAMMEL_HD static void end(GraphedIterations<Method>& it, NewtonVerdict verdict) {
    it.verdict = verdict;
    it.again = 0;
  }
  /// Before the correction is applied: to the beginning of the iteration.
  TRAMMEL_HD static void leave(GraphedIterations<Method>& it) {
    it.at.next = NewtonPart::evaluate;
    it.left = true;
    it.again = 0;
  }
};

}  // namespace trammel
