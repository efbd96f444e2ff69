// The cases of `trammel bench`, and what they share: clocks, rates of the machine, tables.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/bench.h"
#include "app/bench_counts.h"
#include "app/bench_models.h"
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

/// Seconds of one call, `samples` times. seconds_of(calls) makes so many calls and gives their time together;
/// a sample has as many calls as last `least` seconds. One call before the first sample does not count.
template <class SecondsOf>
std::vector<double> sample(int samples, double least, const SecondsOf& seconds_of) {
  seconds_of(1);
  int calls = 1;
  while (calls < 4096 && seconds_of(calls) < least) calls *= 2;
  std::vector<double> out;
  for (int k = 0; k < samples; ++k) out.push_back(seconds_of(calls) / calls);
  return out;
}
/// By the processor's clock.
template <class Call>
std::vector<double> sample_processor(int samples, double least, const Call& call) {
  return sample(samples, least, [&](int calls) {
    const auto begin = std::chrono::steady_clock::now();
    for (int k = 0; k < calls; ++k) call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  });
}
/// By the device's clock.
template <class Call>
std::vector<double> sample_device(Device& device, int samples, double least, const Call& call) {
  return sample(samples, least, [&](int calls) {
    device.start_clock();
    for (int k = 0; k < calls; ++k) call();
    return device.read_clock();
  });
}

double median(std::vector<double> values);
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
  Device* device = nullptr;  ///< of kernels
  BenchRates rates;          ///< of that
  double least_sample() const { return options.quick ? 0 : 2e-3; }
};

/// Whole steps of a simulation on the processor, and on the device where there is one.
std::vector<BenchJson> bench_steps(const BenchTopology& topology, int unknowns, const BenchContext& context);
/// Factor and solve the matrix of a step, by each solver of the processor.
std::vector<BenchJson> bench_linear(const BenchTopology& topology, int unknowns, const BenchContext& context);
/// Equations, residual, tangent, factor and solve on a device.
std::vector<BenchJson> bench_kernels(const BenchTopology& topology, int unknowns,
                                     const BenchContext& context);

}  // namespace trammel
