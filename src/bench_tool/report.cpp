// Rates of the machine, and measured beside counted.
#include <algorithm>
#include <limits>

#include "bench_tool/cases.h"
#include "device_api/vector_kernels.h"
#include "linear/host/dense_kernels.h"
#include "terminal/print.h"

namespace trammel {
namespace {

double triad_bandwidth(int n, int samples) {
  std::vector<double> x(n, 1.0), y(n, 2.0), z(n, 0.0);
  const Triad triad{x.data(), y.data(), z.data(), 0.5};
  const std::vector<double> seconds = sample_processor({samples}, [&] {
    for (int i = 0; i < n; ++i) triad(i);
  });
  if (z[0] != 2 || z[n - 1] != 2) fail(ExitCode::internal, "the triad gave a wrong result");
  return 24.0 * n / least_of(seconds);
}

/// Operations per second of C − A B with blocks of 96 × 96, which a cache of 256 kB holds.
double product_rate(int samples) {
  constexpr int n = 96;
  std::vector<double> a(n * n, 1e-3), b(n * n, 1e-3), c(n * n, 0.0);
  const std::vector<double> seconds = sample_processor({samples, 1e-3}, [&] {
    dense_kernels().subtract_product(c.data(), n, a.data(), n, b.data(), 1, n, n, n, n);
  });
  return 2.0 * n * n * n / least_of(seconds);
}

BenchJson to_json(const MeasuredWork& m, const BenchRates& rates) {
  const double seconds = median(m.samples);
  BenchJson out{{"part", m.part}, {"ms", 1e3 * seconds}, {"launches", m.launches}};
  if (!m.work) return out;
  const double least = least_seconds(*m.work, rates);
  out.update({{"levels", m.work->levels},
              {"bytes", m.work->bytes},
              {"flops", m.work->flops},
              {"bytes_per_second", m.work->bytes / seconds},
              {"flops_per_second", m.work->flops / seconds},
              {"least_ms", 1e3 * least},
              {"part_reached", least / seconds}});
  return out;
}

std::string count_text(long count) {
  return count > 0 ? std::to_string(count) : "-";
}

}  // namespace

BenchRates processor_rates(bool quick) {
  return {triad_bandwidth(quick ? 100'000 : 8'000'000, quick ? 3 : 10), product_rate(quick ? 3 : 20)};
}

BenchRates device_rates(Device& device, bool quick) {
  const int n = quick ? 100'000 : 10'000'000;
  const std::vector<double> ones(n, 1.0);
  DeviceArray<double> x(device, std::span<const double>(ones)), y(device, std::span<const double>(ones)),
      z(device, ones.size());
  const std::vector<double> seconds = sample_device(device, {quick ? 3 : 10, quick ? 0 : 2e-3}, [&] {
    device.launch(Triad{x.data(), y.data(), z.data(), 0.5}, n);
  });
  double last = 0;
  device.download(&last, z.data() + n - 1, sizeof last);
  if (last != 1.5) fail(ExitCode::backend, "the triad gave a wrong result on the device");
  return {24.0 * n / least_of(seconds), 0};
}

LinearCounts counts_of(const GuardedSystem& system) {
  const FactorInfo info = system.info();
  return {static_cast<double>(system.pattern().n), static_cast<double>(system.pattern().nonzeros()),
          static_cast<double>(info.nonzeros), info.flops, system.order().levels};
}

LinearCounts counts_of(const DeviceSystem& system) {
  const DeviceSystemInfo& info = system.info();
  return {static_cast<double>(system.pattern().n), static_cast<double>(system.pattern().nonzeros()),
          static_cast<double>(info.factor_bytes) / sizeof(double), info.flops, info.levels};
}

Work factorization_work(const LinearCounts& c) {
  return {sizeof(double) * (c.matrix_values + c.factor_values), c.factor_flops, c.levels};
}

Work solution_work(const LinearCounts& c) {
  return {sizeof(double) * (c.factor_values + 2 * c.unknowns), 2 * c.factor_values, 2 * c.levels};
}

double least_seconds(const Work& work, const BenchRates& rates) {
  const double computing = rates.flops > 0 ? work.flops / rates.flops : 0;
  return std::max(work.bytes / rates.bandwidth, computing);
}

BenchJson spread(const std::vector<double>& values, double factor) {
  return {{"median", factor * median(values)},
          {"min", factor * least_of(values)},
          {"max", factor * *std::max_element(values.begin(), values.end())}};
}

BenchJson report(const std::vector<MeasuredWork>& parts, const BenchRates& rates, bool roofline) {
  std::string text = fmt::format("    {:<14} {:>10} {:>8} {:>6} {:>10} {:>8} {:>10} {:>8}", "part", "ms",
                                 "launches", "levels", "kB", "GB/s", "kflop", "Gflop/s");
  if (roofline) text += fmt::format(" {:>10} {:>8}", "least ms", "reached");
  BenchJson out = BenchJson::array();
  for (const MeasuredWork& m : parts) {
    out.push_back(to_json(m, rates));
    const double seconds = median(m.samples);
    text += fmt::format("\n    {:<14} {:>10.5f} {:>8}", m.part, 1e3 * seconds, count_text(m.launches));
    if (!m.work) continue;
    const double least = least_seconds(*m.work, rates);
    text += fmt::format(" {:>6} {:>10.1f} {:>8.2f} {:>10.1f} {:>8.3f}", count_text(m.work->levels),
                        1e-3 * m.work->bytes, 1e-9 * m.work->bytes / seconds, 1e-3 * m.work->flops,
                        1e-9 * m.work->flops / seconds);
    if (roofline) text += fmt::format(" {:>10.5f} {:>6.1f} %", 1e3 * least, 100 * least / seconds);
  }
  print_line(stdout, text);
  return out;
}

}  // namespace trammel
