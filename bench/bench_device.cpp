// bench_device: what a device asks for besides the work itself, and what its memory does
// (docs/device.md).
//   bench_device --backend cuda --device 0 --out FILE [--quick]
// Kernels and copies on the device are timed by the device's clock, what the program waits for (transfers,
// round trips) by the processor's. The vectors hold integers, so every result is exact and is checked.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "backends/load.h"
#include "base/diagnostics.h"
#include "bench_tool/machine.h"
#include "device_api/device.h"
#include "device_api/reduce.h"
#include "device_costs.h"

using namespace trammel;
using namespace trammel::bench;
using Json = nlohmann::ordered_json;

namespace {

/// How long to measure, and with what.
struct Effort {
  Sampling sampling;
  double warm_seconds;       ///< work before the first measurement, so that clocks have risen
  std::vector<int> doubles;  ///< lengths of vectors
  std::vector<int> graphs;   ///< kernels of a graph
};
const Effort full{{15, 2e-3, 2}, 0.5, {10'000, 100'000, 1'000'000, 10'000'000, 100'000'000}, {10, 100, 1000}};
const Effort quick{{3, 1e-4, 0.1}, 0, {10'000, 100'000}, {10, 100, 1000}};

constexpr double factor = 0.5;  // of the triad

/// Seconds of one call: median, least and largest of the samples.
Json summary(const std::vector<double>& samples) {
  return {{"median", median(samples)},
          {"least", least_of(samples)},
          {"largest", *std::max_element(samples.begin(), samples.end())},
          {"samples", samples.size()}};
}

template <class Work>
Json by_device(Device& device, const Effort& effort, const Work& work) {
  return summary(sample_device(device, effort.sampling, work));
}

template <class Work>
Json by_processor(const Effort& effort, const Work& work) {
  return summary(sample_processor(effort.sampling, work));
}

Json row_of(int doubles, double bytes, const Json& seconds) {
  return {{"doubles", doubles},
          {"bytes", bytes},
          {"seconds", seconds},
          {"bytes_per_second", bytes / seconds["median"].get<double>()}};
}

/// Integers from −400 to 599 without a visible order.
std::vector<double> some_integers(int n) {
  std::vector<double> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = static_cast<double>((static_cast<std::uint32_t>(i) * 2654435761u >> 8) % 1000) - 400;
  return values;
}

void check(bool right, const char* what, int n) {
  if (!right)
    fail(ExitCode::backend, "{} of {} doubles gave a wrong result; its time would mean nothing", what, n);
}

/// Transfers of n doubles between the device and ordinary (pageable) memory of the program.
void measure_transfers(Device& device, const Effort& effort, int n, Json& result) {
  const std::vector<double> here = some_integers(n);
  std::vector<double> back(n);
  DeviceArray<double> there(device, static_cast<std::size_t>(n));
  const double bytes = 8.0 * n;
  result["upload"].push_back(row_of(n, bytes, by_processor(effort, [&] { there.upload(here); })));
  result["download"].push_back(row_of(n, bytes, by_processor(effort, [&] { there.download(back); })));
  check(back == here, "upload and download", n);
}

/// copy: y = x (16 n bytes); triad: z = x + c y (24 n bytes); both with results poisoned before.
void measure_streams(Device& device, const Effort& effort, int n, Json& result) {
  const std::vector<double> here = some_integers(n);
  std::vector<double> back(n);
  const auto size = static_cast<std::size_t>(n);
  DeviceArray<double> x(device, std::span<const double>(here)), y(device, size), z(device, size);
  device.launch(FillValues{y.data(), NAN}, n);
  device.launch(FillValues{z.data(), NAN}, n);
  result["copy"].push_back(
      row_of(n, 16.0 * n, by_device(device, effort, [&] { device.copy(y.data(), x.data(), 8 * size); })));
  y.download(back);
  check(back == here, "a copy", n);
  result["triad"].push_back(row_of(n, 24.0 * n, by_device(device, effort, [&] {
                                     device.launch(Triad{x.data(), y.data(), z.data(), factor}, n);
                                   })));
  z.download(back);
  bool right = true;
  for (int i = 0; i < n; ++i) right &= back[i] == here[i] + factor * here[i];
  check(right, "a triad", n);
}

/// Σ x_i and max |x_i| (8 n bytes each), all levels together.
void measure_reductions(Device& device, const Effort& effort, int n, Json& result) {
  const std::vector<double> here = some_integers(n);
  DeviceArray<double> x(device, std::span<const double>(here)), sums(device, reduction_scratch(n));
  DeviceArray<Place> places(device, reduction_scratch(n));
  double* sum = nullptr;
  Place* place = nullptr;
  result["sum"].push_back(row_of(
      n, 8.0 * n, by_device(device, effort, [&] { sum = launch_sum(device, x.data(), n, sums.data()); })));
  result["largest"].push_back(row_of(n, 8.0 * n, by_device(device, effort, [&] {
                                       place = launch_largest(device, x.data(), n, places.data());
                                     })));
  std::int64_t expected = 0;
  double largest = 0;
  for (const double value : here) {
    expected += static_cast<std::int64_t>(value);
    largest = std::max(largest, std::abs(value));
  }
  double found = NAN;
  Place where{};
  device.download(&found, sum, sizeof found);
  device.download(&where, place, sizeof where);
  check(found == static_cast<double>(expected), "a sum", n);
  check(where.value == largest && std::abs(here[where.index]) == largest, "a search for the largest", n);
}

/// Kernels of one item, one after the other, awaited one by one, with an answer each, in graphs.
void measure_launches(Device& device, const Effort& effort, Json& result) {
  result["launch"] = {{"seconds", summary(time_launch(device, effort.sampling))},
                      {"awaited_seconds", summary(time_awaited_launch(device, effort.sampling))},
                      {"answer_seconds", summary(time_answer(device, effort.sampling))}};
  for (const int kernels : effort.graphs) {
    const GraphSeconds graph = time_graph(device, kernels, effort.sampling);
    result["graph"].push_back({{"kernels", kernels},
                               {"made_in_seconds", graph.made},
                               {"seconds", summary(graph.run)},
                               {"awaited_seconds", summary(graph.awaited)},
                               {"seconds_per_kernel", median(graph.run) / kernels}});
  }
}

Json describe(const Device& device) {
  const TrammelDeviceInfo& info = device.info();
  return {{"name", info.name},
          {"driver", info.driver},
          {"architecture", info.architecture},
          {"multiprocessors", info.multiprocessors},
          {"memory_bytes", info.memory},
          {"free_bytes", device.free_memory()},
          {"built_for_bytes_per_second", info.bandwidth},
          {"shared_memory_bytes", info.shared_memory}};
}

/// Whether vectors of n doubles fit: three on the device with what reductions need, two here, in half of the
/// memory (all of these here where the device is the processor).
bool fits(const Device& device, int n) {
  const double here =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  const double there = static_cast<double>(device.free_memory());
  const double needed_there = 26.0 * n, needed_here = 16.0 * n;
  if (there == 0) return needed_here + needed_there < here / 2;
  return needed_there < there / 2 && needed_here < here / 2;
}

Json measure_all(Device& device, const Effort& effort) {
  Json result;
  warm_up(device, effort.warm_seconds);
  measure_launches(device, effort, result);
  measure_transfers(device, effort, 1, result);
  result["left_out"] = Json::array();
  for (const int n : effort.doubles) {
    if (!fits(device, n)) {
      result["left_out"].push_back({{"doubles", n}, {"reason", "takes more than half of the memory"}});
      continue;
    }
    measure_transfers(device, effort, n, result);
    measure_streams(device, effort, n, result);
    measure_reductions(device, effort, n, result);
    fmt::print(stderr, "{:>11} doubles: triad {:>8.2f} GB/s, copy {:>8.2f} GB/s, sum {:>8.2f} GB/s\n", n,
               1e-9 * result["triad"].back()["bytes_per_second"].get<double>(),
               1e-9 * result["copy"].back()["bytes_per_second"].get<double>(),
               1e-9 * result["sum"].back()["bytes_per_second"].get<double>());
  }
  return result;
}

void write(const Json& result, const std::string& path) {
  if (path.empty()) {
    fmt::print("{}\n", result.dump(2));
    return;
  }
  std::ofstream file(path);
  file << result.dump(2) << "\n";
  if (!file.flush()) fail(ExitCode::io, "cannot write {}", path);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"What a device costs: memory, launches, graphs, transfers, reductions"};
  std::string out_file, backend = "cuda";
  int index = 0;
  bool is_quick = false;
  app.add_option("--out", out_file, "JSON file to write (default: standard output)");
  app.add_option("--backend", backend, "cuda or host");
  app.add_option("--device", index, "which of the back end's devices, from 0");
  app.add_flag("--quick", is_quick, "short vectors and few samples: a test that it works, no measurement");
  CLI11_PARSE(app, argc, argv);
  try {
    Device device(load_backend(backend), index);
    Json result{{"date", utc_now()},
                {"program", "bench_device"},
                {"revision", TRAMMEL_REVISION},
                {"flags", TRAMMEL_FLAGS},
                {"machine", describe_machine()},
                {"quick", is_quick},
                {"backend", device.backend()},
                {"device", describe(device)},
                {"load_average_begin", load_average()}};
    result.update(measure_all(device, is_quick ? quick : full));
    result["load_average_end"] = load_average();
    write(result, out_file);
  } catch (const Failure& failure) {
    fmt::print(stderr, "{}\n", failure.what());
    return static_cast<int>(failure.code());
  }
  return 0;
}
