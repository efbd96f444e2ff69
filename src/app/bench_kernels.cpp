// Equations and linear system of a step on a device.
#include "analysis/simulation.h"
#include "app/bench_cases.h"
#include "app/bench_systems.h"
#include "app/run_log.h"

namespace trammel {
namespace {

/// Times one part by the device's clock; launches are those that the device counted.
template <class Call>
MeasuredWork measure(const char* name, Device& device, const BenchContext& context, const Call& call) {
  const long before = device.counters().launches;
  call();
  const long launches = device.counters().launches - before;
  MeasuredWork out{name, 0, {}, false, {}};
  out.samples = sample_device(device, context.sampling(), call);
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

/// The parts of an iteration and of a Jacobian.
struct KernelParts {
  MeasuredWork evaluate, residual, solve, tangent, factor;
};

KernelParts measure_parts(Device& device, DeviceStepSystem& step, const BenchContext& context) {
  return {measure("evaluate", device, context, [&] { step.evaluate(); }),
          measure("residual", device, context, [&] { step.residual(); }),
          measure("solve", device, context, [&] { step.solve(); }),
          measure("tangent", device, context, [&] { step.tangent(); }),
          measure("factor", device, context, [&] { step.factor(); })};
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
  DeviceStepSystem step(device, run);
  const DeviceSystem& system = step.system;
  KernelParts p = measure_parts(device, step, context);
  count_parts(model, run.assembler(), system, p);

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
                {"device_bytes", step.assembler.bytes() + static_cast<std::size_t>(system.info().bytes)}};
  for (const MeasuredWork& part : parts) out[part.part + "_ms"] = spread(part.samples, 1e3);
  if (context.options.roofline) {
    parts.insert(parts.begin() + 3, sum_of("iteration", {p.evaluate, p.residual, p.solve}));
    parts.push_back(sum_of("Jacobian", {p.tangent, p.factor}));
  }
  out["parts"] = report(parts, context.rates, context.options.roofline, not_counted(model));
  return {out};
}

}  // namespace trammel
