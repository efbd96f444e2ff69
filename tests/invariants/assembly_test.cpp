// Initial conditions: assembled positions, redundant equations counted and named, contradictions refused.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>

#include "../support/simulate.h"

namespace trammel::assembly_test {
namespace {

using namespace test;
constexpr double pi = std::numbers::pi;
const std::string models = std::string(TRAMMEL_SOURCE_DIR) + "/models/";

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) throw std::runtime_error("cannot run " + command);
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, n);
  if (pclose(pipe) != 0) throw std::runtime_error("failed: " + command);
  return text;
}

std::string whole(const std::string& body) {
  return "title\n" + body + "END\n";
}

std::string refusal(const std::string& body) {
  try {
    Recording r(whole(body));
    r.simulation->initialize();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::solver);
    return failure.what();
  }
  return "accepted";
}

/// The spherical joint's two markers in one point, and so on: what is left of every row that holds.
double violation(Session& s) {
  const Model& model = s.model();
  std::vector<double> phi(model.multipliers);
  State state = s.state();
  s.assembler().evaluate_constraints(state, in_dynamics);
  s.assembler().all_constraints(state, phi);
  double largest = 0;
  for (double x : phi) largest = std::max(largest, std::fabs(x));
  return largest;
}

TEST(Assembly, pendulum_comes_to_5_0_at_0_degrees) {
  Recording r(read_text_file(models + "pendulum/pendulum.adm"));
  r.simulation->initialize();
  const State& state = r.simulation->state();
  // ERROR of the position analysis is 1e-10; the weight of exact angles 1e10 leaves less than that.
  EXPECT_NEAR(state.q[0], 5, 1e-9);
  EXPECT_NEAR(state.q[1], 0, 1e-9);
  EXPECT_NEAR(state.q[2], 0, 1e-9);
  r.simulation->assembler().evaluate(state, initially(phase_dynamics));
  EXPECT_LT(largest(r.simulation->assembler().kinematics().body(0).A - Mat3d::identity()), 1e-9);
  EXPECT_EQ(r.simulation->initialize().degrees_of_freedom, 1);
}

TEST(Assembly, joint_initial_values_are_met) {
  Recording r(whole(
      "PART/1, GROUND\nMARKER/11, PART = 1\nPART/2, MASS = 1, CM = 21, IP = 1, 1, 1, QG = 0.1, 0.2, "
      "0\nMARKER/21, PART = 2, QP = 1, 0, 0\n"
      "MARKER/22, PART = 2\nJOINT/1, CYLINDRICAL, I = 22, J = 11, ICTRAN = 0.5, 0.4, ICROT = 2, 30D\n"));
  const InitialReport& report = r.simulation->initialize();
  EXPECT_EQ(report.degrees_of_freedom, 2);
  EXPECT_TRUE(report.redundant.empty());
  State state = r.simulation->state();
  r.simulation->assembler().evaluate(state, initially(phase_dynamics));
  const auto& m =
      r.simulation->assembler().kinematics().marker(r.simulation->model().constraint_elements[0].I);
  EXPECT_LT(norm(m.r - Vec3d{0, 0, 0.4}), 1e-9);
  EXPECT_LT(largest(m.A - rotation_z(pi / 6)), 1e-9);
  EXPECT_LT(norm(m.v - Vec3d{0, 0, 0.5}), 1e-9);
  EXPECT_LT(norm(m.w - Vec3d{0, 0, 2}), 1e-9);
}

TEST(Assembly, a_velocity_motion_starts_on_the_turn_it_names) {
  Recording r(whole(
      "PART/1, GROUND\nMARKER/11, PART = 1\nPART/2, MASS = 1, CM = 21, IP = 1, 1, 1\nMARKER/21, PART = 2\n"
      "JOINT/1, REVOLUTE, I = 21, J = 11\nMOTION/1, JOINT = 1, VELOCITY, ICDISP = 350D, FUNCTION = 1\n"
      "REQUEST/1, F2 = AZ(21,11)\n"));
  r.simulation->initialize();
  EXPECT_LT(violation(*r.simulation), 1e-9);
  EXPECT_NEAR(r.simulation->state().s[0], 350 * pi / 180, 1e-9);
}

TEST(Assembly, a_constraint_that_reads_a_state_starts_with_its_rate) {
  const std::string slider =
      "PART/1, GROUND\nMARKER/11, PART = 1\nPART/2, MASS = 1, CM = 21, IP = 1, 1, 1\nMARKER/21, PART = "
      "2\nJOINT/1, "
      "TRANSLATIONAL, I = 21, J = 11\n";
  for (const char* rest :
       {"DIFF/1, FUNCTION = 1\nGCON/1, FUNCTION = DZ(21,11)-DIF(1)\n",
        "VARIABLE/1, FUNCTION = SIN(TIME)\nGCON/1, FUNCTION = DZ(21,11)-VARVAL(1)\n",
        "VARIABLE/2, FUNCTION = 1.45+VZ(21,11)/20-DIF(1)\nDIFF/1, FUNCTION = VARVAL(2)-0.5\n"
        "GCON/1, FUNCTION = DZ(21,11)-DIF(1)\n"}) {
    Recording r(whole(slider + rest));
    r.simulation->initialize();
    EXPECT_NEAR(r.simulation->state().v[2], 1, 1e-9);
  }
}

// ---- redundant equations

TEST(Redundancy, a_door_on_two_hinges_has_five) {
  Recording r(
      whole("PART/1, GROUND\nMARKER/11, PART = 1\nMARKER/12, PART = 1, QP = 0, 0, 2\nPART/2, MASS = 1, CM = "
            "21, IP = 1, 1, 1\n"
            "MARKER/21, PART = 2, QP = 1, 0, 0\nMARKER/22, PART = 2\nMARKER/23, PART = 2, QP = 0, 0, 2\n"
            "JOINT/1, REVOLUTE, I = 22, J = 11\nJOINT/2, REVOLUTE, I = 23, J = 12\n"));
  const InitialReport& report = r.simulation->initialize();
  EXPECT_EQ(report.gruebler, -4);
  EXPECT_EQ(report.rank, 5);
  EXPECT_EQ(report.degrees_of_freedom, 1);
  ASSERT_EQ(report.redundant.size(), 5u);
  for (int row : report.redundant) {
    const std::string name = r.simulation->model().equation_name(r.simulation->model().coordinates + row);
    EXPECT_TRUE(name.starts_with("JOINT/1 ") || name.starts_with("JOINT/2 ")) << name;
  }
}

/// A slab on ground and a slab on that, each on a PLANAR joint, and a PLANAR joint from the upper to ground:
/// the third plane is already there.
TEST(Redundancy, a_stack_of_planar_joints) {
  const std::string parts =
      "PART/1, GROUND\nMARKER/11, PART = 1\nPART/2, MASS = 1, CM = 21, IP = 1, 1, 1\nMARKER/21, PART = "
      "2\nMARKER/22, PART = 2, QP = 0, 0, 1\n"
      "PART/3, MASS = 1, CM = 31, IP = 1, 1, 1, QG = 0.3, 0.4, 1, REULER = 20D, 0, 0\nMARKER/31, PART = "
      "3\nMARKER/32, PART = 3, QP = 0.5, 0.1, 0\n"
      "MARKER/12, PART = 1, QP = 0, 0, 1\n";
  const std::string chain = "JOINT/1, PLANAR, I = 21, J = 11\nJOINT/2, PLANAR, I = 31, J = 22\n";
  Recording stacked(whole(parts + chain));
  EXPECT_EQ(stacked.simulation->initialize().redundant.size(), 0u);
  EXPECT_EQ(stacked.simulation->initialize().degrees_of_freedom, 6);
  Recording closed(whole(parts + chain + "JOINT/3, PLANAR, I = 32, J = 12\n"));
  EXPECT_EQ(closed.simulation->initialize().redundant.size(), 3u);
  EXPECT_EQ(closed.simulation->initialize().degrees_of_freedom, 6);
  // Two parallel PLANAR joints between the same two parts.
  Recording twice(whole(
      parts +
      "JOINT/1, PLANAR, I = 21, J = 11\nJOINT/2, PLANAR, I = 22, J = 12\nJOINT/3, PLANAR, I = 31, J = 22\n"));
  EXPECT_EQ(twice.simulation->initialize().redundant.size(), 3u);
}

class FourBars : public ::testing::TestWithParam<std::tuple<int, bool>> {};

/// N windows of revolute joints in a plane: 2N+1 bodies, 3N+1 joints of 5 equations, one degree of freedom;
/// so 6(2N+1) − 5(3N+1) = 1 − 3N by count, and 3N equations are redundant. At the dead centre as anywhere
/// else.
TEST_P(FourBars, have_three_redundant_equations_per_window) {
  const auto [n, dead] = GetParam();
  Recording r(output_of(fmt::format("python3 '{}four_bar_n/generate.py' {} --revolute{}", models, n,
                                    dead ? " --dead-centre" : "")));
  const InitialReport& report = r.simulation->initialize();
  EXPECT_EQ(report.gruebler, 1 - 3 * n);
  EXPECT_EQ(static_cast<int>(report.redundant.size()), 3 * n);
  EXPECT_EQ(report.degrees_of_freedom, 1);
  EXPECT_LT(violation(*r.simulation), 1e-9 * (1 + n));  // lengths up to n metres
}

INSTANTIATE_TEST_SUITE_P(windows, FourBars, testing::Combine(testing::Values(1, 40, 1000), testing::Bool()),
                         [](const auto& p) {
                           return fmt::format("{}{}", std::get<0>(p.param),
                                              std::get<1>(p.param) ? "_dead_centre" : "");
                         });

/// The threefold-symmetric Bricard loop: six revolute joints, links of length 1 and twists ±90° in turn, no
/// offsets, angles θ, φ in turn with cos θ + cos φ + cos θ cos φ = 0 (Chen, You, Tarnai: Threefold-symmetric
/// Bricard linkages for deployable structures, Int. J. Solids Structures 42, 2005). 30 equations for 30
/// coordinates of the five moving links, one degree of freedom: one equation is redundant.
std::string bricard(double theta, double error = 0) {
  const auto link = [](double angle, double twist, Vec3d& at, Mat3d& axes) {
    axes = axes * rotation_z(angle);
    at += axes.column(0);
    axes = axes * rotation_x(twist);
  };
  for (double sign : {1.0, -1.0}) {
    const double phi = sign * std::acos(-std::cos(theta) / (1 + std::cos(theta)));
    Random random(9);
    Vec3d at = random.vector();
    Mat3d axes = random.rotation();
    const Vec3d start = at;
    const Mat3d start_axes = axes;
    std::vector<std::pair<Vec3d, Mat3d>> joint;
    for (int k = 0; k < 6; ++k) {
      joint.emplace_back(at, axes);
      link(k % 2 ? phi : theta, k % 2 ? -pi / 2 : pi / 2, at, axes);
    }
    if (norm(at - start) + largest(axes - start_axes) > 1e-12) continue;  // the other branch of φ closes
    std::string deck = "PART/1, GROUND\n";
    for (int k = 1; k < 6; ++k)  // link k lies between joints k−1 and k; ground between 5 and 0
      deck += fmt::format("PART/{0}, MASS = 1, CM = {0}1, IP = 1, 1, 1\nMARKER/{0}1, PART = {0}\n", k + 1);
    for (int k = 0; k < 6; ++k) {
      const int before = k == 0 ? 1 : k + 1, after = k == 5 ? 1 : k + 2;
      const Vec3d off = k == 3 ? Vec3d{0, 0, error} : Vec3d{};
      deck += marker(10 * before + 2, fmt::format("PART = {}", before), joint[k].first, joint[k].second);
      deck += marker(10 * after + 3, fmt::format("PART = {}", after), joint[k].first + joint[k].second * off,
                     joint[k].second);
      deck += fmt::format("JOINT/{}, REVOLUTE, I = {}2, J = {}3\n", k + 1, before, after);
    }
    return deck;
  }
  return "no closed loop";
}

TEST(Redundancy, a_threefold_symmetric_bricard_loop_has_one_and_moves) {
  for (double theta : {1.0, 0.7, 1.3}) {
    const std::string deck = bricard(theta);
    ASSERT_NE(deck, "no closed loop");
    Recording r(whole(deck + "ACCGRAV/JGRAV=-9.81\nINTEGRATOR/HHT, ERROR = 1E-7\n"));
    const InitialReport& report = r.simulation->initialize();
    EXPECT_EQ(report.gruebler, 0);
    EXPECT_EQ(report.redundant.size(), 1u);
    EXPECT_EQ(report.degrees_of_freedom, 1);
    r.simulation->run(dynamics_analysis, {0.2, 2});
    EXPECT_GT(std::fabs(r.at(2, "PART/4", "X") - r.at(0, "PART/4", "X")) +
                  std::fabs(r.at(2, "PART/4", "Y") - r.at(0, "PART/4", "Y")),
              1e-3);
    EXPECT_LT(violation(*r.simulation), 1e-8);
  }
}

/// Six revolute axes in general position are a rigid structure: nothing is redundant.
TEST(Redundancy, a_general_6r_loop_has_none) {
  Random random(12);
  std::string deck = "PART/1, GROUND\n";
  for (int k = 2; k <= 6; ++k)
    deck += fmt::format("PART/{0}, MASS = 1, CM = {0}1, IP = 1, 1, 1\nMARKER/{0}1, PART = {0}\n", k);
  for (int k = 0; k < 6; ++k) {
    const int before = k == 0 ? 1 : k + 1, after = k == 5 ? 1 : k + 2;
    const Vec3d at = random.vector();
    const Mat3d axes = random.rotation();
    deck += marker(10 * before + 2, fmt::format("PART = {}", before), at, axes) +
            marker(10 * after + 3, fmt::format("PART = {}", after), at, axes);
    deck += fmt::format("JOINT/{}, REVOLUTE, I = {}2, J = {}3\n", k + 1, before, after);
  }
  Recording r(whole(deck));
  EXPECT_EQ(r.simulation->initialize().redundant.size(), 0u);
  EXPECT_EQ(r.simulation->initialize().degrees_of_freedom, 0);
}

// ---- contradictions

TEST(Contradictions, parallel_planes_apart_are_refused_with_both_joints) {
  const std::string text = refusal(
      "PART/1, GROUND\nMARKER/11, PART = 1\nMARKER/12, PART = 1, QP = 0, 0, 1.1\nPART/2, MASS = 1, CM = 21, "
      "IP = 1, 1, 1\nMARKER/21, PART = 2\n"
      "MARKER/22, PART = 2, QP = 0, 0, 1\nJOINT/7, PLANAR, I = 21, J = 11\nJOINT/9, PLANAR, I = 22, J = "
      "12\n");
  EXPECT_NE(text.find("contradict"), std::string::npos) << text;
  EXPECT_NE(text.find("JOINT/7"), std::string::npos) << text;
  EXPECT_NE(text.find("JOINT/9"), std::string::npos) << text;
}

TEST(Contradictions, two_points_too_far_apart_are_refused) {
  const std::string text = refusal(
      "PART/1, GROUND\nMARKER/11, PART = 1\nMARKER/12, PART = 1, QP = 1.1, 0, 0\nPART/2, MASS = 1, CM = 21, "
      "IP = 1, 1, 1\nMARKER/21, PART = 2\n"
      "MARKER/22, PART = 2, QP = 1, 0, 0\nJOINT/7, SPHERICAL, I = 21, J = 11\nJOINT/9, SPHERICAL, I = 22, J "
      "= 12\n");
  EXPECT_NE(text, "accepted");
  EXPECT_TRUE(text.find("JOINT/7") != std::string::npos || text.find("JOINT/9") != std::string::npos) << text;
}

TEST(Contradictions, a_four_bar_that_cannot_close_names_its_joints) {
  // Crank 1, coupler 1, rocker 1 on pins 4 apart.
  std::string deck = "PART/1, GROUND\nMARKER/11, PART = 1\nMARKER/12, PART = 1, QP = 4, 0, 0\n";
  for (int k = 2; k <= 4; ++k)
    deck += fmt::format(
        "PART/{0}, MASS = 1, CM = {0}1, IP = 1, 1, 1, QG = {1}, 0.2, 0\nMARKER/{0}1, PART = "
        "{0}\nMARKER/{0}2, PART = {0}, QP = 1, 0, 0\n",
        k, k - 2);
  deck +=
      "JOINT/1, REVOLUTE, I = 21, J = 11\nJOINT/2, REVOLUTE, I = 31, J = 22\nJOINT/3, REVOLUTE, I = 41, J = "
      "32\nJOINT/4, REVOLUTE, I = 42, J = 12\n";
  const std::string text = refusal(deck);
  EXPECT_NE(text, "accepted");
  EXPECT_NE(text.find("JOINT/"), std::string::npos) << text;
}

}  // namespace
}  // namespace trammel::assembly_test
