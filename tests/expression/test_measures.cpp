// Kinematic measures against closed forms, and against derivatives of motions seen from moving frames.
#include <numbers>

#include "support.h"

namespace trammel::expression_test::test_measures {
namespace {

constexpr double pi = std::numbers::pi;

Mat3d about(int axis, double angle) {
  Vec3d u;
  u[axis] = angle;
  return rotation(u);
}

/// A marker on a smooth path: r(t) and A(t) = exp(c1 sin t) exp(c2 t), with the closed form of their rates.
/// The measures are held against differences of positions and axes seen from other such frames.
struct Path {
  Vec3d p, q, c1, c2;
  Vec3d position(double t) const { return t * p + std::sin(1.3 * t) * q; }
  Vec3d velocity(double t) const { return p + 1.3 * std::cos(1.3 * t) * q; }
  Vec3d acceleration(double t) const { return -1.69 * std::sin(1.3 * t) * q; }
  Mat3d axes(double t) const { return rotation(std::sin(t) * c1) * rotation(t * c2); }
  // exp(c1 sin t) turns at c1 cos t, exp(c2 t) at c2, the latter carried by the former.
  Vec3d omega(double t) const { return std::cos(t) * c1 + rotation(std::sin(t) * c1) * c2; }
  Vec3d omega_rate(double t) const {
    return -std::sin(t) * c1 + std::cos(t) * cross(c1, rotation(std::sin(t) * c1) * c2);
  }
  MarkerKinematics<double> at(double t) const {
    return {position(t), axes(t), velocity(t), omega(t), acceleration(t), omega_rate(t)};
  }
};

class Moving : public ::testing::Test {
 protected:
  Moving() {
    for (int k = 0; k < 4; ++k) path[k] = {model.vector(), model.vector(), model.vector(), model.vector()};
  }
  double measure(const std::string& text, double t) {
    for (int k = 0; k < 4; ++k) model.markers[k + 1] = path[k].at(t);
    return value_of_text(text, model, t);
  }
  /// Marker i's position less that of j, in axes of l.
  Vec3d seen(int i, int j, int l, double t) const {
    return transpose_times(path[l - 1].axes(t), path[i - 1].position(t) - path[j - 1].position(t));
  }
  StandIn model;
  Path path[4];
};

/// Central differences: h²/6 f''' + rounding/h = 1e-9 for the first (h = 1e-5), 1e-6 for the second (1e-4).
constexpr double first_tolerance = 1e-8, second_tolerance = 2e-6;

TEST_F(Moving, velocities_are_derivatives_in_frame_l) {
  const double t = 0.7, h = 1e-5;
  const Vec3d rate = (0.5 / h) * (seen(1, 2, 4, t + h) - seen(1, 2, 4, t - h));
  const Vec3d global = path[3].axes(t) * rate;
  const Vec3d in_k = transpose_times(path[2].axes(t), global);
  EXPECT_NEAR(measure("VX(1,2,3,4)", t), in_k.x, first_tolerance);
  EXPECT_NEAR(measure("VY(1,2,3,4)", t), in_k.y, first_tolerance);
  EXPECT_NEAR(measure("VZ(1,2,3,4)", t), in_k.z, first_tolerance);
  EXPECT_NEAR(measure("VM(1,2,4)", t), norm(rate), first_tolerance);
  EXPECT_NEAR(measure("VXYZ(1,2,3,4)*[1,10,100]", t), in_k.x + 10 * in_k.y + 100 * in_k.z,
              111 * first_tolerance);
  const double distance_rate = (measure("DM(1,2)", t + h) - measure("DM(1,2)", t - h)) / (2 * h);
  EXPECT_NEAR(measure("VR(1,2)", t), distance_rate, first_tolerance);
  EXPECT_NEAR(measure("VR(1,2,4)", t), distance_rate, first_tolerance);
  EXPECT_NEAR(measure("VX(1)", t), path[0].velocity(t).x, 1e-15);
  EXPECT_NEAR(measure("VX(1,0,3)", t), dot(path[0].velocity(t), path[2].axes(t).column(0)), 1e-15);
}

TEST_F(Moving, accelerations_are_second_derivatives_in_frame_l) {
  const double t = 0.7, h = 1e-4;
  const Vec3d second = (1 / (h * h)) * (seen(1, 2, 4, t + h) - 2.0 * seen(1, 2, 4, t) + seen(1, 2, 4, t - h));
  const Vec3d in_k = transpose_times(path[2].axes(t), path[3].axes(t) * second);
  EXPECT_NEAR(measure("ACCX(1,2,3,4)", t), in_k.x, second_tolerance);
  EXPECT_NEAR(measure("ACCY(1,2,3,4)", t), in_k.y, second_tolerance);
  EXPECT_NEAR(measure("ACCZ(1,2,3,4)", t), in_k.z, second_tolerance);
  EXPECT_NEAR(measure("ACCM(1,2,4)", t), norm(second), second_tolerance);
}

TEST_F(Moving, angular_rates) {
  const double t = 0.7, h = 1e-5;
  // ω from the axes: ω = ½ Σ a × ȧ.
  const Mat3d plus = path[0].axes(t + h), minus = path[0].axes(t - h), now = path[0].axes(t);
  Vec3d omega;
  for (int c = 0; c < 3; ++c)
    omega += 0.5 * cross(now.column(c), (0.5 / h) * (plus.column(c) - minus.column(c)));
  EXPECT_NEAR(measure("WX(1)", t), omega.x, first_tolerance);
  EXPECT_NEAR(measure("WY(1)", t), omega.y, first_tolerance);
  EXPECT_NEAR(measure("WZ(1,0,3)", t), dot(omega, path[2].axes(t).column(2)), first_tolerance);
  EXPECT_NEAR(measure("WM(1,2)", t), norm(path[0].omega(t) - path[1].omega(t)), 1e-14);
  const auto relative = [&](double s) {
    return transpose_times(path[3].axes(s), path[0].omega(s) - path[1].omega(s));
  };
  const Vec3d rate = path[3].axes(t) * ((0.5 / h) * (relative(t + h) - relative(t - h)));
  const Vec3d in_k = transpose_times(path[2].axes(t), rate);
  EXPECT_NEAR(measure("WDTX(1,2,3,4)", t), in_k.x, first_tolerance);
  EXPECT_NEAR(measure("WDTY(1,2,3,4)", t), in_k.y, first_tolerance);
  EXPECT_NEAR(measure("WDTZ(1,2,3,4)", t), in_k.z, first_tolerance);
  EXPECT_NEAR(measure("WDTM(1,2,4)", t), norm(rate), first_tolerance);
}

TEST(Measures, displacements) {
  StandIn model;
  const Vec3d d = model.markers[1].r - model.markers[2].r;
  EXPECT_EQ(value_of_text("DX(1)", model), model.markers[1].r.x);
  EXPECT_EQ(value_of_text("DY(1,2)", model), d.y);
  EXPECT_EQ(value_of_text("DZ(1,2,3)", model), dot(d, model.markers[3].A.column(2)));
  EXPECT_EQ(value_of_text("DZ(1,0,3)", model), dot(model.markers[1].r, model.markers[3].A.column(2)));
  EXPECT_EQ(value_of_text("DM(1,2)", model), norm(d));
}

constexpr double rounding = 1e-14;

TEST(Measures, body_313_angles_rebuild_the_orientation) {
  StandIn model;
  for (int n = 0; n < 20; ++n) {
    model.markers[1] = model.random_marker();
    const Mat3d relative = transpose_times(model.markers[2].A, model.markers[1].A);
    const Mat3d built = about(2, value_of_text("PSI(1,2)", model)) *
                        about(0, value_of_text("THETA(1,2)", model)) *
                        about(2, value_of_text("PHI(1,2)", model));
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(built.m[k], relative.m[k], rounding);
  }
  // Aligned z axes: everything goes to PSI.
  model.markers[1].A = model.markers[2].A * about(2, 0.8);
  EXPECT_NEAR(value_of_text("PSI(1,2)", model), 0.8, rounding);
  EXPECT_EQ(value_of_text("PHI(1,2)", model), 0.0);
  EXPECT_NEAR(value_of_text("THETA(1,2)", model), 0.0, rounding);
}

TEST(Measures, body_321_angles_rebuild_the_orientation) {
  StandIn model;
  for (int n = 0; n < 20; ++n) {
    model.markers[1] = model.random_marker();
    const Mat3d relative = transpose_times(model.markers[2].A, model.markers[1].A);
    const Mat3d built = about(2, value_of_text("YAW(1,2)", model)) *
                        about(1, -value_of_text("PITCH(1,2)", model)) *
                        about(0, value_of_text("ROLL(1,2)", model));
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(built.m[k], relative.m[k], rounding);
  }
}

TEST(Measures, euler_parameters_rebuild_the_orientation) {
  StandIn model;
  int negative = 0;
  for (int n = 0; n < 40; ++n) {
    // Small and large angles, so that each of the four parameters is the largest at times.
    model.markers[1].A = model.markers[2].A * rotation((n % 4 == 0 ? 0.3 : 2.0) * model.vector());
    double e[4];
    for (int c = 0; c < 4; ++c) e[c] = value_of_text(fmt::format("ORIENT(27,{},1,2)", c + 1), model);
    // Their sign is that of the 3-1-3 angles as they are shown: e0 may be negative.
    const double psi = value_of_text("PSI(1,2)", model), theta = value_of_text("THETA(1,2)", model),
                 phi = value_of_text("PHI(1,2)", model);
    const double shown[4] = {
        std::cos(theta / 2) * std::cos((psi + phi) / 2), std::sin(theta / 2) * std::cos((psi - phi) / 2),
        std::sin(theta / 2) * std::sin((psi - phi) / 2), std::cos(theta / 2) * std::sin((psi + phi) / 2)};
    for (int c = 0; c < 4; ++c) EXPECT_NEAR(e[c], shown[c], rounding);
    negative += e[0] < 0;
    const Vec3d u = {e[1], e[2], e[3]};
    const Mat3d built =
        (e[0] * e[0] - dot(u, u)) * Mat3d::identity() + 2.0 * outer(u, u) + (2 * e[0]) * skew(u);
    const Mat3d relative = transpose_times(model.markers[2].A, model.markers[1].A);
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(built.m[k], relative.m[k], rounding);
  }
  EXPECT_GT(negative, 3);
}

TEST(Measures, euler_parameters_at_aligned_axes) {
  StandIn model;
  for (const double angle : {0.0, 0.8, -3.0, 3.1}) {  // about z: (cos, 0, 0, sin) of half the angle
    model.markers[1].A = model.markers[2].A * about(2, angle);
    EXPECT_NEAR(value_of_text("ORIENT(27,1,1,2)", model), std::cos(angle / 2), rounding);
    EXPECT_NEAR(value_of_text("ORIENT(27,4,1,2)", model), std::sin(angle / 2), rounding);
  }
  model.markers[1].A = model.markers[2].A * about(0, pi);  // half a turn about x
  EXPECT_NEAR(std::abs(value_of_text("ORIENT(27,2,1,2)", model)), 1, rounding);
}

/// The other systems of ORIENT against functions and formulas of the same orientation.
TEST(Measures, systems_of_orientation) {
  StandIn model;
  for (int n = 0; n < 20; ++n) {
    model.markers[1] = model.random_marker();
    const Mat3d relative = transpose_times(model.markers[2].A, model.markers[1].A);
    const auto component = [&](int system, int c) {
      return value_of_text(fmt::format("ORIENT({},{},1,2)", system, c), model);
    };
    // Direction cosines: x of 1 with x, y, z of 2, then y and z of 1.
    for (int c = 0; c < 9; ++c) EXPECT_NEAR(component(29, c + 1), relative(c % 3, c / 3), rounding);
    const char* same[3][3] = {{"PSI", "THETA", "PHI"}, {"AX", "AY", "AZ"}, {"YAW", "PITCH", "ROLL"}};
    const int system[3] = {11, 25, 26};
    for (int s = 0; s < 3; ++s)
      for (int c = 0; c < 3; ++c)
        EXPECT_EQ(component(system[s], c + 1), value_of_text(fmt::format("{}(1,2)", same[s][c]), model));
    // Rodrigues parameters b: A = ((1 − b²) 1 + 2 b bᵀ + 2 b̃)/(1 + b²).
    const Vec3d b = {component(28, 1), component(28, 2), component(28, 3)};
    const Mat3d built =
        (1 / (1 + dot(b, b))) * ((1 - dot(b, b)) * Mat3d::identity() + 2.0 * outer(b, b) + 2.0 * skew(b));
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(built.m[k], relative.m[k], rounding * (1 + dot(b, b)));
  }
  EXPECT_EQ(value_of_text("ORIENT(29,4,1)", model), model.markers[1].A(0, 1));  // in ground
  for (const char* wrong :
       {"ORIENT(29,10,1,2)", "ORIENT(29,0,1)", "ORIENT(28,4,1)", "ORIENT(30,1,1)", "ORIENT(12,1,1)"})
    EXPECT_THROW(value_of_text(wrong, model), Failure) << wrong;
}

TEST(Measures, rotation_angles_count_revolutions) {
  const char* names[] = {"AX(1,2)", "AY(1,2)", "AZ(1,2)"};
  for (int axis = 0; axis < 3; ++axis) {
    StandIn model;
    const Tape tape = compile_expression(names[axis], model);
    ASSERT_EQ(tape.angles, std::vector<int>{0});
    for (double angle = 0; angle < 20; angle += 1.7) {  // up, past three revolutions
      model.markers[1].A = model.markers[2].A * about(axis, angle);
      const double value = TapeRun<double>(tape, model).value();
      EXPECT_NEAR(value, angle, rounding * 10);
      model.counters[0] = continuous_angle(static_cast<Measure>(static_cast<int>(Measure::ax) + axis),
                                           model.markers[1], model.markers[2], model.counters[0]);
      EXPECT_EQ(model.counters[0], value);
    }
    for (double angle = 18; angle > -10; angle -= 2.9) {  // and back through zero
      model.markers[1].A = model.markers[2].A * about(axis, angle);
      model.counters[0] = TapeRun<double>(tape, model).value();
      EXPECT_NEAR(model.counters[0], angle, rounding * 10);
    }
  }
  // Not defined when the axis of i is normal to the plane: the last value stays.
  StandIn model;
  const Tape tape = compile_expression("AX(1,2)", model);
  model.markers[2].A = Mat3d::identity();
  model.markers[1].A = Mat3d::from_columns({0, 1, 0}, {0, 0, 1}, {1, 0, 0});
  model.counters[0] = 7.25;
  EXPECT_EQ(TapeRun<double>(tape, model).value(), 7.25);
}

TEST(Measures, unit_axes_and_included_angle) {
  StandIn model;
  const char* names[] = {"UVX", "UVY", "UVZ"};
  for (int axis = 0; axis < 3; ++axis) {
    const Tape global = compile_expression(fmt::format("{}(1)", names[axis]), model, ResultKind::vector);
    const Tape local = compile_expression(fmt::format("{}(1,2)", names[axis]), model, ResultKind::vector);
    const Vec3d column = model.markers[1].A.column(axis), in_j = transpose_times(model.markers[2].A, column);
    for (int c = 0; c < 3; ++c) {
      EXPECT_NEAR(TapeRun<double>(global, model).value(c), column[c], rounding);
      EXPECT_NEAR(TapeRun<double>(local, model).value(c), in_j[c], rounding);
    }
  }
  model.markers[2].r = {1, 1, 1};
  model.markers[1].r = {3, 1, 1};
  model.markers[3].r = {1 - 1, 1 + std::sqrt(3.0), 1};
  EXPECT_NEAR(value_of_text("INCANG(1,2,3)", model), 2 * pi / 3, rounding);
  EXPECT_NEAR(value_of_text("INCANG(3,2,1)", model), 2 * pi / 3, rounding);
}

}  // namespace
}  // namespace trammel::expression_test::test_measures
