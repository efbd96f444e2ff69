// Any number of threads gives the same bits.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/analyses/list.h"
#include "analysis/session.h"
#include "bench_tool/chain.h"
#include "dataset/reader.h"
#include "model/compile.h"

namespace trammel::threads_test {
namespace {

/// A chain of 1400 links, enough for two threads in every loop over bodies, rows, coordinates or values (the
/// largest share not divided is 512 bodies or elements, 1024 groups of rows, 2048 columns, 4096 coordinates,
/// 32768 values), with every kind of element on every link: springs, forces of functions, variables, states,
/// general constraints; and a few NFORCEs.
std::string large_deck() {
  constexpr int links = 1400;
  std::string deck = bench::chain_deck(links), more = "MATRIX/1,FULL=RORDER,ROWS=6,COLUMNS=6,VALUES=";
  for (int k = 0; k < 36; ++k) more += fmt::format("{}{}", k % 7 == 0 ? 5 : 0, k < 35 ? "," : "\n");
  for (int i = 1; i <= links; ++i) {
    const int m = 10 * (i + 1);  // centre of the link
    more += fmt::format("GCON/{},I={},FUNCTION=WX({},10,{})\n", i, m, m, m);
    more += fmt::format("SPRINGDAMPER/{},TRANSLATION,I={},J=10,K=0.1,C=.01,LENGTH=1\n", i, m);
    more += fmt::format("VARIABLE/{},FUNCTION=SIN(DX({},10))\n", i, m);
    more += fmt::format("DIFF/{},IC=0,FUNCTION=VM({},10)-DIF({})\n", i, m, i);
    more += fmt::format("SFORCE/{},TRANSLATION,I={},J=10,FUNCTION=-.01*VARVAL({})*DIF({})\n", i, m, i, i);
    if (i % 100 == 0) more += fmt::format("NFORCE/{},IMARKERS={},J=10,KMATRIX=1,CRATIO=.01\n", i, m);
  }
  const std::string end = "END\n";
  return deck.substr(0, deck.size() - end.size()) + more + end;
}

std::vector<double> end_of_run(const std::string& deck, int threads) {
  Diagnostics diagnostics;
  Model model = compile(parse_dataset(deck, "chain", diagnostics), diagnostics);
  diagnostics.stop_on_errors();
  DynamicsSettings settings;
  settings.integrator.error = 1e-6;
  ComputeSettings compute;
  compute.threads = threads;
  std::vector<double> last;
  SessionEvents events;
  events.record = [&](double, StepKind, std::span<const double> values) {
    last.assign(values.begin(), values.end());
  };
  Session simulation(std::move(model), settings, events, compute);
  simulation.run(dynamics_analysis, {0.004, 2});
  return last;
}

TEST(Threads, of_any_number_give_the_same_bits) {
  const std::string deck = large_deck();
  const std::vector<double> one = end_of_run(deck, 1);
  ASSERT_GT(one.size(), 1400u);
  EXPECT_EQ(one, end_of_run(deck, 2));
  EXPECT_EQ(one, end_of_run(deck, 5));
}

}  // namespace
}  // namespace trammel::threads_test
