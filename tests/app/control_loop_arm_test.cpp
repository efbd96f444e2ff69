// A robot arm of seven joints under the torques of a controller, given anew in each of 2,000 SIMULATE
// commands, against its equations in joint coordinates.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "../support/serial_arm.h"
#include "control_loop.h"
#include "math/rotation.h"
#include "output/write/native_file.h"
#include "support.h"

using namespace trammel_test;

namespace control_loop_arm_test {
namespace {

using trammel::Mat3d;
using trammel::Vec3d;

constexpr int joints = 7, commands = 2000;
constexpr double interval = 0.001;
using Arm = trammel::test::SerialArm<joints>;

/// Hung from above, Z down, with friction in its gears: small errors do not grow. Axes along Z and across in
/// turn, as robots have them; 0.8 m from the second joint to the wrist. Each link's mass stands off its axis,
/// and its principal axes are not those of the joints.
Arm robot() {
  Arm arm;
  arm.gravity = {0, 0, 9.81};
  arm.damping = {20, 20, 12, 12, 5, 3, 1};
  const Mat3d same = Mat3d::identity(), across = trammel::rotation_x(-M_PI / 2),
              back = trammel::rotation_x(M_PI / 2);
  const Mat3d turned[joints] = {same, across, back, back, across, back, across};
  const Vec3d place[joints] = {{0, 0, 0.16}, {0, 0, 0.2},  {0, -0.42, 0}, {0.02, 0, 0},
                               {0, 0.4, 0},  {0, 0.01, 0}, {0, 0.126, 0}};
  const Vec3d center[joints] = {{0.01, -0.03, 0.12}, {0.01, -0.2, 0.04}, {0, 0.03, 0.02},
                                {-0.01, 0.17, 0.03}, {0, 0.02, -0.03},   {0.005, 0.04, 0},
                                {0.02, 0.01, 0.08}};
  const double mass[joints] = {5.8, 6.4, 3.5, 3.5, 2.5, 1.8, 1.2};
  const double size[joints] = {0.12, 0.16, 0.1, 0.15, 0.08, 0.06, 0.07};  // radii of gyration
  for (int k = 0; k < joints; ++k) {
    const double j = mass[k] * size[k] * size[k];
    const Mat3d inertia{{j, 0.1 * j, -0.05 * j, 0.1 * j, 0.8 * j, 0.08 * j, -0.05 * j, 0.08 * j, 0.6 * j}};
    arm.links[k] = {place[k], turned[k], mass[k], center[k], inertia};
  }
  return arm;
}

constexpr Arm::Joints start_angles = {0.2, 0.9, -0.3, -1.1, 0.4, 0.8, -0.2};

/// A controller follows a path in joint coordinates: torques of inverse dynamics, held for an interval.
struct Following {
  explicit Following(const Arm& arm) : truth{{start_angles, {}}} {
    for (int k = 0; k < commands; ++k) {
      const Arm::State& s = truth.back();
      Arm::Joints wanted;
      for (int j = 0; j < joints; ++j) {
        // θ + A (1 − cos w t)
        const double A = 0.5 - 0.05 * j, w = 2 + 0.6 * j, t = k * interval;
        const double ahead = start_angles[j] + A * (1 - std::cos(w * t)) - s.angle[j];
        wanted[j] = A * w * w * std::cos(w * t) + 100 * ahead + 20 * (A * w * std::sin(w * t) - s.rate[j]);
      }
      torque.push_back(arm.torques(s, wanted, arm.gravity));
      for (int j = 0; j < joints; ++j) torque.back()[j] += arm.damping[j] * s.rate[j];
      truth.push_back(arm.after(s, torque.back(), interval, 10));
    }
  }
  std::vector<Arm::Joints> torque;
  std::vector<Arm::State> truth;  ///< at the start of each command, and at the end
};

/// Link k is PART/k+2; markers of PART/p: 10 p its centre of mass, 10 p + 1 its joint, 10 p + 2 the next one.
std::string deck(const Arm& arm, double error) {
  const auto list = [](const Vec3d& v) { return fmt::format("{:.17g},{:.17g},{:.17g}", v.x, v.y, v.z); };
  std::string text =
      "arm\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\n"
      "ACCGRAV/KGRAV=9.81\n" +
      fmt::format("INTEGRATOR/HHT, ERROR={:g}\n", error);
  const auto pose = arm.poses({start_angles, {}});
  for (int k = 0; k < joints; ++k) {
    const trammel::test::ArmLink& link = arm.links[k];
    const int part = k + 2;
    const Mat3d& J = link.inertia;
    text += fmt::format("PART/{}, MASS={}, CM={}0, QG={}, REULER={}\n", part, link.mass, part,
                        list(pose[k].place), list(trammel::angles_313(pose[k].axes)));
    text += fmt::format(", IP={:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g}\n", J(0, 0), J(1, 1), J(2, 2),
                        -J(0, 1), -J(0, 2), -J(1, 2));
    text += fmt::format("MARKER/{0}0, PART={0}, QP={1}\nMARKER/{0}1, PART={0}\n", part, list(link.center));
    text += fmt::format("MARKER/{0}2, PART={0}, QP={1}, REULER={2}\n", part - 1, list(link.place),
                        list(trammel::angles_313(link.turned)));
    text += fmt::format("JOINT/{0}, REVOLUTE, I={1}1, J={2}2\nSFORCE/{0}, ROTATION, I={1}1, J={2}2\n", k + 1,
                        part, part - 1);
    text += fmt::format(", FUNCTION=VARVAL({0})-{1}*WZ({2}1,{3}2,{3}2)\nVARIABLE/{0}, FUNCTION=0\n", k + 1,
                        arm.damping[k], part, part - 1);
  }
  return text + "END\n";
}

/// What a result file says of the arm.
class Records {
 public:
  explicit Records(const std::string& path) {
    trammel::NativeReader reader(path);
    time = reader.time();
    for (int k = 0; k < joints; ++k) {
      const std::string part = fmt::format("PART/{}.", k + 2), joint = fmt::format("JOINT/{}.", k + 1);
      for (const char* name : {"X", "Y", "Z", "PSI", "THETA", "PHI", "WX", "WY", "WZ", "WDX", "WDY", "WDZ"})
        part_[k].push_back(reader.read(part + name));
      for (const char* name : {"FX", "FY", "FZ", "TX", "TY", "TZ"})
        joint_[k].push_back(reader.read(joint + name));
    }
  }
  Vec3d place(int link, std::size_t record) const { return three(part_[link], 0, record); }
  Mat3d axes(int link, std::size_t record) const {
    const Vec3d e = three(part_[link], 3, record);
    return Arm::about_z(e.x) * trammel::rotation_x(e.y) * Arm::about_z(e.z);
  }
  Vec3d angular(int link, std::size_t record) const { return three(part_[link], 6, record); }
  Vec3d angular_acceleration(int link, std::size_t record) const { return three(part_[link], 9, record); }
  Vec3d force(int link, std::size_t record) const { return three(joint_[link], 0, record); }
  Vec3d torque(int link, std::size_t record) const { return three(joint_[link], 3, record); }

  double rate(int link, std::size_t record) const {
    return dot(relative(link, record), axes(link, record).column(2));
  }
  /// Angles of the joints from the axes of the links, q̇ from their angular velocities.
  Arm::State state(const Arm& arm, std::size_t record) const {
    Arm::State s;
    Mat3d before = Mat3d::identity();
    for (int k = 0; k < joints; ++k) {
      const Mat3d now = axes(k, record), turn = transpose(before * arm.links[k].turned) * now;
      s.angle[k] = std::atan2(turn(1, 0), turn(0, 0));
      s.rate[k] = rate(k, record);
      before = now;
    }
    return s;
  }
  /// q̈: of ω_k − ω_{k−1} = q̇ z, along z, where z moves with the link.
  double acceleration(int link, std::size_t record) const {
    const Vec3d before = link > 0 ? angular_acceleration(link - 1, record) : Vec3d{};
    return dot(angular_acceleration(link, record) - before, axes(link, record).column(2));
  }

  std::vector<double> time;

 private:
  using Columns = std::vector<std::vector<double>>;
  Vec3d relative(int link, std::size_t record) const {
    return angular(link, record) - (link > 0 ? angular(link - 1, record) : Vec3d{});
  }
  static Vec3d three(const Columns& columns, int first, std::size_t record) {
    return {columns[first][record], columns[first + 1][record], columns[first + 2][record]};
  }
  Columns part_[joints], joint_[joints];
};

Records run_commands(const Arm& arm, const Following& loop_of, double error) {
  Folder f;
  f.write("arm.adm", deck(arm, error));
  f.write("job.acf", "arm\njob\n" + loop(commands, interval, [&](int k) {
                       std::string text;
                       for (int j = 0; j < joints; ++j)
                         text += fmt::format("VARIABLE/{}, FUNCTION={:.17g}\n", j + 1, loop_of.torque[k][j]);
                       return text;
                     }));
  const Outcome o = run(f, {"run", "job.acf"});
  if (o.code != 0) throw std::runtime_error(o.err);
  return Records(f.path("job.nc").string());
}

struct Errors {
  double place = 0, axes = 0, rate = 0;
};

Errors errors_of(const Arm& arm, const Following& loop_of, const Records& r) {
  Errors e;
  for (int k = 0; k < commands; ++k) {
    const std::size_t end = 2 * k + 1;
    const auto pose = arm.poses(loop_of.truth[k + 1]);
    for (int j = 0; j < joints; ++j) {
      e.place = std::max(e.place, norm(r.place(j, end) - pose[j].place));
      const Mat3d away = r.axes(j, end) - pose[j].axes;
      for (const double x : away.m) e.axes = std::max(e.axes, std::fabs(x));
      e.rate = std::max(e.rate, std::fabs(r.rate(j, end) - loop_of.truth[k + 1].rate[j]));
    }
  }
  return e;
}

TEST(ControlLoopArm, the_equations_in_joint_coordinates_keep_the_energy) {
  Arm arm = robot();
  arm.damping = {};
  Arm::State s{start_angles, {0.3, -0.5, 0.8, 0.2, -1, 1.5, 2}};
  const double begin = arm.energy(s);
  double kinetic = 0;
  for (int k = 0; k < 200; ++k) {
    s = arm.after(s, {}, interval, 2);
    // The work of M(q) in q̇ is the kinetic energy, which energy() takes from the velocities of the links.
    const auto m = arm.mass_matrix(s);
    kinetic = 0;
    for (int i = 0; i < joints; ++i)
      for (int j = 0; j < joints; ++j) kinetic += 0.5 * s.rate[i] * m[j][i] * s.rate[j];
    Arm::State still{s.angle, {}};
    ASSERT_NEAR(kinetic, arm.energy(s) - arm.energy(still), 1e-11 * kinetic);
    // Fourth order: (0.5 ms · 100 1/s)⁴ of a step at the fastest rates, over 400 steps.
    ASSERT_NEAR(arm.energy(s), begin, 1e-7) << k;
  }
  EXPECT_GT(kinetic, 5);
}

/// How much small changes of the rates at the start grow in the angles.
double growth_of(const Arm& arm, const Following& loop_of) {
  constexpr double change = 1e-6;
  double largest = 1;
  Arm::State s = loop_of.truth[0];
  for (int j = 0; j < joints; ++j) s.rate[j] += j % 2 ? -change : change;
  for (int k = 0; k < commands; ++k) {
    s = arm.after(s, loop_of.torque[k], interval, 2);
    for (int j = 0; j < joints; ++j)
      largest = std::max(largest, std::fabs(s.angle[j] - loop_of.truth[k + 1].angle[j]) / change);
  }
  return largest;
}

TEST(ControlLoopArm, follows_the_equations_in_joint_coordinates) {
  const Arm arm = robot();
  const Following of(arm);
  // The reference itself: half the steps change nothing that counts here.
  for (int k = 0; k < commands; k += 100) {
    const Arm::State fine = arm.after(of.truth[k], of.torque[k], interval, 20);
    for (int j = 0; j < joints; ++j) ASSERT_NEAR(fine.rate[j], of.truth[k + 1].rate[j], 1e-9) << k;
  }
  ASSERT_LT(growth_of(arm, of), 3);
  double before = 0;
  for (const double error : {1e-10, 1e-11}) {
    const Errors e = errors_of(arm, of, run_commands(arm, of, error));
    // Of second order: ERROR^⅔ in an angle of such a joint; seven add up, and small errors grow by less
    // than 3.
    const double expected = 10 * std::pow(error, 2.0 / 3);
    EXPECT_LE(e.axes, expected) << error;
    EXPECT_LE(e.place, 1.3 * expected) << error;  // reach [m]
    EXPECT_LE(e.rate, 10 * expected) << error;    // the paths have up to 6 1/s
    // Of second order: a tenth of ERROR, 10^⅔ = 4.6 times less; a third of it is left to chance.
    if (before > 0) {
      EXPECT_LE(e.axes, before / 3) << error;
    }
    before = e.axes;
  }
}

TEST(ControlLoopArm, each_change_finds_what_the_equations_say_with_the_new_torques) {
  const Arm arm = robot();
  const Following of(arm);
  const Records r = run_commands(arm, of, 1e-5);
  for (int k = 0; k < commands; k += 10) {
    const std::size_t at = 2 * k;
    const Arm::State s = r.state(arm, at);
    const Arm::Joints a = arm.accelerations(s, of.torque[k]);
    const auto load = arm.loads(s, a, arm.gravity);
    // The same equations at the same state: rounding of 260 N and of what a torque makes of the lightest
    // link.
    constexpr double rounding = 1e-10;
    for (int j = 0; j < joints; ++j) {
      const Vec3d z = r.axes(j, at).column(2);
      ASSERT_NEAR(r.acceleration(j, at), a[j], rounding) << k;
      ASSERT_LE(norm(r.force(j, at) - load[j].force), rounding) << k;
      // About its axis the joint carries nothing: that is the torque given and the friction.
      ASSERT_LE(norm(r.torque(j, at) - (load[j].torque - dot(load[j].torque, z) * z)), rounding) << k;
    }
  }
}

}  // namespace
}  // namespace control_loop_arm_test
