// Many CONTACTs: those that are near have places in the matrix, and numbers do not depend on which have.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/simulate.h"
#include "assemble/structure.h"

namespace trammel::many_contacts_test {
namespace {

using namespace test;

constexpr int balls = 12;
constexpr const char* law =
    "IMPACT, STIFFNESS=1E5, EXPONENT=1.5, DAMPING=50, DMAX=1E-3,\n"
    ", COULOMB_FRICTION=ON, MU_STATIC=0.5, MU_DYNAMIC=0.3,\n"
    ", STICTION_TRANSITION_VELOCITY=0.01, FRICTION_TRANSITION_VELOCITY=0.1\n";

/// Balls above a floor, in pairs; they fall on it and on each other. With every CONTACT between two of them,
/// 78 in all, or one CONTACT of all.
std::string falling_balls(bool as_group) {
  std::string deck =
      "many\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nACCGRAV/KGRAV=-9.81\n"
      "PART/1, GROUND\nMARKER/1, PART=1\nGRAPHICS/1, PLANE, RM=1\n";
  std::string shapes;
  for (int k = 0; k < balls; ++k) {
    deck += fmt::format(
        "PART/{0}, MASS=2, IP=0.008, 0.008, 0.008, CM={0}0, QG={1},{2},{3}\nMARKER/{0}0, PART={0}\n"
        "GRAPHICS/{0}, ELLIPSOID, CM={0}0, XSCALE=0.2, YSCALE=0.2, ZSCALE=0.2\n",
        10 + k, 0.8 * (k / 2), 0.01 * (k % 2), 0.11 + 0.4 * (k % 2));
    shapes += fmt::format("{}{}", k ? "," : "", 10 + k);
  }
  if (as_group)
    deck += "CONTACT/1, IGEOM=" + shapes + ", JGEOM=1," + shapes + ", " + law;
  else
    for (int k = 0, id = 1; k < balls; ++k)
      for (int j = -1; j < k; ++j)
        deck += fmt::format("CONTACT/{}, IGEOM={}, JGEOM={}, {}", id++, 10 + k, j < 0 ? 1 : 10 + j, law);
  return deck + "INTEGRATOR/GSTIFF, SI2, ERROR=1E-9\nEND\n";
}

// Upper balls meet lower ones after 0.2 s; their places come and the matrix stays sparse.
TEST(ManyContacts, move_as_a_group_does_in_a_sparse_matrix) {
  Recording many(falling_balls(false)), group(falling_balls(true));
  ASSERT_EQ(many.simulation->model().contacts.size(), 78u);
  std::size_t entries[2];
  for (Recording* r : {&many, &group}) r->simulation->run(dynamics_analysis, {0.1, 4});
  entries[0] = many.simulation->assembler().pattern().nonzeros();
  for (Recording* r : {&many, &group}) r->simulation->run(dynamics_analysis, {0.4, 12});
  entries[1] = many.simulation->assembler().pattern().nonzeros();
  // A matrix of blocks 6×6: each with itself, then with the other of its pair, besides.
  EXPECT_LE(entries[0], 36u * balls);
  EXPECT_GT(entries[1], entries[0]);
  EXPECT_LE(entries[1], 2 * 36u * balls);
  for (int k = 0; k < balls; ++k) {
    const std::string part = fmt::format("PART/{}", 10 + k);
    const Vec3d a = many.vector(many.time.size() - 1, part, "X", "Y", "Z"),
                b = group.vector(group.time.size() - 1, part, "X", "Y", "Z");
    EXPECT_LT(norm(a - b), 1e-6) << part;  // ERROR of both, over some impacts
    EXPECT_GT(b[2], 0.05);
  }
}

// A block on a spring that pulls it to a stop, which is out of reach at first: k (x − d) = K g^1.5.
TEST(ManyContacts, statics_finds_those_that_come_near_on_its_way) {
  std::string deck =
      "stop\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n"
      "MARKER/2, PART=1, REULER=90D,90D,0\nMARKER/3, PART=1, QP=3,0,0\n"
      "GRAPHICS/3, ELLIPSOID, CM=3, XSCALE=0.2, YSCALE=0.2, ZSCALE=0.2\n"
      "PART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\nMARKER/21, PART=2, REULER=90D,90D,0\n"
      "GRAPHICS/20, ELLIPSOID, CM=20, XSCALE=0.2, YSCALE=0.2, ZSCALE=0.2\n"
      "JOINT/1, TRANSLATIONAL, I=21, J=2\n"
      "SFORCE/1, TRANSLATIONAL, I=20, J=2, ACTIONONLY, FUNCTION=-100*(DX(20,1)-2.85)\n";
  for (int k = 1; k <= 64; ++k)  // one would do; others are far away
    deck += fmt::format(
        "MARKER/{0}, PART=1, QP=0,{1},0\nGRAPHICS/{0}, ELLIPSOID, CM={0}, XSCALE=0.2, YSCALE=0.2, "
        "ZSCALE=0.2\n"
        "CONTACT/{0}, IGEOM=20, JGEOM={2}, IMPACT, STIFFNESS=1E5, EXPONENT=1.5, DMAX=1E-3\n",
        100 + k, 10 * k, k == 64 ? 3 : 100 + k);
  Recording r(deck + "END\n");
  r.simulation->run(statics_analysis);
  double low = 0, high = 0.1;  // depth
  for (int k = 0; k < 60; ++k) {
    const double g = 0.5 * (low + high), x = 3 - 0.2 + g;
    (100 * (2.85 - x) > 1e5 * std::pow(g, 1.5) ? low : high) = g;
  }
  EXPECT_NEAR(r.at(r.values.size() - 1, "PART/2", "X"), 2.8 + low, 1e-6);  // IMBALANCE 1e-4 over 1e3 N/m
}

}  // namespace
}  // namespace trammel::many_contacts_test
