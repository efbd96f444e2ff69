// States of DIFF, LSE, TFSISO at rest, by every search for an equilibrium, against closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "../support/simulate.h"

namespace trammel::resting_states_test {
namespace {

using namespace test;

constexpr const char* methods[] = {"ORIGINAL", "ADVANCED", "AGGRESSIVE", "FUNNEL"};
constexpr double part = 1e-6;  // of the value: states end with a hundredth of ERROR = 1e-4 to go
/// A body of 1 kg on springs of 100 N/m, at rest without load; an action along x on it from marker 12.
constexpr const char* body =
    "title\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\n"
    "PART/1,GROUND\nMARKER/1,PART=1\nMARKER/12,PART=1,QP=-1,0,0\n"
    "PART/2,MASS=1,CM=20,IP=1,1,1\nMARKER/20,PART=2\n"
    "BUSHING/1,I=20,J=1,K=100,100,100,KT=10,10,10\n";

Recording at_rest(const std::string& lines, const std::string& method) {
  Recording r(body + lines + "EQUILIBRIUM/METHOD=" + method + "\nEND\n");
  r.simulation->run(statics_analysis);
  return r;
}

std::string failure_of(const std::string& lines, const std::string& method) {
  try {
    at_rest(lines, method);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::solver);
    return failure.what();
  }
  return "";
}

/// τ y' = U − y rests at y = U, τ y' + y − U = 0 and a TFSISO 1/(1 + τ s) as well.
TEST(RestingStates, are_where_their_rates_vanish_however_slow_they_are) {
  for (const char* method : methods)
    for (const double U : {0.01, 1.0})
      for (const double tau : {0.05, 1.0, 100.0, 1e4, 1e6, 1e7}) {
        const std::string where = fmt::format("{} {} {}", method, U, tau);
        const Recording r = at_rest(
            fmt::format(
                "VARIABLE/1,FUNCTION={0}\nDIFF/1,FUNCTION=(VARVAL(1)-DIF(1))/{1:.17g}\n"
                "DIFF/2,IMPLICIT,FUNCTION={1:.17g}*DIF1(2)+DIF(2)-{0}\n"
                "ARRAY/1,U,VARIABLES=1\nARRAY/2,X\nARRAY/3,Y\nTFSISO/1,X=2,U=1,Y=3,NUM=1,DEN=1,{1:.17g}\n"
                "REQUEST/1,F1=DIF(1)\\F2=DIF(2)\\F3=ARYVAL(3,1)\n",
                U, tau),
            method);
        for (const char* component : {"F1", "F2", "F3"})
          EXPECT_NEAR(r.at(0, "REQUEST/1", component), U, part * U) << where << component;
      }
}

/// The body goes by y / 100 where a slow state pushes it with y; from y = 0.9 the first correction of a state
/// of 1e6 s is a small one.
TEST(RestingStates, push_bodies_to_where_they_rest) {
  for (const char* method : methods)
    for (const double ic : {0.0, 0.9})
      for (const double tau : {1.0, 1e4, 1e7}) {
        const Recording r =
            at_rest(fmt::format("DIFF/1,IC={},FUNCTION=(1-DIF(1))/{:.17g}\nSFORCE/1,TRANSLATION,I=20,J=12,"
                                "FUNCTION=DIF(1)\nREQUEST/1,F1=DIF(1)\\F2=DX(20)\n",
                                ic, tau),
                    method);
        EXPECT_NEAR(r.at(0, "REQUEST/1", "F1"), 1, part) << method << ic << tau;
        EXPECT_NEAR(r.at(0, "REQUEST/1", "F2"), 0.01, part * 0.01) << method << ic << tau;
      }
}

/// A body at rest under its load 0.3 m from where a filter of 0.05 s begins: y = x.
TEST(RestingStates, follow_bodies_that_are_at_rest_already) {
  for (const char* method : methods) {
    Recording r(std::string("title\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\n"
                            "PART/1,GROUND\nMARKER/1,PART=1\nMARKER/11,PART=1,REULER=90D,90D,0\n"
                            "MARKER/12,PART=1,QP=-5,0,0\nPART/2,MASS=2,CM=20,IP=1,1,1,QG=0.3,0,0\n"
                            "MARKER/20,PART=2\nMARKER/21,PART=2,REULER=90D,90D,0\n"
                            "JOINT/1,TRANSLATIONAL,I=21,J=11\n"
                            "SFORCE/1,TRANSLATION,I=20,J=12,FUNCTION=15-50*DX(20)-10*VX(20)\n"
                            "DIFF/1,FUNCTION=20*(DX(20)-DIF(1))\nREQUEST/1,F1=DIF(1)\n"
                            "EQUILIBRIUM/METHOD=") +
                method + "\nEND\n");
    r.simulation->run(statics_analysis);
    EXPECT_NEAR(r.at(0, "REQUEST/1", "F1"), 0.3, part * 0.3) << method;
  }
}

/// x' = 1e-9 (0.5 − X) pushes the body until it is at 0.5 m: x = 50 N. x' = V, V = (1 − x) / 1e6: x = 1.
/// y'' = 1e-8 (1 − y) − 1e-7 y': y = 1.
TEST(RestingStates, rest_where_others_answer_them) {
  for (const char* method : methods) {
    const Recording r = at_rest(
        "DIFF/1,FUNCTION=1E-9*(0.5-DX(20))\nSFORCE/1,TRANSLATION,I=20,J=12,FUNCTION=DIF(1)\n"
        "VARIABLE/2,FUNCTION=(1-DIF(2))*1E-6\nDIFF/2,FUNCTION=VARVAL(2)\n"
        "DIFF/3,FUNCTION=1E-4*DIF(4)\nDIFF/4,FUNCTION=1E-4*(1-DIF(3)-1E-3*DIF(4))\n"
        "REQUEST/1,F1=DIF(1)\\F2=DIF(2)\\F3=DIF(3)\\F4=DX(20)\n",
        method);
    EXPECT_NEAR(r.at(0, "REQUEST/1", "F1"), 50, 1e-5)
        << method;  // the part ERROR² and rounding of X in 1e-9 X
    EXPECT_NEAR(r.at(0, "REQUEST/1", "F4"), 0.5, part * 0.5) << method;
    EXPECT_NEAR(r.at(0, "REQUEST/1", "F2"), 1, part) << method;
    EXPECT_NEAR(r.at(0, "REQUEST/1", "F3"), 1, part) << method;
  }
}

/// Integrals of what vanishes at rest, or is below IMBALANCE = 1e-4, rest with any value, whatever others do.
TEST(RestingStates, of_integrals_are_no_obstacle) {
  for (const char* method : methods) {
    const Recording r = at_rest(
        "DIFF/1,FUNCTION=-100*DX(20)*VX(20)\nVARIABLE/2,FUNCTION=(DX(20)-.003)**2\nDIFF/"
        "2,FUNCTION=VARVAL(2)\n"
        "DIFF/3,FUNCTION=(1-DIF(3))/1E6\nREQUEST/1,F1=DIF(3)\\F2=DX(20)\n",
        method);
    EXPECT_NEAR(r.at(0, "REQUEST/1", "F1"), 1, part) << method;
    EXPECT_NEAR(r.at(0, "REQUEST/1", "F2"), 0, 1e-12) << method;  // no load: rounding
  }
}

TEST(RestingStates, that_cannot_rest_are_named) {
  for (const char* method : methods) {
    const std::string clock = failure_of("DIFF/1,FUNCTION=1\n", method),
                      integrator = failure_of(
                          "VARIABLE/1,FUNCTION=1\nARRAY/1,U,VARIABLES=1\nARRAY/2,X\n"
                          "ARRAY/3,Y\nTFSISO/7,X=2,U=1,Y=3,NUM=1,DEN=0,1\n",
                          method);
    EXPECT_NE(clock.find("DIFF/1 does not come to rest"), std::string::npos) << clock;
    EXPECT_NE(integrator.find("TFSISO/7 X1 does not come to rest"), std::string::npos) << integrator;
    EXPECT_EQ(clock.find("TLIMIT"), std::string::npos) << clock;
  }
}

/// y' = −y⁴/τ: Newton's iteration makes y shorter by a quarter each time, and its rate is soon below
/// IMBALANCE, as far as y is from 0. That is told.
TEST(RestingStates, that_no_search_waits_for_are_told) {
  for (const char* method : methods) {
    const Recording r = at_rest("DIFF/1,IC=0.1,FUNCTION=-DIF(1)**4/100\n", method);
    const auto told = [](const std::string& text) {
      return text.find("states are still on their way, the way of DIFF/1 to go") != std::string::npos;
    };
    // By Newton's estimate, y/4, below ERROR of the largest value.
    const bool rests = std::abs(r.at(0, "DIFF/1", "Q")) < 4 * 1e-4 * 0.1;
    EXPECT_EQ(std::ranges::count_if(r.warnings, told), rests ? 0 : 1) << method;
    EXPECT_LT(std::abs(r.at(0, "DIFF/1", "Q")), 0.1) << method;
  }
}

}  // namespace
}  // namespace trammel::resting_states_test
