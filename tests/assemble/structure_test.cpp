// The structure of the equations: what a tangent by differences has, and when one model's serves another.
#include <gtest/gtest.h>

#include <set>

#include "assemble/assembler.h"
#include "dataset/reader.h"
#include "model/compile.h"

namespace trammel::structure_test {
namespace {

Model model_of(const std::string& more, double mass = 1) {
  Diagnostics diagnostics;
  const std::string deck = fmt::format(
      "title\nUNITS/UCF=1\nPART/1,GROUND\nMARKER/1,PART=1\nMARKER/2,PART=1,QP=0,1,0\n"
      "PART/2,MASS={},CM=20,IP=1,2,3\nMARKER/20,PART=2\nMARKER/21,PART=2,QP=.3,.1,0\n"
      "PART/3,QG=1,0,0,MASS=2,CM=30,IP=1,1,2\nMARKER/30,PART=3\nMARKER/31,PART=3,QP=-.7,.1,0\n"
      "JOINT/1,SPHERICAL,I=20,J=1\nJOINT/2,REVOLUTE,I=31,J=21\nDIFF/"
      "1,IC=.5,FUNCTION=DX(30,1)-DIF(1)\n{}END\n",
      mass, more);
  Model model = compile(parse_dataset(deck, "test.adm", diagnostics), diagnostics);
  diagnostics.stop_on_errors();
  return model;
}

State some_state(const Model& model) {
  State state(model);
  for (std::size_t i = 0; i < state.q.size(); ++i) state.q[i] = 0.3 + 0.1 * static_cast<double>(i % 7);
  for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i] = 0.2 - 0.05 * static_cast<double>(i % 5);
  for (std::size_t i = 0; i < state.lambda.size(); ++i) state.lambda[i] = 1 + static_cast<double>(i);
  return state;
}

std::vector<double> tangent_of(Assembler& assembler, const State& state) {
  std::vector<double> values(assembler.pattern().nonzeros());
  assembler.evaluate(state, in_dynamics);
  assembler.tangent(state, {1, 0.1, 0.01, 0.1, 1}, values);
  return values;
}

constexpr const char* spring = "SPRINGDAMPER/1,TRANSLATION,I=30,J=2,K=5,LENGTH=.2\n";

TEST(Structure, of_a_variant_serves_and_gives_the_same_bits) {
  const Model model = model_of(spring), variant = model_of(spring, 3);
  Assembler first(model);
  Assembler shared(variant, Parallel(), first.structure()), own(variant);
  EXPECT_EQ(shared.structure(), first.structure());
  EXPECT_NE(own.structure(), first.structure());
  const State state = some_state(variant);
  EXPECT_EQ(tangent_of(shared, state), tangent_of(own, state));
}

TEST(Structure, of_other_couplings_is_not_taken) {
  const Model model = model_of(spring);
  Assembler first(model);
  for (const std::string more :
       {"", "SPRINGDAMPER/1,TRANSLATION,I=30,J=20,K=5,LENGTH=.2\n",
        "SPRINGDAMPER/1,TRANSLATION,I=30,J=2,K=5,LENGTH=.2\nDIFF/2,IC=0,FUNCTION=DIF(1)\n",
        "SFORCE/1,TRANSLATION,I=30,J=2,FUNCTION=DIF(1)\n"}) {
    const Model other = model_of(more);
    Assembler assembler(other, Parallel(), first.structure());
    EXPECT_NE(assembler.structure(), first.structure()) << more;
  }
}

/// Every derivative that is not zero has its place in the pattern, and blocks that share one an edge of the
/// graph.
TEST(Structure, has_all_that_depends) {
  const Model model = model_of(spring);
  Assembler assembler(model);
  const SparsePattern& pattern = assembler.pattern();
  std::set<std::pair<int, int>> places;
  for (int j = 0; j < pattern.n; ++j)
    for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
      places.insert({pattern.row[k], j});
  const State state = some_state(model);
  std::vector<double> r(model.unknowns()), moved(model.unknowns());
  const Coefficients positions{0, 0, 1, 1, 0};
  assembler.evaluate(state, in_dynamics);
  assembler.residual(state, positions, r);
  int seen = 0;
  for (int j = 0; j < model.unknowns(); ++j) {
    State next = state;
    double* x = j < model.coordinates      ? &next.q[j]
                : j < model.first_scalar() ? &next.lambda[j - model.coordinates]
                                           : &next.s[j - model.first_scalar()];
    *x += 1e-4;
    assembler.evaluate(next, in_dynamics);
    assembler.residual(next, positions, moved);
    for (int i = 0; i < model.unknowns(); ++i) {
      // Rounding leaves 1e-14 of residuals of about 10; 1e-9 is what a derivative of 1e-5 makes of the move.
      if (std::abs(moved[i] - r[i]) < 1e-9) continue;
      ++seen;
      EXPECT_TRUE(places.contains({i, j})) << model.equation_name(i) << " by " << model.unknown_name(j);
    }
  }
  // Both joints have 3 + 2·6 + 3·8 = 39 entries in Φq, which stand twice, and some of the 78 vanish.
  EXPECT_GT(seen, 50);
}

}  // namespace
}  // namespace trammel::structure_test
