#include "device_costs.h"

#include "base/clock.h"
#include "device_api/vector_kernels.h"

namespace trammel {
namespace {

/// A kernel of one item.
struct SmallKernel {
  explicit SmallKernel(Device& on) : device(on), x(on, 2) {}
  void launch() { device.launch(FillValues{x.data(), 1}, 1); }
  Device& device;
  DeviceArray<double> x;
};

}  // namespace

void warm_up(Device& device, double seconds) {
  constexpr int n = 10'000;
  DeviceArray<double> x(device, static_cast<std::size_t>(n));
  device.launch(FillValues{x.data(), 1}, n);
  for (double worked = 0; worked < seconds;) {
    device.start_clock();
    for (int k = 0; k < 1000; ++k) device.launch(Triad{x.data(), x.data(), x.data(), -0.5}, n);
    worked += device.read_clock();
  }
}

std::vector<double> time_launch(Device& device, const Sampling& sampling) {
  SmallKernel kernel(device);
  return sample_device(device, sampling, [&] { kernel.launch(); });
}

std::vector<double> time_awaited_launch(Device& device, const Sampling& sampling) {
  SmallKernel kernel(device);
  return sample_processor(sampling, [&] {
    kernel.launch();
    device.synchronize();
  });
}

std::vector<double> time_answer(Device& device, const Sampling& sampling) {
  SmallKernel kernel(device);
  double answer[2];
  return sample_processor(sampling, [&] {
    kernel.launch();
    device.download(answer, kernel.x.data(), sizeof answer);
  });
}

GraphSeconds time_graph(Device& device, int kernels, const Sampling& sampling) {
  SmallKernel kernel(device);
  GraphSeconds out;
  const Stopwatch begun;
  const auto graph = device.graph([&] {
    for (int k = 0; k < kernels; ++k) kernel.launch();
  });
  out.made = begun.seconds();
  out.run = sample_device(device, sampling, [&] { device.run(graph); });
  out.awaited = sample_processor(sampling, [&] {
    device.run(graph);
    device.synchronize();
  });
  return out;
}

}  // namespace trammel
