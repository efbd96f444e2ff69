// Cost of a step at fixed h = 1 ms: chains of 10 to 10,000 links, on ball and on revolute joints, a pendulum
// and the slider-crank.
//   trammel_bench [--out FILE] [--cases chain_10,slider_crank] [--repeats 3]
// Every case runs in a process of its own, so that its peak memory is its own. Timed is the whole of
// DYNAMICS with an output record (gathered, not written) every 10 ms, after the initial
// conditions; accuracy and factor sizes come from one more run that is not timed.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "allocations.h"
#include "analysis/analyses/list.h"
#include "analysis/session.h"
#include "base/clock.h"
#include "bench_tool/chain.h"
#include "bench_tool/machine.h"
#include "dataset/reader.h"
#include "model/compile.h"
#include "session/version.h"
#include "yardstick.h"

using namespace trammel;
using namespace trammel::bench;
using Json = nlohmann::ordered_json;

namespace {

constexpr double step_size = 1e-3, output_interval = 0.01, error_tolerance = 1e-5;
constexpr double damping = -0.15;                          // tip error of chain_10 below 2e-4 m
constexpr int warm_steps = 50;                             // after which a step may not allocate
constexpr std::string_view yardstick_case = "chain_1000";  // whose matrix compares machines

struct Case {
  const char* name;
  int links;  ///< of a chain; 0: the model of this name
  double end;
  ChainJoint joint = ChainJoint::ball;
};
constexpr Case cases[] = {{"pendulum", 0, 1.0},
                          {"slider_crank", 0, 1.0},
                          {"chain_10", 10, 1.0},
                          {"chain_100", 100, 1.0},
                          {"chain_1000", 1000, 1.0},
                          {"chain_10000", 10000, 0.1},
                          {"revolute_10", 10, 1.0, ChainJoint::revolute},
                          {"revolute_100", 100, 1.0, ChainJoint::revolute},
                          {"revolute_1000", 1000, 1.0, ChainJoint::revolute},
                          {"revolute_10000", 10000, 0.1, ChainJoint::revolute}};

Model load(const Case& c) {
  Diagnostics diagnostics;
  const std::string text =
      c.links > 0 ? chain_deck(c.links, c.joint)
                  : read_text_file(fmt::format("{0}/models/{1}/{1}.adm", TRAMMEL_SOURCE_DIR, c.name));
  Model model = compile(parse_dataset(text, c.name, diagnostics), diagnostics);
  diagnostics.stop_on_errors();
  return model;
}

DynamicsSettings settings() {
  DynamicsSettings s;
  s.integrator.error = error_tolerance;
  s.integrator.alpha = damping;
  s.integrator.hinit = s.integrator.hmin = s.integrator.hmax = step_size;
  s.hmax_given = s.hinit_given = true;
  return s;
}

/// Most memory this process ever held, MB (VmHWM of /proc/self/status).
double peak_memory_mb() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::strtod(line.c_str() + 6, nullptr) * 1024 / 1e6;
  return -1;
}

double cpu_seconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  const std::size_t n = v.size();
  return n % 2 == 1 ? v[n / 2] : 0.5 * (v[n / 2 - 1] + v[n / 2]);
}
Json spread(const std::vector<double>& v) {
  return {{"median", median(v)},
          {"min", *std::min_element(v.begin(), v.end())},
          {"max", *std::max_element(v.begin(), v.end())}};
}

/// One timed run; appends wall and CPU milliseconds per step.
void timed_run(const Case& c, std::vector<double>& wall, std::vector<double>& cpu, Json& out) {
  long in_steps = 0, mark = 0, steps = 0;
  SessionEvents events;
  // Allocations from the end of one event to the end of the step that follows: the step alone.
  events.step = [&](const StepResult&) {
    if (++steps > warm_steps) in_steps += test::allocation_count() - mark;
    mark = test::allocation_count();
  };
  events.record = [&](double, StepKind, std::span<const double>) { mark = test::allocation_count(); };
  const Stopwatch begun;
  Session simulation(load(c), settings(), events);
  const double loaded = begun.seconds();
  simulation.initialize();
  const double begin = begun.seconds(), cpu_begin = cpu_seconds();
  simulation.run(dynamics_analysis, {c.end, static_cast<int>(std::lround(c.end / output_interval))});
  const double taken = begun.seconds() - begin, cpu_taken = cpu_seconds() - cpu_begin;
  const StepCounters& h = simulation.counters();
  const SystemCounters& l = simulation.systems().counters();
  wall.push_back(1e3 * taken / double(h.steps));
  cpu.push_back(1e3 * cpu_taken / double(h.steps));
  const Model& m = simulation.model();
  out["bodies"] = m.bodies.size();
  out["unknowns"] = m.unknowns();
  out["read_and_analyze_s"] = loaded;
  out["initial_conditions_s"] = begin - loaded;
  out["steps"] = h.steps;
  out["evaluations"] = h.evaluations;
  out["solves"] = l.solves;
  out["jacobians"] = h.jacobians;
  out["factorizations"] = l.factorizations;
  out["refactorizations"] = l.refactorizations;
  out["refinements"] = l.refinements;
  out["guard_trips"] = l.guard_trips;
  out["rebases"] = h.rebases;
  if (test::allocations_counted())
    out["allocations_per_step"] = double(in_steps) / double(std::max(1L, steps - warm_steps));
}

/// Nonzeros of the matrix and of its factors at the state that the simulation is in.
void count_nonzeros(Session& simulation, Json& out) {
  Assembler& assembler = simulation.assembler();
  const IntegratorOptions o = settings().integrator;
  const double alpha = o.alpha, gamma = 0.5 - alpha, beta = (1 - alpha) * (1 - alpha) / 4, h = step_size;
  const Coefficients c{1 / (1 + alpha), gamma * h, beta * h * h, gamma * h, 1 / (1 + alpha)};
  std::vector<double> values(assembler.pattern().nonzeros());
  assembler.evaluate(simulation.state(), in_dynamics);
  assembler.tangent(simulation.state(), c, values);
  GuardedSystem system;
  system.analyze(assembler.pattern(), assembler.graph());
  if (!system.set_matrix(values.data()).ok())
    fail(ExitCode::solver, "the matrix of the last state cannot be factored");
  out["nonzeros_matrix"] = assembler.pattern().nonzeros();
  out["nonzeros_factors"] = system.info().nonzeros;
  if (out["name"] == yardstick_case)
    out["yardstick_sparse_lu_ms"] = sparse_lu_milliseconds(assembler.pattern(), values);
}

int channel(const Channels& channels, const std::string& name) {
  int k = 0;
  for (const Entity& e : channels.entities)
    for (const Component& component : e.components) {
      if (e.name() + "." + component.name == name) return k;
      ++k;
    }
  fail(ExitCode::internal, "there is no channel {}", name);
}

struct TipValue {
  double t, x, z;
};
/// Tip of the ten-link chain: the planar pendulum equations integrated at 1e-13 (models/chain/reference.py).
std::vector<TipValue> true_tip() {
  std::ifstream file(TRAMMEL_SOURCE_DIR "/models/chain/expected.json");
  const Json expected = Json::parse(file);
  std::vector<TipValue> out{{0.1, 0, 0}, {0.5, 0, 0}, {1.0, 0, 0}};
  for (const Json& check : expected["checks"])
    for (TipValue& tip : out) {
      if (std::abs(check["t"].get<double>() - tip.t) > 1e-12) continue;
      if (check["channel"] == "REQUEST/1.X") tip.x = check["value"];
      if (check["channel"] == "REQUEST/1.Z") tip.z = check["value"];
    }
  return out;
}

/// The run that is not timed: constraint, energy and tip errors over all outputs, factor sizes at its end.
void accuracy_run(const Case& c, Json& out) {
  double position = 0, velocity = 0, energy = 0, first_energy = NAN, most_kinetic = 0;
  std::vector<double> rows;
  std::vector<TipValue> tips = c.links == 10 ? true_tip() : std::vector<TipValue>{};
  Json tip_errors = Json::array();
  Session* simulation = nullptr;
  SessionEvents events;
  events.record = [&](double t, StepKind, std::span<const double> values) {
    Assembler& a = simulation->assembler();
    a.constraints(simulation->state(), ConstraintLevel::position, rows);
    for (double r : rows) position = std::max(position, std::abs(r));
    a.constraints(simulation->state(), ConstraintLevel::velocity, rows);
    for (double r : rows) velocity = std::max(velocity, std::abs(r));
    const double kinetic = a.kinetic_energy(), total = kinetic + a.gravity_energy();
    if (std::isnan(first_energy)) first_energy = total;
    energy = std::max(energy, std::abs(total - first_energy));
    most_kinetic = std::max(most_kinetic, kinetic);
    for (const TipValue& tip : tips) {
      if (std::abs(t - tip.t) > 1e-9) continue;
      const double dx = values[channel(simulation->channels(), "REQUEST/1.X")] - tip.x;
      const double dz = values[channel(simulation->channels(), "REQUEST/1.Z")] - tip.z;
      tip_errors.push_back({{"t", tip.t}, {"error", std::hypot(dx, dz)}});
    }
  };
  Session run(load(c), settings(), events);
  simulation = &run;
  rows.resize(run.model().multipliers);
  run.run(dynamics_analysis, {c.end, static_cast<int>(std::lround(c.end / output_interval))});
  count_nonzeros(run, out);
  out["constraint_error_position"] = position;
  out["constraint_error_velocity"] = velocity;
  out["energy_error_J"] = energy;
  out["energy_error_relative_to_largest_kinetic"] = energy / most_kinetic;
  if (!tips.empty()) out["tip_errors_m"] = tip_errors;
}

Json run_case(const Case& c, int repeats) {
  Json out{{"name", c.name},   {"links", c.links}, {"h", step_size},
           {"alpha", damping}, {"end", c.end},     {"repeats", repeats}};
  std::vector<double> wall, cpu;
  for (int k = 0; k < repeats; ++k) timed_run(c, wall, cpu, out);
  out["wall_ms_per_step"] = spread(wall);
  out["cpu_ms_per_step"] = spread(cpu);
  out["peak_memory_MB"] = peak_memory_mb();
  accuracy_run(c, out);
  return out;
}

/// The case in a child process; its result comes back through a pipe.
Json run_in_child(const Case& c, int repeats) {
  int ends[2];
  if (pipe(ends) != 0) fail(ExitCode::internal, "pipe() failed");
  const pid_t child = fork();
  if (child < 0) fail(ExitCode::internal, "fork() failed");
  if (child == 0) {
    close(ends[0]);
    int code = 0;
    std::string text;
    try {
      text = run_case(c, repeats).dump();
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}: {}\n", c.name, error.what());
      code = 1;
    }
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t n = write(ends[1], text.data() + at, text.size() - at);
      if (n <= 0) _exit(1);
      at += static_cast<std::size_t>(n);
    }
    _exit(code);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) fail(ExitCode::solver, "case {} failed", c.name);
  return Json::parse(text);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Cost of a step at fixed h = 1 ms"};
  std::string out_file;
  std::vector<std::string> chosen;
  int repeats = 3;
  app.add_option("--out", out_file, "JSON file to write (default: standard output)");
  app.add_option("--cases", chosen, "names of cases, separated by commas (default: all)")->delimiter(',');
  app.add_option("--repeats", repeats, "timed runs per case")->check(CLI::Range(1, 1000));
  CLI11_PARSE(app, argc, argv);
  try {
    for (const std::string& name : chosen)
      if (std::none_of(std::begin(cases), std::end(cases), [&](const Case& c) { return name == c.name; }))
        fail(ExitCode::usage, "there is no case {}", name);
    Json result{
        {"date", utc_now()},      {"program", program_version()},  {"build", program_build()},
        {"flags", TRAMMEL_FLAGS}, {"machine", describe_machine()}, {"load_average_begin", load_average()}};
    result["cases"] = Json::array();
    for (const Case& c : cases) {
      if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), c.name) == chosen.end()) continue;
      Json one = run_in_child(c, repeats);
      one["load_average"] = load_average();
      fmt::print(stderr, "{:<14} {:>10.4f} ms/step wall {:>10.4f} cpu {:>8.1f} MB\n", c.name,
                 one["wall_ms_per_step"]["median"].get<double>(),
                 one["cpu_ms_per_step"]["median"].get<double>(), one["peak_memory_MB"].get<double>());
      result["cases"].push_back(std::move(one));
    }
    result["load_average_end"] = load_average();
    if (out_file.empty()) {
      fmt::print("{}\n", result.dump(2));
    } else {
      std::ofstream file(out_file);
      file << result.dump(2) << "\n";
      if (!file.flush()) fail(ExitCode::io, "cannot write {}", out_file);
    }
  } catch (const Failure& failure) {
    fmt::print(stderr, "{}\n", failure.what());
    return static_cast<int>(failure.code());
  }
  return 0;
}
