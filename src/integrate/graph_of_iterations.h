// The graphs of a method's iterations on a device: those of the corrector (integrate/judge_iteration.h) and
// of velocities whose defect is scaled (integrate/judge_defect.h).
#pragma once

#include "integrate/decided_graph.h"
#include "integrate/judge_defect.h"
#include "integrate/judge_iteration.h"

namespace trammel {

/// while again:
///   equations, φ̇ where the method reads it, norms of the residual, decisions
///   if factor: tangent, factorization
///   if solve: solution, that of the method's further system, decisions
///   if apply: correction, its norms, those of the local error, decisions
template <class Method>
class GraphOfIterations : public DecidedGraph<GraphedIterations<Method>> {
  using Data = GraphedIterations<Method>;
  using Base = DecidedGraph<Data>;

 public:
  using Base::Base;

  /// Runs it with data and arrays of `core`. Returns whether the iteration is ended; if not, it is to go on
  /// at `at`.
  template <class Core>
  bool iterate(Core& core, CorrectionProgress& correction, NewtonPlace& at, NewtonVerdict& verdict) {
    const Data before{core, correction, at};
    Core asking(core, core.run);  // what the norms find here is of no use
    const Data after = this->run(
        before, [&] { asking.tabulate_iteration(correction.h, [&] { this->end_part(); }); },
        [&] {
          this->device().section(&this->data()->again, true, [&] { record(core.motion, core.method); });
        });
    static_cast<StepData<Method>&>(core) = after.steps;
    correction = after.correction;
    at = after.at;
    verdict = after.verdict;
    this->equations().iterated(after.steps.counters.jacobians - before.steps.counters.jacobians,
                               after.steps.counters.iterations - before.steps.counters.iterations);
    return !after.left;
  }

 private:
  void record(const StepMotion& motion, const Method& method) {
    Device& device = this->device();
    RecordableEquations& equations = this->equations();
    GraphFindings found = this->findings();
    const bool reads_rows = method.reads_velocity_rows();
    const FurtherSystem further = method.further_system();
    const auto judge = [&](NewtonPart part) {
      device.launch(JudgeIteration<Method>{this->data(), this->view(), found, part}, 1);
    };
    found.note = reads_rows ? equations.record_rates(motion.residual, motion.rows)
                            : equations.record_evaluation(motion.residual);
    this->launch_part(0);
    if (reads_rows) equations.record_velocity_rows(motion.rows);
    this->launch_part(1);
    judge(NewtonPart::evaluate);
    device.section(&this->data()->factor, false, [&] { found.pivot = equations.record_matrix(); });
    device.section(&this->data()->solve, false, [&] {
      this->launch_part(2);
      found.solution = equations.record_solution(motion.residual, motion.correction);
      if (further.residual)
        found.further_solution = equations.record_further_solution(further.residual, further.correction);
      judge(NewtonPart::correct);
    });
    device.section(&this->data()->apply, false, [&] {
      this->launch_part(3);
      judge(NewtonPart::apply);
    });
  }
};

/// equations with rates, decisions
/// if factor: tangent, factorization
/// right-hand side
/// while again:
///   solution, impulse, its norms, decisions
///   if apply: accelerations, equations with rates, right-hand side, decisions
template <class Method>
class GraphOfDefect : public DecidedGraph<GraphedDefect<Method>> {
  using Data = GraphedDefect<Method>;
  using Base = DecidedGraph<Data>;

 public:
  using Base::Base;

  /// Runs it with data and arrays of `core`. Returns whether it ended it; if not, all is as it was but for
  /// accelerations and multipliers.
  template <class Core>
  bool scale(Core& core, DefectProgress& progress, NewtonVerdict& verdict) {
    const Data before{core, progress};
    Core asking(core, core.run);
    DefectProgress copy = progress;
    const Data after = this->run(
        before, [&] { core.method.defect.tabulate(asking, copy, [&] { this->end_part(); }); },
        [&] { record(core.motion); });
    if (after.left) return false;
    static_cast<StepData<Method>&>(core) = after.steps;
    progress = after.progress;
    verdict = after.verdict;
    this->equations().iterated(after.steps.counters.jacobians - before.steps.counters.jacobians,
                               after.progress.iteration);
    return true;
  }

 private:
  void record(const StepMotion& motion) {
    Device& device = this->device();
    RecordableEquations& equations = this->equations();
    GraphFindings found = this->findings();
    const auto judge = [&](NewtonPart part) {
      device.launch(JudgeDefect<Method>{this->data(), this->view(), found, part}, 1);
    };
    found.note = equations.record_rates(motion.residual, motion.rows);
    this->launch_part(0);
    judge(NewtonPart::evaluate);
    device.section(&this->data()->factor, false, [&] { found.pivot = equations.record_matrix(); });
    equations.record_velocity_rows(motion.rows);
    this->launch_part(1);
    device.section(&this->data()->again, true, [&] {
      found.solution = equations.record_solution(motion.residual, motion.correction);
      this->launch_part(2);
      judge(NewtonPart::correct);
      device.section(&this->data()->apply, false, [&] {
        this->launch_part(3);
        found.note = equations.record_rates(motion.residual, motion.rows);
        this->launch_part(4);
        judge(NewtonPart::apply);
      });
    });
  }
};

}  // namespace trammel
