// What results tell of each overlap, against the sums of forces and the motion they cause.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "../support/simulate.h"

namespace trammel::contact_incidents_test {
namespace {

using namespace test;

constexpr const char* head =
    "incidents\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\n"
    "ACCGRAV/KGRAV=-9.81\nPART/1, GROUND\nMARKER/1, PART=1\nMARKER/2, PART=1, REULER=0D,-60D,0D\n"
    "GRAPHICS/1, PLANE, RM=1\nGRAPHICS/2, PLANE, RM=2\n";
constexpr const char* law =
    "IMPACT, STIFFNESS=1E5, EXPONENT=1.5, DAMPING=50, DMAX=1E-3,\n"
    ", COULOMB_FRICTION=ON, MU_STATIC=0.5, MU_DYNAMIC=0.3,\n"
    ", STICTION_TRANSITION_VELOCITY=0.01, FRICTION_TRANSITION_VELOCITY=0.1\n";

std::string ball(int id, const std::string& start) {
  return fmt::format(
      "PART/{0}, MASS=2, IP=0.008, 0.008, 0.008, CM={0}0, {1}\nMARKER/{0}0, PART={0}\n"
      "GRAPHICS/{0}, ELLIPSOID, CM={0}0, XSCALE=0.2, YSCALE=0.2, ZSCALE=0.2\n",
      id, start);
}

/// Friction is along the surfaces, against the slip, and within μ_s of the normal force.
void expect_coulomb(const ContactIncident& i) {
  const double N = norm(i.normal_force), F = norm(i.friction);
  EXPECT_LE(F, 0.5 * N * (1 + 1e-12));
  EXPECT_NEAR(dot(i.friction, i.normal_force), 0, 1e-12 * N * N);
  EXPECT_NEAR(dot(i.slip, i.normal_force), 0, 1e-12 * N * (1 + norm(i.slip)));
  EXPECT_NEAR(norm(cross(i.friction, i.slip)), 0, 1e-12 * N * (1 + norm(i.slip)));
  EXPECT_LE(dot(i.friction, i.slip), 0);
  EXPECT_GT(i.depth, 0);
}

// A ball that slides and spins in a corner of two planes: the overlaps sum up to the channels of CONTACT.
TEST(ContactIncidents, sum_up_to_the_force_and_torque_of_their_contact) {
  Recording r(head + ball(3, "QG=0.3,0.4,0.12, VX=0.4, VY=-2, WZ=3") + "CONTACT/5, IGEOM=3, JGEOM=1,2, " +
              law + "INTEGRATOR/GSTIFF, SI2, ERROR=1E-6\nEND\n");
  r.simulation->run(dynamics_analysis, {0.6, 120});
  ASSERT_EQ(r.incidents.size(), r.values.size());
  std::size_t in_both = 0;
  for (std::size_t k = 0; k < r.values.size(); ++k) {
    const Vec3d center = r.vector(k, "PART/3", "X", "Y", "Z");
    Vec3d force, torque;
    for (const ContactIncident& i : r.incidents[k]) {
      EXPECT_EQ(i.contact, 5);
      EXPECT_EQ(i.shape_I, 3);
      EXPECT_TRUE(i.shape_J == 1 || i.shape_J == 2);
      expect_coulomb(i);
      force += i.normal_force + i.friction;
      torque += cross(i.point - center, i.normal_force + i.friction);
    }
    in_both += r.incidents[k].size() == 2;
    EXPECT_EQ(r.at(k, "CONTACT/5", "COUNT"), static_cast<double>(r.incidents[k].size()));
    const double size = 1 + norm(force);
    EXPECT_LT(norm(force - r.vector(k, "CONTACT/5", "FX", "FY", "FZ")), 1e-12 * size) << k;
    EXPECT_LT(norm(torque - r.vector(k, "CONTACT/5", "TX", "TY", "TZ")), 1e-12 * size) << k;
  }
  EXPECT_GT(in_both, 2u);
}

// Balls that fall on each other: what acts on each of them moves it, m a = m g + Σ F, to what the corrector
// leaves of a force of some 1e3.
TEST(ContactIncidents, of_many_bodies_move_each_of_them) {
  std::string deck = head;
  std::string shapes;
  for (int k = 0; k < 6; ++k) {
    deck += ball(10 + k, fmt::format("QG={},{},{}", 0.11 * (k % 2) + 0.01 * k, 0.05 * (k % 3),
                                     0.101 + 0.16 * (k / 2)));
    shapes += fmt::format("{}{}", k ? "," : "", 10 + k);
  }
  Recording r(deck + "CONTACT/5, IGEOM=" + shapes + ", JGEOM=1," + shapes + ", " + law +
              "INTEGRATOR/ABAM, ERROR=1E-8\nEND\n");
  r.simulation->run(dynamics_analysis, {0.3, 60});
  ASSERT_EQ(r.incidents.size(), r.values.size());
  std::size_t most = 0;
  for (std::size_t k = 0; k < r.values.size(); ++k) {
    std::map<int, Vec3d> on;
    for (const ContactIncident& i : r.incidents[k]) {
      expect_coulomb(i);
      on[i.shape_I] += i.normal_force + i.friction;
      on[i.shape_J] += -1.0 * (i.normal_force + i.friction);
    }
    most = std::max(most, r.incidents[k].size());
    EXPECT_EQ(r.at(k, "CONTACT/5", "COUNT"), static_cast<double>(r.incidents[k].size()));
    for (int id = 10; id < 16; ++id) {
      const Vec3d a = r.vector(k, fmt::format("PART/{}", id), "ACCX", "ACCY", "ACCZ");
      EXPECT_LT(norm(2.0 * (a + Vec3d{0, 0, 9.81}) - on[id]), 1e-7) << id << " at " << r.time[k];
    }
  }
  EXPECT_GT(most, 5u);
}

}  // namespace
}  // namespace trammel::contact_incidents_test
