// CONTACT of many bodies: the same forces and tangent as that of all its pairs, and a pattern of what is
// near.
#include <gtest/gtest.h>

#include "../support/deck.h"
#include "assemble/near_shapes.h"
#include "random_model.h"

namespace trammel {
namespace {

using namespace test;

constexpr const char* law =
    ", STIFFNESS=3E4, EXPONENT=1.6, DAMPING=200, DMAX=0.01, COULOMB_FRICTION=ON, MU_STATIC=0.7\n"
    ", MU_DYNAMIC=0.4, STICTION_TRANSITION_VELOCITY=1.5, FRICTION_TRANSITION_VELOCITY=4\n";

/// Balls, ellipsoids and boxes about each other on a plane; every third has two shapes. The shape of body k
/// is GRAPHICS/k, a second one GRAPHICS/(k + 100).
struct Pile {
  static constexpr int bodies = 9;
  std::string parts = "PART/1, GROUND\nMARKER/1, PART=1\nGRAPHICS/1, PLANE, RM=1\n";
  std::vector<std::vector<int>> shapes{{1}};  ///< of ground, then of each body

  explicit Pile(Random& random) {
    for (int k = 2; k < 2 + bodies; ++k) {
      parts += fmt::format(
          "PART/{0}, MASS=1.3, IP=0.3,0.4,0.5, CM={0}0, QG={1:.4f},{2:.4f},{3:.4f}, REULER={4:.4f},1,2\n"
          "MARKER/{0}0, PART={0}\nMARKER/{0}1, PART={0}, QP=0.3,0.2,0.1\n",
          k, random.uniform(-0.8, 0.8), random.uniform(-0.8, 0.8), random.uniform(0, 1.2),
          random.uniform(0, 3));
      shapes.push_back({k});
      const double size = random.uniform(0.5, 1);
      parts += fmt::format(
          "GRAPHICS/{0}, ELLIPSOID, CM={0}0, XSCALE={1:.4f}, YSCALE={1:.4f}, ZSCALE={1:.4f}\n", k, size);
      if (k % 3 > 0) continue;
      shapes.back().push_back(k + 100);
      parts +=
          fmt::format("GRAPHICS/{1}, ELLIPSOID, CM={0}1, XSCALE=0.4, YSCALE=0.4, ZSCALE=0.4\n", k, k + 100);
    }
  }
  static std::string listed(const std::vector<int>& ids) { return fmt::format("{}", fmt::join(ids, ", ")); }
  std::string one_group() const {
    std::vector<int> all;
    for (std::size_t k = 1; k < shapes.size(); ++k) all.insert(all.end(), shapes[k].begin(), shapes[k].end());
    return fmt::format("CONTACT/1, IGEOM={0}, JGEOM=1, {0}\n", listed(all)) + law;
  }
  std::string all_pairs() const {
    std::string text;
    int id = 0;
    for (std::size_t a = 0; a < shapes.size(); ++a)
      for (std::size_t b = a + 1; b < shapes.size(); ++b)
        text +=
            fmt::format("CONTACT/{}, IGEOM={}, JGEOM={}\n", ++id, listed(shapes[a]), listed(shapes[b])) + law;
    return text;
  }
};

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
  const Model model = compile_text(deck + "CONTACT/1, IGEOM=" + all + ", JGEOM=" + all + law);
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
}  // namespace trammel
