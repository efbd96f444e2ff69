// Coordinates of linearised flexible bodies: modes as their file has them, and markers at their nodes.
#include <gtest/gtest.h>

#include "../support/temporary_file.h"
#include "linearized.h"

namespace trammel::linear_flexible_test {
namespace {

using namespace test;

/// Masses of 1 at x = 0 and x = 1 that a mode moves by 2 and -2 along x: modal mass 8, stiffness 50.
class TwoMasses {
 public:
  std::string deck(const std::string& more) const {
    return "two masses\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1,GROUND\n"
           "MARKER/11,PART=1\nFLEX_BODY/2,MNF_FILE=" +
           file_.path() + ",CRATIO=0\nMARKER/21,FLEX_BODY=2,NODE_ID=1\n" + more + "END\n";
  }

 private:
  TemporaryFile file_{
      "two_masses.fem",
      "** RECORD GROUP 1\nREV0 2 1 0 0 0\n** RECORD GROUP 2\n1 2\n** RECORD GROUP 3\n0\n"
      "** RECORD GROUP 4\n0\n** RECORD GROUP 5\n0 1\n** RECORD GROUP 6\n0 0\n** RECORD GROUP 7\n"
      "0 0\n** RECORD GROUP 8\n2 0 0 0 0 0\n-2 0 0 0 0 0\n** RECORD GROUP 9\n8\n"
      "** RECORD GROUP 10\n50\n** RECORD GROUP 11\n1 1 1 0.1 0.1 0.1\n1 1 1 0.1 0.1 0.1\n"};
};

// Tolerances of entries: rounding of numbers up to 12, magnified by the choice of states.

/// A spring of 12 from ground to node 1: 2 ẍ = −12 (x + 2 q), 8 q̈ = −50 q − 24 (x + 2 q).
TEST(LinearFlexible, modes_are_those_of_the_file) {
  const Linear l = linearized(TwoMasses().deck("BUSHING/1,I=21,J=11,K=12,0,0\n"));
  const Eigen::MatrixXd& A = l.equations.A;
  const Eigen::Index x = l.state("FLEX_BODY/2 DX"), q = l.state("FLEX_BODY/2 Q1"),
                     of_x = l.state("FLEX_BODY/2 DX rate"), of_q = l.state("FLEX_BODY/2 Q1 rate");
  EXPECT_NEAR(A(of_x, x), -6, 1e-11);
  EXPECT_NEAR(A(of_x, q), -12, 1e-11);
  EXPECT_NEAR(A(of_q, x), -3, 1e-11);
  EXPECT_NEAR(A(of_q, q), -98 / 8.0, 1e-11);
}

/// Node 1 is held, and the frame moves by -2 q. Seen from a marker there a part moves as it does in ground.
TEST(LinearFlexible, displacements_are_seen_from_a_node) {
  const TwoMasses masses;
  const std::string rest =
      "MARKER/12,PART=1,QP=0,2,0\nJOINT/1,FIXED,I=21,J=11\nPART/3,MASS=3,CM=30,IP=1,1,1,QG=0,2,0\n"
      "MARKER/30,PART=3\nJPRIM/3,ORIENTATION,I=30,J=12\nBUSHING/1,I=30,J=12,K=6,60,600\n";
  Recording r(masses.deck(rest));
  SmallMotionOptions options;
  options.RM = marker_of(r.simulation->model(), 21);
  const Linear l = linearized(*r.simulation, options);
  const Eigen::MatrixXd& A = l.equations.A;
  const Eigen::Index x = l.state("PART/3 DX"), of_x = l.state("PART/3 DX rate");
  for (Eigen::Index k = 0; k < A.cols(); ++k) EXPECT_NEAR(A(of_x, k), k == x ? -2 : 0, 1e-11) << k;
}

/// Node 1 turns about z by a mode, θ̈ = −25 θ, whose frame is held; a part flies by, or rests. From a marker
/// at the node it is seen at p = R(−θ) x:
///     p̈ = −θ̈ e × p − 2 θ̇ e × ṗ + θ̇² p,     and turned by φ − θ, of which θ̈ = −25 θ is all that changes.
/// The frame is seen turned by −θ, which is the state.
class SeenFromATurningNode : public ::testing::TestWithParam<std::pair<double, double>> {};
TEST_P(SeenFromATurningNode, displacements_are_those_of_moving_axes) {
  const TemporaryFile file(
      "turning.fem",
      "** RECORD GROUP 1\nREV0 2 1 0 0 0\n** RECORD GROUP 2\n1 2\n** RECORD GROUP 3\n0\n** RECORD GROUP 4\n"
      "0\n** RECORD GROUP 5\n0 1\n** RECORD GROUP 6\n0 0\n** RECORD GROUP 7\n0 0\n** RECORD GROUP 8\n"
      "0 0 0 0 0 1\n0 0 0 0 0 0\n** RECORD GROUP 9\n0.2\n** RECORD GROUP 10\n5\n** RECORD GROUP 11\n"
      "1 1 1 0.2 0.2 0.2\n1 1 1 0.1 0.1 0.1\n");
  constexpr double theta = 0.3, rate = 0.7, square = 25, x = 1.1, y = -0.4;
  const auto [vx, vy] = GetParam();
  Recording r(
      "turning\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1,GROUND\nFLEX_BODY/"
      "2,MNF_FILE=" +
      file.path() +
      fmt::format(",CRATIO=0,DMODE={},VMODE={}\nPART/3,MASS=3,CM=30,IP=1,1,1,QG={},{},0,VX={},VY={}\n", theta,
                  rate, x, y, vx, vy) +
      "MARKER/11,PART=1,QP=1,0,0\nMARKER/21,FLEX_BODY=2,NODE_ID=1\nMARKER/22,FLEX_BODY=2,NODE_ID=2\n"
      "MARKER/30,PART=3\nJOINT/1,FIXED,I=22,J=11\nEND\n");
  SmallMotionOptions options;
  options.RM = marker_of(r.simulation->model(), 21);
  const Linear l = linearized(*r.simulation, options);
  const auto A = [&](const std::string& row, const std::string& column) {
    return l.equations.A(l.state(row), l.state(column));
  };
  const double c = std::cos(theta), s = std::sin(theta), second = -square * theta;
  const double px = c * x + s * y, py = c * y - s * x;
  const double ux = c * vx + s * vy + rate * py, uy = c * vy - s * vx - rate * px;  // ṗ = R(−θ) ẋ − θ̇ e × p
  const std::string dx = "PART/3 DX", dy = "PART/3 DY", turn = "FLEX_BODY/2 AZ", of = " rate";
  const std::vector<std::tuple<std::string, std::string, double>> expected = {
      {dx + of, dx, rate * rate},
      {dx + of, dy, second},
      {dx + of, dx + of, 0},
      {dx + of, dy + of, 2 * rate},
      {dx + of, turn, square * py},
      {dx + of, turn + of, -2 * uy - 2 * rate * px},
      {dy + of, dx, -second},
      {dy + of, dy, rate * rate},
      {dy + of, dx + of, -2 * rate},
      {dy + of, dy + of, 0},
      {dy + of, turn, -square * px},
      {dy + of, turn + of, 2 * ux - 2 * rate * py},
      {"PART/3 AZ rate", turn, -square},
      {"PART/3 AZ rate", turn + of, 0}};
  for (const auto& [row, column, value] : expected)  // Ḟ and F̈ are differences along the motion
    EXPECT_NEAR(A(row, column), value, 1e-8) << row << " by " << column;
}
INSTANTIATE_TEST_SUITE_P(at, SeenFromATurningNode, testing::Values(std::pair{0.5, 0.9}, std::pair{0.0, 0.0}));

}  // namespace
}  // namespace trammel::linear_flexible_test
