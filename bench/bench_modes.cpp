// Cost of a flexible body by its modes: equations, tangent, factorization and solution of a body on BUSHINGs
// at its nodes, at a state where all of its modes move, on the processor and on a device.
//   bench_modes [--bushings N] [--backend cuda --device 0] [--out FILE] [--quick]
#include <fstream>
#include <memory>

#include <CLI/CLI.hpp>

#include "../tests/assemble/flexible.h"
#include "../tests/support/temporary_file.h"
#include "backends/load.h"
#include "base/clock.h"
#include "bench_tool/machine.h"
#include "bench_tool/systems.h"
#include "dataset/reader.h"
#include "flexible/mtx_file.h"
#include "model/compile.h"

namespace {

using namespace trammel;

Model body_on_bushings(int modes, int bushings) {
  test::Random random(1);
  std::vector<Vec3d> places;
  for (int k = 0; k < bushings; ++k) places.push_back(random.vector(0.6));
  const test::TemporaryFile file("modes.mtx",
                                 write_mtx(test::random_modal_body(places, modes, modes, random)));
  std::string deck =
      fmt::format("modes\nPART/1, GROUND\nFLEX_BODY/2, MNF_FILE = {}, CRATIO = 0.01\n", file.path());
  for (int k = 0; k < bushings; ++k)
    deck += fmt::format(
        "MARKER/{0}, FLEX_BODY = 2, NODE_ID = {2}\nMARKER/{1}, PART = 1, QP = {3},{4},{5}\n"
        "BUSHING/{0}, I = {0}, J = {1}, K = 4, 3, 2, KT = 3, 2, 1, C = 0.2, 0.1, 0.3, CT = 0.1, 0.1, 0.2\n",
        1000 + k, 5000 + k, 100 + k, places[k].x, places[k].y, places[k].z + 0.1);
  Diagnostics diagnostics;
  Model model = compile(parse_dataset(deck + "END\n", "modes.adm", diagnostics), diagnostics);
  diagnostics.stop_on_errors();
  return model;
}

/// Microseconds of a call: the least of some means over a part of a second each. wait() ends what calls only
/// began.
struct Effort {
  int means;
  double seconds;
};
template <class Call, class Wait>
double microseconds(const Effort& effort, const Call& call, const Wait& wait) {
  double least = 1e300;
  for (int k = 0; k < effort.means; ++k) {
    const Stopwatch begun;
    int calls = 0;
    for (; calls == 0 || begun.seconds() < effort.seconds; ++calls) call();
    wait();
    least = std::min(least, 1e6 * begun.seconds() / calls);
  }
  return least;
}

using Json = nlohmann::ordered_json;

/// The parts of a step of `System`, which is StepSystem or DeviceStepSystem.
template <class Equations, class System, class Wait>
Json parts(const Effort& effort, System& step, const Equations& equations, const Wait& wait) {
  return {{"equations_us", microseconds(effort, equations, wait)},
          {"tangent_us", microseconds(
                             effort, [&] { step.tangent(); }, wait)},
          {"factor_us", microseconds(
                            effort, [&] { step.factor(); }, wait)},
          {"solve_us", microseconds(
                           effort, [&] { step.solve(); }, wait)}};
}

/// A row of the table and of the JSON.
Json measured(int modes, int bushings, const Effort& effort, Device* device) {
  Session session(body_on_bushings(modes, bushings), DynamicsSettings{}, {});
  session.initialize();
  Json row{{"modes", modes},
           {"where", device ? device->backend() : "cpu"},
           {"nonzeros", session.assembler().pattern().nonzeros()}};
  if (device) {
    DeviceStepSystem step(*device, session);
    const auto equations = [&] {
      step.evaluate();
      step.residual();
    };
    row.update(parts(effort, step, equations, [&] { device->synchronize(); }));
  } else {
    StepSystem step(session, "auto");
    row.update(parts(
        effort, step, [&] { step.equations(); }, [] {}));
  }
  return row;
}

void print(const Json& row) {
  fmt::print("{:>6} {:>6} {:10.1f} {:10.1f} {:10.1f} {:10.1f} {:10}\n", row["modes"].get<int>(),
             row["where"].get<std::string>(), row["equations_us"].get<double>(),
             row["tangent_us"].get<double>(), row["factor_us"].get<double>(), row["solve_us"].get<double>(),
             row["nonzeros"].get<int>());
}

struct Options {
  int bushings = 24, device = 0;
  std::string backend, out;
  bool quick = false;
};

void run(const Options& o) {
  const std::unique_ptr<Device> device =
      o.backend.empty() ? nullptr : std::make_unique<Device>(load_backend(o.backend), o.device);
  const Effort effort = o.quick ? Effort{1, 0} : Effort{5, 0.1};
  fmt::print("{} BUSHINGs, microseconds of a call; nonzeros of the matrix\n", o.bushings);
  fmt::print("{:>6} {:>6} {:>10} {:>10} {:>10} {:>10} {:>10}\n", "modes", "where", "equations", "tangent",
             "factor", "solve", "nonzeros");
  Json cases = Json::array();
  const auto add = [&](int modes, Device* where) {
    cases.push_back(measured(modes, o.bushings, effort, where));
    print(cases.back());
  };
  for (const int modes : o.quick ? std::vector{10, 20} : std::vector{10, 20, 40, 80, 134, 160}) {
    add(modes, nullptr);
    if (device) add(modes, device.get());
  }
  if (o.out.empty()) return;
  Json result{{"date", bench::utc_now()},
              {"program", "bench_modes"},
              {"machine", bench::describe_machine()},
              {"device", {{"name", device ? device->info().name : "none"}}},
              {"bushings", o.bushings}};
  result["cases"] = cases;
  std::ofstream file(o.out);
  file << result.dump(2) << "\n";
  if (!file.flush()) fail(ExitCode::io, "cannot write {}", o.out);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Cost of a flexible body by its modes, on the processor and on a device"};
  Options o;
  app.add_option("--bushings", o.bushings, "at as many nodes")->check(CLI::PositiveNumber);
  app.add_option("--out", o.out, "JSON file to write besides");
  app.add_option("--backend", o.backend, "cuda or host (default: the processor alone)");
  app.add_option("--device", o.device, "which of the back end's devices, from 0");
  app.add_flag("--quick", o.quick, "few modes and calls: a test that it works, no measurement");
  CLI11_PARSE(app, argc, argv);
  try {
    run(o);
  } catch (const Failure& failure) {
    fmt::print(stderr, "{}\n", failure.what());
    return static_cast<int>(failure.code());
  }
  return 0;
}
