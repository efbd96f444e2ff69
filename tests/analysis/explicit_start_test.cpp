// VARIABLEs and rates that follow from what is known have their values before any function reads them.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/simulate.h"

namespace trammel::explicit_start_test {
namespace {

using namespace test;

/// A part of 2 kg at (3, 0, 0) that moves with 5 m/s along x, and statements.
std::string moving_part(const std::string& statements) {
  return "moving\nUNITS/SYSTEM=MKS\nPART/1, GROUND\nMARKER/1, PART=1\n"
         "PART/2, QG=3,0,0, MASS=2, CM=2, IP=1,1,1, VX=5\nMARKER/2, PART=2\n" +
         statements + "END\n";
}

/// The value of VARIABLE/2 at the start, where VARIABLE/1 = 4 follows from VARIABLE/3.
double value_of(const std::string& function) {
  Recording r(moving_part("VARIABLE/2, FUNCTION=" + function +
                          "\nVARIABLE/1, FUNCTION=VARVAL(3)+1\nVARIABLE/3, FUNCTION=DX(2,1)\n"));
  r.simulation->initialize();
  r.simulation->record_initial();
  return r.at(0, "VARIABLE/2", "Q");
}

TEST(ExplicitStart, functions_that_have_no_value_at_0) {
  EXPECT_DOUBLE_EQ(value_of("1/VARVAL(1)"), 0.25);
  EXPECT_DOUBLE_EQ(value_of("LOG(VARVAL(1))"), std::log(4.0));
  EXPECT_DOUBLE_EQ(value_of("LOG10(VARVAL(1))"), std::log10(4.0));
  EXPECT_DOUBLE_EQ(value_of("MOD(9,VARVAL(1))"), 1);
  EXPECT_DOUBLE_EQ(value_of("SQRT(VARVAL(1)-3.75)"), 0.5);
  EXPECT_DOUBLE_EQ(value_of("EXP(1/VARVAL(1))"), std::exp(0.25));
  EXPECT_DOUBLE_EQ(value_of("STEP(2,0,1,VARVAL(1),5)"), 3);  // midway
  EXPECT_DOUBLE_EQ(value_of("ACOS(VARVAL(1)-4.5)"), std::acos(-0.5));
}

TEST(ExplicitStart, forces_read_them) {
  Recording r(
      moving_part("SFORCE/1, TRANSLATION, ACTIONONLY, I=2, J=1, FUNCTION=1/VARVAL(1)\n"
                  "VARIABLE/1, FUNCTION=VX(2,1)-1\n"));
  r.simulation->initialize();
  r.simulation->record_initial();
  EXPECT_DOUBLE_EQ(r.at(0, "PART/2", "ACCZ"), 0.125);  // 1/4 N on 2 kg
}

TEST(ExplicitStart, rates_and_outputs_of_systems) {
  Recording r(
      moving_part("VARIABLE/2, FUNCTION=1/DIF1(1)\nDIFF/1, IC=7, FUNCTION=DIF(1)-3\n"
                  "VARIABLE/4, FUNCTION=1/ARYVAL(3,1)\nVARIABLE/1, FUNCTION=4\n"
                  "ARRAY/1, X\nARRAY/2, U, VARIABLES=1\nARRAY/3, Y\nARRAY/4, IC, NUMBERS=2\n"
                  "MATRIX/1, FULL=RORDER, ROWS=1, COLUMNS=1, VALUES=-1\n"
                  "MATRIX/2, FULL=RORDER, ROWS=1, COLUMNS=1, VALUES=3\n"
                  "LSE/1, X=1, U=2, Y=3, IC=4, A=1, B=2, C=2, D=2\n"));
  r.simulation->initialize();
  r.simulation->record_initial();
  EXPECT_DOUBLE_EQ(r.at(0, "VARIABLE/2", "Q"), 0.25);
  EXPECT_DOUBLE_EQ(r.at(0, "VARIABLE/4", "Q"), 1.0 / 18);  // y = 3 · 2 + 3 · 4
}

/// A part of 1 kg under 9 m/s² along −z that a joint holds, or nothing, and VARIABLE/2.
double value_with_gravity(const std::string& statements) {
  Recording r(
      "weight\nUNITS/SYSTEM=MKS\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1, CM=2, IP=1,1,1\n"
      "MARKER/2, PART=2\nACCGRAV/KGRAV=-9\n" +
      statements + "END\n");
  r.simulation->initialize();
  r.simulation->record_initial();
  return r.at(0, "VARIABLE/2", "Q");
}

TEST(ExplicitStart, reactions_accelerations_and_applied_forces) {
  const std::string held = "JOINT/1, FIXED, I=2, J=1\n";
  EXPECT_NEAR(value_with_gravity(held + "VARIABLE/2, FUNCTION=1/FZ(2,1)\n"), 1.0 / 9, 1e-14);
  EXPECT_NEAR(
      value_with_gravity(held + "VARIABLE/2, FUNCTION=LOG(VARVAL(3))\nVARIABLE/3, FUNCTION=FZ(2,1)/3\n"),
      std::log(3.0), 1e-14);
  EXPECT_NEAR(value_with_gravity(held + "VARIABLE/2, FUNCTION=FX(2,1)/FZ(2,1)\n"), 0, 1e-14);
  EXPECT_NEAR(value_with_gravity("VARIABLE/2, FUNCTION=1/ACCZ(2,1)\n"), -1.0 / 9, 1e-14);
  EXPECT_NEAR(value_with_gravity("VARIABLE/2, FUNCTION=DIF1(1)\nDIFF/1, FUNCTION=1/ACCZ(2,1)\n"), -1.0 / 9,
              1e-14);
  EXPECT_NEAR(value_with_gravity("VARIABLE/2, FUNCTION=1/FZ(2,1)\n"
                                 "SFORCE/1, TRANSLATION, ACTIONONLY, I=2, J=1, FUNCTION=4\n"),
              0.25, 1e-14);
}

/// Beside them what depends on itself: V/2 + 1/9 = V at V = 2/9.
TEST(ExplicitStart, circles_behind_reactions) {
  EXPECT_NEAR(value_with_gravity("JOINT/1, FIXED, I=2, J=1\nVARIABLE/2, FUNCTION=VARVAL(2)/2+VARVAL(3)\n"
                                 "VARIABLE/3, FUNCTION=1/FZ(2,1)\n"),
              2.0 / 9, 1e-14);
}

/// A force that reads its own joint's reaction is part of what is to be solved for.
TEST(ExplicitStart, what_the_motion_needs_is_not_left_out) {
  const std::string deck =
      "JOINT/1, FIXED, I=2, J=1\nVARIABLE/2, FUNCTION=1/FZ(2,1)\n"
      "SFORCE/1, TRANSLATION, ACTIONONLY, I=2, J=1, FUNCTION=VARVAL(2)\n";
  EXPECT_THROW(value_with_gravity(deck), Failure);
}

/// What depends on itself begins at IC: x² = 2 has two solutions.
TEST(ExplicitStart, circles_begin_at_ic) {
  for (const double sign : {1.0, -1.0}) {
    Recording r(moving_part(
        fmt::format("VARIABLE/1, IC={}, FUNCTION=2/VARVAL(1)+0*VARVAL(2)\nVARIABLE/2, FUNCTION=4\n", sign)));
    r.simulation->initialize();
    r.simulation->record_initial();
    EXPECT_NEAR(r.at(0, "VARIABLE/1", "Q"), sign * std::sqrt(2.0), 1e-12);
  }
}

/// A spring of 1/VARVAL(1) = 1/4 N/m against 1 N: equilibrium 4 m above.
TEST(ExplicitStart, statics_begins_with_them) {
  Recording r(
      "spring\nUNITS/SYSTEM=MKS\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, QG=3,0,0, MASS=2, CM=2, IP=1,1,1\n"
      "MARKER/2, PART=2\nMARKER/3, PART=1, QP=3,0,0\nJOINT/1, TRANSLATIONAL, I=2, J=3\n"
      "SFORCE/1, TRANSLATION, ACTIONONLY, I=2, J=1, FUNCTION=1-DZ(2,1)/VARVAL(1)\n"
      "VARIABLE/1, FUNCTION=DX(2,1)+1\nEND\n");
  r.simulation->run(statics_analysis);
  EXPECT_NEAR(r.values.back()[r.column("PART/2", "Z")], 4, 1e-9);
}

}  // namespace
}  // namespace trammel::explicit_start_test
