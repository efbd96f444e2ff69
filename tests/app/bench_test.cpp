// Generated models, what their linear systems have to do, and the command that measures them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "analysis/session.h"
#include "backends/load.h"
#include "bench_tool/cases.h"
#include "bench_tool/models.h"
#include "support.h"

using namespace trammel;
using namespace trammel_test;

namespace bench_test {
namespace {

nlohmann::json of_case(const nlohmann::json& result, const std::string& name) {
  for (const auto& one : result["cases"])
    if (one["name"] == name) return one;
  ADD_FAILURE() << "there is no case " << name;
  return {};
}

nlohmann::json of_part(const nlohmann::json& parts, const std::string& name) {
  for (const auto& one : parts)
    if (one["part"] == name) return one;
  ADD_FAILURE() << "there is no part " << name;
  return {};
}

// Decks close: joints hold where the bodies are put, to rounding of coordinates of 10 m and 15 digits.
TEST(BenchModels, joints_hold_as_given_and_no_equation_is_redundant) {
  for (const BenchTopology& topology : bench_topologies())
    for (const int size : {1, 300, 2000}) {
      Session run(bench_model(topology, size), bench_settings(), {});
      const State given = run.present();
      std::vector<double> rows(run.model().multipliers);
      run.assembler().evaluate(given, in_dynamics);
      run.assembler().constraints(given, ConstraintLevel::position, rows);
      for (const double row : rows) EXPECT_NEAR(row, 0, 1e-13) << topology.name << " " << size;
      run.initialize();
      for (const unsigned char dropped : run.state().dropped) EXPECT_FALSE(dropped) << topology.name;
    }
}

// Unknowns: 6 a body, 3 a ball joint, 5 a hinge.
TEST(BenchModels, have_about_as_many_unknowns_as_asked_for) {
  const auto unknowns = [](const char* name, int size) {
    return bench_model(bench_topology(name), size).unknowns();
  };
  EXPECT_EQ(unknowns("chain", 900), 900);
  EXPECT_EQ(unknowns("loop", 900), 903) << "100 links, 101 balls: one holds the ring";
  EXPECT_EQ(unknowns("net", 1200), 6 * 100 + 3 * (2 * 10 * 9 + 10)) << "10 x 10 crosses, one edge held";
  EXPECT_EQ(unknowns("tree", 1100), 1100);
  EXPECT_EQ(unknowns("track", 10000), 5 * (6 + 2 * (80 * 9 + 9 * 2 * 11)));
  for (const BenchTopology& topology : bench_topologies())
    EXPECT_NEAR(bench_model(topology, 10000).unknowns(), 10000, 1000) << topology.name;
}

TEST(BenchModels, a_topology_that_does_not_exist_is_told_with_those_that_do) {
  try {
    bench_topology("star");
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::usage);
    EXPECT_NE(std::string(failure.what()).find("\"star\"; there are chain, loop, net"), std::string::npos);
  }
}

// Two bodies of 100 coordinates, each coupled to one of ten: a front of 100 pivots whose border is the ten,
// and one of the other body with the ten, which costs no more than two. Factors are 100² + 2·100·10 and 110²,
// values of the matrix 2·100² + 10² + 2·2·100·10, 8 bytes each; b and x have 210 each.
TEST(BenchCounts, linear_systems_from_what_their_solvers_say) {
  SparsePattern pattern{210, {0}, {}};
  for (int j = 0; j < 210; ++j) {
    for (int i = 0; i < 210; ++i)
      if (i / 100 == j / 100 || i >= 200 || j >= 200) pattern.row.push_back(i);
    pattern.column_start.push_back(pattern.nonzeros());
  }
  const MechanismGraph graph{
      {{VertexKind::body, 0, 100}, {VertexKind::body, 100, 100}, {VertexKind::body, 200, 10}},
      {{0, 2}, {1, 2}}};
  Device device(load_backend("host"), 0);
  DeviceSystem system(device);
  system.analyze(pattern, graph);
  const double factors = 12000 + 12100, matrix = 20000 + 100 + 4000;
  const LinearCounts there = counts_of(system);
  EXPECT_EQ(there.factor_values, factors);
  EXPECT_EQ(there.levels, 2);
  const Work factorization = factorization_work(there), solution = solution_work(there);
  EXPECT_EQ(factorization.bytes, 8 * (matrix + factors));
  EXPECT_EQ(factorization.levels, 2);
  EXPECT_EQ(solution.bytes, 8 * (factors + 2 * 210));
  EXPECT_EQ(solution.flops, 2 * factors) << "a multiplication and an addition each";
  EXPECT_EQ(solution.levels, 4) << "forward and backward";
}

// A triangular matrix of 1 on the diagonal and below it in the last row: L + U are the 2n − 1 values that it
// has.
TEST(BenchCounts, linear_system_on_the_processor) {
  constexpr int n = 20;
  SparsePattern pattern{n, {0}, {}};
  MechanismGraph graph;
  for (int j = 0; j < n; ++j) {
    pattern.row.push_back(j);
    if (j < n - 1) pattern.row.push_back(n - 1);
    pattern.column_start.push_back(pattern.nonzeros());
    graph.vertices.push_back({VertexKind::scalar, j, 1});
    if (j < n - 1) graph.edges.push_back({j, n - 1});
  }
  GuardedSystem system("klu");
  system.analyze(pattern, graph);
  const std::vector<double> ones(pattern.nonzeros(), 1.0);
  ASSERT_TRUE(system.set_matrix(ones.data()).ok());
  const LinearCounts here = counts_of(system);
  EXPECT_EQ(here.matrix_values, 2 * n - 1);
  EXPECT_EQ(here.factor_values, 2 * n - 1);
  EXPECT_EQ(factorization_work(here).bytes, 8 * 2 * (2 * n - 1));
  EXPECT_EQ(solution_work(here).bytes, 8 * (2 * n - 1 + 2 * n));
}

TEST(BenchCounts, least_time_is_that_of_bytes_or_of_operations) {
  const Work work{1000, 5000, 0};
  EXPECT_DOUBLE_EQ(least_seconds(work, {100, 0}), 10);
  EXPECT_DOUBLE_EQ(least_seconds(work, {100, 1000}), 10);
  EXPECT_DOUBLE_EQ(least_seconds(work, {1000, 1000}), 5);
}

TEST(Bench, steps_and_linear_systems) {
  Folder f;
  const Outcome o = run(f, {"bench", "--quick", "--topologies", "chain,net", "--sizes", "300,400",
                            "--repeats", "2", "--roofline", "--out", "b.json"});
  ASSERT_EQ(o.code, 0) << o.err;
  const nlohmann::json result = f.json("b.json");
  for (const char* key :
       {"date", "program", "build", "flags", "machine", "load_average_end", "processor_rates"})
    EXPECT_TRUE(result.contains(key)) << key;
  ASSERT_EQ(result["cases"].size(), 2u * 2 + 2 * 2 * linear_solvers().size());
  const nlohmann::json steps = of_case(result, "steps/chain/300");
  EXPECT_EQ(steps["bodies"], 33);
  EXPECT_EQ(steps["unknowns"], 297);
  EXPECT_EQ(steps["steps"], 5);
  EXPECT_GE(steps["evaluations"], 5);
  const nlohmann::json& time = steps["wall_ms_per_step"];
  EXPECT_GT(time["min"], 0.0);
  EXPECT_LE(time["min"], time["median"]);
  EXPECT_LE(time["median"], time["max"]);
  EXPECT_EQ(steps["steps_before"], 1);
  EXPECT_GT(steps["wall_ms_before"]["min"], 0.0);
  EXPECT_LE(steps["solves"], 5 * 10) << "of the timed steps alone";
  for (const char* part : {"equations", "solution", "tangent", "factorization"})
    EXPECT_GT(of_part(steps["parts"], part)["ms"], 0.0) << part;
  EXPECT_FALSE(of_part(steps["parts"], "equations").contains("least_ms")) << "nobody counts them";
  const nlohmann::json linear =
                           of_case(result, "linear/" + steps["solver"].get<std::string>() + "/chain/300"),
                       factorization = of_part(steps["parts"], "factorization");
  EXPECT_EQ(factorization["bytes"],
            8 * (linear["nonzeros_matrix"].get<double>() + linear["nonzeros_factors"].get<double>()));
  EXPECT_EQ(factorization["flops"], linear["factor_flops"]);
  for (const char* solver : {"klu", "multifrontal", "blocks"}) {
    const nlohmann::json one = of_case(result, std::string("linear/") + solver + "/net/400");
    EXPECT_GT(one["factor_ms"]["median"], 0.0);
    EXPECT_GT(one["solve_ms"]["median"], 0.0);
  }
  EXPECT_NE(o.out.find("Steps of 1 ms"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("multifrontal"), std::string::npos) << o.out;
}

// The least time and the part reached, from the bytes, operations and rates that the file states.
TEST(Bench, kernels_on_the_host_back_end) {
  Folder f;
  const Outcome o = run(f, {"bench", "--backend", "host", "--quick", "--topologies", "chain", "--roofline",
                            "--flop-rate", "0.5", "--out", "b.json"});
  ASSERT_EQ(o.code, 0) << o.err;
  const nlohmann::json result = f.json("b.json"), chain = of_case(result, "kernels/host/chain/300");
  const double bandwidth = result["device_rates"]["triad_bytes_per_second"];
  EXPECT_EQ(result["device_rates"]["flops_per_second"], 0.5e9);
  for (const char* name : {"solve", "factor"}) {
    const nlohmann::json part = of_part(chain["parts"], name);
    const double least = 1e3 * std::max(part["bytes"].get<double>() / bandwidth,
                                        part["flops"].get<double>() / 0.5e9),
                 ms = part["ms"];
    EXPECT_NEAR(part["least_ms"], least, 1e-12 * least) << name;
    EXPECT_NEAR(part["part_reached"], least / ms, 1e-12 * least / ms) << name;
  }
  // The point, bodies, joints, sums; residuals of bodies and joints; variations and two kinds of tangents.
  const std::pair<const char*, int> launches[] = {{"evaluate", 4}, {"residual", 2}, {"tangent", 3}};
  for (const auto& [part, count] : launches) {
    EXPECT_EQ(of_part(chain["parts"], part)["launches"], count) << part;
    EXPECT_FALSE(of_part(chain["parts"], part).contains("flops")) << part;
  }
  EXPECT_EQ(chain["host_answers"], 0);
}

// A file against itself: all ratios are 1.
TEST(Bench, compare_understands_the_file) {
  Folder f;
  ASSERT_EQ(run(f, {"bench", "--quick", "--topologies", "tree", "--out", "b.json"}).code, 0);
  const std::string command = "python3 " TRAMMEL_SOURCE_DIR "/bench/compare.py " + f.path("b.json").string() +
                              " " + f.path("b.json").string() + " > " + f.path("ratios").string();
  ASSERT_EQ(std::system(command.c_str()), 0);
  const std::string text = f.read("ratios");
  for (const char* part : {"steps/tree/300", "wall ms/step", "linear/klu/tree/300", "factor ms", "solve ms"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_NE(text.find(" 1.000"), std::string::npos) << text;
}

TEST(Bench, mistakes_on_the_command_line) {
  struct Mistake {
    std::vector<std::string> arguments;
    int code;
    std::string text;
  };
  const Mistake mistakes[] = {
      {{"--cases", "step"}, 2, "there is no case \"step\"; there are steps, linear, kernels"},
      {{"--cases", "kernels"}, 2, "kernels are run on a device: add --backend cuda or --backend host"},
      {{"--topologies", "star"}, 2, "there is no topology \"star\""},
      {{"--backend", "metal"}, 2, "there is no back end \"metal\"; there are cpu, cuda, host"},
      {{"--sizes", "0"}, 2, "--sizes 0: from 1 to"},
      {{"--repeats", "0"}, 2, "--repeats 0: from 1 to 1000"},
      {{"--device", "1"}, 2, "--device 1: devices count from 0"},
      {{"--backend", "host", "--device", "7"}, 8, "back end host: there is no device 7; there are 2"},
      {{"--out", "absent/b.json"}, 7, "cannot write absent/b.json"},
  };
  Folder f;
  for (const Mistake& m : mistakes) {
    std::vector<std::string> arguments{"bench", "--quick"};
    arguments.insert(arguments.end(), m.arguments.begin(), m.arguments.end());
    const Outcome o = run(f, arguments);
    EXPECT_EQ(o.code, m.code) << m.text << o.out;
    EXPECT_NE(o.err.find(m.text), std::string::npos) << o.err;
    EXPECT_EQ(o.out, "") << "nothing is measured before options are known to be right";
  }
}

TEST(Bench, a_back_end_that_does_not_load_has_exit_code_8) {
  Folder f;
  f.write("libtrammel_cuda.so", "no library");
  Launch launch;
  launch.arguments = {"bench", "--backend", "cuda"};
  launch.environment = {"TRAMMEL_PLUGINS=" + f.path().string()};
  const Outcome o = run(f, launch);
  EXPECT_EQ(o.code, 8);
  EXPECT_NE(o.err.find("libtrammel_cuda.so cannot be loaded"), std::string::npos) << o.err;
}

}  // namespace
}  // namespace bench_test
