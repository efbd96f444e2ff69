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
      ", FUNCTION={0}*(SIN({2}*TIME)-DZ(20,10))-{1}*VZ(20,10)\nREQUEST/1, F2=VZ(20,10)\\\n"
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
  double error;  ///< of rates, the largest at outputs behind the first layer
};

Outcome run(const std::string& deck, double omega) {
  Recording r(deck);
  r.simulation->run(dynamics_analysis, {end, 10});
  const std::complex<double> i(0, 1),
      response = omega * omega / (omega * omega - frequency * frequency + 2.0 * i * omega * frequency);
  double largest = 0;
  for (std::size_t n = 1; n < r.time.size(); ++n) {
    const double right = (response * i * frequency * std::exp(i * frequency * r.time[n])).imag();
    largest = std::max(largest, std::abs(r.at(n, "REQUEST/1", "F2") - right));
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

}  // namespace
}  // namespace trammel::stiff_error_test
