// Loads between the friction that slides and that which sticks: what rests stays, what moves goes on, what is
// thrown against the load comes to rest.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/simulate.h"

namespace trammel::slip_leaps_test {
namespace {

using namespace test;

constexpr double mu_static = 0.22, mu_dynamic = 0.13, g = 9.81, mass = 2;
/// Of the load over what static friction can bear; 0.7 × 0.22 > 0.13.
constexpr double share = 0.7;

/// A ball that does not turn on a plane, or a block in a guide, on a slope along x.
std::string deck(bool contact, double V, double v0, const std::string& integrator) {
  const double alpha = std::atan(share * mu_static), normal = g * std::cos(alpha), k = 2e6;
  std::string out = fmt::format(
      "slope\nUNITS/SYSTEM=MKS\nACCGRAV/IGRAV={:.17g},KGRAV={:.17g}\nPART/1,GROUND\nMARKER/1,PART=1\n"
      "MARKER/2,PART=1,REULER=90D,90D,0\nPART/3,MASS={},CM=30,IP=.01,.01,.01,QG=0,0,{:.17g},VX={}\n"
      "MARKER/30,PART=3\n",
      g * std::sin(alpha), -normal, mass, contact ? 0.1 - mass * normal / k : 0, v0);
  if (contact)
    out += fmt::format(
        "GRAPHICS/1,PLANE,RM=1\nGRAPHICS/2,ELLIPSOID,CM=30,XSCALE=.2,YSCALE=.2,ZSCALE=.2\n"
        "JPRIM/1,ORIENTATION,I=30,J=1\nCONTACT/1,IGEOM=2,JGEOM=1,IMPACT,STIFFNESS={},EXPONENT=1\n"
        ",DAMPING=2000,DMAX=1E-6,COULOMB_FRICTION=ON,MU_STATIC={},MU_DYNAMIC={}\n"
        ",STICTION_TRANSITION_VELOCITY={},FRICTION_TRANSITION_VELOCITY={}\n",
        k, mu_static, mu_dynamic, V, 2 * V);
  else
    out += fmt::format(
        "MARKER/31,PART=3,REULER=90D,90D,0\nJOINT/1,TRANSLATIONAL,I=31,J=2\nFRICTION/1,JOINT=1,MU_STATIC={}\n"
        ",MU_DYNAMIC={},STICTION_TRANSITION_VELOCITY={},TRANSITION_VELOCITY_COEFFICIENT=2\n"
        ",EFFECT=SLIDING,INPUTS=REACTION_FORCE\n",
        mu_static, mu_dynamic, V);
  return out + "INTEGRATOR/" + integrator + "\nEND\n";
}

/// u of (3u − u³)/2 = share: friction bears the load at the slip u V.
double creeping() {
  double u = 0.5;
  for (int k = 0; k < 50; ++k) u -= ((3 * u - u * u * u) / 2 - share) / (1.5 * (1 - u * u));
  return u;
}

/// A method, and the part of V that the largest ERROR may be which resolves V, as a warning has it.
struct Method {
  const char* name;
  double resolved;
  std::vector<double> errors(double V) const { return {resolved * V, 0.1 * resolved * V}; }
};
void PrintTo(const Method& method, std::ostream* out) {
  *out << method.name;
}

class SlipLeaps : public testing::TestWithParam<Method> {};

void run(Recording& r, int outputs) {
  r.simulation->run(dynamics_analysis, {1, outputs});
  for (const std::string& text : r.warnings)
    EXPECT_EQ(text.find("does not resolve"), std::string::npos) << text;
}

TEST_P(SlipLeaps, what_rests_creeps) {
  for (const bool contact : {true, false})
    for (const double V : {1e-3, 1e-4})
      for (const double error : GetParam().errors(V))
        for (const int outputs : {10, 100}) {
          SCOPED_TRACE(fmt::format("contact {} V {} ERROR {} outputs {}", contact, V, error, outputs));
          Recording r(deck(contact, V, 0, fmt::format("{},ERROR={}", GetParam().name, error)));
          run(r, outputs);
          EXPECT_LT(std::abs(r.at(r.time.size() - 1, "PART/3", "VX")), V);
          // The way of one second at u V, and what is slower before.
          EXPECT_NEAR(r.at(r.time.size() - 1, "PART/3", "X"), creeping() * V, 0.1 * V + 2 * error);
        }
}

/// Up the slope with 0.5 m/s: it stops after v²/2a, a = g (sin + μ_d cos), give or take the slow end of the
/// way between V and 2 V, and stays. Down it goes on, a = g (sin − μ_d cos).
TEST_P(SlipLeaps, what_comes_to_rest_stays) {
  const double alpha = std::atan(share * mu_static);
  for (const bool contact : {true, false})
    for (const double V : {1e-3, 1e-4})
      for (const double error : GetParam().errors(V)) {
        SCOPED_TRACE(fmt::format("contact {} V {} ERROR {}", contact, V, error));
        const std::string integrator = fmt::format("{},ERROR={}", GetParam().name, error);
        Recording up(deck(contact, V, -0.5, integrator));
        run(up, 10);
        EXPECT_LT(std::abs(up.at(up.time.size() - 1, "PART/3", "VX")), V);
        const double way = 0.125 / (g * (std::sin(alpha) + mu_dynamic * std::cos(alpha)));
        EXPECT_NEAR(up.at(up.time.size() - 1, "PART/3", "X"), -way, 0.01 * way + V + 3 * error);
        Recording down(deck(contact, V, 0.5, integrator));
        run(down, 10);
        EXPECT_NEAR(down.at(down.time.size() - 1, "PART/3", "VX"),
                    0.5 + g * (std::sin(alpha) - mu_dynamic * std::cos(alpha)), 5e-3);
      }
}

/// What does not resolve V is told.
TEST(StickingIsResolved, or_it_is_told) {
  for (const auto& [integrator, tells] :
       {std::pair("GSTIFF,SI2,ERROR=1.1E-4", true), std::pair("GSTIFF,SI2,ERROR=1E-4", false),
        std::pair("HHT,ERROR=1E-5", true), std::pair("HHT,ERROR=5E-6", false),
        std::pair("RKF45,ERROR=1E-5", true)}) {
    Recording r(deck(true, 1e-4, 0, integrator));
    r.simulation->run(dynamics_analysis, {0.01, 1});
    EXPECT_EQ(std::ranges::any_of(r.warnings,
                                  [](const std::string& text) {
                                    return text.find("CONTACT/1 sticks up to a slip of 0.0001") !=
                                           std::string::npos;
                                  }),
              tells)
        << integrator;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, SlipLeaps,
                         testing::Values(Method{"GSTIFF,SI2", 1}, Method{"WSTIFF,SI2", 1},
                                         Method{"GSTIFF,SI1", 1}, Method{"RADAU", 1},
                                         Method{"GSTIFF,I3", 0.05}, Method{"HHT", 0.05}, Method{"ABAM", 0.01},
                                         Method{"RKF45", 0.01}));

}  // namespace
}  // namespace trammel::slip_leaps_test
