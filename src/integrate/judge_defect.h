// The scaling of a defect in velocities (integrate/methods/velocity_defect.h) as a graph on a device: its
// decisions.
#pragma once

#include "integrate/hindsight.h"
#include "integrate/methods/velocity_defect.h"
#include "integrate/step_definitions.h"

namespace trammel {

/// Data of such a graph, which goes to the device before a run and comes back after it.
template <class Method>
struct GraphedDefect {
  StepData<Method> steps;
  DefectProgress progress;
  NewtonVerdict verdict = NewtonVerdict::go_on;
  bool left = false;  ///< the graph knows no answer: the program begins anew
  // What the graph does, numbers for TrammelDeviceApi::begin_section: another solution; a new matrix before
  // the first one; and another evaluation.
  int again = 1, factor = 0, apply = 0;
};

/// The decisions after the first evaluation, after a solution, and after a further evaluation.
template <class Method>
struct JudgeDefect {
  static constexpr const char* name = "judge_defect";
  GraphedDefect<Method>* all;
  HindsightView view;
  GraphFindings found;
  NewtonPart part;

  TRAMMEL_HD void operator()(int) const {
    if (part != NewtonPart::correct && !found.has_values()) return leave(*all);
    HindsightMachine machine(view);
    StepCore<Method, HindsightMachine> core(all->steps, machine);
    DefectProgress progress = all->progress;
    NewtonVerdict verdict = NewtonVerdict::go_on;
    if (part == NewtonPart::evaluate) {
      all->factor = !core.jacobian.valid;
      machine.evaluated = machine.factored = machine.differentiated = 1;
      if (!core.method.defect.begin(core, progress)) return leave(*all);
    } else if (part == NewtonPart::correct) {
      if (!found.is_accurate(all->factor != 0)) return leave(*all);
      machine.solved = 1;
      verdict = core.method.defect.correct(core, progress);
      all->apply = verdict == NewtonVerdict::go_on;
    } else {
      machine.evaluated = 1;
      if (!core.method.defect.evaluate(core, progress)) return leave(*all);
    }
    if (machine.missing) return leave(*all);
    all->steps = core;
    all->progress = progress;
    all->verdict = verdict;
    if (verdict != NewtonVerdict::go_on) all->again = 0;
  }

 private:
  TRAMMEL_HD static void leave(GraphedDefect<Method>& it) {
    it.left = true;
    it.again = it.factor = it.apply = 0;
  }
};

}  // namespace trammel
