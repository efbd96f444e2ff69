// The cases of `trammel bench`, and what they share: clocks, rates of the machine, tables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench_tool/models.h"
#include "bench_tool/options.h"
#include "bench_tool/samples.h"
#include "device_api/device.h"
#include "linear/device/system.h"
#include "linear/system.h"

namespace trammel {

using BenchJson = nlohmann::ordered_json;

/// What a machine can do at most.
struct BenchRates {
  double bandwidth = 0;  ///< bytes per second of a triad on long vectors
  double flops = 0;      ///< operations per second; 0: not known, the bandwidth alone counts
};

/// Triad on vectors that no cache holds, products of dense blocks; one core. Less of both with `quick`.
BenchRates processor_rates(bool quick);
/// Triad by the device's clock.
BenchRates device_rates(Device& device, bool quick);

/// What a part of a step has to do at least. Of the linear system it follows from the numbers that its
/// solvers give of themselves: the matrix and the factors pass once, b and x once, and each factor takes a
/// multiplication and an addition in a solution. Nobody counts the equations of motion.
struct Work {
  double bytes = 0, flops = 0;
  int levels = 0;  ///< of the elimination tree that it goes through, one after the other
};
struct LinearCounts {
  double unknowns = 0, matrix_values = 0, factor_values = 0, factor_flops = 0;
  int levels = 0;
};
LinearCounts counts_of(const GuardedSystem& system);
LinearCounts counts_of(const DeviceSystem& system);
Work factorization_work(const LinearCounts& counts);
Work solution_work(const LinearCounts& counts);

/// Least time in seconds that reading, writing and computing take at these rates.
double least_seconds(const Work& work, const BenchRates& rates);

/// {median, min, max}, values multiplied.
BenchJson spread(const std::vector<double>& values, double factor);

/// A part of an iteration or Jacobian: what it took, and what it has to do, where that is known.
struct MeasuredWork {
  std::string part;
  std::vector<double> samples;  ///< seconds
  std::optional<Work> work;
  long launches = 0;  ///< of kernels, as the device counted them; 0: a loop of the processor
};
/// Prints the parts with bytes, operations and rates, with `roofline` beside the least time, and gives them
/// as JSON.
BenchJson report(const std::vector<MeasuredWork>& parts, const BenchRates& rates, bool roofline);

/// What a case works with.
struct BenchContext {
  const BenchOptions& options;
  BenchRates processor;
  Device* device = nullptr;  ///< of kernels
  BenchRates rates;          ///< of that
  Sampling sampling() const { return {options.repeats, options.quick ? 0 : 2e-3}; }
};

/// Whole steps of a simulation on the processor, and on the device where there is one.
std::vector<BenchJson> bench_steps(const BenchTopology& topology, int unknowns, const BenchContext& context);
/// Factor and solve the matrix of a step, by each solver of the processor.
std::vector<BenchJson> bench_linear(const BenchTopology& topology, int unknowns, const BenchContext& context);
/// Equations, residual, tangent, factor and solve on a device.
std::vector<BenchJson> bench_kernels(const BenchTopology& topology, int unknowns,
                                     const BenchContext& context);

}  // namespace trammel
