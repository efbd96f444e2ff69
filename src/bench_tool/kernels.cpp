// Equations and linear system of a step on a device.
#include "analysis/session.h"
#include "bench_tool/cases.h"
#include "bench_tool/systems.h"
#include "terminal/print.h"

namespace trammel {
namespace {

/// Times one part by the device's clock; launches are those that the device counted.
template <class Call>
MeasuredWork measure(const char* name, Device& device, const BenchContext& context, const Call& call) {
  const long before = device.counters().launches;
  call();
  const long launches = device.counters().launches - before;
  return {name, sample_device(device, context.sampling(), call), {}, launches};
}

/// The parts of an iteration and of a Jacobian.
std::vector<MeasuredWork> measure_parts(Device& device, DeviceStepSystem& step, const BenchContext& context) {
  MeasuredWork evaluate = measure("evaluate", device, context, [&] { step.evaluate(); }),
               residual = measure("residual", device, context, [&] { step.residual(); }),
               solve = measure("solve", device, context, [&] { step.solve(); }),
               tangent = measure("tangent", device, context, [&] { step.tangent(); }),
               factor = measure("factor", device, context, [&] { step.factor(); });
  const LinearCounts counts = counts_of(step.system);
  solve.work = solution_work(counts);
  factor.work = factorization_work(counts);
  return {evaluate, residual, solve, tangent, factor};
}

}  // namespace

std::vector<BenchJson> bench_kernels(const BenchTopology& topology, int size, const BenchContext& context) {
  Device& device = *context.device;
  Session run(bench_model(topology, size), bench_settings(), {});
  run.initialize();
  const Model& model = run.model();
  DeviceStepSystem step(device, run);
  const DeviceSystem& system = step.system;
  const std::vector<MeasuredWork> parts = measure_parts(device, step, context);
  const long host_answers = system.counters().host_answers;
  print_line(stdout,
             fmt::format("{} with {} bodies, {} unknowns: {} fronts on {} levels{}", topology.name,
                         model.bodies.size(), model.unknowns(), system.info().fronts, system.info().levels,
                         host_answers > 0 ? ", answered by the processor" : ""));
  BenchJson out{{"name", fmt::format("kernels/{}/{}/{}", device.backend(), topology.name, size)},
                {"case", "kernels"},
                {"topology", topology.name},
                {"size", size},
                {"bodies", model.bodies.size()},
                {"unknowns", model.unknowns()},
                {"fronts", system.info().fronts},
                {"levels", system.info().levels},
                {"host_answers", host_answers},
                {"device_bytes", step.assembler.bytes() + static_cast<std::size_t>(system.info().bytes)}};
  for (const MeasuredWork& part : parts) out[part.part + "_ms"] = spread(part.samples, 1e3);
  out["parts"] = report(parts, context.rates, context.options.roofline);
  return {out};
}

}  // namespace trammel
