// Steps of a simulation, and the linear system of one, on the processor.
#include <algorithm>
#include <cmath>
#include <memory>

#include "analysis/analyses/list.h"
#include "analysis/session.h"
#include "base/clock.h"
#include "bench_tool/cases.h"
#include "bench_tool/systems.h"
#include "linear/solver.h"
#include "terminal/print.h"

namespace trammel {
namespace {

BenchJson head(const char* what, const std::string& by, const BenchTopology& topology, int size,
               const Model& model) {
  return {{"name", fmt::format("{}/{}{}/{}", what, by.empty() ? "" : by + "/", topology.name, size)},
          {"case", what},
          {"topology", topology.name},
          {"size", size},
          {"bodies", model.bodies.size()},
          {"unknowns", model.unknowns()}};
}

/// A tenth of a second of motion; less of a model whose steps take long. The clock starts when the first ones
/// are taken: these allocate, order the unknowns, copy tables to a device, load its kernels and record
/// graphs.
struct StepsToTake {
  int before, timed;
};
StepsToTake steps_of(int unknowns, bool quick) {
  if (quick) return {1, 5};
  return unknowns > 20000 ? StepsToTake{5, 20} : StepsToTake{20, 100};
}

/// Times of the parts of an iteration and a Jacobian, beside what the linear ones have to do.
std::vector<MeasuredWork> parts_of_a_step(Session& run, const BenchContext& context) {
  StepSystem step(run, run.systems().of_steps().solver_name());
  step.factor();
  const LinearCounts counts = counts_of(step.system);
  const auto part = [&](const char* name, std::optional<Work> work, auto&& call) {
    return MeasuredWork{name, sample_processor(context.sampling(), call), work, 0};
  };
  return {part("equations", {}, [&] { step.equations(); }),
          part("solution", solution_work(counts), [&] { step.solve(); }),
          part("tangent", {}, [&] { step.tangent(); }),
          part("factorization", factorization_work(counts), [&] { step.factor(); })};
}

BenchJson solve_with(const std::string& name, Session& run, const BenchTopology& topology, int size,
                     const BenchContext& context) {
  const Assembler& assembler = run.assembler();
  const int n = assembler.pattern().n;
  StepSystem step(run, name);
  GuardedSystem& system = step.system;
  for (int i = 0; i < n; ++i) step.r[i] = std::sin(1.0 + i);
  const std::vector<double> analysis =
      sample_processor({1}, [&] { system.analyze(assembler.pattern(), assembler.graph()); });
  step.factor();
  step.solve();
  const std::vector<double> factor = sample_processor(context.sampling(), [&] { step.factor(); });
  const std::vector<double> solve = sample_processor(context.sampling(), [&] { step.solve(); });
  BenchJson out = head("linear", name, topology, size, run.model());
  out.update({{"solver", name},
              {"analyze_ms", spread(analysis, 1e3)},
              {"factor_ms", spread(factor, 1e3)},
              {"solve_ms", spread(solve, 1e3)},
              {"nonzeros_matrix", assembler.pattern().nonzeros()},
              {"nonzeros_factors", system.info().nonzeros},
              {"factor_flops", system.info().flops},
              {"levels", system.order().levels}});
  print_line(stdout,
             fmt::format("{:<9} {:<13} {:>7} {:>9} {:>10} {:>10.2f} {:>11.4f} {:>11.4f}", topology.name, name,
                         n, assembler.pattern().nonzeros(), system.info().nonzeros,
                         1e-6 * system.info().flops, 1e3 * median(factor), 1e3 * median(solve)));
  return out;
}

}  // namespace

namespace {

/// A moment of a run, and what it had computed by then.
struct StepMoment {
  unsigned long long nanoseconds;
  StepCounters counters;
  long solves;
};
StepMoment moment_of(const Session& run) {
  return {nanoseconds_now(), run.counters(), run.systems().counters().solves};
}

/// A simulation after its steps, on the processor or on a device: when the clock started and when it stopped
/// in the last repetition, and of every repetition seconds per timed step, and those until the clock started.
struct TimedSteps {
  std::unique_ptr<Session> run;
  StepMoment begin, end;
  std::vector<double> per_step, before;
};

TimedSteps timed_steps(const Model& model, const BenchContext& context, Device* device) {
  ComputeSettings compute;
  if (device) compute.device = {device, [](Device*) {}};  // the context's own
  const StepsToTake steps = steps_of(model.unknowns(), context.options.quick);
  TimedSteps out;
  for (int k = 0; k < context.options.repeats; ++k) {
    SessionEvents events;
    events.step = [&out, steps](const StepResult&) {
      out.end = moment_of(*out.run);
      if (out.end.counters.steps == steps.before) out.begin = out.end;
    };
    out.run = std::make_unique<Session>(model, bench_settings(), std::move(events), compute);
    out.run->initialize();
    const unsigned long long start = nanoseconds_now();
    out.run->run(dynamics_analysis, {(steps.before + steps.timed) * bench_step, 1});
    const auto seconds = [](auto from, auto to) { return 1e-9 * static_cast<double>(to - from); };
    out.before.push_back(seconds(start, out.begin.nanoseconds));
    out.per_step.push_back(seconds(out.begin.nanoseconds, out.end.nanoseconds) /
                           static_cast<double>(out.end.counters.steps - out.begin.counters.steps));
  }
  return out;
}

BenchJson steps_where(const BenchTopology& topology, int size, const Model& model, const TimedSteps& timed,
                      const std::string& backend) {
  const Session& run = *timed.run;
  const StepCounters &from = timed.begin.counters, &to = timed.end.counters;
  const long steps = to.steps - from.steps, jacobians = to.jacobians - from.jacobians;
  const std::string solver =
      backend == "cpu" ? run.systems().of_steps().solver_name() : "multifrontal, " + backend;
  BenchJson out = head("steps", backend == "cpu" ? "" : backend, topology, size, model);
  out.update({{"backend", backend},
              {"solver", solver},
              {"h", bench_step},
              {"steps", steps},
              {"evaluations", to.evaluations - from.evaluations},
              {"solves", timed.end.solves - timed.begin.solves},
              {"jacobians", jacobians},
              {"wall_ms_per_step", spread(timed.per_step, 1e3)},
              {"steps_before", from.steps},
              {"wall_ms_before", spread(timed.before, 1e3)}});
  print_line(stdout,
             fmt::format("{:<9} {:>7} {:>9} {:>11.4f} {:>11.4f} {:>10} {:>10.2f} {:>10}  {}", topology.name,
                         model.bodies.size(), model.unknowns(), 1e3 * median(timed.per_step),
                         1e3 * least_of(timed.per_step), steps,
                         static_cast<double>(to.iterations - from.iterations) / static_cast<double>(steps),
                         jacobians, solver));
  return out;
}

}  // namespace

std::vector<BenchJson> bench_steps(const BenchTopology& topology, int size, const BenchContext& context) {
  const Model model = bench_model(topology, size);
  const TimedSteps here = timed_steps(model, context, nullptr);
  std::vector<BenchJson> out{steps_where(topology, size, model, here, "cpu")};
  if (context.options.roofline)
    out[0]["parts"] = report(parts_of_a_step(*here.run, context), context.processor, true);
  if (context.device) {
    const TimedSteps there = timed_steps(model, context, context.device);
    out.push_back(steps_where(topology, size, model, there, context.options.backend));
  }
  return out;
}

std::vector<BenchJson> bench_linear(const BenchTopology& topology, int size, const BenchContext& context) {
  Session run(bench_model(topology, size), bench_settings(), {});
  run.initialize();
  std::vector<BenchJson> out;
  for (const SolverKind& kind : linear_solvers())
    out.push_back(solve_with(kind.name, run, topology, size, context));
  return out;
}

}  // namespace trammel
