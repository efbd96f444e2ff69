// Steps of a simulation, and the linear system of one, on the processor.
#include <algorithm>
#include <cmath>
#include <memory>

#include "analysis/simulation.h"
#include "app/backend_choice_counts.h"
#include "app/bench_cases.h"
#include "app/bench_systems.h"
#include "app/run_log.h"
#include "linear/solver.h"

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

/// A tenth of a second of motion; less of a model whose steps take long.
int steps_of(int unknowns, bool quick) {
  return quick ? 5 : unknowns > 20000 ? 20 : 100;
}

/// Times of the parts of an iteration and a Jacobian, beside what is counted.
std::vector<MeasuredWork> parts_of_a_step(Simulation& run, const BenchContext& context) {
  StepSystem step(run, run.system().solver_name());
  step.factor();
  BenchCounts counts;
  const bool counted = not_counted(run.model()).empty();
  if (counted) counts = count_assembly(run.model(), run.assembler());
  count_linear(step.system, counts);
  const auto part = [&](const char* name, Work work, bool known, auto&& call) {
    work.launches = 0;  // loops
    MeasuredWork out{name, 0, work, known, sample_processor(context.sampling(), call)};
    out.seconds = median(out.samples);
    return out;
  };
  const Work equations = work_of(WorkGroup::evaluate, counts) + work_of(WorkGroup::residual, counts);
  std::vector<MeasuredWork> parts{
      part("equations", equations, counted, [&] { step.equations(); }),
      part("solution", work_of(WorkGroup::host_solve, counts), true, [&] { step.solve(); }),
      part("tangent", work_of(WorkGroup::tangent, counts), counted, [&] { step.tangent(); }),
      part("factorization", work_of(WorkGroup::host_factor, counts), true, [&] { step.factor(); })};
  parts.push_back(sum_of("Jacobian", {parts[2], parts[3]}));
  parts.insert(parts.begin() + 2, sum_of("iteration", {parts[0], parts[1]}));
  return parts;
}

BenchJson solve_with(const std::string& name, Simulation& run, const BenchTopology& topology, int size,
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

/// A simulation after its steps, on the processor or on a device, and seconds per step of every repetition.
struct TimedSteps {
  std::unique_ptr<Simulation> run;
  std::vector<double> seconds;
};

TimedSteps timed_steps(const Model& model, const BenchContext& context, Device* device) {
  ComputeSettings compute;
  if (device) compute.device = {device, [](Device*) {}};  // the context's own
  const int steps = steps_of(model.unknowns(), context.options.quick);
  TimedSteps out;
  for (int k = 0; k < context.options.repeats; ++k) {
    out.run = std::make_unique<Simulation>(model, bench_settings(), SimulationEvents{}, compute);
    out.run->initialize();
    const auto begin = std::chrono::steady_clock::now();
    out.run->dynamics(steps * bench_step, 1);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    out.seconds.push_back(taken.count() / static_cast<double>(out.run->counters().steps));
  }
  return out;
}

BenchJson steps_where(const BenchTopology& topology, int size, const Model& model, const TimedSteps& timed,
                      const std::string& backend, double predicted) {
  const Simulation& run = *timed.run;
  const HhtCounters& h = run.counters();
  const std::string solver = backend == "cpu" ? run.system().solver_name() : "multifrontal, " + backend;
  BenchJson out = head("steps", backend == "cpu" ? "" : backend, topology, size, model);
  out.update({{"backend", backend},
              {"solver", solver},
              {"h", bench_step},
              {"steps", h.steps},
              {"evaluations", h.evaluations},
              {"solves", run.linear_counters().solves},
              {"jacobians", h.jacobians},
              {"wall_ms_per_step", spread(timed.seconds, 1e3)}});
  if (predicted > 0) out["predicted_ms_per_step"] = 1e3 * predicted;
  print_line(stdout, fmt::format("{:<9} {:>7} {:>9} {:>11.4f} {:>11.4f} {:>11} {:>10} {:>10.2f} {:>10}  {}",
                                 topology.name, model.bodies.size(), model.unknowns(),
                                 1e3 * median(timed.seconds), 1e3 * least_of(timed.seconds),
                                 predicted > 0 ? fmt::format("{:.4f}", 1e3 * predicted) : "-", h.steps,
                                 static_cast<double>(h.iterations) / static_cast<double>(h.steps),
                                 h.jacobians, solver));
  return out;
}

/// Of a step with the usual number of iterations (StepRhythm), as --backend auto predicts it; 0: no
/// constants.
double predicted_here(Simulation& run, const BenchContext& context) {
  if (!context.constants) return 0;
  const ProcessorCounts counts = count_on_processor(run.model(), run.assembler(), run.system(), 1);
  return predict(counts, context.constants->processor()).of({});
}

double predicted_there(Simulation& run, const BenchContext& context) {
  if (!context.constants) return 0;
  const DeviceCounts counts =
      count_on_device(count_equations(run.model(), run.assembler()), count_vectors(run.model()),
                      run.assembler(), static_cast<std::size_t>(context.device->info().shared_memory));
  return predict(counts, context.constants->of(*context.device)).of({});
}

}  // namespace

std::vector<BenchJson> bench_steps(const BenchTopology& topology, int size, const BenchContext& context) {
  const Model model = bench_model(topology, size);
  const TimedSteps here = timed_steps(model, context, nullptr);
  std::vector<BenchJson> out{
      steps_where(topology, size, model, here, "cpu", predicted_here(*here.run, context))};
  if (context.options.roofline) {
    out[0]["not_counted"] = not_counted(model);
    out[0]["parts"] =
        report(parts_of_a_step(*here.run, context), context.processor, true, not_counted(model));
  }
  if (context.device) {
    const TimedSteps there = timed_steps(model, context, context.device);
    out.push_back(steps_where(topology, size, model, there, context.options.backend,
                              predicted_there(*there.run, context)));
  }
  return out;
}

std::vector<BenchJson> bench_linear(const BenchTopology& topology, int size, const BenchContext& context) {
  Simulation run(bench_model(topology, size), bench_settings(), {});
  run.initialize();
  std::vector<BenchJson> out;
  for (const SolverKind& kind : linear_solvers())
    out.push_back(solve_with(kind.name, run, topology, size, context));
  return out;
}

}  // namespace trammel
