// COUPLER and GEAR in whole runs: ratios over many turns, and the balance of their torques.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "../support/simulate.h"

namespace trammel::couplings_test {
namespace {

using namespace test;
constexpr double pi = std::numbers::pi;

/// Wheels 2, 3, 4 with moments 1, 0.5, 0.25 about z, turning about z of ground at x = 0, 5, 10; JOINT/1,
/// 2, 3.
std::string wheels(const std::string& more) {
  std::string deck = "title\nPART/1, GROUND\nINTEGRATOR/HHT, ERROR = 1E-7\n";
  for (int k = 0; k < 3; ++k)
    deck += fmt::format(
        "MARKER/1{0}, PART = 1, QP = {1}, 0, 0\nPART/{2}, MASS = 1, CM = {2}1, IP = 1, 1, {3}, QG = {1}, 0, "
        "0\n"
        "MARKER/{2}1, PART = {2}\nJOINT/{4}, REVOLUTE, I = {2}1, J = 1{0}\n",
        k + 1, 5 * k, k + 2, 1 / std::pow(2.0, k), k + 1);
  return deck + more + "END\n";
}

/// r1 q1 + r2 q2 = 0: a torque on wheel 2 sees J1 + J2 (r1/r2)².
TEST(Coupler, ratio_of_accelerations_over_many_turns) {
  Recording r(
      wheels("JOINT/9, FIXED, I = 41, J = 13\nCOUPLER/1, JOINTS = 1, 2, SCALES = 2, -3\nSFORCE/1, ROTATION, "
             "I = 21, J = 11, FUNCTION = 4\nREQUEST/1, F2 = AZ(21,11)\\F3 = AZ(31,12)\n"));
  r.simulation->run(dynamics_analysis, {5, 10, 0});
  const double ratio = 2.0 / 3, a1 = 4 / (1 + 0.5 * ratio * ratio);
  for (std::size_t k = 0; k < r.time.size(); ++k) {
    const double t = r.time[k], q1 = 0.5 * a1 * t * t;
    // Constant accelerations are integrated exactly but for the start of HHT's own acceleration: rounding.
    EXPECT_NEAR(r.at(k, "REQUEST/1", "F2"), q1, 1e-7 * (1 + q1));
    EXPECT_NEAR(2 * r.at(k, "REQUEST/1", "F2") - 3 * r.at(k, "REQUEST/1", "F3"), 0, 1e-8);
    // Reaction: J1 q1'' = T + T_c on wheel 2, and J2 q2'' = T_c' on wheel 3 with T_c : T_c' = r1 : r2.
    EXPECT_NEAR(r.at(k, "COUPLER/1", "TZ"), a1 - 4, 1e-6);
    EXPECT_NEAR(r.at(k, "COUPLER/1", "TZ") / (0.5 * ratio * a1), 2.0 / -3, 1e-6);
  }
  EXPECT_GT(r.at(10, "REQUEST/1", "F2"), 4 * pi);  // turns were counted
}

TEST(Coupler, one_scale_leaves_the_first_at_one_and_three_joints_add_up) {
  Recording r(wheels(
      "COUPLER/1, JOINTS = 1, 2, 3, SCALES = -2, 0.5\nMOTION/1, JOINT = 1, FUNCTION = SIN(TIME)\nMOTION/2, "
      "JOINT = 2, FUNCTION = TIME**2\nREQUEST/1, F2 = AZ(41,13)\n"));
  r.simulation->run(dynamics_analysis, {2, 20, 0});
  for (std::size_t k = 0; k < r.time.size(); ++k) {
    const double t = r.time[k];
    EXPECT_NEAR(r.at(k, "REQUEST/1", "F2"), -2 * std::sin(t) + 4 * t * t, 1e-8);  // the corrector's tolerance
  }
}

/// Displacements count from the assembled configuration, wherever that is.
TEST(Coupler, measures_from_the_assembled_configuration) {
  const std::string deck = wheels(
      "JOINT/9, FIXED, I = 41, J = 13\nCOUPLER/1, JOINTS = 1, 2, SCALES = 1, 1\nMOTION/1, JOINT = 1, "
      "FUNCTION = "
      "0.3+TIME\nREQUEST/1, F2 = AZ(21,11)\\F3 = AZ(31,12)\n");
  Recording r(deck);
  r.simulation->run(dynamics_analysis, {1, 4, 0});
  EXPECT_NEAR(r.at(0, "REQUEST/1", "F2"), 0.3, 1e-10);
  EXPECT_NEAR(r.at(0, "REQUEST/1", "F3"), 0, 1e-10);
  EXPECT_NEAR(r.at(4, "REQUEST/1", "F3"), -1, 1e-8);
  EXPECT_NEAR(r.at(0, "PART/3", "WZ"), -1, 1e-10);  // initial velocities obey it
}

/// A screw made of a coupler: a cylindrical joint whose travel is tied to its turn by a second joint's angle.
TEST(Coupler, cylindrical_joint_by_type) {
  Recording r(
      "title\nPART/1, GROUND\nMARKER/11, PART = 1\nMARKER/12, PART = 1, QP = 3, 0, 0\nPART/2, MASS = 2, CM = "
      "21, IP = "
      "1, 1, 1\nMARKER/21, PART = 2\nPART/3, MASS = 1, CM = 31, IP = 1, 1, 1, QG = 3, 0, 0\nMARKER/31, PART "
      "= 3\n"
      "JOINT/1, CYLINDRICAL, I = 21, J = 11\nJOINT/2, REVOLUTE, I = 31, J = 12\nCOUPLER/1, JOINTS = 1, 2, "
      "TYPE = T:R, "
      "SCALES = 1, -0.25\nMOTION/1, JOINT = 2, FUNCTION = 8*TIME\nREQUEST/1, F2 = DZ(21,11)\\F3 = "
      "AZ(21,11)\nEND\n");
  r.simulation->run(dynamics_analysis, {2, 4, 0});
  EXPECT_NEAR(r.at(4, "REQUEST/1", "F2"), 4, 1e-8);
  EXPECT_NEAR(r.at(4, "REQUEST/1", "F3"), 0, 1e-10);
}

/// Spur gears of radii 2 (at x = 0) and 1 (at x = 3), meshing at (2, 0, 0): opposite turns, ratio 2.
const std::string spur =
    "title\nPART/1, GROUND\nINTEGRATOR/HHT, ERROR = 1E-7\nPART/5, MASS = 1, CM = 51, IP = 1, 1, "
    "1\nMARKER/51, PART = "
    "5\nMARKER/52, PART = 5, QP = 3, 0, 0\nMARKER/53, PART = 5, QP = 2, 0, 0\n, ZP = 2, 1, 0\nMARKER/11, "
    "PART = 1\n"
    "PART/2, MASS = 1, CM = 21, IP = 1, 1, 1\nMARKER/21, PART = 2\nPART/3, MASS = 1, CM = 31, IP = 1, 1, "
    "0.5, QG = 3, "
    "0, 0\nMARKER/31, PART = 3\nJOINT/1, REVOLUTE, I = 21, J = 51\nJOINT/2, REVOLUTE, I = 31, J = "
    "52\nGEAR/1, JOINTS = "
    "1, 2, CV = 53\n";

TEST(Gear, spur_gears_turn_opposite_ways_and_share_the_force_at_the_mesh) {
  Recording r(
      spur +
      "JOINT/9, FIXED, I = 51, J = 11\nSFORCE/1, ROTATION, I = 21, J = 51, FUNCTION = 3\nREQUEST/1, F2 = "
      "AZ(21,51)\\F3 = AZ(31,52)\nEND\n");
  r.simulation->run(dynamics_analysis, {3, 6, 0});
  // J1 q1'' = T − 2 F, J2 q2'' = −1 F·... with q2 = −2 q1: q1'' = T/(J1 + 4 J2)
  const double a = 3 / (1 + 4 * 0.5);
  for (std::size_t k = 0; k < r.time.size(); ++k) {
    const double t = r.time[k];
    EXPECT_NEAR(r.at(k, "REQUEST/1", "F2"), 0.5 * a * t * t, 1e-7 * (1 + t * t));
    EXPECT_NEAR(r.at(k, "REQUEST/1", "F3"), -2 * r.at(k, "REQUEST/1", "F2"), 1e-8);
    EXPECT_NEAR(r.at(k, "GEAR/1", "TZ"), a - 3, 1e-6);
  }
}

/// The same gears with the carrier turning and the first one held: w3 = w_c (1 + R1/R2) (Willis).
TEST(Gear, planet_on_a_turning_carrier) {
  Recording r(
      spur +
      "JOINT/8, REVOLUTE, I = 51, J = 11\nMARKER/22, PART = 2, QP = 0, 0, 1\nMARKER/12, PART = 1, QP = 0, 0, "
      "1\nJOINT/9, FIXED, I = 22, J = 12\nMOTION/1, JOINT = 8, FUNCTION = 2*TIME+TIME**2\nEND\n");
  r.simulation->run(dynamics_analysis, {3, 12, 0});
  for (std::size_t k = 0; k < r.time.size(); ++k) {
    const double w = 2 + 2 * r.time[k], angle = 2 * r.time[k] + r.time[k] * r.time[k];
    EXPECT_NEAR(r.at(k, "PART/3", "WZ"), 3 * w, 1e-6 * (1 + w));
    EXPECT_NEAR(r.at(k, "PART/3", "X"), 3 * std::cos(angle), 1e-7);
  }
}

/// Bevel gears: axes along z and x, meshing at (2, 0, 1) with common velocity along y.
TEST(Gear, bevel_gears) {
  Recording r(
      "title\nPART/1, GROUND\nMARKER/11, PART = 1\nMARKER/12, PART = 1, QP = 0, 0, 1\n, ZP = 1, 0, "
      "1\nMARKER/13, PART = "
      "1, QP = 2, 0, 0\n, ZP = 2, 1, 0\nPART/2, MASS = 1, CM = 21, IP = 1, 1, 1\nMARKER/21, PART = "
      "2\nPART/3, MASS = 1, "
      "CM = 31, IP = 1, 1, 1, QG = 0, 0, 1\nMARKER/31, PART = 3, QP = 0, 0, 0\n, ZP = 1, 0, 0\nJOINT/1, "
      "REVOLUTE, I = "
      "21, J = 11\nJOINT/2, REVOLUTE, I = 31, J = 12\nGEAR/1, JOINTS = 1, 2, CV = 13\nMOTION/1, JOINT = 1, "
      "FUNCTION = "
      "TIME\nEND\n");
  r.simulation->run(dynamics_analysis, {1, 2, 0});
  // Velocity at the mesh: z × (2, 0, 0) = 2 y per unit of q1; x × (2, 0, −1) = y per unit of q2.
  EXPECT_NEAR(r.at(2, "PART/3", "WX"), 2, 1e-8);
}

/// Rack: a turning and a sliding joint.
TEST(Gear, rack) {
  Recording r(
      "title\nPART/1, GROUND\nMARKER/11, PART = 1\nMARKER/12, PART = 1, QP = 0, 1.5, 0\n, ZP = 1, 1.5, "
      "0\nMARKER/13, "
      "PART = 1, QP = 0, 1.5, 0\n, ZP = 1, 1.5, 0\nPART/2, MASS = 1, CM = 21, IP = 1, 1, 1\nMARKER/21, PART "
      "= 2\nPART/3, "
      "MASS = 1, CM = 31, IP = 1, 1, 1\nMARKER/31, PART = 3, QP = 0, 1.5, 0\n, ZP = 1, 1.5, 0\nJOINT/1, "
      "REVOLUTE, I = "
      "21, J = 11\nJOINT/2, TRANSLATIONAL, I = 31, J = 12\nGEAR/1, JOINTS = 1, 2, CV = 13\nMOTION/1, JOINT = "
      "1, "
      "FUNCTION = TIME\nEND\n");
  r.simulation->run(dynamics_analysis, {10, 5, 0});
  EXPECT_NEAR(r.at(5, "PART/3", "X"), -15, 1e-7);  // z × 1.5 y = −1.5 x, more than one turn
}

}  // namespace
}  // namespace trammel::couplings_test
