// Histories of DELAYs on devices.
#include <gtest/gtest.h>

#include <cmath>

#include "../support/each_device.h"
#include "../support/simulate.h"

namespace trammel::delay_test {
namespace {

using namespace test;

class DelayOnDevice : public DeviceTest {};

/// A relay that sees its variable 0.1 s late: y' = -sign(y(t - 0.1)), a triangle wave of amplitude 0.1. The
/// history has jumps between the ends of steps.
TEST_P(DelayOnDevice, in_a_relay) {
  ComputeSettings compute;
  compute.device = shared();
  Recording r(
      "relay\nUNITS/SYSTEM=MKS\nPART/1,GROUND\nMARKER/1,PART=1\nPART/2,MASS=1,CM=20,IP=1,1,1\n"
      "MARKER/20,PART=2\nJOINT/1,TRANSLATIONAL,I=20,J=1\n"
      "DIFF/1,IC=0.33,FUNCTION=-DELAY(IF(DIF(1): -1,0,1),0.1,1)\nINTEGRATOR/GSTIFF,SI2,ERROR=1E-7\nEND\n",
      "test.adm", compute);
  ASSERT_TRUE(r.simulation->systems().steps_on_device(r.simulation->settings().integrator));
  r.simulation->run(dynamics_analysis, {2, 20});
  for (std::size_t n = 0; n < r.time.size(); ++n) {
    const double s = std::fmod(r.time[n] - 0.43, 0.4);
    const double exact = r.time[n] < 0.43 ? 0.33 - r.time[n] : s < 0.2 ? s - 0.1 : 0.3 - s;
    EXPECT_NEAR(r.at(n, "DIFF/1", "Q"), exact, 1e-4) << r.time[n];
  }
}

TRAMMEL_EVERY_DEVICE(DelayOnDevice);

}  // namespace
}  // namespace trammel::delay_test
