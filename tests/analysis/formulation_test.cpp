// SI2 in I3's place: I3 holds positions to ERROR, and velocities that stops turn keep what the steps there
// err by.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "../support/model_decks.h"
#include "../support/simulate.h"

namespace trammel::formulation_test {
namespace {

using namespace test;

/// A ball of 1 kg that comes down with 3 m/s on what stops it without loss.
std::string ball(const std::string& integrator, const std::string& stop) {
  return "ball\nUNITS/SYSTEM=MKS\nINTEGRATOR/" + integrator +
         "\nPART/1,GROUND\nMARKER/1,PART=1\nMARKER/2,PART=1,QP=0,0,-5\nGRAPHICS/"
         "1,ELLIPSOID,CM=2,XSCALE=10,YSCALE=10,"
         "ZSCALE=10\nPART/2,MASS=1,CM=20,IP=.1,.1,.1,QG=0,0,1,VZ=-3\nMARKER/20,PART=2\n"
         "GRAPHICS/2,ELLIPSOID,CM=20,XSCALE=.2,YSCALE=.2,ZSCALE=.2\nREQUEST/1,F2=VZ(20,1)\n" +
         stop + "END\n";
}

const std::string force = "SFORCE/1,TRANSLATION,ACTIONONLY,I=20,J=1,FUNCTION=";
const std::string stops[] = {
    force + "IMPACT(DZ(20,1),VZ(20,1),.1,1E6,1.5,0,1E-3)\n",
    force + "BISTOP(DZ(20,1),VZ(20,1),.1,9,1E6,1.5,0,1E-3)\n",
    force + "1E5*MAX(0,.1-DZ(20,1))\n",
    "CONTACT/1,IGEOM=2,JGEOM=1,IMPACT,STIFFNESS=1E6,EXPONENT=1.5,DAMPING=0,DMAX=1E-3\n",
    force + "IF(DZ(20,1)-.1:1E5*(.1-DZ(20,1)),0,0)\n",
    force + "STEP(VARVAL(1),.09,3E3,.1,0)\nVARIABLE/1,FUNCTION=DZ(20,1)\n",
    force +
        "AKISPL(DZ(20,1),0,1)\nSPLINE/"
        "1,X=-.1,0,.09,.098,.1,.102,.104,.2,1,10,Y=2E4,1E4,1E3,2E2,0,0,0,0,0,0\n",
};

bool tells(const Recording& r, const char* what = "SI2 takes I3's place") {
  return std::ranges::any_of(r.warnings, [&](const std::string& w) { return w.find(what) != w.npos; });
}

/// With I3 at its ERROR of 1E-3 0.9 to 2.4 m/s were left of 3; with SI2 2.86 and more.
TEST(Formulation, stops_ask_for_si2) {
  for (const std::string& stop : stops)
    for (const char* method : {"GSTIFF", "WSTIFF"})
      for (const int outputs : {1, 6, 60, 600}) {
        Recording r(ball(method, stop));
        r.simulation->run(dynamics_analysis, {0.6, outputs});
        EXPECT_NEAR(r.at(r.time.size() - 1, "REQUEST/1", "F2"), 3, 0.2) << method << " " << outputs << stop;
        EXPECT_TRUE(tells(r)) << stop;
      }
}

TEST(Formulation, i3_stays_by_name_beside_friction_and_without_stops) {
  Recording named(ball("GSTIFF,I3", stops[0]));
  named.simulation->run(dynamics_analysis, {0.6, 6});
  EXPECT_FALSE(tells(named));
  EXPECT_TRUE(tells(named, "INTEGRATOR/GSTIFF, SI2 controls them"));
  Recording slider(ball("GSTIFF",
                        "JOINT/1,TRANSLATIONAL,I=20,J=1\nFRICTION/1,JOINT=1,MU_STATIC=.1,"
                        "MU_DYNAMIC=.1\n" +
                            stops[0]));
  slider.simulation->run(dynamics_analysis, {0.6, 6});
  EXPECT_FALSE(tells(slider));
  EXPECT_TRUE(tells(slider, "INTEGRATOR/GSTIFF, SI2 controls them"));
  for (const char* smooth : {"-1E2*DZ(20,1)\n", "STEP(TIME,0,0,1,1)*DZ(20,1)\n", "STEP(VZ(20,1),0,0,1,1)\n",
                             "MAX(TIME,.1)\n", "IF(VZ(20,1):1,0,-1)\n", "IF(SIN(TIME):1,0,DZ(20,1))\n",
                             "CUBSPL(DZ(20,1),0,1)\nSPLINE/1,X=-2,-1,0,1,2,Y=80,10,0,-10,-80\n"}) {
    Recording r(ball("GSTIFF", force + smooth));
    r.simulation->run(dynamics_analysis, {0.6, 6});
    EXPECT_FALSE(tells(r)) << smooth;
    EXPECT_FALSE(tells(r, "of which ERROR tells nothing")) << smooth;
  }
}

/// HHT holds velocities, too, where something may stop bodies, to ERROR^{2/3} in a step: without that 2.29
/// to 4.34 m/s were left of 3 at 1E-3, 2.67 to 3.09 and 2.93 to 3.02 at the others; now 3.00
/// to 3.09, 3.03, 3.02.
TEST(Formulation, hht_holds_velocities_at_stops) {
  const std::pair<const char*, double> errors[] = {{"1E-3", 0.15}, {"1E-4", 0.05}, {"1E-5", 0.03}};
  for (const std::string& stop : stops)
    for (const auto& [error, allowed] : errors)
      for (const int outputs : {1, 6, 60}) {
        Recording r(ball(std::string("HHT,ERROR=") + error, stop));
        r.simulation->run(dynamics_analysis, {0.6, outputs});
        EXPECT_NEAR(r.at(r.time.size() - 1, "REQUEST/1", "F2"), 3, allowed)
            << error << " " << outputs << stop;
      }
}

/// A stack of boxes at rest trembles on its contacts by less than ERROR, which long steps damp: 152 to 268
/// steps in 10 s, and 12,092 where every trembling is held to (26b) in theory.md.
TEST(Formulation, hht_lets_what_is_at_rest_tremble) {
  const std::string stack = ModelDecks{TRAMMEL_SOURCE_DIR "/models/"}.deck("stack/stack.adm");
  for (const char* error : {"1E-4", "1E-5", "5E-6"}) {
    Recording r(with_integrator(stack, std::string("HHT,ERROR=") + error));
    r.simulation->run(dynamics_analysis, {10, 100});
    EXPECT_LT(r.steps.size(), 400u) << error;
  }
}

/// A slider on a spring, k = 30 N/m, with 5 N of friction by IF, stays where it comes to rest for the third
/// time, at x = 0, 3 π/√30 after its beginning at 1; a stop far away asks for SI2, no step of which converges
/// there.
TEST(Formulation, si2_gives_way_where_it_cannot_go_on) {
  Recording r(
      "slider\nUNITS/SYSTEM=MKS\nINTEGRATOR/GSTIFF\nPART/1,GROUND\nMARKER/1,PART=1,REULER=90D,90D,0\n"
      "PART/2,MASS=1,CM=20,IP=1,1,1,QG=1,0,0\nMARKER/20,PART=2,REULER=90D,90D,0\nJOINT/"
      "1,TRANSLATIONAL,I=20,J=1\n"
      "SFORCE/1,TRANSLATION,ACTIONONLY,I=20,J=1,FUNCTION=-30*DZ(20,1,1)-MAX(0,1E4*(DZ(20,1,1)-2))"
      "+IF(VZ(20,1,1):5,0,-5)\nREQUEST/1,F2=DZ(20,1,1)\nEND\n");
  r.simulation->run(dynamics_analysis, {1.75, 10});
  EXPECT_NEAR(r.at(r.time.size() - 1, "REQUEST/1", "F2"), 0, 0.02);  // 0.006 were found
  EXPECT_TRUE(tells(r));
  EXPECT_TRUE(tells(r, "SI2 cannot go on in I3's place"));
}

}  // namespace
}  // namespace trammel::formulation_test
