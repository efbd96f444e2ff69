// BEAM with FORMULATION=NONLINEAR in whole runs: equilibria with closed forms, the observed order, the end of
// its reach.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/simulate.h"

namespace trammel::beams_test {
namespace {

using namespace test;

/// A round bar of length 1 and E I = 1 (G J = 1/1.3), clamped at x = 0, of n BEAMs, under a moment that keeps
/// its direction and grows as t does. Part and marker 100 + k are at the end of BEAM k.
std::string bar(int n, const Vec3d& moment) {
  std::string deck = "title\nPART/1, GROUND\nMARKER/100, PART = 1\nMARKER/99, PART = 1, FLOATING\n";
  for (int k = 1; k <= n; ++k)
    deck += fmt::format(
        "PART/{0}, MASS = 1E-3, CM = {0}, IP = 1E-6, 1E-6, 1E-6, QG = {1:.17g}, 0, 0\nMARKER/{0}, PART = "
        "{0}\n"
        "BEAM/{0}, I = {0}, J = {2}, LENGTH = {3:.17g}, AREA = 100, IXX = 2, IYY = 1, IZZ = 1\n, EMODULUS = "
        "1, "
        "GMODULUS = {4:.17g}, FORMULATION = NONLINEAR\n",
        100 + k, double(k) / n, 99 + k, 1.0 / n, 1 / 2.6);
  return deck + fmt::format(
                    "VTORQUE/1, I = {}, JFLOAT = 99, RM = 100, TX = {:.17g}*TIME\\ TY = {:.17g}*TIME\\ TZ = "
                    "{:.17g}*TIME\nEND\n",
                    100 + n, moment.x, moment.y, moment.z);
}

/// Place of the end at the end of a sequence of equilibria.
Vec3d end_of(int n, const Vec3d& moment) {
  Recording r(bar(n, moment));
  r.simulation->run(statics_analysis, {1, 8});
  return r.vector(r.time.size() - 1, fmt::format("PART/{}", 100 + n), "X", "Y", "Z");
}

/// r(1) = ∫ exp(s m̃) e_x ds: without forces the moment is the same all along, and the line a helix about it,
/// whatever the stiffness in twist.
Vec3d helix(const Vec3d& m) {
  const double size = norm(m);
  const Vec3d u = (1 / size) * m, x{1, 0, 0}, along = dot(u, x) * u;
  return along + (std::sin(size) / size) * (x - along) + ((1 - std::cos(size)) / size) * cross(u, x);
}

TEST(NonlinearBeams, bend_to_a_circle_exactly) {
  const Vec3d moment{0, 0, 2 * std::acos(-1.0)};  // all round
  // what the equilibria leave: IMBALANCE of 1E-4 met by Newton's method with many digits to spare
  for (int n : {3, 4}) EXPECT_LT(norm(end_of(n, moment)), 1e-9) << n;
}

TEST(NonlinearBeams, converge_to_a_helix_with_the_fourth_power_of_their_length) {
  const Vec3d moment{1.5, 0, 2};
  double error[3];
  for (int k = 0; k < 3; ++k) error[k] = norm(end_of(2 << k, moment) - helix(moment));
  EXPECT_LT(error[2], 1e-4);
  EXPECT_GT(error[2], 1e-8);  // so that there is an order to be seen
  for (int k = 0; k < 2; ++k) EXPECT_NEAR(std::log2(error[k] / error[k + 1]), 4, 0.35) << k;
}

TEST(NonlinearBeams, say_where_their_reach_ends) {
  try {
    end_of(1, {0, 0, 3.1});
    FAIL() << "no message";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::solver);
    EXPECT_NE(std::string(failure.what())
                  .find("BEAM/101: one end is turned by more than 170 degrees against the other"),
              std::string::npos)
        << failure.what();
  }
}

}  // namespace
}  // namespace trammel::beams_test
