// CONTACT in a plane against exact slides and rolls, a pendulum, and conservation.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "../support/simulate.h"

namespace trammel::planar_contact_test {
namespace {

using namespace test;

/// Gravity is along −y. Planes of all shapes are the x-y plane of ground.
std::string flat_deck(const std::string& body) {
  return "contact\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\n"
         "MARKER/1, PART=1\n" +
         body + "END\n";
}

/// A disc of radius 0.1 and mass 2.
std::string disc(const std::string& start, int id = 2) {
  return fmt::format(
      "PART/{0}, MASS=2, IP=0.005, 0.005, 0.01, CM={0}0, {1}\nMARKER/{0}0, PART={0}\n"
      "GRAPHICS/{0}, CIRCLE, CM={0}0, RADIUS=0.1\n",
      id, start);
}

constexpr const char* law =
    ", STIFFNESS=1E6, EXPONENT=1, DAMPING=1E3, DMAX=1E-6, COULOMB_FRICTION=ON, MU_STATIC=0.2, "
    "MU_DYNAMIC=0.2\n"
    ", STICTION_TRANSITION_VELOCITY=1E-5, FRICTION_TRANSITION_VELOCITY=2E-5\n";

/// A line from x = −1 to 2 in three parts, a CURVE (y = 0) and a PLANE that are one ground.
constexpr const char* grounds[] = {
    "MARKER/5, PART=1, REULER=0,-90D,0\nGRAPHICS/1, PLANE, RM=5\n",
    "MARKER/6, PART=1, QP=-1,0,0\nMARKER/7, PART=1, QP=0.3,0,0\nMARKER/8, PART=1, QP=0.5,0,0\n"
    "MARKER/9, PART=1, QP=2,0,0\nGRAPHICS/1, OUTLINE=6,7,8,9\n",
    "MATRIX/1, FULL, RORDER, ROWS=5, COLUMNS=3, VALUES=-1,0,0, 0,0,0, 0.7,0,0, 1,0,0, 2,0,0\n"
    "CURVE/1, MATRIX=1, CURVE_POINTS\nGRAPHICS/1, CURVE, CID=1, CRM=1\n"};

/// A disc set down with v₀ that does not turn slides until t = v₀/(3 μ g) and rolls with 2/3 v₀ (J = m r²/2).
TEST(PlanarContact, a_disc_comes_from_sliding_to_rolling) {
  const double g = 9.81, mu = 0.2, v0 = 2, depth = 2 * g / 1e6, rolls = v0 / (3 * mu * g);
  for (const char* ground : grounds) {
    Recording r(flat_deck(ground + disc(fmt::format("QG=0,{:.17g},0, VX=2", 0.1 - depth)) +
                          "ACCGRAV/JGRAV=-9.81\nCONTACT/1, IGEOM=2, JGEOM=1" + law +
                          "INTEGRATOR/GSTIFF, SI2, ERROR=1E-9\n"));
    r.simulation->run(dynamics_analysis, {0.6, 60});
    for (std::size_t n = 1; n < r.time.size(); ++n) {
      const double t = r.time[n];
      // The forces act in the middle of the overlap, half its depth of 2e-5 above the rim of 0.1.
      EXPECT_NEAR(r.at(n, "PART/2", "VX"), t < rolls ? v0 - mu * g * t : 2.0 / 3 * v0, 5e-4) << ground << t;
      EXPECT_NEAR(r.at(n, "PART/2", "Y"), 0.1 - depth, 1e-7) << ground << t;
    }
    const std::size_t last = r.time.size() - 1;
    EXPECT_NEAR(-r.at(last, "PART/2", "WZ") * (0.1 - depth / 2), r.at(last, "PART/2", "VX"), 2e-5);
    EXPECT_EQ(r.at(last, "CONTACT/1", "COUNT"), 1);
  }
}

/// φ of φ" = −g/l sin φ by steps of Runge-Kutta.
double pendulum(double phi, double length, double end) {
  const int steps = 20000;
  const double h = end / steps;
  double w = 0;
  const auto a = [&](double x) { return -9.81 / length * std::sin(x); };
  for (int n = 0; n < steps; ++n) {
    const double x1 = w, v1 = a(phi), x2 = w + h / 2 * v1, v2 = a(phi + h / 2 * x1), x3 = w + h / 2 * v2,
                 v3 = a(phi + h / 2 * x2), x4 = w + h * v3, v4 = a(phi + h * x3);
    phi += h / 6 * (x1 + 2 * x2 + 2 * x3 + x4);
    w += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
  }
  return phi;
}

/// Without friction a disc slides in a trough as a pendulum of length R − r: in an ARC, open above, in a
/// CIRCLE that is solid outside, and a POINT in a CURVE through points of a circle.
TEST(PlanarContact, a_disc_in_a_trough_is_a_pendulum) {
  const double phi = 0.9, k = 1e8;
  std::string spline;
  constexpr int points = 128;
  for (int n = 0; n <= points; ++n) {
    const double a = 2 * M_PI * n / points;
    spline += fmt::format("\n, {:.17g}, {:.17g}, 0", std::cos(a), std::sin(a));
  }
  const struct {
    std::string trough, flip;
    double radius;
  } cases[] = {
      {"MARKER/2, PART=1, REULER=190D,0,0\nGRAPHICS/1, ARC, CM=2, RADIUS=1, RANGLE=160D\n", "", 0.1},
      {"GRAPHICS/1, CIRCLE, CM=1, RADIUS=1\n", ", JFLIP=1", 0.1},
      {fmt::format("MATRIX/1, FULL, RORDER, ROWS={}, COLUMNS=3, VALUES=", points + 1) + spline.substr(3) +
           "\nCURVE/1, CLOSED, MATRIX=1, CURVE_POINTS\nGRAPHICS/1, CURVE, CID=1, CRM=1\n",
       ", JFLIP=1", 0},
  };
  for (const auto& c : cases) {
    const double length = 1 - c.radius, weight = 2 * 9.81;
    const double at = length + weight * std::cos(phi) / k;  // where the force is that of rest at φ
    const std::string body =
        c.radius > 0 ? disc(fmt::format("QG={:.17g},{:.17g},0", at * std::sin(phi), -at * std::cos(phi)))
                     : fmt::format(
                           "PART/2, MASS=2, IP=1,1,1, CM=20, QG={:.17g},{:.17g},0\nMARKER/20, PART=2\n"
                           "GRAPHICS/2, POINT, RM=20\n",
                           at * std::sin(phi), -at * std::cos(phi));
    Recording r(flat_deck(c.trough + body + "ACCGRAV/JGRAV=-9.81\nCONTACT/1, IGEOM=2, JGEOM=1" + c.flip +
                          ", STIFFNESS=1E8, EXPONENT=1, DAMPING=1E3, DMAX=1E-9\n"
                          "INTEGRATOR/GSTIFF, SI2, ERROR=1E-8\n"));
    r.simulation->run(dynamics_analysis, {1.5, 15});
    for (std::size_t n = 1; n < r.time.size(); ++n) {
      const double expected = pendulum(phi, length, r.time[n]);
      EXPECT_NEAR(std::atan2(r.at(n, "PART/2", "X"), -r.at(n, "PART/2", "Y")), expected, 1e-5)
          << c.trough.substr(0, 40) << r.time[n];
    }
  }
}

/// Bodies of all kinds of curves that fly together in a plane: what one loses the others get.
TEST(PlanarContact, momenta_of_an_isolated_heap_stay) {
  std::string
      bodies =
          "MATRIX/1, FULL, RORDER, ROWS=7, COLUMNS=3, VALUES=0.15,0,0, 0.05,0.1,0, -0.1,0.1,0, -0.15,0,0\n"
          ", -0.05,-0.1,0, 0.1,-0.1,0, 0.15,0,0\nCURVE/1, CLOSED, MATRIX=1, CURVE_POINTS\n",
      contacts;
  const auto start = [](int k) {
    const double a = 2 * M_PI * k / 5;
    return fmt::format("QG={:.6f},{:.6f},0, VX={:.6f}, VY={:.6f}, WZ={}", 0.4 * std::cos(a),
                       0.4 * std::sin(a), -2 * std::cos(a), -2 * std::sin(a), k);
  };
  bodies += disc(start(2), 2) + disc(start(3), 3);
  bodies += "PART/4, MASS=2, IP=0.005, 0.005, 0.01, CM=40, " + start(4) +
            "\nMARKER/40, PART=4\nGRAPHICS/4, CURVE, CID=1, CRM=40\n";
  // Seen from the other side: the z axis of its frame is reversed.
  bodies +=
      "PART/5, MASS=2, IP=0.005, 0.005, 0.01, CM=50, " + start(5) +
      "\nMARKER/50, PART=5\nMARKER/51, PART=5, QP=0.15,0,0, REULER=0,180D,0\nMARKER/52, PART=5, QP=0,0.15,0\n"
      "MARKER/53, PART=5, QP=-0.05,0,0\nMARKER/54, PART=5, QP=0,-0.15,0\nGRAPHICS/5, OUTLINE=51,52,53,54,51\n"
      "MARKER/55, PART=5, QP=0.1,0,0\nGRAPHICS/6, ARC, CM=55, RADIUS=0.1, RANGLE=130D\n";
  int contact = 0;
  for (int k = 3; k <= 5; ++k)
    for (int j = 2; j < k; ++j) {
      contacts += fmt::format(
          "CONTACT/{}, IGEOM={}{}, JGEOM={}, STIFFNESS=1E5, EXPONENT=1.5, DAMPING=20, DMAX=1E-3\n"
          ", COULOMB_FRICTION=ON, MU_STATIC=0.5, MU_DYNAMIC=0.4, STICTION_TRANSITION_VELOCITY=0.01\n"
          ", FRICTION_TRANSITION_VELOCITY=0.1\n",
          ++contact, k, k == 5 ? ",6" : "", j);
      // Moment of action and reaction about the origin of ground.
      contacts += fmt::format(
          "REQUEST/{0}, F2=CONTACT({0},0,8,0)+CONTACT({0},1,8,0)+DX({1}0,1)*CONTACT({0},0,3,0)"
          "-DY({1}0,1)*CONTACT({0},0,2,0)+DX({2}0,1)*CONTACT({0},1,3,0)-DY({2}0,1)*CONTACT({0},1,2,0)\\\n",
          contact, k, j);
    }
  Recording r(flat_deck(bodies + contacts + "INTEGRATOR/HHT, ERROR=1E-6\n"));
  r.simulation->run(dynamics_analysis, {0.5, 50});
  const auto sums = [&](std::size_t n) {
    Vec3d p, l;
    double energy = 0;
    for (int k = 2; k <= 5; ++k) {
      const std::string part = fmt::format("PART/{}", k);
      const Vec3d x{r.at(n, part, "X"), r.at(n, part, "Y"), r.at(n, part, "Z")},
          v{r.at(n, part, "VX"), r.at(n, part, "VY"), r.at(n, part, "VZ")};
      p += 2.0 * v;
      l += 2.0 * cross(x, v) + Vec3d{0, 0, 0.01 * r.at(n, part, "WZ")};
      energy += dot(v, v) + 0.005 * std::pow(r.at(n, part, "WZ"), 2);
      EXPECT_NEAR(x.z, 0, 1e-15);
    }
    return std::tuple{p, l, energy};
  };
  const auto [p0, l0, e0] = sums(0);
  double most = 0;
  for (std::size_t n = 1; n < r.time.size(); ++n) {
    const auto [p, l, e] = sums(n);
    EXPECT_LT(norm(p - p0), 1e-12) << n;  // of 16 kg m/s that move about; HHT sums forces of both ends
    EXPECT_LT(norm(l - l0), 1e-4) << n;   // of 1: as HHT turns at its ERROR; forces have no moment:
    for (int k = 1; k <= contact; ++k) {
      EXPECT_NEAR(r.at(n, fmt::format("REQUEST/{}", k), "F2"), 0, 1e-12 * (1 + most)) << n;
      most = std::max(most, r.at(n, fmt::format("CONTACT/{}", k), "FM"));
    }
    EXPECT_LT(e, e0 * (1 + 1e-6));
  }
  EXPECT_GT(most, 100);
  EXPECT_LT(std::get<2>(sums(r.time.size() - 1)), 0.8 * e0);
}

TEST(PlanarContact, what_it_cannot_take_is_told) {
  const auto message = [](const std::string& shapes, const std::string& more = "") {
    try {
      Recording r(
          flat_deck("PART/2, MASS=1, IP=1,1,1, CM=20\nMARKER/20, PART=2\nMARKER/21, PART=2, QP=1,0,0\n"
                    "MARKER/22, PART=2, QP=0,1,0\nMARKER/23, PART=2, QP=1,1,0\n" +
                    shapes + "\nCONTACT/1, IGEOM=2, JGEOM=1, STIFFNESS=1, EXPONENT=1" + more + "\n"));
      return std::string();
    } catch (const Failure& failure) {
      return fmt::format("{} {}", static_cast<int>(failure.code()), failure.what());
    }
  };
  const auto expect = [&](const std::string& text, const std::string& shapes, const std::string& more = "") {
    const std::string got = message(shapes, more);
    EXPECT_NE(got.find(text), std::string::npos) << got;
  };
  const std::string circle = "GRAPHICS/2, CIRCLE, CM=20, RADIUS=1\n",
                    ground = "GRAPHICS/1, CIRCLE, CM=1, RADIUS=9\n";
  expect("4 test.adm:12: CONTACT/1: GRAPHICS/2 is CIRCLE, in a plane, and GRAPHICS/1 is ELLIPSOID, a solid",
         circle + "GRAPHICS/1, ELLIPSOID, CM=1, XSCALE=1, YSCALE=1, ZSCALE=1");
  expect("CONTACT/1: IFLIP turns curves and makes solids holes; GRAPHICS/2 is PLANE, which its marker turns",
         "GRAPHICS/2, PLANE, RM=20\n" + ground, ", IFLIP=2");
  expect("CONTACT/1: GRAPHICS/1 of IFLIP is not in IGEOM", circle + ground, ", IFLIP=1");
  expect("3 test.adm:13: CONTACT/1: GRAPHICS/2 and GRAPHICS/1 are both solid without end", circle + ground,
         ", IFLIP=2, JFLIP=1");
  expect("GRAPHICS/2: RANGLE is missing, and CONTACT/1 needs it",
         "GRAPHICS/2, ARC, CM=20, RADIUS=1\n" + ground);
  expect("GRAPHICS/2: it crosses itself, and CONTACT/1 needs an inside",
         "GRAPHICS/2, OUTLINE=20,23,21,22,20\n" + ground);
  EXPECT_EQ(message(circle + ground, ", JFLIP=1"), "");
}

}  // namespace
}  // namespace trammel::planar_contact_test
