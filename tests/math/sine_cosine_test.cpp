// Sine and cosine against the library's of long double, which have eleven more bits.
#include "math/sine_cosine.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

using namespace trammel;

namespace sine_cosine_test {
namespace {

/// |found − exact| in units in the last place of `exact`; 1e-20 of it is allowed to be absolute.
double units_off(double found, long double exact) {
  const double unit = std::ldexp(1.0, std::ilogb(static_cast<double>(exact)) - 52);
  return static_cast<double>(std::max(0.0L, std::fabs(found - exact) - 1e-20L) / unit);
}

/// Angles of all sizes, and such beside multiples of π/2, where nearly all digits cancel.
std::vector<double> angles() {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> exponent(-300, 5.99), turns(-4, 4), quadrant(-636000, 636000),
      sign(-1, 1);
  std::vector<double> x{0.0, -0.0, 1e6, -1e6};
  for (int k = 0; k < 200000; ++k) {
    x.push_back(std::copysign(std::pow(10.0, exponent(random)), sign(random)));
    x.push_back(turns(random));
    const double near = std::round(quadrant(random)) * (std::numbers::pi / 2);
    x.push_back(std::nextafter(near, sign(random) * 1e9));
    x.push_back(near);
  }
  return x;
}

bool same_bits(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

TEST(SineCosine, are_within_a_unit_in_the_last_place) {
  for (const double x : angles()) {
    const SineCosine of = sine_cosine(x);
    ASSERT_LE(units_off(of.sine, std::sin(static_cast<long double>(x))), 1.1) << x;
    ASSERT_LE(units_off(of.cosine, std::cos(static_cast<long double>(x))), 1.1) << x;
  }
}

TEST(SineCosine, of_many_angles_are_those_of_each) {
  std::vector<double> x = angles();
  x.insert(x.begin() + 7, {2e6, -3e300, INFINITY, std::numeric_limits<double>::quiet_NaN()});
  const int n = static_cast<int>(x.size());
  for (const int count : {n, 1, 2, 3, 5}) {
    std::vector<double> sine(n, 7.0), cosine(n, 7.0);
    sines_and_cosines(x.data(), count, sine.data(), cosine.data());
    for (int i = 0; i < count; ++i) {
      const SineCosine of = sine_cosine(x[i]);
      ASSERT_TRUE(same_bits(of.sine, sine[i]) || (of.sine != of.sine && sine[i] != sine[i])) << x[i];
      ASSERT_TRUE(same_bits(of.cosine, cosine[i]) || (of.cosine != of.cosine && cosine[i] != cosine[i]))
          << x[i];
    }
    for (int i = count; i < n; ++i) ASSERT_EQ(sine[i], 7.0);
  }
}

TEST(SineCosine, beyond_their_reduction_are_the_library_s) {
  for (const double x : {1.5e6, -1e22, 1e300}) {
    EXPECT_EQ(sine_cosine(x).sine, std::sin(x));
    EXPECT_EQ(sine_cosine(x).cosine, std::cos(x));
  }
  EXPECT_TRUE(std::isnan(sine_cosine(INFINITY).sine));
  EXPECT_TRUE(std::isnan(sine_cosine(NAN).cosine));
}

}  // namespace
}  // namespace sine_cosine_test
