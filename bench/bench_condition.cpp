// Condition number of the iteration matrices of a model at its initial state against the step: a table, and a
// figure for docs/theory.md.
//   bench_condition DECK.adm [FIGURE.svg]
#include <cmath>
#include <fstream>
#include <iterator>

#include "../tests/support/iteration_matrices.h"
#include "analysis/session.h"
#include "dataset/reader.h"
#include "model/compile.h"
#include "output/look/gnuplot.h"
#include "output/look/plot_script.h"
#include "output/replacement.h"

namespace {

using namespace trammel;

Session session_of(const std::string& file) {
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  Diagnostics diagnostics;
  const Description description = parse_dataset(text, file, diagnostics);
  diagnostics.stop_on_errors();
  return Session(compile(description, diagnostics), DynamicsSettings{}, {});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return fmt::print(stderr, "bench_condition DECK.adm [FIGURE.svg]\n"), 2;
  Session session = session_of(argv[1]);
  session.initialize();
  Assembler& assembler = session.assembler();
  assembler.evaluate(session.state(), in_dynamics);
  const test::IterationMatrices matrices(assembler, session.model(), session.state());
  constexpr double alpha = -0.3, beta = (1 - alpha) * (1 - alpha) / 4, gamma = 0.5 - alpha;
  constexpr double l0 = 2.0 / 3;  // of BDF of order 2
  Panel panel;
  panel.label = "condition number";
  const char* names[] = {"I3, first-order form", "SI2, first-order form", "GSTIFF (I3, SI2) of the program",
                         "HHT of the program"};
  for (int k = 0; k < 4; ++k) panel.curves.push_back({names[k], {}, {}, {}, k, 0, false});
  fmt::print("{:>8} {:>22} {:>22} {:>32} {:>20}\n", "h", names[0], names[1], names[2], names[3]);
  for (int p = 1; p <= 12; ++p) {
    const double h = std::pow(10.0, -p), bh = l0 * h;
    const double found[] = {test::condition(matrices.first_order_index3(bh)),
                            test::condition(matrices.first_order_stabilized_index2(bh)),
                            test::condition(matrices.of_accelerations(bh, bh * bh)),
                            test::condition(matrices.of_accelerations(gamma * h, beta * h * h))};
    fmt::print("{:8.0e} {:22.3g} {:22.3g} {:32.4g} {:20.4g}\n", h, found[0], found[1], found[2], found[3]);
    for (int k = 0; k < 4; ++k) {
      if (!(found[k] < 1e16)) continue;  // rounding
      panel.curves[k].x.push_back(h);
      panel.curves[k].y.push_back(found[k]);
    }
  }
  if (argc > 2) {
    Picture picture;
    picture.title = "Iteration matrices as the step falls";
    picture.x_label = "h (s)";
    picture.panels.push_back(panel);
    picture.log_x = picture.log_y = picture.svg = true;
    replace_file(argv[2], run_gnuplot(find_gnuplot(), gnuplot_script(picture), argv[2]));
  }
  return 0;
}
