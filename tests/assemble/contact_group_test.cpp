// CONTACT of many bodies: the same forces and tangent as that of all its pairs, and a pattern of what is
// near.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "assemble/near_shapes.h"
#include "pile.h"

namespace trammel::contact_group_test {
namespace {

using namespace test;

struct Equations {
  std::vector<double> residual, tangent;  ///< the latter dense, by columns
  int nonzeros;
};

Equations equations_of(const Model& model, const State& state, const Coefficients& c) {
  Assembler assembler(model);
  assembler.evaluate(state, in_dynamics);
  if (assembler.couples_what_is_near()) assembler.couple_what_is_near();
  const int n = model.unknowns();
  Equations out{std::vector<double>(n), std::vector<double>(static_cast<std::size_t>(n) * n),
                assembler.pattern().nonzeros()};
  std::vector<double> values(assembler.pattern().nonzeros());
  assembler.residual(state, c, out.residual);
  assembler.tangent(state, c, values);
  const SparsePattern& pattern = assembler.pattern();
  for (int j = 0; j < n; ++j)
    for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
      out.tangent[static_cast<std::size_t>(j) * n + pattern.row[k]] += values[k];
  return out;
}

TEST(ContactGroup, is_the_contact_of_all_its_pairs) {
  for (std::uint32_t seed : {1u, 2u, 3u, 4u}) {
    Random random(seed);
    const Pile pile(random);
    const Model group = compile_text(pile.parts + pile.one_group()),
                pairs = compile_text(pile.parts + pile.all_pairs()), none = compile_text(pile.parts);
    const State state = random_state(group, random);
    const Coefficients c = random_coefficients(random);
    const Equations a = equations_of(group, state, c), b = equations_of(pairs, state, c),
                    without = equations_of(none, state, c);
    double acts = 0;
    for (std::size_t k = 0; k < a.residual.size(); ++k) {
      // Rounding of sums of forces of 1e4.
      EXPECT_NEAR(a.residual[k], b.residual[k], 1e-10) << k;
      acts = std::max(acts, std::fabs(a.residual[k] - without.residual[k]));
    }
    EXPECT_GT(acts, 100);
    double largest = 0;
    for (const double x : b.tangent) largest = std::max(largest, std::fabs(x));
    for (std::size_t k = 0; k < a.tangent.size(); ++k)
      EXPECT_NEAR(a.tangent[k], b.tangent[k], 1e-13 * largest);
  }
}

/// Along a line of balls only neighbours have places in the matrix. When one is carried to the other end, it
/// gets them there.
TEST(ContactGroup, couples_what_is_near) {
  constexpr int balls = 20;
  std::string deck = "PART/1, GROUND\n";
  std::vector<int> ids;
  for (int k = 2; k < 2 + balls; ++k) {
    deck += fmt::format(
        "PART/{0}, MASS=1, IP=1,1,1, CM={0}0, QG={1},0,0\nMARKER/{0}0, PART={0}\n"
        "GRAPHICS/{0}, ELLIPSOID, CM={0}0, XSCALE=0.99, YSCALE=0.99, ZSCALE=0.99\n",
        k, k);
    ids.push_back(k);
  }
  const std::string all = fmt::format("{}", fmt::join(ids, ", "));
  const Model model = compile_text(deck + "CONTACT/1, IGEOM=" + all + ", JGEOM=" + all + pile_law);
  State state(model);
  for (int b = 0; b < balls; ++b) state.q[model.bodies[b].first] = 2 + b;
  Assembler assembler(model);
  const auto has = [&](int a, int b) {  // ball b's position in the equation of ball a's
    const SparsePattern& p = assembler.pattern();
    const int column = model.bodies[b].first, row = model.bodies[a].first;
    return std::binary_search(p.row.begin() + p.column_start[column],
                              p.row.begin() + p.column_start[column + 1], row);
  };
  assembler.evaluate(state, in_dynamics);
  EXPECT_FALSE(has(0, 1));  // nothing is coupled until it is asked for
  EXPECT_TRUE(assembler.near_shapes()->coupled_misses_some());
  assembler.couple_what_is_near();
  EXPECT_FALSE(assembler.near_shapes()->coupled_misses_some());
  for (int a = 0; a < balls; ++a)
    for (int b = 0; b < balls; ++b) EXPECT_EQ(has(a, b), std::abs(a - b) < 2) << a << " " << b;
  // Farther than its margin: the list is found anew, the matrix stays until it is asked for.
  state.q[model.bodies[0].first] += balls - 0.5;
  state.q[model.bodies[0].first + 1] += 0.7;
  assembler.evaluate(state, in_dynamics);
  EXPECT_TRUE(assembler.near_shapes()->coupled_misses_some());
  EXPECT_TRUE(has(0, 1));
  EXPECT_FALSE(has(0, balls - 1));
  assembler.couple_what_is_near();
  EXPECT_FALSE(has(0, 1));
  EXPECT_TRUE(has(0, balls - 1));
  EXPECT_TRUE(has(0, balls - 2));
}

}  // namespace
}  // namespace trammel::contact_group_test
