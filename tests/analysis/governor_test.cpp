// A governor over ten seconds, against its equation in one coordinate.
#include <gtest/gtest.h>

#include "../support/simulate.h"
#include "governor.h"

namespace trammel::governor_test {
namespace {

using namespace test;

TEST(Governor, ten_seconds_to_a_tenth_of_a_micrometre) {
  const double exact = Governor::sleeve(10, 1e-4);
  // Order 4: half the step changes 1/16 of the error.
  ASSERT_NEAR(exact, Governor::sleeve(10, 5e-5), 1e-12);
  for (const char* settings : {"INTEGRATOR/GSTIFF,SI2,ERROR=1E-9\n", "INTEGRATOR/RADAU,ERROR=1E-9\n",
                               "INTEGRATOR/WSTIFF,SI2,ERROR=1E-9\n", ""}) {
    Recording r(Governor::deck(settings));
    r.simulation->run(dynamics_analysis, {10, 100});
    const double error = r.at(100, "REQUEST/1", "F2") - exact;
    EXPECT_LT(std::abs(error), 1e-7) << settings << r.simulation->counters().steps;
    RecordProperty(std::string("error ") + settings, fmt::format("{:.3g}", error));
  }
}

}  // namespace
}  // namespace trammel::governor_test
