// What a device asks for besides the work itself: launches, graphs, round trips. Measured with kernels of one
// item that compute nothing to speak of.
#pragma once

#include <vector>

#include "bench_tool/samples.h"
#include "device_api/device.h"

namespace trammel {

/// An idle device runs at a low clock; so many seconds of work raise it.
void warm_up(Device& device, double seconds);

/// Seconds per kernel by the device's clock, in a row of many outside of graphs.
std::vector<double> time_launch(Device& device, const Sampling& sampling);
/// A kernel launched and awaited, by the processor's clock.
std::vector<double> time_awaited_launch(Device& device, const Sampling& sampling);
/// A kernel launched, and 16 bytes copied to the program, by the processor's clock.
std::vector<double> time_answer(Device& device, const Sampling& sampling);

/// A graph of so many kernels: seconds that making it took, per run by the device's clock, per run awaited by
/// the processor's.
struct GraphSeconds {
  double made = 0;
  std::vector<double> run, awaited;
};
GraphSeconds time_graph(Device& device, int kernels, const Sampling& sampling);

}  // namespace trammel
