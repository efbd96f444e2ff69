// What moves past in a step: shapes through shapes, bodies through stops between them, a body through a zone
// of force. Whatever the outputs are, it is met; momentum, energy and equilibrium tell what is right.
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../support/simulate.h"

namespace trammel::passed_by_test {
namespace {

using test::Recording;

const char* const methods[] = {"GSTIFF, I3, ERROR=1E-6", "GSTIFF, SI2, ERROR=1E-6", "WSTIFF, SI2, ERROR=1E-6",
                               "HHT, ERROR=1E-7",        "RADAU, ERROR=1E-6",       "ABAM, ERROR=1E-6",
                               "RKF45, ERROR=1E-6"};
/// What a method may take of a velocity at a jump of a force or in a bounce: 0.9 % of it was the most of
/// GSTIFF with index 3, which holds positions alone, 0.37 % of RADAU, where a VARIABLE holds the gap, 0.14 %
/// of all others.
double share_of(const std::string& method) {
  return method == "GSTIFF, I3, ERROR=1E-6" ? 0.015 : method == "RADAU, ERROR=1E-6" ? 0.005 : 0.003;
}

constexpr int outputs[] = {1, 2, 4, 7, 10, 20};

/// F2 of REQUEST/1 at the end.
double at_end(const std::string& model, const std::string& method, double end, int steps) {
  Recording r("passes\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\n" + model + "INTEGRATOR/" +
              method + "\nEND\n");
  r.simulation->run(dynamics_analysis, {end, steps});
  return r.at(r.time.size() - 1, "REQUEST/1", "F2");
}

/// A box of 0.2 and 2 kg, then a cone, and a ball of that size, falls by 1.9 on a plate of 0.1 thickness,
/// where it comes to rest at a depth d of 1E5 d^1.5 = 2 g. It falls faster than 6 m/s; an output step may be
/// 2 s.
TEST(PassedBy, a_plate_is_not) {
  const double rest = 0.1 - std::pow(2 * 9.81 / 1e5, 1 / 1.5);
  const std::string common =
      "ACCGRAV/KGRAV=-9.81\nPART/1, GROUND\nMARKER/2, PART=1, QP=-5,-5,-0.1\n"
      "PART/2, MASS=2, CM=20, IP=0.2, 0.2, 0.2, QG=0,0,2\nMARKER/20, PART=2\nMARKER/21, PART=2, "
      "QP=-0.1,-0.1,-0.1\nMARKER/22, PART=2, QP=0,0,-0.1\nGRAPHICS/2, BOX, CORNER=2, X=10, Y=10, Z=0.1\n"
      "CONTACT/1, IGEOM=1, JGEOM=2, IMPACT, STIFFNESS=1E5, EXPONENT=1.5, DAMPING=100, DMAX=1E-3\n"
      "REQUEST/1, F2=DZ(20)\n";
  for (const char* shape :
       {"BOX, CORNER=21, X=0.2, Y=0.2, Z=0.2", "FRUSTUM, CM=22, BOTTOM=0.1, TOP=0.05, LENGTH=0.2",
        "ELLIPSOID, CM=20, XSCALE=0.2, YSCALE=0.2, ZSCALE=0.2"})
    for (const char* method : methods)
      for (const int n : outputs)
        EXPECT_NEAR(at_end(common + "GRAPHICS/1, " + shape + "\n", method, 2, n), rest, 1e-5)
            << shape << " " << method << " " << n;  // it still moves by up to 4e-6
}

/// 100 kg fall by 2.4 m on a stop with damping, where they come to rest at a depth d of 1E6 d^1.5 = 100 g. In
/// a step of RKF45 whose second stage alone reached the stop neither the step nor its error knew of that.
TEST(PassedBy, a_damped_stop_holds_what_falls_on_it) {
  const double rest = 0.5 - std::pow(100 * 9.81 / 1e6, 1 / 1.5);
  const std::string fall =
      "ACCGRAV/KGRAV=-9.81\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=100, CM=20, IP=1, 1, 1, "
      "QG=0,0,2.9\nMARKER/20, PART=2\nJOINT/1, TRANSLATIONAL, I=20, J=1\nSFORCE/1, TRANSLATION, ACTIONONLY, "
      "I=20, J=1, FUNCTION=IMPACT(DZ(20,1),VZ(20,1),0.5,1E6,1.5,1E4,0.001)\nREQUEST/1, F2=DZ(20,1)\n";
  for (const char* method : methods)
    for (const int n : {1, 3, 5, 9, 18})
      EXPECT_NEAR(at_end(fall, method, 3, n), rest, 1e-7) << method << " " << n;  // 8e-9 with GSTIFF
}

/// A ball of 10 mm radius with 3 m/s is 0.08 m away from another that is a million times heavier, when a
/// force of 1 N on a third body begins: steps begin anew, as long as those before.
TEST(PassedBy, balls_do_not_go_through_each_other_behind_a_break) {
  const std::string balls =
      "PART/1, GROUND\nMARKER/1, PART=1\nPART/3, MASS=1E5, CM=30, IP=1, 1, 1\nMARKER/30, PART=3\n"
      "GRAPHICS/1, ELLIPSOID, CM=30, XSCALE=0.02, YSCALE=0.02, ZSCALE=0.02\n"
      "PART/2, QG=0,0,1, MASS=0.1, CM=20, IP=1E-5, 1E-5, 1E-5, VZ=-3\nMARKER/20, PART=2\n"
      "GRAPHICS/2, ELLIPSOID, CM=20, XSCALE=0.02, YSCALE=0.02, ZSCALE=0.02\n"
      "CONTACT/1, IGEOM=2, JGEOM=1, IMPACT, STIFFNESS=1E6, DAMPING=0, DMAX=1E-4, EXPONENT=1.5\n"
      "PART/5, QG=30,0,0, MASS=1, CM=50, IP=1, 1, 1\nMARKER/50, PART=5\nSFORCE/5, TRANSLATION, ACTIONONLY, "
      "I=50, J=1, FUNCTION=IF(TIME-0.3:0,1,1)\nREQUEST/1, F2=VZ(20,1)\n";
  for (const char* method : methods)
    for (const int n : outputs)
      EXPECT_NEAR(at_end(balls, method, 1, n), 3, 2 * 3 * share_of(method)) << method << n;  // 0.065, 0.005
}

/// Two carts with an elastic bumper between their middles, of 2 kg with 3 m/s and of 1 kg at rest: the
/// lighter one goes away with 4 m/s. At n = 2, 4, 10 an output is where one would be in the middle of the
/// other.
TEST(PassedBy, carts_do_not_go_through_each_other) {
  for (const char* bumper :
       {"IMPACT(DM(20,30),VR(20,30),0.1,1E5,1.5,0,1E-3)", "MAX(0,1E5*(0.1-DM(20,30)))",
        "1E5*DIM(0.1,DM(20,30))", "IMPACT(VARVAL(1),VR(20,30),0.1,1E5,1.5,0,1E-3)", "1E5*MAX(0,VARVAL(2))",
        "1E5*MAX(0,MIN(0.1-DM(20,30),1+DX(20)))", "IF(VARVAL(2): 0, 0, 1E5*VARVAL(2))",
        "1E3*MAX(0,10-100*MIN(DM(20,30),9-DX(20)))", "1E5*MAX(0,0.1-VARVAL(3))",
        "IMPACT(VARVAL(3),VR(20,30),0.1,1E5,1.5,0,1E-3)"}) {
    const std::string carts =
        "PART/1, GROUND\nMARKER/1, PART=1, REULER=90D, 90D, 0\nPART/2, MASS=2, CM=20, IP=1, 1, 1, VX=3, "
        "QG=-1,0,0\nMARKER/20, PART=2\nMARKER/21, PART=2, REULER=90D, 90D, 0\nPART/3, MASS=1, CM=30, IP=1, "
        "1, "
        "1, QG=0.5,0,0\nMARKER/30, PART=3\nMARKER/31, PART=3, REULER=90D, 90D, 0\nJOINT/1, TRANSLATIONAL, "
        "I=21, J=1\nJOINT/2, TRANSLATIONAL, I=31, J=1\nREQUEST/1, F2=VX(30)\n"
        "VARIABLE/1, FUNCTION=DM(20,30)\nVARIABLE/2, FUNCTION=0.1-VARVAL(1)\n"
        "VARIABLE/3, FUNCTION=MIN(9-DX(20),MAX(VARVAL(1),-DX(20)))\n"
        "SFORCE/1, TRANSLATION, I=20, J=30, FUNCTION=" +
        std::string(bumper) + "\n";
    for (const char* method : methods)
      for (const int n : outputs)
        EXPECT_NEAR(at_end(carts, method, 1, n), 4, 4 * share_of(method))
            << bumper << " " << method << " " << n;
  }
}

/// A body thrown down on a bumper of DM, and one thrown up so that it turns back in it: what pushes it away
/// is elastic, 1E5 d^1.5, so that its speed is as before where it is as far away again.
TEST(PassedBy, bumpers_are_met_by_what_falls) {
  for (const bool up : {false, true}) {
    // From 0.5 above with 2 m/s, or from 0.5 below with 3.2 m/s, which ends 0.02 inside but for the bumper.
    const std::string ball =
        "ACCGRAV/KGRAV=-9.81\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=2, CM=20, "
        "IP=1, 1, 1, QG=0,0," +
        std::string(up ? "-0.5, VZ=3.2" : "0.5, VZ=-2") +
        "\nMARKER/20, PART=2\nJOINT/1, TRANSLATIONAL, I=20, J=1\nREQUEST/1, F2=VZ(20)**2/2+9.81*DZ(20)\n"
        ", F3=DZ(20)\nSFORCE/1, TRANSLATION, I=20, J=1, "
        "FUNCTION=IMPACT(DM(20,1),VR(20,1),0.1,1E5,1.5,0,1E-3)\n";
    const double at_bumper = up ? 1.196 : 5.924;  // v²/2
    const double energy = up ? 3.2 * 3.2 / 2 - 9.81 * 0.5 : 2 + 9.81 * 0.5;
    const double end = up ? 0.4 : 0.35;
    for (const char* method : methods)
      for (const int n : outputs) {
        Recording r("falls\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\n" + ball +
                    "INTEGRATOR/" + method + "\nEND\n");
        r.simulation->run(dynamics_analysis, {end, n});
        const std::size_t last = r.time.size() - 1;
        EXPECT_NEAR(r.at(last, "REQUEST/1", "F2"), energy, 2 * share_of(method) * at_bumper)
            << method << " " << n << up;
        EXPECT_EQ(r.at(last, "REQUEST/1", "F3") > 0, !up) << method << " " << n;
      }
  }
}

/// A slider of 2 kg with 3 m/s takes 80 J from 400 N over 0.2 m.
TEST(PassedBy, a_zone_of_force_is_met) {
  for (const char* zone :
       {"IF(DX(20)-0.65: 0, 0, IF(DX(20)-0.85: 400, 400, 0))", "IF(ABS(DX(20)-0.75)-0.1: 400, 400, 0)",
        "IF(0.1-SQRT((DX(20)-0.75)**2): 0, 400, 400)", "400*STEP(ABS(DX(20)-0.75),0.09,1,0.11,0)"}) {
    const std::string slider =
        "PART/1, GROUND\nMARKER/1, PART=1, REULER=90D, 90D, 0\nPART/2, MASS=2, CM=20, IP=1, 1, 1, VX=3\n"
        "MARKER/20, PART=2\nMARKER/21, PART=2, REULER=90D, 90D, 0\nJOINT/1, TRANSLATIONAL, I=21, J=1\n"
        "REQUEST/1, F2=VX(20)\nSFORCE/1, TRANSLATION, ACTIONONLY, I=21, J=1, FUNCTION=" +
        std::string(zone) + "\n";
    for (const char* method : methods)
      for (const int n : outputs)
        EXPECT_NEAR(at_end(slider, method, 1, n), std::sqrt(89.0), 9 * share_of(method))
            << zone << " " << method << " " << n;
  }
}

/// A slider of 1 kg with 1 m/s loses 0.1 J on its way into a barrier of DM and 0.1 J on its way out, which is
/// thinner than a thousandth of an output step. Of the velocity I3 takes 2.7 %, all others 0.07 %. RADAU's
/// step may err by half of the thinnest.
TEST(PassedBy, a_thin_barrier_is_met) {
  for (const double half : {1e-2, 1e-3, 1e-4}) {
    const std::string slider = fmt::format(
        "PART/1, GROUND\nMARKER/1, PART=1, REULER=90D, 90D, 0\nMARKER/2, PART=1, QP=3.3,0,0\n"
        "PART/2, MASS=1, CM=20, IP=1, 1, 1, VX=1\nMARKER/20, PART=2\nMARKER/21, PART=2, REULER=90D, 90D, 0\n"
        "JOINT/1, TRANSLATIONAL, I=21, J=1\nREQUEST/1, F2=VX(20)\nSFORCE/1, TRANSLATION, ACTIONONLY, I=21, "
        "J=1, "
        "FUNCTION=-IMPACT(DM(20,2),VX(20),{},{},1,0,1E-3)\n",
        half, 0.2 / (half * half));
    for (const std::string method : methods) {
      if (half < 1e-3 && method.starts_with("RADAU")) continue;
      for (const int n : {1, 3, 10})
        EXPECT_NEAR(at_end(slider, method, 5, n), std::sqrt(0.6), 3 * share_of(method))
            << half << " " << method << " " << n;
    }
  }
}

/// A disc at 600 rad/s in a casing that it does not touch, which turns as well or not: nothing comes near,
/// and the steps are those without the CONTACT, or those in which what carries shapes turns by 0.25 rad.
TEST(PassedBy, what_turns_in_a_hole_takes_no_more_steps) {
  const std::string disc =
      "PART/1, GROUND\nMARKER/1, PART=1, QP=0,0,0.3\nPART/2, MASS=2, CM=20, IP=0.01, 0.01, 0.01, "
      "QG=0,0,0.3, WZ=600\nMARKER/20, PART=2\nMARKER/21, PART=2, QP=0,0,-0.005\n"
      "JOINT/1, REVOLUTE, I=20, J=1\nGRAPHICS/1, CYLINDER, CM=21, RADIUS=0.2, LENGTH=0.01, SIDES=24\n"
      "PART/3, MASS=5, CM=30, IP=0.1, 0.1, 0.1, QG=0,0,0.3{}\nMARKER/30, PART=3\n"
      "MARKER/31, PART=3, QP=0,0,-0.1\nJOINT/2, REVOLUTE, I=30, J=1\nREQUEST/1, F2=WZ(20)\n"
      "GRAPHICS/2, REVOLUTION, RM=31, PROFILE_POINTS=0.21,0,0.23,0,0.23,0.2,0.21,0.2, SIDES=24\n";
  const std::string contact =
      "CONTACT/1, IGEOM=1, JGEOM=2, IMPACT, STIFFNESS=1E6, EXPONENT=1.5, DAMPING=200, DMAX=1E-4\n";
  for (const char* casing : {"", ", WZ=600", ", WZ=-600"})
    for (const char* method : methods) {
      constexpr long resolved = 0.2 * 600 / 0.25;
      long steps[2];
      for (const bool touches : {false, true}) {
        Recording r("disc\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\n" +
                    fmt::format(fmt::runtime(disc), casing) + (touches ? contact : "") + "INTEGRATOR/" +
                    method + "\nEND\n");
        r.simulation->run(dynamics_analysis, {0.2, 4});
        EXPECT_NEAR(r.at(4, "REQUEST/1", "F2"), 600, 1e-6);
        steps[touches] = r.simulation->counters().steps;
      }
      EXPECT_LE(steps[1], (*casing ? resolved : steps[0]) + 2) << method << casing;
    }
}

/// A blade at 500 rad/s from 0.4 to 0.5 of its axis, past a sheet of 1 mm at 0.551: its middle goes along a
/// circle, which no step leaves. Of 0.25 rad each, and some at the start.
TEST(PassedBy, a_blade_past_a_sheet_takes_no_more_steps) {
  for (const char* method : methods) {
    Recording r(
        std::string(
            "blade\nUNITS/FORCE=NEWTON,MASS=KILOGRAM,LENGTH=METER,TIME=SECOND\nPART/1, GROUND\n"
            "MARKER/1, PART=1\nMARKER/2, PART=1, QP=0.551,-1,-0.5\nPART/2, MASS=1, CM=20, IP=0.1, 0.1, "
            "0.1, WZ=500\nMARKER/20, PART=2\nMARKER/21, PART=2, QP=0.4,-0.02,-0.01\nJOINT/1, REVOLUTE, "
            "I=20, J=1\nGRAPHICS/1, BOX, CORNER=21, X=0.1, Y=0.04, Z=0.02\nGRAPHICS/2, BOX, CORNER=2, "
            "X=0.001, Y=2, Z=1\nCONTACT/1, IGEOM=1, JGEOM=2, IMPACT, STIFFNESS=1E6, EXPONENT=1.5, "
            "DAMPING=200, DMAX=1E-4\nREQUEST/1, F2=WZ(20)\nINTEGRATOR/") +
        method + "\nEND\n");
    r.simulation->run(dynamics_analysis, {0.1, 4});
    EXPECT_NEAR(r.at(4, "REQUEST/1", "F2"), 500, 1e-6);
    EXPECT_LE(r.simulation->counters().steps, 0.1 * 500 / 0.25 + 20) << method;
  }
}

}  // namespace
}  // namespace trammel::passed_by_test
