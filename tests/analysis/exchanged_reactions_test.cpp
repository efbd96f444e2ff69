// Reactions shared among redundant joints while dropped equations take the place of others, against m (a −
// g).
#include <gtest/gtest.h>

#include "../support/simulate.h"

namespace trammel::exchanged_reactions_test {
namespace {

using namespace test;

/// Three parallel cranks carry a platform of 2 kg; gravity alone moves it, through several turns of which
/// rows are weak. Each pair of a crank's revolute joints has redundant rows.
std::string platform(const std::string& integrator) {
  std::string out = "platform\nUNITS/SYSTEM=MKS\nACCGRAV/JGRAV=-9.81\nPART/1,GROUND\nMARKER/10,PART=1\n";
  const Vec3d pivots[] = {{0, 0, 0}, {-0.5, -0.8, -0.3}, {0.6, -0.1, 0.2}};
  for (int k = 0; k < 3; ++k)
    out += fmt::format(
        "PART/{0},MASS=.3,CM={0}0,IP=.02,.02,.02,QG={1}\nMARKER/{0}0,PART={0},QP=.25,0,0\nMARKER/"
        "{0}1,PART={0}\n"
        "MARKER/{0}2,PART={0},QP=.5,0,0\nMARKER/1{0},PART=1,QP={1}\nMARKER/2{0},PART=2,QP={1}\n"
        "JOINT/{0},REVOLUTE,I={0}1,J=1{0}\nJOINT/1{0},REVOLUTE,I={0}2,J=2{0}\n",
        3 + k, list(pivots[k]));
  return out + "PART/2,MASS=2,CM=20,IP=.1,.2,.3,QG=.5,0,0\nMARKER/20,PART=2,QP=.2,-.1,.05\nINTEGRATOR/" +
         integrator + "\nEND\n";
}

TEST(ExchangedReactions, add_up_to_what_moves_the_platform) {
  for (const char* integrator : {"GSTIFF,SI2", "GSTIFF,SI1", "WSTIFF,SI2", "GSTIFF,I3", "HHT", "RADAU"}) {
    ComputeSettings compute;
    compute.share_reactions = true;
    Recording r(platform(integrator), "platform.adm", compute);
    r.simulation->run(dynamics_analysis, {3, 60});
    for (std::size_t k = 0; k < r.time.size(); ++k) {
      Vec3d sum;  // on the cranks
      for (const char* joint : {"JOINT/13", "JOINT/14", "JOINT/15"})
        sum = sum + r.vector(k, joint, "FX", "FY", "FZ");
      const Vec3d moved = 2.0 * (r.vector(k, "PART/2", "ACCX", "ACCY", "ACCZ") + Vec3d{0, 9.81, 0});
      // Equations of records are solved to rounding of forces up to some 60 N, which weak rows enlarge.
      EXPECT_LT(norm(sum + moved), 1e-6) << integrator << " at " << r.time[k];
    }
  }
}

}  // namespace
}  // namespace trammel::exchanged_reactions_test
