#include "app/calibration.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "app/backend_choice_counts.h"
#include "app/bench_cases.h"
#include "app/bench_systems.h"
#include "app/device_costs.h"

namespace trammel {
namespace {

using P = ProcessorConstants;
using D = DeviceConstants;

constexpr ConstantField<P> processor_fields[] = {
    {"bandwidth", &P::bandwidth, "memory, triad", "GB/s", 1e-9},
    {"cache", &P::cache, "last cache", "MB", 1e-6},
    {"equation_flop", &P::equation_flop, "equations, per operation", "ns", 1e9},
    {"tangent_flop", &P::tangent_flop, "tangent, per operation", "ns", 1e9},
    {"klu_factor_value", &P::klu_factor_value, "KLU, factorization per value of L + U", "ns", 1e9},
    {"klu_solve_value", &P::klu_solve_value, "KLU, solution per value of L + U", "ns", 1e9},
    {"multifrontal_factor_value", &P::multifrontal_factor_value, "multifrontal, factorization per value",
     "ns", 1e9},
    {"multifrontal_factor_flop", &P::multifrontal_factor_flop, "multifrontal, factorization per operation",
     "ns", 1e9},
    {"multifrontal_solve_value", &P::multifrontal_solve_value, "multifrontal, solution per value", "ns", 1e9},
};

constexpr ConstantField<D> device_fields[] = {
    {"launch", &D::launch, "kernel launched outside of graphs", "us", 1e6},
    {"graph_launch", &D::graph_launch, "kernel of a graph", "us", 1e6},
    {"answer", &D::answer, "answer of 16 bytes, awaited", "us", 1e6},
    {"bandwidth", &D::bandwidth, "memory, triad", "GB/s", 1e-9},
    {"equation_launch", &D::equation_launch, "equations, per kernel", "us", 1e6},
    {"equation_flop", &D::equation_flop, "equations, per operation", "ns", 1e9},
    {"tangent_launch", &D::tangent_launch, "tangent, per kernel", "us", 1e6},
    {"tangent_flop", &D::tangent_flop, "tangent, per operation", "ns", 1e9},
    {"factor_level", &D::factor_level, "factorization, per level besides its kernels", "us", 1e6},
    {"factor_flop", &D::factor_flop, "factorization, per operation", "ns", 1e9},
    {"solve_level", &D::solve_level, "solution, per level besides its kernels", "us", 1e6},
    {"solve_byte", &D::solve_byte, "solution, per byte", "ns", 1e9},
};

/// After that time no larger model is measured: the device is slow, whatever its rates.
constexpr std::chrono::duration<double> patience{0.5};
constexpr Sampling quick_sampling{5, 1e-3, 5e-2};

/// Bytes of the largest cache that the system tells of; 32 MB where it tells of none.
double last_cache() {
  for (const int level : {_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE})
    if (const long bytes = sysconf(level); bytes > 0) return static_cast<double>(bytes);
  return 32e6;
}

/// A generated model at rest where its deck puts it.
struct Sample {
  Sample(const char* topology, int unknowns)
      : run(bench_model(bench_topology(topology), unknowns), bench_settings(), {}) {}
  Simulation run;
};

template <class Call>
double least_on_processor(const Call& call) {
  return least_of(sample_processor(quick_sampling, call));
}

/// A part with one count alone.
TwoCounts only(double count, double seconds) {
  return {count, 0, seconds};
}

/// Parts of steps of several models on one thread.
struct ProcessorParts {
  std::vector<TwoCounts> equations, tangent, factor, solve;

  void add(const char* topology, int unknowns) {
    Sample model(topology, unknowns);
    StepSystem step(model.run, model.run.system().solver_name());
    step.factor();
    const ProcessorCounts c =
        count_on_processor(model.run.model(), model.run.assembler(), model.run.system(), 1);
    equations.push_back(only(c.equations.flops, least_on_processor([&] { step.equations(); })));
    tangent.push_back(only(c.tangent.flops, least_on_processor([&] { step.tangent(); })));
    factor.push_back({c.factor_values, c.factor_flops, least_on_processor([&] { step.factor(); })});
    solve.push_back(only(c.factor_values, least_on_processor([&] { step.solve(); })));
  }
};

template <class Call>
double least_on_device(Device& device, const Call& call) {
  return least_of(sample_device(device, quick_sampling, call));
}

/// Parts of steps of several models on a device.
struct DeviceParts {
  DeviceParts(Device& on, const DeviceConstants& known) : device(on), m(known) {}

  void add(const char* topology, int unknowns) {
    Sample model(topology, unknowns);
    DeviceStepSystem step(device, model.run);
    const EquationCounts e = count_equations(model.run.model(), model.run.assembler());
    const DeviceCounts c = count_on_device(e, count_vectors(model.run.model()), model.run.assembler(),
                                           static_cast<std::size_t>(device.info().shared_memory));
    const auto launches = [](const Work& work) { return static_cast<double>(work.launches); };
    // Each ends with an answer to the program, and has kernels beside its graph.
    const auto left = [&](const Work& work, int beside, double seconds) {
      return std::max(seconds - launches(work) * m.graph_launch - beside * m.launch - m.answer,
                      1e-3 * seconds);
    };
    equations.push_back({launches(c.equations), c.equations.flops, least_on_device(device, [&] {
                           step.evaluate();
                           step.residual();
                         })});
    tangent.push_back(
        {launches(c.tangent), c.tangent.flops, least_on_device(device, [&] { step.tangent(); })});
    factor.push_back({static_cast<double>(c.factor.levels), c.factor.flops,
                      left(c.factor, 1, least_on_device(device, [&] { step.factor(); }))});
    solve.push_back({static_cast<double>(c.solve.levels), c.solve.bytes(),
                     left(c.solve, 2, least_on_device(device, [&] { step.solve(); }))});
  }

  Device& device;
  const DeviceConstants& m;
  std::vector<TwoCounts> equations, tangent, factor, solve;
};

}  // namespace

std::span<const ConstantField<P>> fields_of(const P&) {
  return processor_fields;
}
std::span<const ConstantField<D>> fields_of(const D&) {
  return device_fields;
}

/// Normal equations of Σ (a x + b y − 1)², a and b in units of the seconds; where x or y would be negative,
/// it is 0 and the other alone is sought.
TwoRates rates_of(std::span<const TwoCounts> parts) {
  double aa = 0, ab = 0, bb = 0, a1 = 0, b1 = 0;
  for (const TwoCounts& p : parts) {
    const double a = p.a / p.seconds, b = p.b / p.seconds;
    aa += a * a;
    ab += a * b;
    bb += b * b;
    a1 += a;
    b1 += b;
  }
  const double determinant = aa * bb - ab * ab;
  if (determinant > 1e-12 * aa * bb) {
    const TwoRates both{(a1 * bb - b1 * ab) / determinant, (b1 * aa - a1 * ab) / determinant};
    if (both.a >= 0 && both.b >= 0) return both;
  }
  // One alone: the better of the two.
  const double of_a = aa > 0 ? a1 * a1 / aa : 0, of_b = bb > 0 ? b1 * b1 / bb : 0;
  return of_a >= of_b ? TwoRates{aa > 0 ? a1 / aa : 0, 0} : TwoRates{0, b1 / bb};
}

ProcessorConstants measure_processor() {
  ProcessorParts klu, multifrontal;
  klu.add("chain", 900);
  klu.add("chain", 9000);
  for (const auto& [topology, unknowns] :
       {std::pair{"tree", 3000}, {"net", 900}, {"net", 9000}, {"track", 3000}})
    multifrontal.add(topology, unknowns);
  ProcessorConstants m;
  m.bandwidth = processor_rates(false).bandwidth;
  m.cache = last_cache();
  const auto both = [](std::vector<TwoCounts> all, const std::vector<TwoCounts>& more) {
    all.insert(all.end(), more.begin(), more.end());
    return rates_of(all).a;
  };
  m.equation_flop = both(klu.equations, multifrontal.equations);
  m.tangent_flop = both(klu.tangent, multifrontal.tangent);
  for (TwoCounts& part : klu.factor) part.b = 0;  // its operations are proportional to its values
  m.klu_factor_value = rates_of(klu.factor).a;
  m.klu_solve_value = rates_of(klu.solve).a;
  const TwoRates factor = rates_of(multifrontal.factor);
  m.multifrontal_factor_value = factor.a;
  m.multifrontal_factor_flop = factor.b;
  m.multifrontal_solve_value = rates_of(multifrontal.solve).a;
  return m;
}

DeviceConstants measure_device(Device& device) {
  warm_up(device, 0.1);
  DeviceConstants m;
  m.launch = least_of(time_launch(device, quick_sampling));
  constexpr int kernels = 100;
  m.graph_launch = least_of(time_graph(device, kernels, quick_sampling).run) / kernels;
  m.answer = std::max(0.0, least_of(time_answer(device, quick_sampling)) - m.launch);
  m.bandwidth = device_rates(device, false).bandwidth;
  DeviceParts parts(device, m);
  const auto begin = std::chrono::steady_clock::now();
  for (const auto& [topology, unknowns] :
       {std::pair{"track", 700}, {"chain", 900}, {"net", 9000}, {"tree", 30000}}) {
    parts.add(topology, unknowns);
    if (std::chrono::steady_clock::now() - begin > patience) break;
  }
  const TwoRates equations = rates_of(parts.equations), tangent = rates_of(parts.tangent),
                 factor = rates_of(parts.factor), solve = rates_of(parts.solve);
  m.equation_launch = equations.a;
  m.equation_flop = equations.b;
  m.tangent_launch = tangent.a;
  m.tangent_flop = tangent.b;
  m.factor_level = factor.a;
  m.factor_flop = factor.b;
  m.solve_level = solve.a;
  m.solve_byte = solve.b;
  return m;
}

}  // namespace trammel
