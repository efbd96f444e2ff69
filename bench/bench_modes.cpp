// Cost of a flexible body by its modes: equations, tangent, factorization and solution of a body on BUSHINGs
// at its nodes, at a state where all of its modes move. A table.
//   bench_modes [BUSHINGS]
#include <chrono>
#include <cstdlib>

#include "../tests/assemble/flexible.h"
#include "../tests/support/temporary_file.h"
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

/// Microseconds of a call: the least of five means over a tenth of a second each.
template <class F>
double microseconds(F&& f) {
  using Clock = std::chrono::steady_clock;
  double least = 1e300;
  for (int k = 0; k < 5; ++k) {
    const auto begin = Clock::now();
    int calls = 0;
    double seconds = 0;
    while (seconds < 0.1) {
      f();
      ++calls;
      seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    }
    least = std::min(least, 1e6 * seconds / calls);
  }
  return least;
}

}  // namespace

int main(int argc, char** argv) {
  const int bushings = argc > 1 ? std::atoi(argv[1]) : 24;
  if (bushings < 1) return fmt::print(stderr, "bench_modes [BUSHINGS]\n"), 2;
  fmt::print("{} BUSHINGs, microseconds of a call; nonzeros of the matrix\n", bushings);
  fmt::print("{:>6} {:>10} {:>10} {:>10} {:>10} {:>10}\n", "modes", "equations", "tangent", "factor", "solve",
             "nonzeros");
  for (const int modes : {10, 20, 40, 80, 134, 160}) {
    Session session(body_on_bushings(modes, bushings), DynamicsSettings{}, {});
    session.initialize();
    StepSystem step(session, "auto");
    const double equations = microseconds([&] { step.equations(); });
    const double tangent = microseconds([&] { step.tangent(); });
    const double factor = microseconds([&] { step.factor(); });
    const double solve = microseconds([&] { step.solve(); });
    fmt::print("{:6} {:10.1f} {:10.1f} {:10.1f} {:10.1f} {:10}\n", modes, equations, tangent, factor, solve,
               step.assembler.pattern().nonzeros());
  }
  return 0;
}
