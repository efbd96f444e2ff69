// Repeated timings: how often, by which clock, and what of them is taken.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "base/clock.h"
#include "device_api/device.h"

namespace trammel {

/// How long to measure one thing.
struct Sampling {
  int samples = 3;
  double least = 0;  ///< seconds: a sample has as many calls as last so long
  double most = std::numeric_limits<double>::infinity();  ///< seconds: none but the first three after that
};

/// Seconds of one call, sample by sample. seconds_of(calls) makes so many calls and gives their time
/// together. One call before the first sample does not count: it loads a kernel and touches memory.
template <class SecondsOf>
std::vector<double> sample(const Sampling& s, const SecondsOf& seconds_of) {
  constexpr int most_calls = 1 << 14;
  seconds_of(1);
  int calls = 1;
  while (calls < most_calls && seconds_of(calls) < s.least) calls *= 2;
  std::vector<double> out;
  double total = 0;
  for (int k = 0; k < s.samples && (k < 3 || total < s.most); ++k) {
    const double seconds = seconds_of(calls);
    total += seconds;
    out.push_back(seconds / calls);
  }
  return out;
}
/// By the processor's clock.
template <class Call>
std::vector<double> sample_processor(const Sampling& s, const Call& call) {
  return sample(s, [&](int calls) {
    const Stopwatch begun;
    for (int k = 0; k < calls; ++k) call();
    return begun.seconds();
  });
}
/// By the device's clock.
template <class Call>
std::vector<double> sample_device(Device& device, const Sampling& s, const Call& call) {
  return sample(s, [&](int calls) {
    device.start_clock();
    for (int k = 0; k < calls; ++k) call();
    return device.read_clock();
  });
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 == 1 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}
/// What other programs have disturbed least.
inline double least_of(const std::vector<double>& values) {
  return *std::min_element(values.begin(), values.end());
}

}  // namespace trammel
