// Cost of one factorization with its solve, by solver, topology and size; processor time of one thread unless
// threads are asked for. Run by hand:
//   bench_linear [--benchmark_filter=net] [--benchmark_repetitions=5 --benchmark_report_aggregates_only=true]
// The least of the repetitions is the figure to quote from a machine that others use, too.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "linear/ordering.h"
#include "linear/scaling.h"
#include "linear/solver.h"
#include "mechanisms.h"

namespace trammel {
namespace {

using namespace test;

struct Topology {
  const char* name;
  Mechanism (*make)(int unknowns);
};
const Topology kTopologies[] = {
    {"chain", [](int n) { return chain(n / 9); }},
    {"loop", [](int n) { return closed_chain(n / 9); }},
    {"net", [](int n) { return net(static_cast<int>(std::lround(std::sqrt(n / 12.0)))); }},
    {"tree", [](int n) { return tree(n / 11); }},
    {"track", [](int n) { return vehicles(std::max(1, n / 2090), 80); }},
    {"track_all", [](int n) { return coupled_vehicles(std::max(1, n / 2090), 80); }},
    {"flexible", [](int n) { return flexible_chain(std::max(2, n / 111), 100); }},
};

/// A scaled system and its order; made once for all solvers.
struct Prepared {
  SparsePattern pattern;
  std::vector<double> values;
  EliminationOrder order;
};

const Prepared& prepared(const Topology& topology, int unknowns) {
  static std::map<std::pair<std::string, int>, std::unique_ptr<Prepared>> made;
  std::unique_ptr<Prepared>& entry = made[{topology.name, unknowns}];
  if (entry) return *entry;
  System s = make_system(topology.make(unknowns));
  const Scaling scaling = kkt_scaling(s.pattern, s.values.data(), s.graph);
  for (int j = 0; j < s.pattern.n; ++j)
    for (int k = s.pattern.column_start[j]; k < s.pattern.column_start[j + 1]; ++k)
      s.values[k] *= scaling.row[s.pattern.row[k]] * scaling.column[j];
  EliminationOrder order = order_unknowns(
      s.graph, false, OrderingGoal::cpu_threads);  // whatever the number of threads, as in the program
  entry = std::make_unique<Prepared>(Prepared{std::move(s.pattern), std::move(s.values), std::move(order)});
  return *entry;
}

void describe(benchmark::State& state, const Prepared& p, const LinearSolver& solver) {
  const FactorInfo info = solver.info();
  state.counters["n"] = p.pattern.n;
  state.counters["nnz_A"] = p.pattern.nonzeros();
  state.counters["nnz_LU"] = static_cast<double>(info.nonzeros);
  state.counters["Mflop"] = info.flops * 1e-6;
}

void factor_and_solve(benchmark::State& state, const Topology& topology, int unknowns,
                      const std::string& name, int threads) {
  const Prepared& p = prepared(topology, unknowns);
  auto solver = make_linear_solver(name);
  if (threads > 1) solver->set_threads(threads);
  solver->analyze(p.pattern, p.order.unknowns);
  if (solver->factor(p.values.data()) != FactorStatus::ok) return state.SkipWithError("singular");
  const std::vector<double> b = some_vector(p.pattern.n);
  std::vector<double> x(b);
  for (auto _ : state) {
    solver->refactor(p.values.data());
    x = b;
    solver->solve(x.data());
    benchmark::DoNotOptimize(x.data());
  }
  describe(state, p, *solver);
}

void solve_only(benchmark::State& state, const Topology& topology, int unknowns, const std::string& name,
                int columns) {
  const Prepared& p = prepared(topology, unknowns);
  auto solver = make_linear_solver(name);
  solver->analyze(p.pattern, p.order.unknowns);
  if (solver->factor(p.values.data()) != FactorStatus::ok) return state.SkipWithError("singular");
  std::vector<double> b;
  for (int c = 0; c < columns; ++c) {
    const std::vector<double> column = some_vector(p.pattern.n);
    b.insert(b.end(), column.begin(), column.end());
  }
  std::vector<double> x(b);
  for (auto _ : state) {
    x = b;
    solver->solve_many(x.data(), columns, p.pattern.n);
    benchmark::DoNotOptimize(x.data());
  }
  state.counters["n"] = p.pattern.n;
}

void analysis(benchmark::State& state, const Topology& topology, int unknowns, const std::string& name) {
  const Prepared& p = prepared(topology, unknowns);
  auto solver = make_linear_solver(name);
  for (auto _ : state) solver->analyze(p.pattern, p.order.unknowns);
  state.counters["n"] = p.pattern.n;
}

/// The least of the repetitions beside google-benchmark's mean, median and deviation.
double least(const std::vector<double>& times) {
  return *std::min_element(times.begin(), times.end());
}

void add(const std::string& name, const std::function<void(benchmark::State&)>& run, bool wall_clock) {
  auto* entry = benchmark::RegisterBenchmark(name.c_str(), run);
  entry->Unit(benchmark::kMillisecond)->ComputeStatistics("min", least);
  if (wall_clock) entry->UseRealTime();
}

void add_all() {
  for (int unknowns : {1000, 10000, 100000}) {
    for (const Topology& topology : kTopologies) {
      const std::string at = std::string("/") + topology.name + "/" + std::to_string(unknowns);
      for (const SolverKind& kind : linear_solvers()) {
        const std::string name = kind.name;
        add(
            "factor_solve/" + name + at,
            [=, &topology](benchmark::State& s) { factor_and_solve(s, topology, unknowns, name, 1); }, false);
      }
      for (const int threads : {1, 2, 4})
        for (const char* name : {"multifrontal", "blocks"})
          add(
              "threads_" + std::to_string(threads) + "/" + name + at,
              [=, &topology](benchmark::State& s) { factor_and_solve(s, topology, unknowns, name, threads); },
              true);
      for (int columns : {1, 8}) {
        add(
            "solve_" + std::to_string(columns) + "/multifrontal" + at,
            [=, &topology](benchmark::State& s) {
              solve_only(s, topology, unknowns, "multifrontal", columns);
            },
            false);
      }
      add(
          "analyze/multifrontal" + at,
          [=, &topology](benchmark::State& s) { analysis(s, topology, unknowns, "multifrontal"); }, false);
    }
  }
}

}  // namespace
}  // namespace trammel

int main(int argc, char** argv) {
  trammel::add_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
