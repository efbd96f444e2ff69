// The machine of StepCore (integrate/step_core.h) on the host: loops, or launches on a device.
#pragma once

#include <exception>
#include <memory>

#include "integrate/equations.h"
#include "integrate/graph_of_iterations.h"
#include "integrate/observer.h"

namespace trammel {

class HostMachine {
 public:
  static constexpr bool observed = true, has_graphs = true;
  explicit HostMachine(std::shared_ptr<Equations> equations)
      : equations_(std::move(equations)), run_(equations_->executor()) {}

  template <class Kernel>
  void operator()(const Kernel& kernel, int n) {
    run_(kernel, n);
  }
  void copy(double* to, const double* from, int n) { run_.copy(to, from, static_cast<std::size_t>(n)); }
  template <class Term>
  auto reduce(const Term& term, int n) {
    return run_.reduce(term, n);
  }
  void collect() { run_.collect(); }

  bool evaluate(double t, const Coefficients& c, double* residual);
  bool evaluate_rates(double t, const Coefficients& c, double* residual, double* rows);
  bool velocity_rows(double* rows);
  bool mass_times_acceleration(double* out);
  bool factor(double t, const Coefficients& c, SolveReport& report);
  SolveReport solve(const double* b, double* x);
  bool leaps(double t, double h, bool evaluated);
  void accept(double t);
  /// Takes iterations of a method as a graph, where equations and device can. Returns whether they are ended.
  template <class Core, class Correction>
  bool iterate(Core& core, Correction& correction, NewtonPlace& at, NewtonVerdict& verdict) {
    if (core.method.of_jacobian(correction.c) != correction.c) return false;  // a graph has one set of them
    const PhaseTimer timer(times ? &times->equations : nullptr, equations_->waited());
    auto* graph =
        begin_graph<GraphOfIterations<typename Core::MethodType>>(iterations_, core.motion.t, correction.c);
    return graph && graph->iterate(core, correction, at, verdict);
  }
  /// VelocityDefect::scale() alike.
  template <class Core, class Progress>
  bool scale(Core& core, Progress& progress, NewtonVerdict& verdict) {
    const PhaseTimer timer(times ? &times->equations : nullptr, equations_->waited());
    auto* graph = begin_graph<GraphOfDefect<typename Core::MethodType>>(defect_, core.motion.t, progress.c);
    if (!graph) return false;
    if (graph->scale(core, progress, verdict)) return true;
    copy(core.motion.now.a, core.motion.begin.a, core.n.coordinates);
    copy(core.motion.now.lambda, core.motion.begin.lambda, core.n.multipliers);
    return false;
  }
  const BodyPlace* places() const { return equations_->places(); }
  const double* cos_theta() const { return equations_->cos_theta(); }
  BodyRows body_rows() const { return equations_->body_rows(); }
  const unsigned char* differential() const { return equations_->differential(); }

  Equations& equations() { return *equations_; }
  /// The state in progress. With arrays on a device only its time is kept up to date.
  State* state = nullptr;
  /// Sums of wall time per phase; null: none are taken (clocks cost a few per cent of a small model's step).
  PhaseTimes* times = nullptr;
  /// Who watches the steps; null: nobody. Arrays must be on the processor.
  SolveObserver* observer = nullptr;
  /// Exception of a function that had no value.
  std::exception_ptr failure;

  /// False where evaluate() throws because a function has no value; `failure` keeps the exception.
  template <class F>
  bool has_value(const F& evaluate) {
    try {
      evaluate();
      return true;
    } catch (const Failure& found) {
      if (found.code() != ExitCode::solver) throw;
      failure = std::current_exception();
      return false;
    }
  }

 private:
  /// The graph that is kept, with the equations at time t; null: there are no graphs now.
  template <class Graph>
  Graph* begin_graph(std::unique_ptr<AnyDecidedGraph>& kept, double t, const Coefficients& c) {
    RecordableEquations* recordable = observer ? nullptr : equations_->recordable();
    if (!recordable) return nullptr;
    if (!kept) kept = std::make_unique<Graph>(*recordable, run_);
    state->t = t;
    run_.flush();
    recordable->begin_iterations(*state, c);
    return static_cast<Graph*>(kept.get());
  }

  std::shared_ptr<Equations> equations_;
  Executor& run_;
  std::unique_ptr<AnyDecidedGraph> iterations_, defect_;
};

}  // namespace trammel
