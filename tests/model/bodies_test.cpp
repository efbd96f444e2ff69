// compile(): masses, inertias, frames and markers against values worked out by hand or from point masses.
#include <gtest/gtest.h>

#include <numbers>

#include "../support/deck.h"

namespace trammel::bodies_test {
namespace {

using namespace test;
constexpr double pi = std::numbers::pi;
constexpr double rounding = 2e-15;

const Marker& marker_of(const Model& model, int id) {
  for (const Marker& m : model.markers)
    if (m.id == id) return m;
  throw std::runtime_error("no such marker");
}

/// A body made of point masses: mass, centre and tensors by their definitions.
struct Cloud {
  std::vector<std::pair<double, Vec3d>> points;
  double mass() const {
    double m = 0;
    for (const auto& [w, p] : points) m += w;
    return m;
  }
  Vec3d center() const {
    Vec3d c{};
    for (const auto& [w, p] : points) c += (w / mass()) * p;
    return c;
  }
  /// ∫ (|d|² 1 − d dᵀ) dm about a point, in the given axes.
  Mat3d tensor(const Vec3d& about, const Mat3d& axes) const {
    Mat3d t;
    for (const auto& [w, p] : points) {
      const Vec3d d = transpose(axes) * (p - about);
      const double dd = dot(d, d);
      t += w * (Mat3d::diagonal(dd, dd, dd) - outer(d, d));
    }
    return t;
  }
};

TEST(Bodies, inertia_about_any_marker_in_any_axes) {
  Random random(1);
  for (int n = 0; n < 10; ++n) {
    Cloud cloud;
    for (int k = 0; k < 6; ++k) cloud.points.emplace_back(random.uniform(0.2, 1), random.vector());
    const Vec3d im_place = random.vector();
    const Mat3d im_axes = random.rotation(), frame = random.rotation();
    const Vec3d origin = random.vector(3);
    const Mat3d t = cloud.tensor(im_place, im_axes);
    // IP: xx yy zz xy xz yz, products as positive integrals ∫ x y dm = −t(0,1)
    const std::string part = fmt::format(
        "PART/1, GROUND\nPART/2\n, MASS = {:.17g}\n, CM = 21\n, IM = 22\n, IP = {:.17g}, {:.17g}, {:.17g}, "
        "{:.17g}, "
        "{:.17g}, {:.17g}\n, QG = {}\n, REULER = {}\n",
        cloud.mass(), t(0, 0), t(1, 1), t(2, 2), -t(0, 1), -t(0, 2), -t(1, 2), list(origin), euler(frame));
    const std::string markers =
        marker(21, "PART = 2", cloud.center(), random.rotation()) + marker(22, "PART = 2", im_place, im_axes);
    const Model model = compile_text(part + markers);
    const Body& body = model.bodies[0];
    EXPECT_NEAR(body.mass, cloud.mass(), rounding);
    EXPECT_LT(largest(body.inertia - cloud.tensor(cloud.center(), Mat3d::identity())), 1e-13);
    EXPECT_LT(norm(model.initial.bodies[0].position - (origin + frame * cloud.center())), 1e-14);
    EXPECT_LT(largest(model.initial.bodies[0].orientation - frame), 1e-14);
    EXPECT_LT(norm(body.bcs + cloud.center()), 1e-15);
    EXPECT_LT(norm(marker_of(model, 22).s - (im_place - cloud.center())), 1e-15);

    // force·UCF = mass·acceleration: newton, kilogram, millimeter, second → 1000
    const Model mm =
        compile_text("UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND\n" + part + markers);
    EXPECT_NEAR(mm.ucf, 1000, 1e-12);
    EXPECT_NEAR(mm.bodies[0].mass, cloud.mass() / 1000, 1e-17);
    EXPECT_LT(largest(mm.bodies[0].inertia - (1.0 / 1000) * cloud.tensor(cloud.center(), Mat3d::identity())),
              1e-16);
  }
}

TEST(Units, consistency_factors) {
  const auto ucf = [](const std::string& units) { return compile_text(units + "\nPART/1, GROUND\n").ucf; };
  EXPECT_EQ(ucf(""), 1);
  EXPECT_EQ(ucf("UNITS/UCF=386.4"), 386.4);
  EXPECT_DOUBLE_EQ(ucf("UNITS/SYSTEM=MKS"), 1);
  EXPECT_DOUBLE_EQ(ucf("UNITS/SYSTEM=CGS"), 1);
  EXPECT_NEAR(ucf("UNITS/SYSTEM=FPS"), 32.17404855643044, 1e-12);  // g0 / foot, 9.80665/0.3048
  EXPECT_NEAR(ucf("UNITS/SYSTEM=IPS"), 386.0885826771654, 1e-11);  // g0 / inch
  EXPECT_NEAR(ucf("UNITS/FORCE=NEWTON, MASS=TONNE, LENGTH=MILLIMETER, TIME=SECOND"), 1, 1e-15);
  EXPECT_NEAR(ucf("UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=MILLISECONDS"), 1e-6, 1e-21);
}

TEST(Bodies, centre_of_mass_and_inertia_marker_default) {
  // Without IM, IP is about CM in the axes of CM.
  const Model model = compile_text(
      "PART/1, GROUND\nPART/2, MASS = 2, CM = 21, IP = 1, 2, 3\nMARKER/21, PART = 2, QP = 1, 0, 0, REULER = "
      "90D, 0, 0\n");
  EXPECT_LT(largest(model.bodies[0].inertia - Mat3d::diagonal(2, 1, 3)), rounding);
}

TEST(Bodies, frame_from_points) {
  // z towards (0,0,0)+x, x point in the x-z plane: z = +x, y = z × (0,0,1) = −y, x = y × z = +z
  const Model model = compile_text(
      "PART/1, GROUND\nPART/2, MASS = 1, CM = 21, QG = 1, 2, 3, ZG = 5, 2, 3, XG = 9, 2, 4\nMARKER/21, PART "
      "= 2, QP = 0.5, 0, 0\n");
  EXPECT_LT(
      largest(model.initial.bodies[0].orientation - Mat3d::from_columns({0, 0, 1}, {0, -1, 0}, {1, 0, 0})),
      rounding);
  EXPECT_LT(norm(model.initial.bodies[0].position - Vec3d{1, 2, 3.5}), rounding);
}

TEST(Markers, places_and_axes) {
  const Model model = compile_text(
      "PART/1, GROUND\nMARKER/11, PART = 1, QP = 7, 8, 9, REULER = 90D, 90D, 0\nPART/2, MASS = 1, CM = 21, "
      "QG = 4, 5, 6\n"
      "MARKER/21, PART = 2, QP = 1, 1, 1\n"
      "MARKER/22, PART = 2, QP = 1, 2, 3, REULER = 90D, 0, 0\n"
      // z exact: z along +x, x point on the +y side
      "MARKER/23, PART = 2, QP = 1, 0, 0, ZP = 3, 0, 0, XP = 7, 2, 0\n"
      // x exact: x along (7,2,0)−(1,0,0), z in the half plane of +x... of (3,0,1)
      "MARKER/24, PART = 2, QP = 1, 0, 0, ZP = 1, 0, 4, XP = 1, 3, 0, USEXP\n"
      // in the frame of 22: (0,1,0) there is −x of the part
      "MARKER/25, PART = 2, RM = 22, QP = 0, 1, 0, REULER = 0, 90D, 0\n"
      // a chain
      "MARKER/26, PART = 2, RM = 25, QP = 0, 0, 2\n"
      // x exact with a z point that is not at right angles: z is made orthogonal
      "MARKER/27, PART = 2, ZP = 1, 0, 1, XP = 2, 0, 0, USEXP\n"
      // z exact with an x point not at right angles
      "MARKER/28, PART = 2, ZP = 0, 0, 2, XP = 1, 0, 1\n");
  const Vec3d cm{1, 1, 1};
  const auto expect = [&](int id, const Vec3d& place, const Mat3d& axes) {
    const Marker& m = marker_of(model, id);
    EXPECT_LT(norm(m.s - (m.body < 0 ? place : place - cm)), rounding) << id;
    EXPECT_LT(largest(m.A - axes), rounding) << id;
    EXPECT_EQ(m.body, id == 11 ? -1 : 0);
  };
  const Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  // REULER 90, 90, 0: x → y; then about the new x (y) by 90°: z → x
  expect(11, {7, 8, 9}, Mat3d::from_columns(y, z, x));
  expect(22, {1, 2, 3}, Mat3d::from_columns(y, -x, z));
  expect(23, {1, 0, 0}, Mat3d::from_columns(y, z, x));
  expect(24, {1, 0, 0}, Mat3d::from_columns(y, -x, z));
  // axes of 22 times Rx(90°): x stays y; y → z; z → −y of 22 = +x
  expect(25, {0, 2, 3}, Mat3d::from_columns(y, z, x));
  expect(26, {2, 2, 3}, Mat3d::from_columns(y, z, x));
  expect(27, {0, 0, 0}, Mat3d::from_columns(x, y, z));
  expect(28, {0, 0, 0}, Mat3d::from_columns(x, y, z));
}

TEST(Markers, belong_to_the_part_before_them_and_to_the_centre_marker) {
  const Model model = compile_text(
      "PART/1, GROUND\nPART/2, MASS = 1, CM = 21, QG = 4, 5, 6\nMARKER/21, PART = 2, QP = 1, 1, "
      "1\nPOINT_MASS/3, CM = 31, MASS = 2, QG = 1, 0, 0\nMARKER/31, POINT_MASS = 3, QP = 0, 2, 0\n");
  ASSERT_EQ(model.bodies.size(), 2u);
  EXPECT_EQ(model.coordinates, 9);
  EXPECT_FALSE(model.bodies[1].turns());
  EXPECT_LT(norm(model.initial.bodies[1].position - Vec3d{1, 2, 0}), rounding);
  for (const Body& b : model.bodies) {
    const Marker& m = model.markers[b.center_marker];
    EXPECT_EQ(norm(m.s), 0);
    EXPECT_EQ(largest(m.A - Mat3d::identity()), 0);
  }
  EXPECT_EQ(model.markers[0].body, -1);
}

TEST(Bodies, initial_values_exact_coordinates_and_their_axes) {
  const Model model = compile_text(
      "PART/1, GROUND\nMARKER/11, PART = 1\nPART/2, MASS = 1, CM = 21, VX = 1, VZ = 3, WY = 2, VM = 22, WM = "
      "23, EXACT = X:PHI\n"
      "MARKER/21, PART = 2, REULER = 0, 30D, 0\nMARKER/22, PART = 2\nMARKER/23, PART = 2\n"
      "PART/3, MASS = 1, CM = 31, WZ = 90D\nMARKER/31, PART = 3, REULER = 0, 30D, 0\n");
  const InitialBody& b = model.initial.bodies[0];
  EXPECT_EQ(b.exact, (std::array{true, false, false, false, false, true}));
  EXPECT_EQ(b.velocity_given, (std::array{true, false, true, false, true, false}));
  EXPECT_EQ(b.velocity.x, 1);
  EXPECT_EQ(b.velocity.z, 3);
  EXPECT_EQ(b.angular_velocity.y, 2);
  EXPECT_EQ(model.markers[b.velocity_marker].id, 22);
  EXPECT_EQ(model.markers[b.angular_marker].id, 23);
  EXPECT_TRUE(b.exact_position());
  const InitialBody& c = model.initial.bodies[1];
  EXPECT_EQ(c.velocity_marker, 0);
  EXPECT_EQ(c.angular_marker, -1);  // the CM marker's axes
  EXPECT_LT(largest(model.bodies[1].cm_axes - rotation_x(pi / 6)), rounding);
  EXPECT_DOUBLE_EQ(c.angular_velocity.z, pi / 2);
  EXPECT_FALSE(c.exact_position());
}

TEST(Markers, a_point_near_x_needs_one_on_z) {
  const std::string body = "PART/1, GROUND\nMARKER/1, PART = 1, XP = 1, 1, 0";
  EXPECT_NE(message_of(body + "\n")
                .find("MARKER/1: ZP is missing, which XP needs beside it; with USEXP, XP may "
                      "stand alone"),
            std::string::npos)
      << message_of(body + "\n");
  EXPECT_EQ(compile_text(body + ", USEXP\n").markers.size(),
            compile_text(body.substr(0, body.find(", XP")) + "\n").markers.size());
}

}  // namespace
}  // namespace trammel::bodies_test
