// Generated models, counts of what they cost, and the command that measures them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "../support/each_device.h"
#include "analysis/simulation.h"
#include "app/bench_cases.h"
#include "app/bench_counts.h"
#include "app/bench_models.h"
#include "assemble/device_assembler.h"
#include "dataset/reader.h"
#include "model/compile.h"
#include "support.h"

using namespace trammel;
using namespace trammel_test;

namespace {

Model compiled(const std::string& deck) {
  Diagnostics diagnostics;
  Model model = compile(parse_dataset(deck, "deck", diagnostics), diagnostics);
  diagnostics.stop_on_errors();
  return model;
}

BenchCounts counts_of(const Model& model) {
  const Assembler assembler(model);
  return count_assembly(model, assembler);
}

void expect_work(const Work& work, double read, double written, double flops, long launches) {
  EXPECT_EQ(work.read, read);
  EXPECT_EQ(work.written, written);
  EXPECT_EQ(work.flops, flops);
  EXPECT_EQ(work.launches, launches);
}

/// Chain of so many links: models for bench give nine unknowns to a link.
Model chain(int links) {
  return bench_model(bench_topology("chain"), 9 * links);
}

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

}  // namespace

// Decks close: joints hold where the bodies are put, to rounding of coordinates of 10 m and 15 digits.
TEST(BenchModels, joints_hold_as_given_and_no_equation_is_redundant) {
  for (const BenchTopology& topology : bench_topologies())
    for (const int size : {1, 300, 2000}) {
      Simulation run(bench_model(topology, size), bench_settings(), {});
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

// One body on one ball joint, counted by hand. A double has 8 bytes, a vector 24, a matrix 72, an index 4.
// Tables per item: place of a body 16, of a marker among those wanted 8, basis of angles 144, inertia 88, row
// 48, wrench on a body 8.
//   evaluate reads  body 16 + 3·6·8 + 144 + 4 = 308, its marker 8 + 24, joint 4, three rows 48 + 1 + 8,
//                   sums 4 + 8 + 48 + 24;                           308 + 32 + 4 + 171 + 84 = 599
//          writes   point 56, body x ẋ ẍ A H ω α and cos θ 264 + 8, arm and r 48, wrench 96, sums 48 = 520
//   residual reads  88 + (24 + 144 + 48) + 48, three rows 49, six coordinates 8: 352 + 147 + 48 = 547
//          writes   6·8 + 3·8 = 72
//   tangent reads   variations 16 + 48 + 120; body 8 + 88 + 192 + 216 + 24, wrench 8 + 24, arm 24, places of
//                   its 3 + 9 entries; joint 16, rows 3·49, gradients 3·96, bodies of two markers 8, arm 24,
//                   body 8 and H 72, places of 3·(2·1 + 2·3 + 1) entries: 184 + 632 + 671 = 1487
//          writes   P V Q 216, entries 8·12 + 8·27 = 528
// Operations of the tables in docs/architecture.md: part 403 + 622, ball joint 72 + 106; of the 403 the terms
// that make the residual are 9 + 2·45 + 15 + 15 = 129, of the 72 three times 2.
TEST(BenchCounts, one_body_on_a_ball_joint) {
  const BenchCounts c = counts_of(chain(1));
  expect_work(work_of(WorkGroup::evaluate, c), 599, 520, 403 - 129 + 72 - 6, 4);
  expect_work(work_of(WorkGroup::residual, c), 547, 72, 129 + 6, 2);
  expect_work(work_of(WorkGroup::tangent, c), 1487, 528, 622 + 106, 3);
}

// A link more adds a body, a ball joint between two bodies with 3·(2·8 + 1) = 51 entries, two markers and two
// wrenches; the first ball has one side on ground.
TEST(BenchCounts, are_linear_in_the_links_of_a_chain) {
  for (const int n : {1, 2, 10, 100, 1000}) {
    const BenchCounts c = counts_of(chain(n));
    EXPECT_EQ(c.row_entries, 51 * n - 24);
    expect_work(work_of(WorkGroup::evaluate, c), 711 * n - 112, 512 * n + 8, 340 * n, 4);
    expect_work(work_of(WorkGroup::residual, c), 547 * n, 72 * n, 135 * n, 2);
    expect_work(work_of(WorkGroup::tangent, c), 1663 * n - 176, 720 * n - 192, 728 * n, 3);
  }
}

// A hinge adds to the ball joint two products of ẑ_I with x̂_J and ŷ_J, three axes in all:
//   evaluate reads  axes of the marker 72, two rows 57, three axes 24:  599 + 72 + 114 + 72 = 857
//          writes   axes 72, two gradients 48:                          520 + 72 + 96 = 688
//   residual reads  two rows 49, three axes 24:                         547 + 98 + 72 = 717;   writes 16 more
//   tangent reads   two rows 49, gradients 48, λ 8, three axes 24, P 72, places of 2·(2·3 + 1) + 9 entries,
//                   nine values that two entries make 12 + 2·8: 1487 + 98 + 96 + 16 + 72 + 72 + 92 + 252 =
//                   2185
//          writes   8·23, nine sums 8:                                  528 + 184 + 72 = 784
// and its operations are 210 + 503, of which the residual is 3·2 + 2·6.
TEST(BenchCounts, one_body_on_a_hinge) {
  const BenchCounts c = counts_of(bench_model(bench_topology("tree"), 11));
  EXPECT_EQ(c.shared_values, 9);
  expect_work(work_of(WorkGroup::evaluate, c), 857, 688, 403 - 129 + 210 - 18, 4);
  expect_work(work_of(WorkGroup::residual, c), 717, 72 + 16, 129 + 18, 2);
  expect_work(work_of(WorkGroup::tangent, c), 2185, 784, 622 + 503, 4);
}

// A body on ground by a bushing or by a spring: forces in place of the joint. r, A, v, ω of both markers
// 2·144, or r, v 2·48; force 20, law 144 or 40; last angles of a bushing 24. The marker has axes and
// velocities:
//   evaluate reads  308 + 8 + 24 + 72 + 20 + 144 + 288 + 24 + 84 = 972, or 308 + 104 + 20 + 40 + 96 + 84 =
//   652
//          writes   56 + 272 + 48 + 72 + 48 + 96 + 48 = 640
//   tangent reads   184 + 632; first entry, output 8, force, law, markers and angles as above, bodies of two
//                   markers 8, arm 24, body 8, H ω P V 240, places of 36 entries; twelve values of two
//                   entries 12 + 16: 816 + 8 + 476 + 280 + 144 + 336 = 2060, or 816 + 8 + 156 + 760 = 1740
//          writes   216 + 96 + 36·8 + 12·8 = 696
// Operations: 418 + 2486 and 125 + 961, of which none make the residual.
TEST(BenchCounts, one_body_on_a_bushing_or_a_spring) {
  const std::string body =
      "UNITS/UCF=1\nPART/1,GROUND\nMARKER/10,PART=1\nPART/2,MASS=1,CM=20,IP=1,1,1\nMARKER/20,PART=2\n"
      "MARKER/21,PART=2,QP=1,0,0\n";
  const BenchCounts bushing = counts_of(compiled(body + "BUSHING/1,I=21,J=10,K=1,1,1,KT=1,1,1\n")),
                    spring =
                        counts_of(compiled(body + "SPRINGDAMPER/1,TRANSLATION,I=21,J=10,K=1,LENGTH=1\n"));
  expect_work(work_of(WorkGroup::evaluate, bushing), 972, 640, 403 - 129 + 418, 4);
  expect_work(work_of(WorkGroup::tangent, bushing), 2060, 696, 622 + 2486, 4);
  expect_work(work_of(WorkGroup::evaluate, spring), 652, 640, 403 - 129 + 125, 4);
  expect_work(work_of(WorkGroup::tangent, spring), 1740, 696, 622 + 961, 4);
  for (const BenchCounts& c : {bushing, spring})
    expect_work(work_of(WorkGroup::residual, c), 352, 48, 129, 1);
}

// Nine unknowns in one front without border: 81 factors, and 3 + 9 + 27 values of the matrix. Reads: value,
// row, place 16 and again value and place 16, of an unknown 20 + 20 + 8, front 48 + 4. Writes: values 8, of
// an unknown 8 + 12 + 8, factors 8.
TEST(BenchCounts, the_linear_system_of_one_body) {
  const Model model = chain(1);
  const Assembler assembler(model);
  Device device(load_backend("host"), 0);
  DeviceSystem system(device);
  system.analyze(assembler.pattern(), assembler.graph());
  BenchCounts c;
  count_linear(system, c);
  EXPECT_EQ(c.fronts, 1);
  EXPECT_EQ(c.nonzeros, 39);
  EXPECT_EQ(c.factor_values, 81);
  EXPECT_EQ(c.half_values, 81);
  const Work factor = work_of(WorkGroup::device_factor, c);
  EXPECT_EQ(factor.read, 39 * 32 + 9 * 48 + 52);
  EXPECT_EQ(factor.written, 39 * 8 + 9 * 28 + 81 * 8);
  EXPECT_EQ(factor.levels, 1);
  EXPECT_EQ(work_of(WorkGroup::device_solve, c).levels, 2);
}

// Two bodies of 100 coordinates, each coupled to one of ten: a front of 100 pivots whose border is the ten,
// and one of the other body with the ten, which costs no more than two.
TEST(BenchCounts, fronts_with_a_border) {
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
  BenchCounts c;
  count_linear(system, c);
  ASSERT_EQ(c.fronts, 2);
  EXPECT_EQ(c.factor_values, 100 * 100 + 2 * 100 * 10 + 110 * 110);
  EXPECT_EQ(c.half_values, 100 * 110 + 110 * 110);
  EXPECT_EQ(c.block_values, 10 * 10);
  EXPECT_EQ(c.border_rows, 10);
  const double nonzeros = 2 * 100 * 100 + 10 * 10 + 2 * 2 * 100 * 10;
  EXPECT_EQ(work_of(WorkGroup::device_solve, c).flops, 2 * 2 * (100 * 110 + 110 * 110) + 4 * nonzeros)
      << "two operations an entry, forward and backward; the residual and its terms";
}

// Sizes of all fronts against the memory that the system itself takes for factors.
TEST(BenchCounts, factors_are_those_that_the_device_stores) {
  Device device(load_backend("host"), 0);
  for (const char* name : {"net", "tree", "flexible"}) {
    const Model model = bench_model(bench_topology(name), 2000);
    const Assembler assembler(model);
    DeviceSystem system(device);
    system.analyze(assembler.pattern(), assembler.graph());
    BenchCounts c;
    count_linear(system, c);
    EXPECT_EQ(8 * c.factor_values, system.info().factor_bytes) << name;
  }
}

// What is counted as a kernel is launched, on every device.
TEST(BenchCounts, launches_are_those_of_a_device) {
  Device device(load_backend("host"), 0);
  for (const char* name : {"chain", "loop", "net", "tree", "track"}) {
    const Model model = bench_model(bench_topology(name), 500);
    Assembler host(model);
    DeviceAssembler assembler(device, host, model);
    State state(model);
    for (std::size_t k = 0; k < state.q.size(); ++k) state.q[k] = 0.4 + 0.1 * static_cast<double>(k % 7);
    assembler.upload(state);
    DeviceArray<double> r(device, static_cast<std::size_t>(model.unknowns()));
    const BenchCounts c = count_assembly(model, host);
    const auto expect_launches = [&](WorkGroup group, auto&& launch) {
      const long before = device.counters().launches;
      launch();
      EXPECT_EQ(work_of(group, c).launches, device.counters().launches - before) << name;
    };
    expect_launches(WorkGroup::evaluate, [&] {
      assembler.set_point({0, 4, bench_coefficients()});
      assembler.evaluate_equations();
    });
    expect_launches(WorkGroup::residual, [&] { assembler.residual(r.data()); });
    expect_launches(WorkGroup::tangent, [&] { assembler.tangent(); });
  }
}

TEST(BenchCounts, an_element_without_a_count_is_named) {
  EXPECT_EQ(not_counted(bench_model(bench_topology("track"), 1000)), "");
  const Model model = bench_model(bench_topology("flexible"), 300);
  EXPECT_EQ(not_counted(model), "SFORCE/1");
  EXPECT_THROW(counts_of(model), Failure);
  EXPECT_EQ(
      not_counted(compiled("UNITS/UCF=1\nPART/1,GROUND\nMARKER/10,PART=1\nPART/2,MASS=1,CM=20,IP=1,1,1\n"
                           "MARKER/20,PART=2\nJOINT/7,CYLINDRICAL,I=20,J=10\n")),
      "JOINT/7");
}

TEST(BenchCounts, least_time_is_that_of_bytes_or_of_operations) {
  const Work work{600, 400, 5000, 0, 0};
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
  ASSERT_EQ(result["cases"].size(), 2u * 2 + 2 * 2 * 2);
  const nlohmann::json steps = of_case(result, "steps/chain/300");
  EXPECT_EQ(steps["bodies"], 33);
  EXPECT_EQ(steps["unknowns"], 297);
  EXPECT_EQ(steps["steps"], 5);
  EXPECT_GE(steps["evaluations"], 5);
  const nlohmann::json& time = steps["wall_ms_per_step"];
  EXPECT_GT(time["min"], 0.0);
  EXPECT_LE(time["min"], time["median"]);
  EXPECT_LE(time["median"], time["max"]);
  EXPECT_EQ(of_part(steps["parts"], "equations")["flops"], (340 + 135) * 33);
  EXPECT_EQ(of_part(steps["parts"], "tangent")["bytes_read"], 1663 * 33 - 176);
  for (const char* solver : {"klu", "multifrontal"}) {
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
  const Outcome o = run(f, {"bench", "--backend", "host", "--quick", "--topologies", "chain,flexible",
                            "--roofline", "--flop-rate", "0.5", "--out", "b.json"});
  ASSERT_EQ(o.code, 0) << o.err;
  const nlohmann::json result = f.json("b.json"), chain = of_case(result, "kernels/host/chain/300");
  const double bandwidth = result["device_rates"]["triad_bytes_per_second"];
  EXPECT_EQ(result["device_rates"]["flops_per_second"], 0.5e9);
  for (const auto& part : chain["parts"]) {
    const double bytes = part["bytes_read"].get<double>() + part["bytes_written"].get<double>();
    const double least = 1e3 * std::max(bytes / bandwidth, part["flops"].get<double>() / 0.5e9),
                 ms = part["ms"];
    EXPECT_NEAR(part["least_ms"], least, 1e-12 * least) << part["part"];
    EXPECT_NEAR(part["part_reached"], least / ms, 1e-12 * least / ms) << part["part"];
  }
  const std::pair<const char*, int> launches[] = {{"evaluate", 4}, {"residual", 2}, {"tangent", 3}};
  for (const auto& [part, count] : launches)
    EXPECT_EQ(of_part(chain["parts"], part)["launches"], count) << part;
  const auto sum = [&](const char* key, const char* a, const char* b, const char* c) {
    return of_part(chain["parts"], a)[key].get<double>() + of_part(chain["parts"], b)[key].get<double>() +
           of_part(chain["parts"], c)[key].get<double>();
  };
  EXPECT_EQ(of_part(chain["parts"], "iteration")["flops"], sum("flops", "evaluate", "residual", "solve"));
  EXPECT_EQ(chain["host_answers"], 0);
  const nlohmann::json flexible = of_case(result, "kernels/host/flexible/300");
  EXPECT_FALSE(of_part(flexible["parts"], "evaluate").contains("flops"));
  EXPECT_NE(o.out.find("no count of the equations: SFORCE/1 has none"), std::string::npos) << o.out;
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
