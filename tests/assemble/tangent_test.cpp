// The property that everything else rests on: for every element, the tangent is the derivative of the
// residual, column by column, and the pattern holds every nonzero.
#include <gtest/gtest.h>

#include "check_tangent.h"
#include "tangent_cases.h"

namespace trammel::tangent_test {
namespace {

using namespace test;

class Tangent : public ::testing::TestWithParam<Case> {};

TEST_P(Tangent, is_the_derivative_of_the_residual) {
  for (std::uint32_t seed : {1u, 2u, 3u}) {
    SCOPED_TRACE(seed);
    Random random(100 + seed);
    check_tangent(compile_text(GetParam().bodies_deck(random) + GetParam().deck), seed, false);
    if (HasFailure()) return;
  }
}

TEST_P(Tangent, with_masked_rows) {
  Random random(104);
  check_tangent(compile_text(GetParam().bodies_deck(random) + GetParam().deck), 4, true);
}

/// evaluate_equations() leaves out what no equation reads: residual and tangent are the same bits as after
/// evaluate(), and so are the angles to be stored, whatever was evaluated before.
TEST_P(Tangent, and_residual_need_only_what_the_equations_read) {
  Random random(105);
  const std::string requests = "REQUEST/1, F2 = AZ(23,12)\\, F3 = ACCX(43,13)\n";
  const Model model = compile_text(GetParam().bodies_deck(random) + GetParam().deck + requests);
  const State other = random_state(model, random), state = random_state(model, random);
  const Coefficients c = random_coefficients(random);
  Assembler whole(model), partial(model);
  const auto results = [&](Assembler& a) {
    std::vector<double> out(model.unknowns()), values(a.pattern().nonzeros()), angles(state.angle);
    a.residual(state, c, out);
    a.tangent(state, c, values);
    a.current_angles(state, angles);
    out.insert(out.end(), values.begin(), values.end());
    out.insert(out.end(), angles.begin(), angles.end());
    return out;
  };
  whole.evaluate(state, in_dynamics);
  partial.evaluate(other, in_dynamics);
  partial.evaluate_equations(state, in_dynamics);
  EXPECT_EQ(results(partial), results(whole));
}

INSTANTIATE_TEST_SUITE_P(all, Tangent, testing::ValuesIn(tangent_cases()),
                         [](const auto& parameter) { return parameter.param.name; });

}  // namespace
}  // namespace trammel::tangent_test
