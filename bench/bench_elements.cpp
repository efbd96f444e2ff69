// Cost of residual and tangent per element, beside its operations counted by hand (bench/element_flops.h) at
// the scalar rate of the machine, measured in the same run: 3×3 matrix products on data in L1, not
// vectorized.
//   bench_elements [--out FILE] [--terms] [--sizes 100,10000] [--repeats 60] [--benchmark_filter=...]
// Models are rings of equal parts with one element between neighbours; what an element costs is the
// difference between its ring and the ring without elements. Times are processor time, the least of all
// repetitions; the order of repetitions is random, so that a busy minute strikes all models alike.
#include <malloc.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <random>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "assemble/assembler.h"
#include "bench_tool/machine.h"
#include "dataset/reader.h"
#include "element_flops.h"
#include "model/compile.h"
#include "session/version.h"

using namespace trammel;
using namespace trammel::bench;
using Json = nlohmann::ordered_json;

namespace {

/// A statement between markers {0} and {1}, number {2}; in the order of element_counts.
constexpr const char* statements[] = {
    "",
    "JOINT/{2}, SPHERICAL, I = {0}, J = {1}\n",
    "JOINT/{2}, REVOLUTE, I = {0}, J = {1}\n",
    "BUSHING/{2}, I = {0}, J = {1}, K = 1000, 1100, 1200, C = 1, 2, 3, KT = 10, 11, 12, CT = 0.1, 0.2, 0.3\n",
    "SPRINGDAMPER/{2}, TRANSLATION, I = {0}, J = {1}, K = 1000, C = 10, LENGTH = 0.1\n",
    "SFORCE/{2}, TRANSLATION, I = {0}, J = {1}, FUNCTION = -1000*(DM({0},{1})-0.1)\n",
};
static_assert(std::size(statements) == std::size(element_counts));

/// Ring of parts; part p has the markers 10p (centre), 10p+1, 10p+2 (towards its neighbours).
std::string ring_deck(int parts, const char* statement) {
  std::string o =
      "Ring of equal parts\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
      "PART/1, GROUND\n";
  for (int i = 0; i < parts; ++i) {
    const int p = i + 2;
    o += fmt::format("PART/{0}, QG = {1:.10g}, 0, 0, MASS = 0.1, CM = {2}, IP = 5e-6, 8e-5, 8.2e-5\n", p,
                     0.1 * i, 10 * p);
    o += fmt::format("MARKER/{0}0, PART = {0}\nMARKER/{0}1, PART = {0}, QP = -0.05, 0.01, 0.02\n", p);
    o += fmt::format("MARKER/{0}2, PART = {0}, QP = 0.05, 0.02, 0.01, REULER = 0.3, 0.2, 0.1\n", p);
  }
  for (int i = 0; i < parts; ++i)
    o +=
        fmt::format(fmt::runtime(statement), 10 * (i + 2) + 1, 10 * ((i + parts - 1) % parts + 2) + 2, i + 1);
  return o + "ACCGRAV/, KGRAV = -9.80665\nEND\n";
}

Model load(const std::string& deck) {
  Diagnostics diagnostics;
  Model model = compile(parse_dataset(deck, "ring", diagnostics), diagnostics);
  diagnostics.stop_on_errors();
  return model;
}

/// HHT at h = 1 ms, α = −0.3.
Coefficients newton_coefficients() {
  const double alpha = -0.3, gamma = 0.5 - alpha, beta = (1 - alpha) * (1 - alpha) / 4, h = 1e-3;
  return {1 / (1 + alpha), gamma * h, beta * h * h, gamma * h, 1 / (1 + alpha)};
}

/// A ring in a state where no term vanishes.
struct Ring {
  Ring(int parts, const char* statement)
      : model(load(ring_deck(parts, statement))),
        assembler(model),
        state(model),
        residual(model.unknowns()),
        values(assembler.pattern().nonzeros()) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> any(-1, 1);
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      const Body& body = model.bodies[b];
      double* q = &state.q[body.first];
      for (int k = 0; k < 3; ++k) q[k] = model.initial.bodies[b].position[k] + 0.02 * any(random);
      q[3] = 3 * any(random), q[4] = 1.5 + 0.9 * any(random), q[5] = 3 * any(random);  // θ off 0 and π
    }
    for (double& v : state.v) v = any(random);
    for (double& a : state.a) a = any(random);
    for (double& lambda : state.lambda) lambda = any(random);
  }
  void evaluate() {
    assembler.evaluate_equations(state, in_dynamics);
    assembler.residual(state, coefficients, residual);
  }
  void tangent() { assembler.tangent(state, coefficients, values); }

  Model model;
  Assembler assembler;
  State state;
  Coefficients coefficients = newton_coefficients();
  std::vector<double> residual, values;
};

constexpr int products = 32;  // 3 × 32 matrices of 72 bytes: 7 kB

/// C_k = A_k B_k.
__attribute__((noinline, optimize("no-tree-vectorize", "no-tree-slp-vectorize"))) void multiply_matrices(
    const double* a, const double* b, double* __restrict c) {
  for (int k = 0; k < products; ++k, a += 9, b += 9, c += 9)
    for (int i = 0; i < 9; i += 3) {
      c[i] = a[i] * b[0] + a[i + 1] * b[3] + a[i + 2] * b[6];
      c[i + 1] = a[i] * b[1] + a[i + 1] * b[4] + a[i + 2] * b[7];
      c[i + 2] = a[i] * b[2] + a[i + 1] * b[5] + a[i + 2] * b[8];
    }
}

void time_matrices(benchmark::State& run) {
  std::vector<double> a(9 * products, 1.1), b(9 * products, 0.9), c(9 * products);
  for (auto _ : run) {
    multiply_matrices(a.data(), b.data(), c.data());
    benchmark::ClobberMemory();
  }
}

/// Least processor time of one iteration by name, seconds.
class Least : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration || run.error_occurred) continue;
      double& t =
          time.try_emplace(run.run_name.function_name, std::numeric_limits<double>::max()).first->second;
      t = std::min(t, run.cpu_accumulated_time / static_cast<double>(run.iterations));
    }
  }
  std::map<std::string, double> time;
};

/// Seconds per element.
struct Cost {
  double residual, tangent;
};

/// Bytes of the heap that are in use.
double heap_in_use() {
  const struct mallinfo2 heap = mallinfo2();
  return static_cast<double>(heap.uordblks) + static_cast<double>(heap.hblkhd);
}

struct Measured {
  double rate;  ///< flop/s, scalar
  std::vector<Cost> cost;
  std::vector<double> bytes;  ///< that a ring holds, names and pattern included: an evaluation touches less
  bool complete;              ///< a filter left nothing out
};

Measured measure(int size, int repeats) {
  const std::size_t kinds = std::size(element_counts);
  std::vector<std::unique_ptr<Ring>> rings;
  Measured out{};
  for (const char* statement : statements) {
    const double before = heap_in_use();
    rings.push_back(std::make_unique<Ring>(size, statement));
    out.bytes.push_back(heap_in_use() - before);
  }
  const int iterations = std::max(5, 4000 / size);
  const auto name = [&](std::size_t k, const char* what) {
    return fmt::format("{}, {}, {}", element_counts[k].element, what, size);
  };
  const auto add = [&](const std::string& title, int times, auto&& body) {
    benchmark::RegisterBenchmark(title.c_str(), body)->Iterations(times)->Repetitions(repeats);
  };
  for (std::size_t k = 0; k < kinds; ++k) {
    Ring& ring = *rings[k];
    ring.evaluate();
    ring.tangent();
    add(name(k, "residual"), iterations, [&ring](benchmark::State& run) {
      for (auto _ : run) ring.evaluate();
    });
    add(name(k, "tangent"), iterations, [&ring](benchmark::State& run) {
      for (auto _ : run) ring.tangent();
    });
  }
  add("matrices", 1000, time_matrices);
  Least least;
  benchmark::RunSpecifiedBenchmarks(&least);
  benchmark::ClearRegisteredBenchmarks();

  out.complete = least.time.size() == 2 * kinds + 1;
  if (!out.complete) return out;
  out.rate = matrix_product_flops * products / least.time["matrices"];
  for (std::size_t k = 0; k < kinds; ++k) {
    out.cost.push_back({least.time[name(k, "residual")] / size, least.time[name(k, "tangent")] / size});
    if (k > 0) out.cost[k].residual -= out.cost[0].residual, out.cost[k].tangent -= out.cost[0].tangent;
  }
  return out;
}

Json table_row(const Measured& m, std::size_t k, const char* what, double seconds, int count) {
  const double ns = 1e9 * seconds, at_rate = 1e9 * count / m.rate;
  fmt::print("{:<16} {:<9} {:8.1f} {:7} {:10.1f} {:7.2f}\n", element_counts[k].element, what, ns, count,
             at_rate, ns / at_rate);
  return {{"element", element_counts[k].element}, {"part", what},         {"ns", ns}, {"flops", count},
          {"ns_at_scalar_rate", at_rate},         {"ratio", ns / at_rate}};
}

Json table(const Measured& m, int size) {
  if (!m.complete) {
    fmt::print("{} parts: no table, a filter is set\n", size);
    return {{"parts", size}, {"rows", Json::array()}};
  }
  fmt::print("\n{} parts, scalar rate {:.2f} Gflop/s\n{:<16} {:<9} {:>8} {:>7} {:>10} {:>7}\n", size,
             1e-9 * m.rate, "element", "part", "ns", "flops", "ns at rate", "ratio");
  Json rows = Json::array();
  for (std::size_t k = 0; k < std::size(element_counts); ++k) {
    const Cost& c = m.cost[k];
    const int residual = flops(element_counts[k].residual), tangent = flops(element_counts[k].tangent);
    rows.push_back(table_row(m, k, "residual", c.residual, residual));
    rows.push_back(table_row(m, k, "tangent", c.tangent, tangent));
    rows.push_back(table_row(m, k, "both", c.residual + c.tangent, residual + tangent));
  }
  Json megabytes;
  for (std::size_t k = 0; k < std::size(element_counts); ++k)
    megabytes[element_counts[k].element] = 1e-6 * m.bytes[k];
  return {{"parts", size}, {"scalar_Gflop_per_s", 1e-9 * m.rate}, {"heap_MB", megabytes}, {"rows", rows}};
}

void print_terms() {
  for (const ElementCount& e : element_counts)
    for (const auto& [part, terms] : {std::pair{"residual", e.residual}, std::pair{"tangent", e.tangent}}) {
      fmt::print("{}, {}: {}\n", e.element, part, flops(terms));
      for (const FlopTerm& t : terms) fmt::print("  {:5} × {:2}  {}\n", t.each, t.times, t.what);
    }
}

Json caches() {
  Json out = Json::array();
  for (const auto& cache : benchmark::CPUInfo::Get().caches)
    out.push_back(fmt::format("L{} {} {} kB", cache.level, cache.type, cache.size / 1024));
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  std::string interleave = "--benchmark_enable_random_interleaving=true";
  std::vector<char*> arguments(argv, argv + argc);
  arguments.insert(arguments.begin() + 1, interleave.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  CLI::App app{"Cost of residual and tangent per element"};
  std::string out_file;
  std::vector<int> sizes{100, 10000};
  int repeats = 60;
  bool terms = false;
  app.add_option("--out", out_file, "JSON file to write besides the table");
  app.add_option("--sizes", sizes, "parts per ring")->delimiter(',')->check(CLI::Range(3, 1000000));
  app.add_option("--repeats", repeats, "repetitions, of which the least counts")
      ->check(CLI::Range(1, 100000));
  app.add_flag("--terms", terms, "print the counts term by term and stop");
  CLI11_PARSE(app, count, arguments.data());
  try {
    if (terms) return print_terms(), 0;
    Json result{{"date", utc_now()},      {"program", program_version()},  {"build", program_build()},
                {"flags", TRAMMEL_FLAGS}, {"machine", describe_machine()}, {"repeats", repeats}};
    result["machine"]["caches"] = caches();
    result["machine"]["load_average"] = load_average();
    result["sizes"] = Json::array();
    for (int size : sizes) result["sizes"].push_back(table(measure(size, repeats), size));
    if (out_file.empty()) return 0;
    std::ofstream file(out_file);
    file << result.dump(2) << "\n";
    if (!file.flush()) fail(ExitCode::io, "cannot write {}", out_file);
  } catch (const Failure& failure) {
    fmt::print(stderr, "{}\n", failure.what());
    return static_cast<int>(failure.code());
  }
  return 0;
}
