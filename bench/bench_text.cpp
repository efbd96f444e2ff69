// Cost of writing results as text, by format: .csv, .res (all digits and six), .req, .gra. Run by hand:
//   bench_text [--benchmark_repetitions=5 --benchmark_report_aggregates_only=true]
// Processor time of one thread; bytes_per_second and values per second are of the numbers that the files
// have.
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <unistd.h>

#include "output/write/csv_file.h"
#include "output/write/graphics_file.h"
#include "output/write/request_file.h"
#include "output/write/results_xrf.h"

namespace trammel {
namespace {

constexpr int kParts = 30, kRecords = 200;

/// Parts with coordinates, velocities and accelerations, and a displacement request of each.
Channels channels() {
  Channels out;
  out.units = {"newton", "kilogram", "meter", "sec", 1.0};
  for (int p = 0; p < kParts; ++p) {
    Entity part{"PART", p + 2, "", {}, 0, 0, 0, ""};
    const char* names[6] = {"X", "Y", "Z", "PSI", "THETA", "PHI"};
    for (int k = 0; k < 6; ++k)
      part.components.push_back({names[k], k < 3 ? Quantity::length : Quantity::angle});
    for (const char* name : {"VX", "VY", "VZ"}) part.components.push_back({name, Quantity::velocity});
    for (const char* name : {"ACCX", "ACCY", "ACCZ"})
      part.components.push_back({name, Quantity::acceleration});
    out.entities.push_back(part);
  }
  for (int p = 0; p < kParts; ++p) {
    Entity request{"REQUEST", p + 1, "", {}, 1, 10, 20, ""};
    int slot = 1;
    for (const char* name : {"MAG", "X", "Y", "Z", "AMAG", "PSI", "THETA", "PHI"}) {
      request.components.push_back({name, slot > 4 ? Quantity::angle : Quantity::length, slot});
      ++slot;
    }
    out.entities.push_back(request);
  }
  return out;
}

/// Numbers of a motion: no two alike, some of them exactly zero as in a plane mechanism, a few tiny.
std::vector<std::vector<double>> records(std::size_t width) {
  std::vector<std::vector<double>> out;
  for (int r = 0; r < kRecords; ++r) {
    std::vector<double> values(width);
    for (std::size_t c = 0; c < width; ++c) {
      const double size = std::pow(10.0, static_cast<double>(c % 9) - 5);
      values[c] = c % 6 == 2 ? 0.0 : size * std::sin(0.01 * r * (1.0 + 0.1 * static_cast<double>(c)) + 0.3);
    }
    out.push_back(values);
  }
  return out;
}

/// Opens a file, writes all records, closes it; `numbers`: in a record.
template <class Open, class Record>
void write_file(benchmark::State& state, std::size_t numbers, Open open, Record record) {
  const Channels of = channels();
  const auto values = records(static_cast<std::size_t>(of.size()));
  const std::string path =
      (std::filesystem::temp_directory_path() / "bench_text_").string() + std::to_string(::getpid());
  std::uint64_t bytes = 0;
  for (auto _ : state) {
    auto file = open(path, of);
    for (int r = 0; r < kRecords; ++r) record(*file, 0.01 * r, values[static_cast<std::size_t>(r)]);
    bytes = file->size();
    file.reset();
  }
  std::filesystem::remove(path);
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
  state.counters["values"] = benchmark::Counter(
      static_cast<double>(numbers * kRecords * static_cast<std::size_t>(state.iterations())),
      benchmark::Counter::kIsRate);
}

const RunInfo info{};

void csv(benchmark::State& state) {
  write_file(
      state, 1 + static_cast<std::size_t>(channels().size()),
      [](const std::string& path, const Channels& of) {
        auto file = std::make_unique<CsvFile>();
        file->open(path, of);
        return file;
      },
      [](CsvFile& file, double t, const auto& values) { file.record(t, values); });
}
void res(benchmark::State& state) {
  write_file(
      state, 1 + static_cast<std::size_t>(channels().size()),
      [&](const std::string& path, const Channels& of) {
        auto file = std::make_unique<ResultsFile>();
        ResultsOptions options;
        options.digits = static_cast<int>(state.range(0));
        file->open(path, of, info, options);
        return file;
      },
      [](ResultsFile& file, double t, const auto& values) { file.record(t, StepKind::dynamics, values); });
}
void req(benchmark::State& state) {
  write_file(
      state, 1 + 6 * kParts,
      [](const std::string& path, const Channels& of) {
        auto file = std::make_unique<RequestFile>();
        file->open(path, of, info);
        return file;
      },
      [](RequestFile& file, double t, const auto& values) { file.record(t, values); });
}
void gra(benchmark::State& state) {
  write_file(
      state, 1 + 6 * kParts,
      [](const std::string& path, const Channels& of) {
        auto file = std::make_unique<GraphicsFile>();
        file->open(path, of, info);
        return file;
      },
      [](GraphicsFile& file, double t, const auto& values) { file.record(t, StepKind::dynamics, values); });
}

BENCHMARK(csv)->Unit(benchmark::kMillisecond);
BENCHMARK(res)->Arg(17)->Arg(6)->Unit(benchmark::kMillisecond);
BENCHMARK(req)->Unit(benchmark::kMillisecond);
BENCHMARK(gra)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace trammel

BENCHMARK_MAIN();
