// Parts with moments of inertia about one or two axes alone, all of them in one mechanism: slender rods, and
// what turns in a plane. Angles about the other axes are held by joints.
#include <gtest/gtest.h>

#include "../support/simulate.h"

namespace trammel::partial_inertia_test {
namespace {

using namespace test;

/// A slider-crank of two rods in a plane that is turned by `tilt` about x; inertia: IP of each.
std::string slider_crank(double tilt, const std::string& inertia, const std::string& integrator) {
  return fmt::format(
      "slider-crank\nUNITS/SYSTEM=MKS\nACCGRAV/JGRAV=-9.81\nPART/1,GROUND\n"
      "MARKER/10,PART=1,REULER=0,{0:.17g},0\nMARKER/11,PART=1,REULER=90D,90D,0\n"
      "PART/2,MASS=1,CM=20,IP={1},REULER=0,{0:.17g},0,WZ=4\nMARKER/20,PART=2,QP=.1,0,0\nMARKER/21,PART=2\n"
      "MARKER/22,PART=2,QP=.2,0,0\nPART/3,MASS=1.2,CM=30,IP={1},QG=.2,0,0,REULER=0,{0:.17g},0\n"
      "MARKER/30,PART=3,QP=.4,0,0\nMARKER/31,PART=3\nMARKER/32,PART=3,QP=.8,0,0\n"
      "JOINT/1,REVOLUTE,I=21,J=10\nJOINT/2,REVOLUTE,I=31,J=22\nJPRIM/3,INLINE,I=32,J=11\n"
      "REQUEST/1,F2=AZ(21,10)\\F3=WZ(21,10)\nINTEGRATOR/{2}\nEND\n",
      tilt, inertia, integrator);
}

/// Moments about axes along the rods, and all but those about the normal, take no part in a motion in a
/// plane: those of 1e-3 of the others leave it as it is.
TEST(PartialInertia, is_enough_where_joints_hold_the_rest) {
  for (const char* integrator : {"GSTIFF,SI2,ERROR=1E-6", "HHT,ERROR=1E-6", "RADAU,ERROR=1E-6"})
    for (const double tilt : {0.0, 0.7})
      for (const auto& [partial, whole] :
           {std::pair("0,.02,.02", "2E-5,.02,.02"), std::pair("0,0,.02", "2E-5,2E-5,.02")}) {
        SCOPED_TRACE(fmt::format("{} {} {}", integrator, tilt, partial));
        Recording r(slider_crank(tilt, partial, integrator)), s(slider_crank(tilt, whole, integrator));
        r.simulation->run(dynamics_analysis, {1, 20});
        s.simulation->run(dynamics_analysis, {1, 20});
        for (std::size_t k = 0; k < r.time.size(); ++k)
          for (const char* channel : {"F2", "F3"})  // rates of up to 20 rad/s; global errors at ERROR = 1e-6
            EXPECT_NEAR(r.at(k, "REQUEST/1", channel), s.at(k, "REQUEST/1", channel), 2e-3) << r.time[k];
      }
}

}  // namespace
}  // namespace trammel::partial_inertia_test
