// Whether equilibria are stable: chains of any length by closed forms, and the signs of the stiffness against
// all eigenvalues.
#include <cmath>

#include <gtest/gtest.h>

#include "../support/beam_body.h"
#include "../support/simulate.h"
#include "analysis/statics/large_rest_stability.h"
#include "random_statics.h"

namespace trammel::rest_stability_test {
namespace {

using namespace test;
using Kind = RestStability::Kind;

constexpr double g = 9.81;

/// Links of length one, each with a mass of one at its end and a moment of inertia of 0.02, one below the
/// other
/// (`side` −1) or above it (1), turned about pins along z.
std::string chain(int links, int side, const std::string& more = "") {
  std::string out =
      "title\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nACCGRAV/JGRAV=-9.81\n"
      "PART/1,GROUND\nMARKER/1,PART=1\n";
  for (int k = 1; k <= links; ++k)
    out += fmt::format(
        "PART/{0},QG=0,{1},0,MASS=1,CM={2},IP=0.02,0.02,0.02\nMARKER/{3},PART={0}\n"
        "MARKER/{2},PART={0},QP=0,{4},0\nJOINT/{0},REVOLUTE,I={3},J={5}\n",
        k + 1, side * (k - 1), 10 * k + 11, 10 * k + 10, side, k == 1 ? 1 : 10 * k + 1);
  return out + more + "EQUILIBRIUM/METHOD=ORIGINAL\nEND\n";
}

struct Both {
  std::optional<RestStability> dense;
  RestStability large;
};

/// At the equilibrium that STATICS finds.
Both both(Recording& r) {
  Session& session = *r.simulation;
  session.run(statics_analysis);
  StaticProblem problem(session.model(), session.assembler(), session.systems().of_points(),
                        session.initial());
  const State state = session.state();
  return {stability_at(problem, state), large_rest_stability(problem, state)};
}

void expect_alike(const Both& found, const std::string& where) {
  ASSERT_TRUE(found.dense) << where;
  EXPECT_EQ(found.large.kind, found.dense->kind) << where << found.large.undecided;
  EXPECT_EQ(found.large.unstable, found.dense->unstable) << where;
  EXPECT_EQ(found.large.neutral, found.dense->neutral) << where;
  // Dense eigenvalues have errors of 1e-16 of the fastest, squared, over their own.
  EXPECT_NEAR(found.large.largest_real, found.dense->largest_real, 1e-6 * found.dense->largest_real) << where;
  EXPECT_EQ(found.large.neutral_parts, found.dense->neutral_parts) << where;
}

/// s of the fastest motion of a chain upright: links with the angles θ, masses at Σ θ, by
///     ½ Σ (Σ θ̇)² + ½ J Σ θ̇²,   −½ g Σ (n − j) θ_j²     (j from 0).
double fastest_growth(int n, double J) {
  Eigen::MatrixXd M(n, n), K = Eigen::MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) M(i, j) = n - std::max(i, j) + (i == j ? J : 0);
  for (int j = 0; j < n; ++j) K(j, j) = g * (n - j);
  return angular_frequencies(K, M).maxCoeff();
}

/// Without J the frequencies of a chain are the roots of the Laguerre polynomial, L_n(l ω²/g) = 0, which the
/// matrix of its recurrence has, too (Golub, Welsch, Math. Comp. 23, 1969).
TEST(RestStability, the_closed_form_of_chains_is_the_laguerre_polynomials) {
  const int n = 40;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
  for (int k = 0; k < n; ++k) A(k, k) = 2 * k + 1;
  for (int k = 0; k + 1 < n; ++k) A(k, k + 1) = A(k + 1, k) = k + 1;
  const double largest = std::sqrt(g) * angular_frequencies(A, Eigen::MatrixXd::Identity(n, n)).maxCoeff();
  EXPECT_NEAR(fastest_growth(n, 0), largest, 1e-10 * largest);
}

std::string rolling_part(int id) {
  return fmt::format(
      "PART/{0},QG=5,0,0,MASS=1,CM={1},IP=1,1,1\nMARKER/{1},PART={0}\nMARKER/{2},PART=1,QP=5,0,0\n"
      "JOINT/{0},REVOLUTE,I={1},J={2}\n",
      id, 10 * id + 100000, 10 * id + 100001);
}

TEST(RestStability, of_chains_by_signs_is_that_by_all_eigenvalues) {
  for (const int links : {3, 20, 60}) {
    for (const int side : {-1, 1}) {
      Recording alone(chain(links, side)), rolling(chain(links, side, rolling_part(9000)));
      const Both one = both(alone), two = both(rolling);
      expect_alike(one, fmt::format("{} links, side {}: ", links, side));
      expect_alike(two, fmt::format("{} links, side {}, with a part that rolls: ", links, side));
      EXPECT_EQ(one.large.unstable, side > 0 ? links : 0);
      EXPECT_EQ(two.large.neutral, 1);
    }
  }
}

TEST(RestStability, of_five_hundred_links) {
  const int links = 500;
  Recording hanging(chain(links, -1));
  hanging.simulation->run(statics_analysis);
  EXPECT_TRUE(hanging.warnings.empty());
  EXPECT_TRUE(hanging.notes.empty());

  Recording upright(chain(links, 1));
  const Both found = both(upright);
  EXPECT_FALSE(found.dense);  // too large for it
  EXPECT_EQ(found.large.unstable, links);
  const double growth = fastest_growth(links, 0.02);
  EXPECT_NEAR(found.large.largest_real, growth, 1e-8 * growth);
  ASSERT_EQ(upright.warnings.size(), 1u);
  EXPECT_NE(
      upright.warnings[0].find(fmt::format("{} eigenvalues have a positive real part, and the fastest motion "
                                           "grows as exp({:.4g} t)",
                                           links, growth)),
      std::string::npos)
      << upright.warnings[0];

  Recording rolling(chain(links, -1, rolling_part(9000)));
  rolling.simulation->run(statics_analysis);
  EXPECT_TRUE(rolling.warnings.empty());
  ASSERT_EQ(rolling.notes.size(), 1u);
  EXPECT_NE(rolling.notes[0].find("1 motion is held by nothing, of PART/9000."), std::string::npos)
      << rolling.notes[0];
}

/// Equilibria with springs, contacts and cables, stable and not, some of them damped.
TEST(RestStability, of_random_potentials_by_signs_is_that_by_all_eigenvalues) {
  int looked_at = 0, unstable = 0;
  for (int k = 0; k < 200; ++k) {
    Recording r(RandomStatics::of_kind(k % RandomStatics::kinds, k).deck());
    try {
      const Both found = both(r);
      expect_alike(found, fmt::format("model {}", k));
      ++looked_at;
      unstable += found.large.unstable > 0;
    } catch (const Failure& failure) {
      ASSERT_EQ(failure.code(), ExitCode::solver);
    }
  }
  EXPECT_GT(looked_at, 150);
  EXPECT_GT(unstable, 5);
}

/// A damper on every pin leaves the signs, and slows what grows.
TEST(RestStability, of_damped_chains) {
  for (const double damping : {0.01, 1.0, 100.0}) {
    std::string dampers;
    for (int k = 1; k <= 20; ++k)
      dampers += fmt::format("SPRINGDAMPER/{},ROTATION,I={},J={},CT={}\n", k, 10 * k + 10,
                             k == 1 ? 1 : 10 * k + 1, damping);
    for (const int side : {-1, 1}) {
      Recording r(chain(20, side, dampers));
      expect_alike(both(r), fmt::format("damping {}, side {}: ", damping, side));
    }
  }
}

/// Forces without a potential: signs tell nothing, and no one says that the equilibrium is stable.
TEST(RestStability, of_a_follower_force_stays_open_or_grows) {
  const auto deck = [](int side, double force) {
    return chain(
        8, side,
        fmt::format("MARKER/2,PART=9,QP=0,{},0\nSFORCE/1,TRANSLATION,I=2,J=3,ACTIONONLY,FUNCTION={:.17g}\n"
                    "MARKER/3,PART=9,QP=0,{},0\n",
                    side, force, 2 * side));
  };
  Recording hanging(deck(-1, -1.0)), upright(deck(1, -1.0));
  const Both open = both(hanging), grows = both(upright);
  EXPECT_EQ(open.large.kind, Kind::undecided);
  EXPECT_NE(open.large.undecided.find("has no potential"), std::string::npos) << open.large.undecided;
  EXPECT_EQ(grows.large.kind, Kind::unstable);
  ASSERT_TRUE(grows.dense);
  EXPECT_EQ(grows.dense->kind, Kind::unstable);
}

/// A VARIABLE that carries a spring's force is a scalar of the equations, which signs do not judge.
TEST(RestStability, of_states_that_move_parts_stays_open) {
  Recording r(
      chain(4, -1, "VARIABLE/1,FUNCTION=-3*AZ(20,1)\nSFORCE/1,ROTATION,I=20,J=1,FUNCTION=VARVAL(1)\n"));
  const Both found = both(r);
  EXPECT_EQ(found.large.kind, Kind::undecided);
  EXPECT_NE(found.large.undecided.find("VARIABLE/1"), std::string::npos) << found.large.undecided;
}

}  // namespace
}  // namespace trammel::rest_stability_test
