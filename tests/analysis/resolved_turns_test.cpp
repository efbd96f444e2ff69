// What a body that turns freely brings to where a force comes and goes is met, however far apart outputs are.
#include <cmath>
#include <functional>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../support/simulate.h"

namespace trammel::resolved_turns_test {
namespace {

using namespace test;

constexpr double speed = 10, phase = 2.1, end_time = 5;

/// A crank of 1 m turns freely; a force of the height y = sin(10 t + 2.1) of its pin pushes a slide of 1 kg.
std::string crank(const std::string& integrator, const std::string& force) {
  return fmt::format(
      "crank\nUNITS/SYSTEM=MKS\nINTEGRATOR/{}\nPART/1,GROUND\nMARKER/10,PART=1\n"
      "PART/2,MASS=1,CM=20,IP=1,1,1,REULER=2.1,0,0,WZ=10\nMARKER/20,PART=2\nMARKER/21,PART=2,QP=1,0,0\n"
      "JOINT/1,REVOLUTE,I=20,J=10\nPART/3,MASS=1,CM=30,IP=1,1,1\nMARKER/30,PART=3\n"
      "JOINT/2,TRANSLATIONAL,I=30,J=10\nVARIABLE/1,FUNCTION=DY(21,10)\n"
      "SFORCE/1,TRANSLATION,ACTIONONLY,I=30,J=10,FUNCTION={}\nREQUEST/1,F2=VZ(30,10)\nEND\n",
      integrator, force);
}

/// ∫ f(y(t)) dt by the midpoint rule.
double impulse(const std::function<double(double)>& f) {
  constexpr int n = 1000000;
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += f(std::sin(speed * end_time * (k + 0.5) / n + phase));
  return sum * end_time / n;
}

double cubic_step(double x, double from, double to) {
  const double d = std::min(1.0, std::max(0.0, (x - from) / (to - from)));
  return d * d * (3 - 2 * d);
}

struct Pulse {
  const char* force;
  double (*of_height)(double y);
};
const Pulse pulses[] = {
    {"IMPACT(-DY(21,10),0,-0.9,100,1.5,0,0.01)",
     [](double y) { return 100 * std::pow(std::max(0.0, y - 0.9), 1.5); }},
    {"IMPACT(-DY(21,10),0,-0.99,100,1.5,0,0.01)",
     [](double y) { return 100 * std::pow(std::max(0.0, y - 0.99), 1.5); }},
    {"STEP(DY(21,10),0.9,0,0.95,5)", [](double y) { return 5 * cubic_step(y, 0.9, 0.95); }},
    {"IF(VARVAL(1)-0.9:0,0,5)", [](double y) { return y > 0.9 ? 5.0 : 0.0; }},
    {"MAX(0,100*(DY(21,10)-0.97))", [](double y) { return std::max(0.0, 100 * (y - 0.97)); }},
    {"IF(SIN(AZ(21,10))-0.9:0,0,5)", [](double y) { return y > 0.9 ? 5.0 : 0.0; }},
};

/// `tolerance`, of the speed: methods that hold places to ERROR, and not speeds, err by more, and RADAU in a
/// step over the beginning of a pulse by 0.15 ERROR^(1/2), 1.5E-4 of the 0.0133 m/s of the shortest.
struct Method {
  const char* integrator;
  double tolerance;
};
const Method methods[] = {{"HHT,ERROR=1E-5", 0.05},        {"RADAU,ERROR=1E-6", 0.02},
                          {"GSTIFF,SI2,ERROR=1E-6", 0.01}, {"WSTIFF,SI2,ERROR=1E-6", 0.01},
                          {"ABAM,ERROR=1E-6", 0.01},       {"RKF45,ERROR=1E-6", 0.01},
                          {"GSTIFF,I3,ERROR=1E-7", 0.1}};

TEST(ResolvedTurns, pulses_are_met_however_far_apart_outputs_are) {
  for (const Pulse& p : pulses) {
    const double exact = impulse(p.of_height);
    for (const Method& m : methods)
      for (const double outputs : {0.5, 0.05}) {
        Recording r(crank(m.integrator, p.force));
        r.simulation->run(dynamics_analysis, {end_time, static_cast<int>(end_time / outputs + 0.5)});
        EXPECT_NEAR(r.at(r.values.size() - 1, "REQUEST/1", "F2"), exact, m.tolerance * exact)
            << p.force << ", " << m.integrator << ", outputs " << outputs << " apart";
      }
  }
}

/// An arm with a ball at its tip strikes another ball that a slide brings near after five turns.
double speed_of_struck_ball(const std::string& integrator) {
  Recording r(fmt::format(
      "arm\nUNITS/SYSTEM=MKS\nINTEGRATOR/{}\nPART/1,GROUND\nMARKER/10,PART=1\n"
      "MARKER/11,PART=1,REULER=90D,90D,0\nPART/2,MASS=1,CM=20,IP=1E3,1E3,1E3,REULER=2.1,0,0,WZ=10\n"
      "MARKER/20,PART=2\nMARKER/21,PART=2,QP=1,0,0\nJOINT/1,REVOLUTE,I=20,J=10\n"
      "PART/3,MASS=1,CM=30,IP=1,1,1,QG=2.5,0,0,VX=-0.5\nMARKER/30,PART=3\nMARKER/31,PART=3,REULER=90D,90D,0\n"
      "JOINT/2,TRANSLATIONAL,I=31,J=11\n"
      "GRAPHICS/1,ELLIPSOID,CM=21,XSCALE=0.2,YSCALE=0.2,ZSCALE=0.2\n"
      "GRAPHICS/2,ELLIPSOID,CM=30,XSCALE=0.2,YSCALE=0.2,ZSCALE=0.2\n"
      "CONTACT/1,IGEOM=1,JGEOM=2,IMPACT,STIFFNESS=1E4,EXPONENT=1.5,DAMPING=0,DMAX=0.01\n"
      "REQUEST/1,F2=VX(30,10)\nEND\n",
      integrator));
  r.simulation->run(dynamics_analysis, {4, 1});
  return r.at(r.values.size() - 1, "REQUEST/1", "F2");
}

// Against steps of 1e-4 at most, a hundred or more in the touch.
TEST(ResolvedTurns, a_contact_at_the_tip_of_an_arm_is_met) {
  const double exact = speed_of_struck_ball("HHT,ERROR=1E-6,HMAX=1E-4");
  ASSERT_GT(exact, 1);
  for (const Method& m : methods)
    EXPECT_NEAR(speed_of_struck_ball(m.integrator), exact, m.tolerance * exact) << m.integrator;
}

// A body that turns about what its functions read moves nothing: steps are as long as without them.
TEST(ResolvedTurns, what_lies_on_the_axis_of_a_rotor_shortens_no_step) {
  for (const char* force : {"IMPACT(DZ(20,10),VZ(20,10),-1,100,1.5,0,0.01)", "STEP(WZ(20,10),0,0,100,1)",
                            "IF(DZ(22,10)-2:0,0,5)", "STEP(VZ(22,10,20,10),1,0,2,1)"}) {
    Recording r(
        fmt::format("rotor\nUNITS/SYSTEM=MKS\nINTEGRATOR/HHT\nPART/1,GROUND\nMARKER/10,PART=1\n"
                    "PART/2,MASS=1,CM=20,IP=1,1,2,WZ=10\nMARKER/20,PART=2\nMARKER/21,PART=2,QP=1,0,0\n"
                    "MARKER/22,PART=2,QP=0,0,1\nPART/3,MASS=1,CM=30,IP=1,1,1\nMARKER/30,PART=3\n"
                    "SFORCE/1,TRANSLATION,ACTIONONLY,I=30,J=10,FUNCTION={}\nEND\n",
                    force));
    r.simulation->run(dynamics_analysis, {100, 10});
    EXPECT_LT(r.steps.size(), 40u) << force;
  }
}

}  // namespace
}  // namespace trammel::resolved_turns_test
