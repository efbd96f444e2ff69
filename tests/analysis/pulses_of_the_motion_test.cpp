// Forces that come and go within less than a step, driven by a state or by the place of another body: their
// impulses beside closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "../support/simulate.h"

namespace trammel::pulses_of_the_motion_test {
namespace {

using namespace test;

/// A pulse of x, of which {} stands for x, and its integral.
struct Pulse {
  const char *function, *name;
  double impulse;
};
const Pulse pulses[] = {
    {"1000*EXP(-(({0}-.4376)/.00025)**2)", "gauss", 0.25 * std::sqrt(std::numbers::pi)},
    {"1000*EXP(-16E6*({0}-.4376)*({0}-.4376))", "gauss_of_product", 0.25 * std::sqrt(std::numbers::pi)},
    {"1000*STEP({0},.3337,0,.3342,1)-1000*STEP({0},.3342,0,.3347,1)", "steps", 0.5},
    {"1000*IF({0}-.3337:0,0,1)-1000*IF({0}-.3347:0,0,1)", "ifs", 1},
};

std::string deck(const std::string& function, const std::string& integrator) {
  return "pulse\nUNITS/SYSTEM=MKS\nPART/1,GROUND\nMARKER/12,PART=1,REULER=90D,90D,0\n"
         "PART/2,MASS=1,CM=20,IP=1,1,1\nMARKER/20,PART=2\nPART/3,MASS=1,CM=30,IP=1,1,1,VX=1\nMARKER/"
         "30,PART=3\n"
         "DIFF/1,FUNCTION=1\nSFORCE/1,TRANSLATION,ACTIONONLY,I=20,J=12\n,FUNCTION=" +
         function + "\nINTEGRATOR/" + integrator + "\nEND\n";
}

/// The clock DIF(1) and DX(30) of a body with 1 m/s are TIME.
TEST(PulsesOfTheMotion, keep_their_impulse) {
  for (const char* integrator : {"GSTIFF,ERROR=1E-5", "GSTIFF,SI2,ERROR=1E-5", "WSTIFF,SI2,ERROR=1E-5",
                                 "HHT,ERROR=1E-5", "RADAU,ERROR=1E-5", "ABAM,ERROR=1E-5"})
    for (const Pulse& pulse : pulses)
      for (const char* x : {"DIF(1)", "DX(30)"})
        for (const int outputs : {2, 20}) {
          // An IF of a state may be a relay: it leaves I3 in place, whose velocities nothing controls.
          const bool of_i3 = std::string(integrator) == "GSTIFF,ERROR=1E-5";
          if (of_i3 && std::string(pulse.name) == "ifs" && std::string(x) == "DIF(1)") continue;
          Recording r(deck(fmt::format(fmt::runtime(pulse.function), x), integrator));
          r.simulation->run(dynamics_analysis, {1.7, outputs});
          // A stop, or a push, leaves some ERROR^(2/3) = 5e-4 m/s (26b); without a step inside all is
          // missing.
          EXPECT_NEAR(r.at(r.time.size() - 1, "PART/2", "VX"), pulse.impulse, 0.01)
              << integrator << ' ' << pulse.name << ' ' << x << ' ' << outputs;
        }
}

}  // namespace
}  // namespace trammel::pulses_of_the_motion_test
