// Stiff motions that follow their loads, by GSTIFF and WSTIFF: steps are those of what moves, and velocities
// and rates as exact as they are asked for. The loads are sin 3t, so that all is known in closed form.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "../support/simulate.h"

namespace trammel::stiff_error_test {
namespace {

using namespace test;

constexpr double frequency = 3, end = 5;

/// ẍ + 2 ω ẋ + ω² x = ω² sin 3t as a mass behind a spring and a damper, and as a filter. Its rate is 0 at the
/// start, 3 soon afterwards.
std::string mass(double omega, const std::string& integrator) {
  return fmt::format(
      "a mass behind a spring and a damper\nPART/1, GROUND\nMARKER/10, PART=1\n"
      "PART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\nJOINT/1, TRANSLATIONAL, I=20, J=10\n"
      "SFORCE/1, TRANSLATION, ACTIONONLY, I=20, J=10,\n"
      ", FUNCTION={0}*(SIN({2}*TIME)-DZ(20,10))-{1}*VZ(20,10)\nREQUEST/1, F2=VZ(20,10)\\F3=ACCZ(20,10)\\\n"
      "INTEGRATOR/{3}\nEND\n",
      omega * omega, 2 * omega, frequency, integrator);
}
std::string filter(double omega, const std::string& integrator) {
  return fmt::format(
      "a filter\nPART/1, GROUND\nMARKER/10, PART=1\nVARIABLE/1, FUNCTION=SIN({2}*TIME)\n"
      "ARRAY/1, U, SIZE=1, VARIABLES=1\nARRAY/2, X, SIZE=2\nARRAY/3, Y, SIZE=1\n"
      "MATRIX/1, FULL, RORDER, ROWS=2, COLUMNS=2, VALUES=0,1,-{0},-{1}\n"
      "MATRIX/2, FULL, RORDER, ROWS=2, COLUMNS=1, VALUES=0,{0}\n"
      "MATRIX/3, FULL, RORDER, ROWS=1, COLUMNS=2, VALUES=0,1\n"
      "LSE/1, X=2, U=1, Y=3, A=1, B=2, C=3\nREQUEST/1, F2=ARYVAL(3,1)\\\nINTEGRATOR/{3}\nEND\n",
      omega * omega, 2 * omega, frequency, integrator);
}

struct Outcome {
  long steps;
  double error;  ///< of rates, or accelerations, the largest at outputs behind the first layer
};

/// Of the rate or, with `derivative` 2, of the acceleration.
Outcome run(const std::string& deck, double omega, int derivative = 1) {
  Recording r(deck);
  r.simulation->run(dynamics_analysis, {end, 10});
  const std::complex<double> i(0, 1),
      response = omega * omega / (omega * omega - frequency * frequency + 2.0 * i * omega * frequency);
  double largest = 0;
  for (std::size_t n = 1; n < r.time.size(); ++n) {
    const std::complex<double> right =
        response * std::pow(i * frequency, derivative) * std::exp(i * frequency * r.time[n]);
    const double found = r.at(n, "REQUEST/1", derivative == 1 ? "F2" : "F3");
    largest = std::max(largest, std::abs(found - right.imag()));
  }
  return {r.simulation->counters().steps, largest};
}

TEST(StiffErrors, steps_are_those_of_the_loads) {
  for (const auto& [deck, form] : {std::pair{&mass, ", SI2"}, std::pair{&filter, ", I3"}})
    for (const char* method : {"GSTIFF", "WSTIFF"})
      for (const double error : {1e-3, 1e-5, 1e-7}) {
        const std::string integrator = fmt::format("{}{}, ERROR={}", method, form, error);
        const Outcome slow = run(deck(1e2, integrator), 1e2);
        for (const double omega : {1e3, 1e4, 1e5}) {
          const Outcome fast = run(deck(omega, integrator), omega);
          // Steps through the layer at the start grow with log ω; there are up to 1.6 times as many. By the
          // plain difference y_{n+1} − y_p there were up to 2,700 times as many.
          EXPECT_LT(fast.steps, 3 * slow.steps) << integrator << " " << omega;
          // Some ten local errors, relative to 3; they were up to 90.
          EXPECT_LT(fast.error, 10 * error * frequency) << integrator << " " << omega;
        }
      }
}

/// With ω = 10⁵/s rounding of the spring's force, ω² u of 1, is above 1e-7.
TEST(StiffErrors, of_accelerations) {
  for (const char* method : {"GSTIFF", "WSTIFF"})
    for (const double error : {1e-3, 1e-5, 1e-7}) {
      const std::string integrator = fmt::format("{}, SI1, ERROR={}", method, error);
      const Outcome slow = run(mass(1e2, integrator), 1e2, 2);
      for (const double omega : {1e3, 1e4}) {
        const Outcome fast = run(mass(omega, integrator), omega, 2);
        // Up to 2.5 times as many; there were up to 49 times.
        EXPECT_LT(fast.steps, 4 * slow.steps) << integrator << " " << omega;
        // Some ten local errors, relative to 9.
        EXPECT_LT(fast.error, 10 * error * frequency * frequency) << integrator << " " << omega;
      }
    }
}

}  // namespace
}  // namespace trammel::stiff_error_test
