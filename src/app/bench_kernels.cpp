// Equations and linear system of a step on a device.
#include <cmath>

#include "analysis/simulation.h"
#include "app/bench_cases.h"
#include "app/run_log.h"
#include "assemble/device_assembler.h"

namespace trammel {
namespace {

/// Times one part by the device's clock; launches are those that the device counted.
template <class Call>
MeasuredWork measure(const char* name, Device& device, const BenchContext& context, const Call& call) {
  const long before = device.counters().launches;
  call();
  const long launches = device.counters().launches - before;
  MeasuredWork out{name, 0, {}, false, {}};
  out.samples = sample_device(device, context.options.repeats, context.least_sample(), call);
  out.seconds = median(out.samples);
  out.work.launches = launches;
  return out;
}

/// Puts the counts beside a time; launches stay those of the device.
void count(MeasuredWork& part, WorkGroup group, const BenchCounts& counts) {
  const long launches = part.work.launches;
  part.work = work_of(group, counts);
  part.work.launches = launches;
  part.counted = true;
}

void check(const SolveReport& report, const BenchTopology& topology) {
  if (!report.ok())
    fail(ExitCode::solver, "the device does not solve the system of {}: backward error {:.2g}", topology.name,
         report.backward_error);
}

/// The parts of an iteration and of a Jacobian.
struct KernelParts {
  MeasuredWork evaluate, residual, solve, tangent, factor;
};

/// Times of the equations at the state of a run.
void measure_equations(DeviceAssembler& assembler, const Simulation& run, const BenchContext& context,
                       KernelParts& out) {
  Device& device = assembler.device();
  DeviceArray<double> r(device, static_cast<std::size_t>(run.model().unknowns()));
  const EvaluationPoint point{run.state().t, 4, bench_coefficients()};
  assembler.upload(run.state());
  out.evaluate = measure("evaluate", device, context, [&] {
    assembler.set_point(point);
    assembler.evaluate_equations();
  });
  out.residual = measure("residual", device, context, [&] { assembler.residual(r.data()); });
  out.tangent = measure("tangent", device, context, [&] { assembler.tangent(); });
  assembler.check();
}

/// Times of the linear system with the present tangent.
void measure_linear(Device& device, DeviceSystem& system, const double* values, const BenchTopology& topology,
                    const BenchContext& context, KernelParts& out) {
  const int n = system.pattern().n;
  std::vector<double> right(n);
  for (int i = 0; i < n; ++i) right[i] = std::sin(1.0 + i);
  DeviceArray<double> b(device, std::span<const double>(right)), x(device, right.size());
  const auto factor = [&] { check(system.set_matrix(values), topology); };
  const auto solve = [&] { check(system.solve(b.data(), x.data()), topology); };
  factor();  // makes the scaling
  out.factor = measure("factor", device, context, factor);
  out.solve = measure("solve", device, context, solve);
}

void count_parts(const Model& model, const Assembler& assembler, const DeviceSystem& system,
                 KernelParts& out) {
  BenchCounts counts;
  if (not_counted(model).empty()) {
    counts = count_assembly(model, assembler);
    count(out.evaluate, WorkGroup::evaluate, counts);
    count(out.residual, WorkGroup::residual, counts);
    count(out.tangent, WorkGroup::tangent, counts);
  }
  count_linear(system, counts);
  count(out.factor, WorkGroup::device_factor, counts);
  count(out.solve, WorkGroup::device_solve, counts);
}

}  // namespace

std::vector<BenchJson> bench_kernels(const BenchTopology& topology, int size, const BenchContext& context) {
  Device& device = *context.device;
  Simulation run(bench_model(topology, size), bench_settings(), {});
  run.initialize();
  const Model& model = run.model();
  Assembler& host = run.assembler();
  host.set_phase(run.state(), phase_dynamics);
  DeviceAssembler assembler(device, host, model);
  DeviceSystem system(device);
  system.analyze(host.pattern(), host.graph());
  KernelParts p;
  measure_equations(assembler, run, context, p);
  measure_linear(device, system, assembler.values(), topology, context, p);
  count_parts(model, host, system, p);

  const long host_answers = system.counters().host_answers;
  print_line(stdout,
             fmt::format("{} with {} bodies, {} unknowns: {} fronts on {} levels{}", topology.name,
                         model.bodies.size(), model.unknowns(), system.info().fronts, system.info().levels,
                         host_answers > 0 ? ", answered by the processor" : ""));
  std::vector<MeasuredWork> parts{p.evaluate, p.residual, p.solve, p.tangent, p.factor};
  BenchJson out{{"name", fmt::format("kernels/{}/{}/{}", device.backend(), topology.name, size)},
                {"case", "kernels"},
                {"topology", topology.name},
                {"size", size},
                {"bodies", model.bodies.size()},
                {"unknowns", model.unknowns()},
                {"fronts", system.info().fronts},
                {"levels", system.info().levels},
                {"host_answers", host_answers},
                {"not_counted", not_counted(model)},
                {"device_bytes", assembler.bytes() + static_cast<std::size_t>(system.info().bytes)}};
  for (const MeasuredWork& part : parts) out[part.part + "_ms"] = spread(part.samples, 1e3);
  if (context.options.roofline) {
    parts.insert(parts.begin() + 3, sum_of("iteration", {p.evaluate, p.residual, p.solve}));
    parts.push_back(sum_of("Jacobian", {p.tangent, p.factor}));
  }
  out["parts"] = report(parts, context.rates, context.options.roofline, not_counted(model));
  return {out};
}

}  // namespace trammel
