// The program that docs/api.md shows, compiled from that page, against the motion of a mass on a spring.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

std::vector<double> places_of_the_mass();  // of the page

namespace page_test {
namespace {

/// x = cos 2t for two seconds; then with ω = 1 from there: x₂ cos τ + v₂ sin τ.
TEST(ApiPage, of_the_documents_gives_the_closed_form) {
  const std::vector<double> places = places_of_the_mass();
  ASSERT_EQ(places.size(), 9u + 9u);
  for (std::size_t k = 0; k < places.size(); ++k) {
    const double t = 0.25 * static_cast<double>(k < 9 ? k : k - 1), after = t - 2;
    const double x =
        k < 9 ? std::cos(2 * t) : std::cos(4) * std::cos(after) - 2 * std::sin(4) * std::sin(after);
    EXPECT_NEAR(places[k], x, 1e-4) << t;
  }
}

}  // namespace
}  // namespace page_test
