#include "bench_tool/bench.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "backends/load.h"
#include "bench_tool/cases.h"
#include "bench_tool/machine.h"
#include "output/stream_file.h"
#include "session/version.h"
#include "terminal/print.h"

#ifndef TRAMMEL_FLAGS
#define TRAMMEL_FLAGS "unknown"
#endif

namespace trammel {
namespace {

constexpr const char* explanation =
    "Models are generated: links in a chain, a loop or a net, a tree of rods, tracked vehicles, a chain "
    "with\n"
    "full linear systems in its joints. --sizes are numbers of unknowns (coordinates, multipliers, states).\n"
    "  steps    whole steps of 1 ms, one thread of the processor\n"
    "  linear   factor and solve the matrix of a step, by each solver of the processor\n"
    "  kernels  equations, residual, tangent, factor, solve by the clock of a device: --backend cuda or "
    "host\n"
    "Without --cases: steps and linear; with a device: kernels.\n\n"
    "--roofline times the parts of an iteration and of a Jacobian, and sets beside factorization and "
    "solution\n"
    "the least time in which matrix, factors, b and x pass at the bandwidth of a triad (z = x + c y), "
    "measured\n"
    "in the same run, and their operations are done at --flop-rate (the processor's is measured if not "
    "given;\n"
    "a device without it is held to bandwidth alone), and which part of it is reached. Models that fit a "
    "cache\n"
    "may come out above 100 %.\n\n"
    "Examples:\n"
    "  trammel bench --quick                        does it work, seconds\n"
    "  trammel bench --sizes 1000,100000 --topologies net,tree --out here.json\n"
    "  trammel bench --cases steps --roofline\n"
    "  trammel bench --backend cuda --roofline      a device\n"
    "  python3 bench/compare.py old.json new.json   ratios of two files\n\n"
    "Other programs on the machine take their share: the least of several runs is nearest to the truth.\n"
    "Exit codes: 0 done; 2 wrong command line; 5 no solution; 7 the file cannot be written; 8 no such "
    "device.";

struct BenchCase {
  const char* name;
  bool on_device;
  std::vector<BenchJson> (*run)(const BenchTopology&, int unknowns, const BenchContext&);
  const char* title;
  const char* columns;
};
const BenchCase all_cases[] = {
    {"steps", false, bench_steps, "Steps of 1 ms; on the processor one thread",
     "\ntopology   bodies  unknowns     ms/step       least      steps  iter/step  Jacobians  "
     "solver"},
    {"linear", false, bench_linear, "Matrix of a step, one thread",
     "\ntopology  solver        unknowns  nonzeros    factors     Mflop   factor ms    solve ms"},
    {"kernels", true, bench_kernels, "Kernels, by the device's clock", ""},
};

const BenchCase& case_of(const std::string& name) {
  for (const BenchCase& c : all_cases)
    if (c.name == name) return c;
  fail(ExitCode::usage, "there is no case \"{}\"; there are steps, linear, kernels", name);
}

void require(bool right, const std::string& what) {
  if (!right) throw Failure(ExitCode::usage, what);
}

/// Options with what they leave open. Throws Failure(usage) for what does not exist or fit.
BenchOptions completed(BenchOptions o) {
  const bool cpu = o.backend == "cpu";
  const auto& names = backend_names();
  require(cpu || std::find(names.begin(), names.end(), o.backend) != names.end(),
          fmt::format("there is no back end \"{}\"; there are cpu, {}", o.backend, fmt::join(names, ", ")));
  if (o.cases.empty())
    o.cases =
        cpu ? std::vector<std::string>{"steps", "linear"} : std::vector<std::string>{"steps", "kernels"};
  if (o.sizes.empty()) o.sizes = o.quick ? std::vector<int>{300} : std::vector<int>{1000, 10000};
  if (o.topologies.empty())
    for (const BenchTopology& t : bench_topologies()) o.topologies.emplace_back(t.name);
  for (const std::string& name : o.topologies) bench_topology(name);
  for (const std::string& name : o.cases)
    require(!(cpu && case_of(name).on_device),
            name + " are run on a device: add --backend cuda or --backend host");
  for (const int size : o.sizes)
    require(size >= 1 && size <= 10'000'000, fmt::format("--sizes {}: from 1 to 10000000 unknowns", size));
  require(o.repeats >= 1 && o.repeats <= 1000, fmt::format("--repeats {}: from 1 to 1000", o.repeats));
  require(o.device >= 0 && !(cpu && o.device > 0),
          fmt::format("--device {}: devices count from 0, and cpu has one; trammel devices lists them",
                      o.device));
  require(o.flop_rate >= 0, fmt::format("--flop-rate {}: Gflop/s, above 0", o.flop_rate));
  return o;
}

BenchJson describe_bench(const BenchOptions& o) {
  return {{"date", bench::utc_now()},
          {"program", "trammel bench " + program_version()},
          {"build", program_build()},
          {"flags", TRAMMEL_FLAGS},
          {"machine", bench::describe_machine()},
          {"quick", o.quick},
          {"repeats", o.repeats},
          {"backend", o.backend},
          {"load_average_begin", bench::load_average()}};
}

std::string rates_text(const std::string& name, const BenchRates& rates) {
  return fmt::format("{}: triad {:.2f} GB/s, {}", name, 1e-9 * rates.bandwidth,
                     rates.flops > 0 ? fmt::format("{:.2f} Gflop/s", 1e-9 * rates.flops)
                                     : "no rate of operations stated (--flop-rate)");
}

BenchJson to_json(const BenchRates& rates) {
  return {{"triad_bytes_per_second", rates.bandwidth}, {"flops_per_second", rates.flops}};
}

/// Measures what the machine can do at most, and says it.
void measure_rates(BenchContext& context, BenchJson& result) {
  const BenchOptions& o = context.options;
  if (o.roofline) {
    context.processor = processor_rates(o.quick);
    if (o.flop_rate > 0) context.processor.flops = 1e9 * o.flop_rate;
    result["processor_rates"] = to_json(context.processor);
    print_line(stdout, rates_text("processor", context.processor));
  }
  if (!context.device) return;
  context.rates = device_rates(*context.device, o.quick);
  context.rates.flops = o.flop_rate > 0       ? 1e9 * o.flop_rate
                        : o.backend == "host" ? context.processor.flops
                                              : 0;
  const TrammelDeviceInfo& info = context.device->info();
  result["device"] = {{"name", info.name},
                      {"driver", info.driver},
                      {"architecture", info.architecture},
                      {"built_for_bytes_per_second", info.bandwidth}};
  result["device_rates"] = to_json(context.rates);
  print_line(stdout, rates_text(fmt::format("{} {}, {}", o.backend, o.device, info.name), context.rates));
}

/// One case of one model. One that has no solution is told and left out, and the code says so.
ExitCode run_case(const std::string& name, const std::string& topology, int size, const BenchContext& context,
                  BenchJson& result) {
  try {
    for (BenchJson& one : case_of(name).run(bench_topology(topology), size, context))
      result["cases"].push_back(std::move(one));
    return ExitCode::ok;
  } catch (const Failure& failure) {
    if (failure.code() != ExitCode::solver) throw;
    const std::string left = fmt::format("{}/{}/{}", name, topology, size);
    print_line(stderr, fmt::format("{} left out: {}", left, failure.what()));
    result["left_out"].push_back({{"name", left}, {"reason", failure.what()}});
    return failure.code();
  }
}

ExitCode run_cases(const BenchContext& context, BenchJson& result) {
  ExitCode code = ExitCode::ok;
  result["cases"] = result["left_out"] = BenchJson::array();
  for (const std::string& name : context.options.cases) {
    print_line(stdout, fmt::format("\n{}{}", case_of(name).title, case_of(name).columns));
    for (const int size : context.options.sizes)
      for (const std::string& topology : context.options.topologies)
        if (run_case(name, topology, size, context, result) != ExitCode::ok) code = ExitCode::solver;
  }
  return code;
}

void write(const BenchJson& result, const std::string& path) {
  StreamFile file;
  file.open(path);
  file.write(result.dump(2) + "\n");
  file.close();
}

int run(const BenchOptions& given) {
  const BenchOptions o = completed(given);
  std::unique_ptr<Device> device;
  if (o.backend != "cpu") device = std::make_unique<Device>(load_backend(o.backend), o.device);
  if (!o.out.empty() && !std::ofstream(o.out, std::ios::app))
    throw Failure(ExitCode::io, io_error_text("write", o.out, errno));
  BenchContext context{o, {}, device.get(), {}};
  BenchJson result = describe_bench(o);
  measure_rates(context, result);
  const ExitCode code = run_cases(context, result);
  result["load_average_end"] = bench::load_average();
  if (!o.out.empty()) write(result, o.out);
  return static_cast<int>(code);
}

}  // namespace

void add_bench(CLI::App& app, BenchOptions& o) {
  auto* command =
      app.add_subcommand("bench", "how fast this machine computes: steps, linear systems, kernels");
  command->footer(explanation);
  const auto list = [&](const char* name, auto& values, const char* text) {
    command->add_option(name, values, text)->delimiter(',')->allow_extra_args(false)->type_name("LIST");
  };
  list("--cases", o.cases, "steps,linear,kernels");
  list("--sizes", o.sizes, "numbers of unknowns, about (default 1000,10000)");
  list("--topologies", o.topologies, "chain,loop,net,tree,track,flexible (default: all)");
  command->add_option("--backend", o.backend, "cpu, cuda or host")->capture_default_str()->type_name("NAME");
  command->add_option("--device", o.device, "which of the back end's devices, from 0")->type_name("N");
  command->add_option("--repeats", o.repeats, "samples of each time")->capture_default_str()->type_name("N");
  command->add_flag("--quick", o.quick, "small models, few steps: a test that it works, no measurement");
  command->add_option("--out", o.out, "JSON file of all that was measured")->type_name("FILE");
  command->add_flag("--roofline", o.roofline,
                    "times of the parts of a step, and the least that the machine's rates allow");
  command->add_option("--flop-rate", o.flop_rate, "stated rate of operations for --roofline, Gflop/s")
      ->type_name("RATE");
}

int bench_command(const BenchOptions& options) {
  return guarded_command([&] { return run(options); });
}

}  // namespace trammel
