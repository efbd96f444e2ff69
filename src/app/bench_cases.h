// The cases of `trammel bench`, and what they share: clocks, rates of the machine, tables.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/backend_choice_run.h"
#include "app/bench.h"
#include "app/bench_counts.h"
#include "app/bench_models.h"
#include "app/bench_samples.h"
#include "device/device.h"

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

/// Least time in seconds that reading, writing and computing take at these rates.
double least_seconds(const Work& work, const BenchRates& rates);

/// {median, min, max}, values multiplied.
BenchJson spread(const std::vector<double>& values, double factor);

/// A part of an iteration or Jacobian: what it took, and what was counted.
struct MeasuredWork {
  std::string part;
  double seconds = 0;
  Work work;
  bool counted = true;
  std::vector<double> samples = {};  ///< of the seconds; empty of a sum
};
/// Both, one after the other.
MeasuredWork sum_of(const char* name, const std::vector<MeasuredWork>& parts);
/// Prints the parts with bytes, operations and rates, with `roofline` beside the least time, and gives them
/// as JSON. `left_out`: the element for which there is no count, if any.
BenchJson report(const std::vector<MeasuredWork>& parts, const BenchRates& rates, bool roofline,
                 const std::string& left_out);

/// What a case works with.
struct BenchContext {
  const BenchOptions& options;
  BenchRates processor;
  Device* device = nullptr;               ///< of kernels
  BenchRates rates;                       ///< of that
  MachineConstants* constants = nullptr;  ///< for predictions; null: none are made
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
